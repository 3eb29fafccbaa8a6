# Files of suppressed, rounded and redistributed tables and of maps.

odd <- list(
  `a,b "c"` = c("=1+1", "-2", "he said \"no\"", "x,y"), "Größe \u00e9" = c("1", "10", "\u4e2d\u6587"),
  `@v` = c(" lead", "'quote", "+")
)

odd_table <- function() {
  set.seed(5)
  as_sdc_table(array(rpois(36, 8) + 1, c(4, 3, 3), odd))
}

odd_pattern <- function(dim) {
  hidden <- array(FALSE, dim)
  hidden[1:2, 1:2, ] <- TRUE
  hidden
}

# trees over two variables, and the crossings of a formula
laid_out_table <- function(formula = NULL) {
  set.seed(8)
  data <- expand.grid(area = c("a", "b,", "\u00e9"), sex = c("f", "m"), job = c("1", "2", "3"))
  data$n <- rpois(nrow(data), 6) + 1
  area <- data.frame(parent = c(NA, "all", "all", "in \"q\"", "in \"q\""),
                     child = c("all", "in \"q\"", "\u00e9", "a", "b,"))
  job <- data.frame(any = "J", part = c("p", "p", "q"), job = c("1", "2", "3"))
  sdc_table(data, c("area", "sex", "job"), freqVar = "n", hierarchies = list(area = area, job = job),
            formula = formula)
}

odd_trees <- list(`@v` = data.frame(parent = c("=all", "=all", "in\"side", "in\"side"),
                                    child = c("in\"side", "+", " lead", "'quote")))

firms <- data.frame(
  region = rep(c("north", "=south,", "1"), c(3, 4, 4)), kind = rep(c("a", "\u00e9 \"b\""), length.out = 11),
  turnover = c(132, 99, 12, 40, 35, 30, 20, 50, 45, 33, 20) + .25
)

all_publications <- local({
  made <- NULL
  function() {
    if (is.null(made)) made <<- make_publications()
    made
  }
})

make_publications <- function() {
  x <- odd_table()
  mg <- magnitude_table(firms, c("region", "kind"), "turnover")
  hexagons <- data.frame(q = c(0, 1, 2, 0, 1, 9, 5, -3), r = c(0, 0, 0, 1, 1, 9, 1, -2),
                         n = c(9, 1, 2, 8, 7, 1, 100000, 3))
  map <- hex_table(hexagons, c("q", "r"), freqVar = "n")
  mixed <- suppress(x, 1, pattern = odd_pattern(c(4, 3, 3)), hierarchies = odd_trees, audit = FALSE)
  hidden <- matrix(TRUE, 3, 2)
  list(
    suppressed = publish(mixed, insist = TRUE),
    with_rule = publish(mixed, insist = TRUE, rule = TRUE),
    rounded = publish(round_controlled(x, 3L, key = as.raw(1:16), margins = list("@v", names(odd)[1])) |>
                        suppressWarnings()),
    nearest = publish(round_controlled(roehrig, 5, "nearest")),
    magnitudes = publish(redistribute(mg, rule_p_percent(10), method = "contributors"), insist = TRUE),
    counted = publish(redistribute(mg, rule_p_percent(10), method = "iterative"), insist = TRUE),
    suppressed_magnitudes = publish(
      suppress(mg, rule_p_percent(10), pattern = hidden, audit = FALSE), insist = TRUE
    ),
    suppressed_counted = publish(
      suppress(mg, rule_p_percent(10), pattern = hidden, audit = FALSE), insist = TRUE, counts = TRUE
    ),
    margins = publish(margins(x, list(one = "@v", names(odd)[1:2], total = character()))),
    release = publish(release_greedy(czech_workers, risk_width(6))),
    odd_release = publish(release_greedy(x, risk_width(2, 1:4))),
    magnitude_release = publish(release_exact(mg, risk_np(3, 80))),
    tree_margins = publish(margins(laid_out_table(), list(c("sex", "area"), "job", character()))),
    linked_margins = publish(margins(laid_out_table(~ area + part * sex), list(c("job", "sex"), "area"))),
    linked_suppressed = publish(suppress(
      laid_out_table(~ area * sex + part), 1, pattern = data.frame(
        area = c("a", "b,"), sex = "f", job = "J", suppressed = TRUE
      ), audit = FALSE
    ), insist = TRUE),
    tree_magnitudes = publish(redistribute(
      magnitude_table(firms, c("region", "kind"), "turnover", hierarchies = list(
        region = data.frame(parent = c("T", "T", "o", "o"), child = c("o", "1", "north", "=south,"))
      )), rule_p_percent(10), method = "iterative"
    ), insist = TRUE),
    tree_rounded = publish(round_controlled(laid_out_table(), 3, "nearest")),
    linked_rounded = publish(round_controlled(laid_out_table(~ area * sex + part), 3, "nearest")),
    small_rounded = publish(round_small(laid_out_table(~ area * sex + sex:job), 5)),
    map = suppressWarnings(publish(redistribute(map, 3L, progress = FALSE))),
    local = suppressWarnings(publish(redistribute(map, 3, "local", outliers = "keep",
                                                  progress = FALSE)))
  )
}

