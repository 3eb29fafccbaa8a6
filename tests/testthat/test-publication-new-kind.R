# A new method of protection is one file: here is one, of methods alone. Counts are cut off at a
# cap; the total is published, too. Nothing else of the package knows of it.

cut_off <- function(x, cap) {
  x <- table_argument(x)
  structure(list(original = x, cap = cap), class = "sdc_cutting")
}

new_cut <- function(counts, labels, cap, total) {
  structure(list(table = table_from_dense(counts, labels), cap = cap, total = total),
            class = "sdc_cut")
}

cut_methods <- list(
  publish.sdc_cutting = function(x, ...) {
    counts <- dense_counts(x$original)
    new_cut(pmin(counts, x$cap), plain(x$original$dimnames), as.double(x$cap), sum(counts))
  },
  as_parts.sdc_cut = function(x, name, arg, style) {
    counts <- dense_counts(x$table)
    columns <- unclass(cell_factors(seq_along(counts), x$table$dimnames))
    upper <- ifelse(counts == x$cap, x$total, counts)
    list(
      new_part(part_name(name, "cut cells"), columns, counts, upper, complete = TRUE),
      new_part(part_name(name, "total"), list(), x$total, x$total, complete = TRUE)
    )
  },
  to_document.sdc_cut = function(x) {
    labels <- x$table$dimnames
    table_document(
      what = "A table of counts, each cut off at cap.", label_names = names(labels),
      labels = label_starts(labels), columns = list(count = exact_decimal(dense_counts(x$table))),
      words = list(count = "the count, or cap where it is cap or more"),
      layout = paste("one line for each cell, zeros included;", in_order),
      variables = variables_document(labels, NULL),
      parameters = list(cap = verbatim_number(x$cap), total = verbatim_number(x$total))
    )
  },
  from_document.sdc_cut = function(kind, document, lines) {
    labels <- document_labels(document)
    counts <- decimal_fields(last_fields(lines[-1], "count")$count)
    cap <- read_number(document$parameters$cap)
    need(all(counts <= cap), "a count is above the cap")
    new_cut(counts, labels, cap, read_number(document$parameters$total))
  },
  user_view.sdc_cut = function(publication, release, ask) {
    table <- as.table(publication$table)
    list(table = table, shown = rep(TRUE, length(table)), totals = NULL)
  }
)

method_cut <- function(cap) {
  new_method("cut", paste("cut at", cap), FALSE, function(x, map, seed) publish(cut_off(x, cap)))
}

# As `@export` does when a package is built.
local_cut_methods <- function(env = parent.frame()) {
  space <- asNamespace("sdcLattice")
  for (name in names(cut_methods)) {
    both <- strsplit(name, ".", fixed = TRUE)[[1]]
    registerS3method(both[[1]], both[[2]], cut_methods[[name]], envir = space)
  }
  withr::defer(rm(list = names(cut_methods), envir = space[[".__S3MethodsTable__."]]), env)
}

# All tables of so many cells with this total.
tables_of_total <- function(n, total) {
  all <- as.matrix(expand.grid(rep(list(0:total), n)))
  t(all[rowSums(all) == total, , drop = FALSE])
}

test_that("oracle: bounds and counts of a new kind are those of all tables that give it", {
  local_cut_methods()
  set.seed(1)
  for (i in 1:20) {
    shape <- list(c(2, 2), 3, c(1, 3), 4)[[i %% 4 + 1]]
    x <- array(rpois(prod(shape), 1.5), shape)
    cap <- sample(0:3, 1)
    pub <- publish(cut_off(x, cap))
    first <- names(dimnames(pub$table))[[1]]
    all <- tables_of_total(length(x), sum(x))
    fits <- all[, colSums(pmin(all, cap) != pmin(as.vector(x), cap)) == 0, drop = FALSE]
    found <- bounds_margins(pub)
    expect_identical(found$lower, as.double(apply(fits, 1, min)))
    expect_identical(found$upper, as.double(apply(fits, 1, max)))
    expect_true(all(found$sharp))
    expect_identical(as.double(count_tables(pub)), as.double(ncol(fits)))
    expect_identical(as.double(count_tables(constraints(pub, margins(x, list(first))))),
                     as.double(sum(apply(fits, 2, function(v) {
                       identical(as.double(rowSums(matrix(v, shape[1]))),
                                 as.double(rowSums(matrix(x, shape[1]))))
                     }))))
  }
})

test_that("property: a new kind is written and read back identical, and refused when changed", {
  local_cut_methods()
  pub <- publish(cut_off(roehrig, 3))
  folder <- write_publication(pub, withr::local_tempfile())
  expect_setequal(list.files(folder), c("table.csv", "publication.json"))
  expect_identical(read_publication(folder), pub)
  changed <- pub
  changed$cap <- 2
  expect_error(write_publication(changed, withr::local_tempfile()), class = "sdc_error_input")
  changed <- pub
  changed$original <- roehrig
  expect_error(write_publication(changed, withr::local_tempfile()), class = "sdc_error_input")
  named <- publish(cut_off(array(1:3, 3, list(count = c("a", "b", "c"))), 3))
  expect_error(write_publication(named, withr::local_tempfile()), "count",
               class = "sdc_error_input")
})

test_that("property: a new kind is compared with the others", {
  local_cut_methods()
  x <- matrix(c(1, 4, 2, 0, 7, 1), 2)
  co <- compare_methods(x, list(method_margins(), method_cut(3), method_cut(8)), replicates = 1)
  shown <- as.data.frame(co)
  at <- function(measure, method) shown$value[shown$measure == measure & shown$method == method]
  expect_identical(at("withheld", "cut at 3"), 0)
  expect_equal(at("abs_change", "cut at 3"), mean(c(0, 1, 0, 0, 4, 0)))
  # two cells share 11, both at least 3: 6 tables
  expect_equal(at("log10_tables", "cut at 3"), log10(6))
  expect_identical(at("abs_change", "cut at 8"), 0)
  expect_identical(at("known_small", "cut at 8"), 1)
})

test_that("published: without its methods a kind is not known", {
  folder <- withr::local_tempfile()
  local({
    local_cut_methods()
    write_publication(publish(cut_off(roehrig, 3)), folder)
  })
  expect_error(read_publication(folder), "not known", class = "sdc_error_input")
  expect_error(publish(cut_off(roehrig, 3)), class = "sdc_error_input")
  expect_error(constraints(new_cut(1, list(a = "b"), 3, 5)), class = "sdc_error_input")
})
