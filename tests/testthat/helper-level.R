# Tables by level for tests.

# A table of `counts` over leaves with trees; `ladders`: for each variable a list of groupings of
# its leaves, from coarse to fine, by name.
table_with_ladders <- function(counts, ladders) {
  names <- names(dimnames(counts))
  trees <- lapply(names, function(v) {
    rungs <- ladders[[v]]
    if (length(rungs) == 0) return(NULL)
    frame <- lapply(names(rungs), function(name) paste0(name, rungs[[name]]))
    frame <- as.data.frame(stats::setNames(frame, names(rungs)))
    frame[[v]] <- dimnames(counts)[[v]]
    frame
  })
  sdc_table(counts, hierarchies = Filter(length, stats::setNames(trees, names)), total = FALSE)
}

# With steps, although each variable has one level: all code for levels runs, and nothing is new.
in_single_steps <- function(x) {
  x <- as_sdc_table(x)
  k <- length(x$dimnames)
  set_layout(x, list(
    trees = NULL, total_label = "Total", crossings = NULL, formula = NULL,
    steps = list(variable = seq_len(k), level = rep("finest", k), names = names(x$dimnames),
                 categories = unname(x$dimnames), maps = lapply(unname(dim(x)), seq_len),
                 trees = vector("list", k), total_label = "Total")
  ))
}

# The groups of each variable at each level, 0 being the total and the last the leaves.
all_groups <- function(counts, ladders) {
  lapply(names(dimnames(counts)), function(v) {
    n <- length(dimnames(counts)[[v]])
    c(list(rep(1, n)), unname(ladders[[v]]), list(seq_len(n)))
  })
}

# The width of a release by level, by listing all tables over the leaves: `choices` are vectors of
# levels.
every_table_by_level <- function(counts, ladders, at_risk = 1:2) {
  groups <- all_groups(counts, ladders)
  finest <- lengths(groups) - 1
  leaf <- arrayInd(seq_along(counts), dim(counts))
  code <- function(choice) {
    as.integer(factor(do.call(paste, lapply(seq_along(choice), function(v) {
      groups[[v]][[choice[v] + 1]][leaf[, v]]
    }))))
  }
  one_way <- lapply(seq_along(finest), function(v) replace(0 * finest, v, finest[v]))
  holds <- function(choices) all(Reduce(pmax, choices, 0 * finest) == finest)
  listed_width(counts, code, one_way, holds, at_risk)
}

# What a request for a choice of levels names.
choice_label <- function(choice, names, ladders) {
  labels <- vapply(which(choice > 0), function(v) {
    rungs <- names(ladders[[names[v]]])
    if (choice[v] > length(rungs)) names[v] else paste0(names[v], "@", rungs[choice[v]])
  }, "")
  paste(labels, collapse = ":")
}

# All sets of choices that hold those that are needed and, with each choice, what is below it: a row
# for each set. `inside[i, j]`: is choice i below choice j?
families_of_choices <- function(choices, needed) {
  n <- nrow(choices)
  inside <- outer(seq_len(n), seq_len(n), Vectorize(function(i, j) {
    all(choices[i, ] <= choices[j, ])
  }))
  families <- matrix(TRUE, 2^sum(!needed), n)
  families[, !needed] <- as.matrix(expand.grid(rep(list(c(FALSE, TRUE)), sum(!needed))))
  torn <- rowSums((!families) %*% inside * families) > 0
  list(inside = inside, families = families[!torn, , drop = FALSE])
}

level_cases <- function(which = 1:3) {
  cases <- list(
    list(dim = c(a = 4, b = 2), ladders = list(a = list(half = c(1, 1, 2, 2))), total = 9),
    list(dim = c(a = 3, b = 2, c = 2), ladders = list(a = list(two = c(1, 1, 2))), total = 7),
    list(dim = c(a = 3, b = 3), total = 9,
         ladders = list(a = list(two = c(1, 2, 2)), b = list(pair = c(1, 1, 2))))
  )
  lapply(cases[which], function(case) {
    ok <- FALSE
    while (!ok) {
      weight <- stats::rexp(prod(case$dim))
      counts <- array(tabulate(sample(prod(case$dim), case$total, TRUE, weight), prod(case$dim)),
                      case$dim)
      dimnames(counts) <- Map(function(n, v) paste0(v, seq_len(n)), case$dim, names(case$dim))
      width <- every_table_by_level(counts, case$ladders)
      finest <- 1 + lengths(case$ladders[names(case$dim)])
      one_way <- lapply(seq_along(finest), function(v) replace(0 * finest, v, finest[v]))
      ok <- any(counts %in% 1:2) && width(one_way) >= 3
    }
    c(case[c("dim", "ladders")], list(counts = counts, width = width, finest = unname(finest),
                                      one_way = lapply(one_way, unname)))
  })
}
