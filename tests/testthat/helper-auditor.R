# The auditor in inst/checker: a program that shares no code with the package. What it reads is
# written here, from the public data of a publication and the table itself.

auditor <- local({
  made <- NULL
  function() {
    if (is.null(made)) made <<- compile_auditor()
    made
  }
})

compile_auditor <- function() {
  skip_on_cran()
  build <- file.path(source_folder(), "inst", "checker", "build.sh")
  compiler <- Sys.which(c("c++", "g++", "clang++"))
  compiler <- compiler[nzchar(compiler)]
  if (length(compiler) == 0 || !nzchar(Sys.which("sh"))) skip("there is no compiler")
  # compiled once where files of tests run together, see made_once()
  folder <- Sys.getenv("SDCLATTICE_SHARED", tempdir())
  program <- file.path(if (nzchar(folder)) folder else tempdir(), "sdclattice-audit")
  if (!file.exists(program)) {
    half <- tempfile("sdclattice-audit", dirname(program))
    status <- system2("sh", c(build, "--audit", half), env = paste0("CXX=", compiler[1]))
    stopifnot(status == 0)
    file.rename(half, program)
  }
  program
}

# What the program says of each case: `verdict`, the number of `tables` (NA: many), and the lines of
# its findings.
run_auditor <- function(cases, explain = FALSE) {
  file <- tempfile()
  on.exit(unlink(file))
  writeLines(unlist(cases), file)
  said <- suppressWarnings(system2(auditor(), c(if (explain) "--explain", file), stdout = TRUE))
  said <- said[-c(1, length(said))]
  lapply(unname(split(said, cumsum(startsWith(said, "case ")))), function(lines) {
    word <- function(key) sub("^[a-z]+ ", "", lines[startsWith(lines, paste0(key, " "))])
    list(name = word("case"), verdict = word("verdict"),
         tables = suppressWarnings(as.numeric(c(word("tables"), NA)[1])),
         listed = lapply(strsplit(word("table"), " "), as.numeric),
         said = grep("^(case|verdict|tables?) ", lines, value = TRUE, invert = TRUE))
  })
}

# The numbers of the leaves that each row of a frame of cells and totals holds.
leaves_of_rows <- function(cells, dimnames, held) {
  at <- arrayInd(seq_len(prod(lengths(dimnames))), lengths(dimnames))
  lapply(seq_len(nrow(cells)), function(row) {
    inside <- lapply(seq_along(dimnames), function(v) {
      dimnames[[v]][at[, v]] %in% held[[v]][[as.character(cells[[names(dimnames)[v]]][row])]]
    })
    which(Reduce(`&`, inside))
  })
}

# A case of counts. `pub`: what was published; `counts`: the table itself, as an array; `primary`:
# which rows of the publication must be protected, besides small counts; `promise`: maxN,
# protectZeros, width, readers, and whether readers know that what is suppressed is no zero.
case_of_counts <- function(name, pub, counts, held, promise, primary = FALSE, more = character()) {
  cells <- as.data.frame(pub)
  leaves <- leaves_of_rows(cells, dimnames(counts), held)
  truth <- vapply(leaves, function(at) sum(counts[at]), 0)
  least <- if (promise$protectZeros) 0 else 1
  primary <- primary | truth >= least & truth <= promise$maxN
  low <- if (promise$known_zeros) pmin(truth, 1) else 0 * truth
  state <- ifelse(!cells$suppressed, paste("is", cells$freq),
                  paste(ifelse(primary, "primary", "hidden"), low))
  c(
    paste("case", name), paste(c("truth", counts), collapse = " "), paste("small", promise$maxN),
    paste("width", promise$width), paste(c("readers", promise$readers), collapse = " "),
    paste("zeros", if (promise$protectZeros) "hidden" else "shown"),
    paste("sum", state, ":", vapply(leaves, paste, "", collapse = " ")), more, "end"
  )
}