files_of <- function(pub) {
  folder <- withr::local_tempdir()
  write_publication(pub, folder, overwrite = TRUE)
  lapply(rlang::set_names(list.files(folder)), function(f) {
    readBin(file.path(folder, f), "raw", 1e6)
  })
}

test_that("property: every kind is read back identical, and writes the same bytes again", {
  for (name in names(all_publications())) {
    pub <- all_publications()[[name]]
    folder <- withr::local_tempdir()
    write_publication(pub, folder, overwrite = TRUE)
    back <- read_publication(folder)
    expect_identical(back, pub, info = name)
    expect_identical(serialize(back, NULL), serialize(pub, NULL), info = name)
    expect_setequal(list.files(folder), c("table.csv", "publication.json"))
    expect_identical(files_of(back), files_of(pub), info = name)
  }
})

test_that("oracle: another reader finds the same values in table.csv", {
  pub <- all_publications()$suppressed
  folder <- write_publication(pub, withr::local_tempfile())
  rows <- utils::read.csv(file.path(folder, "table.csv"), check.names = FALSE, encoding = "UTF-8",
                          colClasses = "character")
  expect_identical(names(rows), c(names(odd), "count", "suppressed"))
  cells <- as.data.frame(pub)
  for (v in names(odd)) expect_identical(rows[[v]], as.character(cells[[v]]))
  expect_identical(suppressWarnings(as.numeric(rows$count)), cells$freq)
  expect_identical(rows$suppressed == "yes", cells$suppressed)
  document <- jsonlite::fromJSON(file.path(folder, "publication.json"))
  expect_identical(document$kind, "sdc_suppressed")
  expect_identical(document$variables$levels[[1]], odd[[1]])
})

test_that("property: two originals with one publication give one pair of files", {
  x <- matrix(c(5, 1, 7, 9, 3, 4, 2, 8, 6), 3)
  y <- x + c(1, -1, 0, -1, 1, 0, 0, 0, 0)
  hidden <- matrix(c(TRUE, TRUE, FALSE, TRUE, TRUE, FALSE, FALSE, FALSE, FALSE), 3)
  one <- publish(suppress(x, 0, pattern = hidden, audit = FALSE))
  two <- publish(suppress(y, 0, pattern = hidden, audit = FALSE))
  expect_identical(files_of(one), files_of(two))
})

lapply_strings <- function(frame) {
  frame[] <- lapply(frame, as.character)
  frame
}

# Another table.csv, with checksums that fit.
forge <- function(folder, lines) {
  write <- function(text, file) writeBin(charToRaw(enc2utf8(text)), file.path(folder, file))
  csv <- paste0(paste(lines, collapse = "\n"), "\n")
  file <- setdiff(list.files(folder), "table.csv")
  json <- readLines(file.path(folder, file), encoding = "UTF-8")
  sums <- grep("\"sha256\"", json)
  json[sums[1]] <- sub("[0-9a-f]{64}", sha256_of(csv), json[sums[1]])
  open <- paste0(paste(json[seq_len(length(json) - 2)], collapse = "\n"), "\n")
  write(csv, "table.csv")
  write(paste0(open, checksum_line(sha256_of(open))), file)
}

test_that("oracle: table.csv has all published cells with totals where there are trees", {
  x <- laid_out_table()
  tree <- laid_out_table(~ area * sex + area:sex:job)
  me <- mechanism(cycles_margin(x))
  linked <- mechanism(cycles_margin(tree))
  pubs <- list(
    perturbed = publish(perturb(x, me, seed = 1, insist = TRUE), insist = TRUE),
    linked = publish(perturb(tree, linked, seed = 1, insist = TRUE), insist = TRUE),
    rounded = all_publications()$tree_rounded, linked_rounded = all_publications()$linked_rounded,
    magnitudes = all_publications()$tree_magnitudes
  )
  for (name in names(pubs)) {
    pub <- pubs[[name]]
    folder <- write_publication(pub, withr::local_tempfile())
    expect_identical(read_publication(folder), pub)
    rows <- utils::read.csv(file.path(folder, "table.csv"), colClasses = "character", encoding = "UTF-8")
    want <- as.data.frame(pub, totals = TRUE)
    if (!name %in% c("magnitudes", "linked_rounded")) {
      leaves <- as.data.frame(pub)
      want <- unique(rbind(lapply_strings(leaves), lapply_strings(want)))
    }
    key <- function(f) do.call(paste, c(unname(lapply(f, as.character)), sep = "|"))
    value <- rows[[if (name == "magnitudes") "total" else "count"]]
    got <- cbind(rows[seq_len(ncol(want) - (name == "magnitudes") - 1)], value)
    if (name == "magnitudes") want <- want[names(want) != "count"]
    expect_setequal(key(got), key(want))
    expect_identical(nrow(got), nrow(want))
    lines <- readLines(file.path(folder, "table.csv"), encoding = "UTF-8")
    lines[length(lines)] <- sub("[0-9]+$", "999", lines[length(lines)])
    forge(folder, lines)
    expect_error(read_publication(folder), class = "sdc_error_input")
  }
})

