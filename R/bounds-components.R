# Bounds from margins by prime components: what each is known to hold, and how they are glued.

bound_by_formula <- function(release, asked, style) {
  open <- release$structure$components[release$structure$kinds == "open"]
  if (length(open) > 0) {
    names <- lapply(open, function(set) names(release$dimnames)[set])
    abort_sdc("input", c(
      "The closed form holds for decomposable releases.",
      x = "Variables {.val {names[[1]]}} form a component that is no margin.",
      i = "Use {.code method = \"auto\"}; {.fn release_structure} shows the components."
    ))
  }
  bound_by_components(release, asked, style)
}

# Upper: the least over the components; lower: their sum less that of the separators, at least 0.
# The help page says why both are attained.
bound_by_components <- function(release, asked, style) {
  found <- release$structure
  upper <- rep(Inf, asked$n)
  sum <- numeric(asked$n)
  sharp <- rep(TRUE, asked$n)
  most <- upper
  least <- sum
  efforts <- list()
  end <- work_seconds() + style$seconds
  shared <- components_by_workers(release, asked, style)
  for (i in seq_along(found$components)) {
    left <- max(0, end - work_seconds())
    part <- shared[[as.character(i)]] %||% bound_component(
      release, found$components[[i]], found$kinds[i], asked, style, left
    )
    upper <- pmin(upper, part$upper)
    sum <- sum + part$lower
    sharp <- sharp & part$sharp
    most <- pmin(most, part$most %||% NA)
    least <- least + (part$least %||% NA)
    efforts <- c(efforts, list(part$effort))
  }
  for (set in found$separators) {
    common <- release_values(release, set, asked)
    sum <- sum - common
    least <- least - common
  }
  out <- list(lower = pmax(0, sum), upper = upper, sharp = sharp, effort = sum_efforts(efforts),
              least = pmax(0, least), most = most)
  if (all(sharp)) out else narrow_by_chains(out, release, asked)
}

bound_component <- function(release, set, kind, asked, style, seconds) {
  if (kind == "margin") {
    value <- release_values(release, set, asked)
    return(known_bounds(value, value))
  }
  if (kind == "free") {
    total <- release_total(release)
    least <- if (length(release$dimnames[[set]]) > 1) 0 else total
    return(known_bounds(rep(least, asked$n), rep(total, asked$n)))
  }
  part <- component_release(release, set)
  if (!is.null(style$truth)) {
    style$truth <- project_table(style$truth, set, vector("list", length(set)), part$dimnames)
  }
  codes <- asked$codes[set]
  keys <- cell_keys(codes, lengths(part$dimnames))
  first <- which(!duplicated(keys))
  inner <- new_asked(lapply(codes, function(code) code[first]), length(first))
  found <- if (prod(lengths(part$dimnames)) > style$max_cells) {
    c(bound_by_chains(part, inner)[c("lower", "upper", "sharp")],
      list(effort = list(stopped = TRUE, too_large = TRUE)))
  } else {
    bound_by_search(part, inner, style, "ip", seconds)
  }
  at <- match(keys, keys[first])
  list(lower = found$lower[at], upper = found$upper[at], sharp = found$sharp[at],
       least = found$least[at], most = found$most[at], effort = found$effort)
}

# The release that a component sees: what each margin shows of its variables. A separator's margin
# may come from a margin of another component.
component_release <- function(release, set) {
  frontier <- release$structure$frontier
  shown <- lapply(release$sets[frontier], function(s) sort(intersect(s, set)))
  keep <- study_release(length(release$dimnames), unname(shown))$frontier
  tables <- lapply(shown[keep], function(s) release_margin(release, s))
  dimnames <- release$dimnames[set]
  sets <- lapply(tables, function(x) match(names(x$dimnames), names(dimnames)))
  list(dimnames = dimnames, tables = tables, sets = sets,
       structure = study_release(length(set), unname(sets)))
}

# The bounds from components that are searched, named by their numbers, where workers share them.
# Each has the whole time.
components_by_workers <- function(release, asked, style) {
  structure <- release$structure
  open <- which(structure$kinds == "open")
  cells <- vapply(structure$components[open], function(set) {
    prod(lengths(release$dimnames[set]))
  }, 0)
  open <- open[order(-cells)]
  if (!has_workers() || sum(cells * asked$n >= least_share_work()) < 2) {
    return(NULL)
  }
  quiet <- style
  quiet$progress <- FALSE
  found <- with_progress("Bounds", function(tick) {
    work_apply(open, bound_shared_component, list(release = release, asked = asked, style = quiet),
               tick = tick)
  }, style$progress)
  rlang::set_names(found, open)
}

bound_shared_component <- function(i, ready, tick) {
  structure <- ready$release$structure
  bound_component(ready$release, structure$components[[i]], structure$kinds[i], ready$asked,
                  ready$style, ready$style$seconds)
}
