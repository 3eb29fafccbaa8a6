# Mechanisms in documents: probabilities as decimals and as exact fractions, and all rules in words.

mechanism_document <- function(me) {
  list(
    alpha = probability_document(me$alpha),
    beta = probability_document(me$beta),
    sign_convention = paste(
      "+1 adds the cycle (its coefficients) to the table and has probability alpha;",
      "-1 subtracts it and has probability beta; else the table stays as it is."
    ),
    zero_rule = me$zero_rule,
    zero_rule_in_words = zero_rule_in_words(me),
    covers = me$covers,
    order_of_application = I(steps_of(me)),
    drawn = paste(
      "once: each step has one coin of its own, independent of the table and of the other coins,",
      paste0("used whether or not the step is skipped; nothing was drawn again, and nothing was ",
             "changed after the draw")
    )
  )
}

zero_rule_in_words <- function(me) {
  if (skips_zeros(me$cycles)) {
    return(paste0("A step is skipped, whatever its coin, when the rule of the cycles says so: no ",
                  "other step is."))
  }
  switch(me$zero_rule,
    blocked = paste(
      paste0("A step is skipped, whatever its coin, when any cell on its cycle is at that time ",
             "smaller than"),
      "the absolute value of its coefficient."
    ),
    nonnegative = "A step is skipped when a cell would become negative.",
    none = "No step is ever skipped. For analysis only.",
    roehrig = paste0("An improper recursion behind a published example; no probability model. For ",
                     "analysis only.")
  )
}

probability_document <- function(p) {
  list(
    applies_to = if (length(p) == 1) "all cycles" else "each cycle, by number",
    decimal = I(sprintf("%.17g", p)),
    exact = I(exact_fraction(p))
  )
}

# "1/2^2": a double is a whole number over a power of two.
exact_fraction <- function(p) {
  power <- integer(length(p))
  while (any(part <- p != floor(p))) {
    p[part] <- 2 * p[part]
    power[part] <- power[part] + 1L
  }
  sprintf("%.0f/2^%d", p, power)
}

# Two factors where 2^-power alone would round to 0.
exact_number <- function(text) {
  if (!all(grepl("^[0-9]{1,16}/2\\^[0-9]{1,4}$", text))) {
    damaged("a probability is no exact fraction")
  }
  top <- as.numeric(sub("/.*", "", text))
  power <- as.numeric(sub(".*\\^", "", text))
  top * 2^-(power %/% 2) * 2^-(power - power %/% 2)
}

read_mechanism <- function(document, set) {
  covers <- whole_numbers(list(document$covers))
  steps <- whole_numbers(document$order_of_application)
  need(length(steps) == cover_length(set) * covers,
       "the order of application has not one number for each step")
  rule <- strings(list(document$zero_rule))
  me <- mechanism(set, read_probability(document$alpha), read_probability(document$beta), covers,
                  steps, rule)
  same <- c("zero_rule_in_words", "sign_convention", "drawn")
  need(identical(document[same], mechanism_document(me)[same]), "the words and the codes differ")
  me
}

read_probability <- function(document) {
  p <- exact_number(strings(document$exact))
  need(identical(sprintf("%.17g", p), strings(document$decimal)),
       "decimal and exact probabilities differ")
  all_cycles <- identical(document$applies_to, "all cycles")
  need(!all_cycles || length(p) == 1, "the number of probabilities does not fit")
  p
}