test_that("property: margins in any order of their variables keep their labels", {
  pub <- publish(margins(Titanic, list(c("Sex", "Class"), c("Age", "Class", "Sex"))))
  folder <- write_publication(pub, withr::local_tempfile())
  expect_identical(read_publication(folder), pub)
  rows <- utils::read.csv(file.path(folder, "table.csv"), colClasses = "character")
  for (i in 1:2) {
    own <- rows[rows$sub_table == i, ]
    v <- names(dimnames(pub[[i]]))
    want <- as.table(pub[[i]])
    expect_equal(as.numeric(own$count), as.numeric(want[as.matrix(own[v])]))
  }
})

test_that("property: any changed byte is an error", {
  set.seed(6)
  for (pub in all_publications()[c("with_rule", "rounded", "counted", "map")]) {
    folder <- write_publication(pub, withr::local_tempfile())
    for (file in c("table.csv", "publication.json")) {
      path <- file.path(folder, file)
      bytes <- readBin(path, "raw", 1e6)
      for (at in sample(length(bytes), 8)) {
        changed <- bytes
        changed[at] <- xor(changed[at], as.raw(1))
        writeBin(changed, path)
        expect_error(read_publication(folder), class = "sdc_error_input")
      }
      writeBin(bytes, path)
    }
    expect_identical(read_publication(folder), pub)
  }
})

test_that("property: publications that were changed by hand are not written", {
  all <- all_publications()
  refused <- function(pub) {
    expect_error(write_publication(pub, withr::local_tempfile()), class = "sdc_error_input")
  }
  hide <- which(all$suppressed$cells$suppressed)[1]
  show <- which(!all$suppressed$cells$suppressed)[1]
  cells <- function(pub, column, at, value) {
    pub$cells[[column]][at] <- value
    pub
  }
  refused(cells(all$suppressed, "freq", hide, 3))
  refused(cells(all$suppressed, "freq", show, 1e6))
  refused(cells(all$suppressed, "freq", show, NA))
  refused(cells(all$suppressed, "suppressed", hide, FALSE))
  refused(within_list(all$suppressed, original = 1))
  refused(within_list(all$suppressed, total_label = 5))
  refused(within_list(all$suppressed, hierarchies = list(nobody = odd_trees[[1]])))
  refused(structure(all$suppressed, original = 1))
  refused(within_list(all$rounded, base = 5))
  refused(within_list(all$rounded, table = raise(all$rounded$table, 1)))
  refused(within_list(all$rounded, true = 1))
  refused(cells(all$magnitudes, "total", 1, -1))
  refused(cells(all$magnitudes, "cell", 1, 99))
  refused(cells(all$suppressed_magnitudes, "total", 1, 3))
  refused(within_list(all$map, count = all$map$count - 100))
  refused(within_list(all$map, moves = 1))
  me <- mechanism(cycles_bidiagonal(roehrig))
  pub <- publication(roehrig, me)
  refused(within_list(pub, original = roehrig))
  refused(structure(pub, note = 1))
  pub$mechanism$alpha <- 2
  refused(pub)
})

test_that("property: input: what cannot be written, and folders of two kinds", {
  expect_error(write_publication(roehrig, tempfile()), "sdc_suppressed", class = "sdc_error_input")
  expect_error(write_publication(suppress(roehrig, 1, pattern = slides_mask()), tempfile()),
               class = "sdc_error_input")
  all <- all_publications()
  folder <- write_publication(all$nearest, withr::local_tempfile())
  expect_error(write_publication(all$nearest, folder), class = "sdc_error_input")
  pub <- publication(roehrig, mechanism(cycles_bidiagonal(roehrig)))
  expect_error(write_publication(pub, folder), class = "sdc_error_input")
  write_publication(pub, folder, overwrite = TRUE)
  expect_identical(read_publication(folder), pub)
  write_publication(all$nearest, folder, overwrite = TRUE)
  expect_identical(read_publication(folder), all$nearest)
  line <- suppress(array(c(1, 9, 8), 3, list(a = c("x\ny", "b", "c"))), 1,
                   pattern = c(TRUE, TRUE, FALSE), audit = FALSE)
  expect_error(write_publication(publish(line, insist = TRUE), tempfile()), "control",
               class = "sdc_error_input")
  named <- suppress(matrix(5:8, 2, dimnames = list(count = c("a", "b"), b = c("c", "d"))), 1,
                    pattern = matrix(TRUE, 2, 2), audit = FALSE)
  expect_error(write_publication(publish(named), tempfile()), "count", class = "sdc_error_input")
})