# A case of what suppress() made; `pub` may be another publication of it. Readers know that no zero
# is suppressed where none is, by a pattern or by a library either.
case_of_suppression <- function(name, su, pub = publish(su), more = character(),
                                known_zeros = !su$protectZeros &&
                                  (!is.null(su$groups) || !any(hides_zero(su)))) {
  cells <- as.data.frame(pub)
  labels <- function(frame) do.call(paste, c(unname(frame[names(su$original$dimnames)]), sep = "\r"))
  named <- labels(su$cells)[su$cells$sdcStatus == "u"]
  promise <- list(
    maxN = su$maxN, protectZeros = su$protectZeros, width = su$width %||% 1,
    readers = su$readers %||% c("outsider", "contributor"), known_zeros = known_zeros
  )
  more <- c(if (!is.null(su$groups)) group_lines(su, cells), more)
  case_of_counts(name, pub, as.array(su$original), held_labels(su), promise,
                 labels(cells) %in% named, more)
}

# Of groups of people: when a suppressed count can be 0, which rows of people there are, and how many
# people act together. They know what the rest of a row is where no third category is possible.
group_lines <- function(su, cells) {
  labels <- lapply(cells[names(su$original$dimnames)], as.character)
  row_of <- function(at) which(Reduce(`&`, Map(function(column, label) column == label, labels, at)))
  room <- su$coalition %||% as.integer("contributor" %in% su$readers)
  counts <- as.array(su$original)
  leaves <- leaves_of_rows(cells, dimnames(counts), held_labels(su))
  empty <- which(cells$suppressed & vapply(leaves, function(at) sum(counts[at]), 0) == 0)
  rules <- lapply(su$groups, function(v) {
    vapply(empty[labels[[v]][empty] != su$total_label], function(row) {
      at <- lapply(labels, `[`, row)
      of <- function(label) row_of(replace(at, v, label))
      kinds <- vapply(dimnames(counts)[[v]], of, 0L)
      paste("zero", row, ":", su$small_groups, ":", of(su$total_label), ":", paste(kinds, collapse = " "), ":", room)
    }, "")
  })
  c(unlist(rules), row_lines(su, cells), if (room > 0) c(paste("together", room), "insiders unsure"))
}

# The rows of people by the variables that name groups.
row_lines <- function(su, cells) {
  labels <- lapply(cells[names(su$original$dimnames)], as.character)
  row_of <- function(at) which(Reduce(`&`, Map(function(column, label) column == label, labels, at)))
  unlist(lapply(su$groups, function(v) {
    vapply(which(labels[[v]] == su$total_label), function(total) {
      kinds <- vapply(su$original$dimnames[[v]], function(label) {
        row_of(replace(lapply(labels, `[`, total), v, label))
      }, 0L)
      paste("row", total, ":", paste(kinds, collapse = " "))
    }, "")
  }))
}

# ---- random tables, with every option -----------------------------------------------------------

one_of_list <- function(x) x[[sample.int(length(x), 1)]]

auditor_table <- function(size, mean = one_of_list(c(1.5, 2.5, 4))) {
  labels <- lapply(seq_along(size), function(v) paste0(letters[v], seq_len(size[v])))
  array(stats::rpois(prod(size), mean), size, stats::setNames(labels, LETTERS[seq_along(size)]))
}

# Two groupings of four levels that cross each other.
crossing_trees <- function() {
  list(
    data.frame(parent = c("all", "all", "p", "p", "q", "q"), child = c("p", "q", "a1", "a2", "a3", "a4")),
    data.frame(parent = c("all", "all", "r", "r", "s", "s"), child = c("r", "s", "a1", "a3", "a2", "a4"))
  )
}

any_readers <- function() {
  one_of_list(list("outsider", c("outsider", "contributor"), c("outsider", "contributor", "coalition")))
}

