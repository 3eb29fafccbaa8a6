# Objects of nearly all classes, made once.
objects_of_all_kinds <- local({
  made <- NULL
  function() {
    if (is.null(made)) made <<- made_once("objects", make_objects)
    made
  }
})

make_objects <- function() {
  cells <- data.frame(A = rep(c("a", "b"), each = 3), B = rep(c("x", "y", "z"), 2),
                      n = c(5, 1, 8, 4, 7, 9))
  x <- sdc_table(cells, freqVar = "n")
  cycles <- cycles_bidiagonal(x)
  me <- mechanism(cycles)
  per <- perturb(x, me, seed = 1, insist = TRUE)
  pub <- publish(per, insist = TRUE)
  rounded <- round_controlled(x, 3, seed = 1)
  map <- hex_table(data.frame(q = 0:2, r = 0, n = c(5, 2, 9)), c("q", "r"), "n")
  moved <- redistribute(map, threshold = 3)
  firms <- data.frame(A = rep(c("a", "b", "c"), each = 4), v = c(90, 5, 4, 3, 20, 21, 22, 23, 9, 8, 7, 60))
  totals <- magnitude_table(firms, "A", "v")
  hidden <- suppress(x, maxN = 1, pattern = array(TRUE, c(2, 3)), audit = FALSE)
  release <- release_exact(x, risk_width(2))
  bounds <- bounds_margins(margins(x, list("A", "B")))
  certified <- bounds_margins(margins(x, list("A", "B")), certificates = TRUE)
  list(
    table = x, cycles = cycles, cycles_summary = summary(cycles, x), mechanism = me,
    mechanism_summary = summary(me), perturbation = per, perturbation_summary = summary(per),
    publication = pub, publication_summary = summary(pub), posterior = posterior(pub),
    rounding = rounded, rounded = publish(rounded, insist = TRUE), map = map, map_summary = summary(map),
    moved = moved, moved_summary = summary(moved), map_publication = publish(moved),
    map_risk = risk_utility(moved), magnitude = totals, magnitude_summary = summary(totals),
    rules = rule_p_percent(10), sensitive = sensitive(totals, rule_p_percent(10)),
    suppression = hidden, suppression_summary = summary(hidden), suppressed = publish(hidden, insist = TRUE),
    suppression_audit = audit(hidden), years_audit = audit_years(hidden, hidden, 1),
    suppression_verification = verify_suppression(suppress(x, maxN = 1, method = "certified", seed = 1)),
    release = release, release_summary = summary(release),
    release_publication = publish(release), verification = verify_release(release),
    sub_tables = sub_tables(release), critical = critical_widths(x), width = width(release),
    margins = margins(x, list("A", "B")), bounds = bounds, bounds_summary = summary(bounds),
    bounds_certificates = certified$certificates, bounds_verification = verify_bounds(certified),
    disclosed = disclosed(bounds, width = 9, x = x), explanation = explain(bounds, 1),
    estimate = estimate_table(margins(x, list("A", "B"))), count = count_tables(margins(x, list("A", "B"))),
    prior = prior_uniform(), risk = risk_width(2), method = method_margins(),
    protection = expected_protection(x, me, insist = TRUE),
    conditionals = conditionals(x, "A", "B")
  )
}