test_that("property: publications hold nothing but values, names, levels and classes", {
  me <- mechanism(cycles_bidiagonal(roehrig))
  all <- c(all_publications(), list(
    perturbed = publish(perturb(roehrig, me, seed = 1, insist = TRUE), insist = TRUE),
    margins = publish(margins(Titanic, list("Sex", c("Class", "Age")))),
    release = publish(release_greedy(czech_workers, risk_width(6)))
  ))
  strays <- function(x) {
    own <- setdiff(names(attributes(x)), c("names", "class", "levels", "row.names"))
    inside <- if (is.list(x)) unlist(lapply(unclass(x), strays))
    c(own, if (!is.list(x) && !is.atomic(x) && !is.null(x)) typeof(x), inside)
  }
  # the seal of margins is a checksum of what they show, and can be made again from that alone
  expect_true(margins_are_sealed(all$margins))
  for (name in names(all)) {
    allowed <- if (endsWith(name, "margins")) "seal" else character()
    expect_identical(as.character(strays(all[[name]])), allowed, info = name)
    expect_identical(unserialize(serialize(all[[name]], NULL)), all[[name]], info = name)
  }
})

test_that("property: no count of the original is left in the bytes of a publication", {
  # numbers that no label, parameter or published value has
  rare <- c(104729, 104743, 104759, 104761, 104773, 104779, 104789, 104801, 104803)
  x <- matrix(rare, 3)
  holds <- function(object, values) {
    bytes <- paste(serialize(object, NULL), collapse = "")
    vapply(values, function(value) {
      grepl(paste(utils::tail(serialize(value, NULL), 8), collapse = ""), bytes, fixed = TRUE) ||
        grepl(paste(utils::tail(serialize(as.integer(value), NULL), 4), collapse = ""), bytes,
              fixed = TRUE)
    }, NA)
  }
  ro <- round_controlled(x, 10, key = as.raw(1:16))
  expect_true(all(holds(ro, rare)))
  expect_false(any(holds(publish(ro), rare)))
  me <- mechanism(cycles_banded(as_sdc_table(x), seed = 1), .4, .4, covers = 3)
  pe <- perturb(x, me, key = as.raw(1:16), min_protection = 0)
  gone <- setdiff(rare, dense_counts(pe$published))
  expect_gt(length(gone), 3)
  expect_false(any(holds(publish(pe), gone)))
  map <- hex_table(data.frame(q = 0:3, r = 0, n = c(rare[1], 1, rare[2], 2)), c("q", "r"),
                   freqVar = "n")
  h <- redistribute(map, 1000, progress = FALSE)
  gone <- setdiff(rare[1:2], h$map$count)
  expect_gt(length(gone), 0)
  expect_false(any(holds(publish(h), gone)))
  su <- suppress(x, 1, pattern = matrix(1:9 %in% c(1, 2, 4, 5), 3), audit = FALSE)
  expect_false(any(holds(publish(su), rare[c(1, 2, 4, 5)])))
})

test_that("property: how numbers and trees were given leaves no trace", {
  expect_identical(
    serialize(publish(round_controlled(roehrig, 3L, key = as.raw(1:16))), NULL),
    serialize(publish(round_controlled(roehrig, 3, key = as.raw(1:16))), NULL)
  )
  tree <- data.frame(parent = c("all", "all"), child = c("a", "b"))
  x <- matrix(5:8, 2, dimnames = list(u = c("a", "b"), v = c("a", "b")))
  one <- round_controlled(x, 3, hierarchies = list(u = tree, v = list(mine = tree)),
                          key = as.raw(1:16))
  two <- round_controlled(x, 3, hierarchies = list(v = tree, u = tree), key = as.raw(1:16))
  expect_identical(serialize(publish(one), NULL), serialize(publish(two), NULL))
})

test_that("property: a map without data is written, too", {
  map <- hex_table(data.frame(q = 0, r = 0, n = 0), c("q", "r"), freqVar = "n")
  pub <- publish(redistribute(map, 3, progress = FALSE))
  folder <- write_publication(pub, withr::local_tempfile())
  expect_identical(read_publication(folder), pub)
})

test_that("property: reading says that there is no such folder", {
  path <- file.path(withr::local_tempdir(), "nowhere")
  expect_error(read_publication(path), "There is no folder", class = "sdc_error_input")
  writeLines("a", path)
  expect_error(read_publication(path), "not a folder", class = "sdc_error_input")
})