# Each draws arguments of suppress() of its kind; `make` makes its table of counts.
auditor_kinds <- list(
  plain = function() {
    list(counts = auditor_table(one_of_list(list(c(3, 3), c(3, 4), c(4, 4), c(2, 2, 3), 9))))
  },
  optimal = function() list(counts = auditor_table(c(3, 4)), method = "optimal"),
  costs = function() {
    list(counts = auditor_table(c(4, 4)), cost = one_of_list(c("counts", "log")),
         total_cost = one_of_list(c(.5, 1, 3)))
  },
  zeros = function() {
    list(counts = auditor_table(one_of_list(list(c(3, 3), c(3, 4)))), protectZeros = TRUE)
  },
  groups = function() {
    list(counts = auditor_table(c(3, 3), 2), groups = one_of_list(list("A", "B", c("A", "B"))),
         small_groups = one_of_list(0:3), readers = one_of_list(list("outsider", c("outsider", "contributor"))))
  },
  # people who act together
  together = function() {
    list(counts = auditor_table(one_of_list(list(c(2, 3), c(3, 3), c(3, 4))), 2),
         groups = one_of_list(list("A", "B", c("A", "B"))),
         small_groups = one_of_list(c(0, 0, 2)), coalition = sample(2:5, 1), maxN = sample(0:2, 1), readers = NULL)
  },
  tree = function() list(counts = auditor_table(c(4, 3)), hierarchies = list(A = crossing_trees()[[1]])),
  trees = function() list(counts = auditor_table(c(4, 3)), hierarchies = list(A = crossing_trees())),
  # groups of the same areas by two groupings, with or without the areas themselves
  groupings = function() {
    counts <- auditor_table(one_of_list(list(5, 6, c(5, 2))))
    counts[] <- ifelse(stats::runif(length(counts)) < .3, counts, counts + sample(4:20, length(counts), TRUE))
    areas <- dimnames(counts)$A
    first <- sample(rep_len(1:2, length(areas)))
    # the second one moves an area, or two
    second <- first
    for (moved in sample(which(first == 1), sample(1:2, 1))) second[moved] <- 2
    grouping <- function(name, of) {
      stats::setNames(data.frame(areas, paste0(tolower(name), of)), c("A", name))
    }
    forms <- if (length(dim(counts)) == 1) list(~ G + H, ~ A + G + H) else list(~ G + H + B, ~ G:B + H, ~ G:B + H:B)
    trees <- list(A = list(grouping("G", first), grouping("H", second)))
    list(counts = counts, hierarchies = trees, formula = one_of_list(forms))
  },
  linked = function() {
    forms <- list(~ A:B + A:C, ~ A:B + B:C + A:C, ~ A + B:C, ~ A + B + C)
    list(counts = auditor_table(c(3, 2, 2), 3), formula = one_of_list(forms))
  },
  status = function() {
    counts <- auditor_table(c(4, 4))
    large <- which(counts > 3)
    at <- arrayInd(large[sample.int(length(large), min(2, length(large)))], dim(counts))
    code <- sample(c("u", "x", "z"), nrow(at), TRUE)
    status <- data.frame(A = rownames(counts)[at[, 1]], B = colnames(counts)[at[, 2]], sdcStatus = code)
    list(counts = counts, status = if (nrow(at) > 0) status)
  },
  published = function() {
    counts <- auditor_table(c(4, 4))
    list(counts = counts, maxN = 2, published = counts > 2 & stats::runif(16) < .2)
  },
  previous = function() {
    counts <- auditor_table(c(4, 3))
    list(counts = counts, previous = quietly_suppress(pmax(counts - 1, 0), maxN = 2, readers = "outsider"))
  },
  repaired = function() {
    counts <- auditor_table(c(4, 4))
    list(counts = counts, pattern = counts > 0 & stats::runif(16) < .4, method = "certified", repair = TRUE)
  },
  pattern = function() {
    counts <- auditor_table(c(3, 4))
    list(counts = counts, maxN = 2, readers = NULL, width = NULL, seed = NULL,
         pattern = counts > 0 & (counts <= 2 | stats::runif(12) < .85))
  },
  start = function() {
    counts <- auditor_table(c(4, 4))
    list(counts = counts, start = counts > 0 & stats::runif(16) < .4)
  },
  # any structure with any option
  mixed = function() {
    given <- auditor_kinds[[one_of_list(c("tree", "trees", "groupings", "linked"))]]()
    allowed <- c("zeros", "costs", "optimal", "dear", if (is.null(given$formula)) "groups")
    c(given, switch(one_of_list(allowed),
      zeros = list(protectZeros = TRUE), costs = list(cost = one_of_list(c("counts", "log"))),
      optimal = list(method = "optimal", time_limit_s = 1), dear = list(total_cost = one_of_list(c(.5, 4))),
      groups = list(groups = "B", small_groups = one_of_list(0:2), readers = c("outsider", "contributor"))))
  },
  default = function() list(counts = auditor_table(c(3, 4)), readers = NULL, width = 1),
  # whoever runs the method again, with all options that may be asked for with it
  method = function() {
    counts <- auditor_table(c(3, 3), 1.5)
    option <- one_of_list(c("none", "none", "tree", "zeros", "published", "dear", "outsider", "status"))
    large <- which(counts > 3)
    c(list(counts = counts, readers = c("outsider", if (option != "outsider") "contributor", "method"), seed = 1,
           maxN = 3, width = 1),
      switch(option,
        tree = list(hierarchies = list(B = data.frame(
          parent = c("all", "all", "p", "p"), child = c("p", "b1", "b2", "b3")
        ))),
        zeros = list(protectZeros = TRUE), published = list(published = counts > 3 & stats::runif(9) < .2),
        dear = list(total_cost = one_of_list(c(.5, 4))),
        status = if (length(large) > 0) {
          at <- arrayInd(large[sample.int(length(large), 1)], dim(counts))
          list(status = data.frame(A = rownames(counts)[at[, 1]], B = colnames(counts)[at[, 2]], sdcStatus = "z"))
        }))
  },
  library = function() {
    list(counts = auditor_table(c(3, 4)), method = "GaussSuppression", readers = NULL, width = NULL, seed = NULL)
  }
)

# suppress() of the counts of a table, which may be linked.
quietly_suppress <- function(counts, formula = NULL, hierarchies = NULL, ...) {
  x <- counts
  if (!is.null(formula)) {
    frame <- as.data.frame(as.table(counts))
    x <- sdc_table(frame, names(dimnames(counts)), "Freq", formula = formula, hierarchies = hierarchies)
    hierarchies <- NULL
  }
  suppressWarnings(suppress(x, ..., hierarchies = hierarchies))
}

draw_arguments <- function(kind) {
  given <- auditor_kinds[[kind]]()
  drawn <- list(maxN = sample(1:3, 1), readers = any_readers(), width = sample(c(1, 1, 2, 3), 1), seed = 1)
  out <- c(given, drawn[setdiff(names(drawn), names(given))])
  out[!vapply(out, is.null, NA)]
}

# Draws until a table is published: its arguments, what suppress() made, and the publication.
# `refused`: how many were not. `hides`: does it suppress anything?
draw_publication <- function(kind, hides = TRUE) {
  refused <- 0
  repeat {
    arguments <- draw_arguments(kind)
    # a drawn table may contradict drawn codes, or have a level that is the sum of others
    su <- tryCatch(do.call(quietly_suppress, arguments), sdc_error_input = function(cnd) NULL)
    pub <- if (!is.null(su)) tryCatch(publish(su), sdc_error_refused = function(cnd) NULL)
    if (!is.null(pub) && (!hides || any(as.data.frame(pub)$suppressed))) break
    refused <- refused + 1
    if (refused == 200) stop("nothing of this kind is published: ", kind)
  }
  list(kind = kind, arguments = arguments, su = su, pub = pub, refused = refused)
}

# ---- audits of drawn publications ---------------------------------------------------------------

same_publication <- function(a, b) {
  identical(as.data.frame(a), as.data.frame(b))
}

# Does a table lead to this publication by the same call? At level 0 the promise is about the choice of
# the cells alone, not about the decision to publish them.
runs_to <- function(drawn, values) {
  arguments <- drawn$arguments
  arguments$counts[] <- values
  su <- do.call(quietly_suppress, arguments)
  pub <- tryCatch(publish(su, insist = isTRUE(drawn$su$level == 0)), sdc_error_refused = function(cnd) NULL)
  !is.null(pub) && same_publication(pub, drawn$pub)
}

# Numbers of the listed tables: the true one first, then those in which most counts and totals are zero,
# small or large as there, which are the ones that the method may not tell apart.
likely_first <- function(drawn, listed) {
  counts <- as.array(drawn$su$original)
  leaves <- leaves_of_rows(as.data.frame(drawn$pub), dimnames(counts), held_labels(drawn$su))
  sums <- function(values) vapply(leaves, function(at) rowSums(values[, at, drop = FALSE]), numeric(nrow(values)))
  status <- function(values) matrix((values > 0) + (values > drawn$su$maxN), ncol = length(leaves))
  tables <- do.call(rbind, listed)
  own <- status(sums(matrix(counts, 1)))
  other <- rowSums(status(sums(tables)) != rep(own, each = nrow(tables)))
  apart <- rowSums(abs(tables - rep(counts, each = nrow(tables))))
  order(apart > 0, other, -apart)
}

# The audit with a reader who runs the method again, on tables that agree, until enough lead to the
# publication that nobody learns anything, or on all: more of them would tell less. `case`: makes the
# case, with further lines. `again`: how often the method was run.
audit_by_method <- function(drawn, listed, case, explain = FALSE, all = FALSE) {
  by <- likely_first(drawn, listed)
  kept <- integer()
  at <- 0
  while (at < length(by)) {
    some <- by[seq(at + 1, length.out = min(if (all) Inf else max(8, at), length(by) - at))]
    kept <- c(kept, some[vapply(listed[some], runs_to, NA, drawn = drawn)])
    if (at == 0 && !by[1] %in% kept) stop("The method leads to another publication when it is run again.")
    at <- at + length(some)
    found <- run_auditor(list(case(paste(c("kept", sort(kept)), collapse = " "))), explain)[[1]]
    if (!any(grepl("^open method", found$said))) break
  }
  c(found, list(again = at))
}

# The audits of some drawn publications. Where the method is one of the readers it is run on tables that
# agree, if they are at most `most`; otherwise this reader is left out.
audit_drawn <- function(drawn, limit, most, more = character(), explain = FALSE) {
  about <- function(k, extra) {
    case_of_suppression(paste(drawn[[k]]$kind, k), drawn[[k]]$su, drawn[[k]]$pub,
                        c(paste("limit", format(limit, scientific = FALSE)), more, extra))
  }
  asks <- vapply(drawn, function(one) "method" %in% one$su$readers, NA)
  found <- run_auditor(lapply(seq_along(drawn), function(k) {
    case <- about(k, if (asks[k]) "list")
    if (asks[k]) sub(" method", "", case) else case
  }), explain)
  again <- which(asks & vapply(found, function(one) length(one$listed) %in% seq_len(most), NA))
  found[again] <- lapply(again, function(k) {
    audit_by_method(drawn[[k]], found[[k]]$listed, function(kept) about(k, kept), explain)
  })
  list(found = found, run_again = again)
}

# ---- what must be caught ------------------------------------------------------------------------

# A publication that shows some of its suppressed rows.
with_shown <- function(one, rows) {
  pub <- one$pub
  pub$cells$freq[rows] <- one$su$cells$freq[rows]
  pub$cells$suppressed[rows] <- FALSE
  pub
}

# The same, of rows that are drawn.
partly_shown <- function(one, share = .3) {
  hidden <- which(one$pub$cells$suppressed & one$su$cells$sdcStatus != "n")
  with_shown(one, hidden[stats::runif(length(hidden)) < share])
}
