# Publications in the formats of other programs, and as text for reports.

hidden_pattern <- function(x, share = .4) {
  array(stats::runif(length(x)) < share, dim(x), dimnames(x))
}

random_counts <- function(k) {
  size <- sample(1:4, k, TRUE)
  labels <- lapply(size, function(n) sample(c("a b", "\u00e4", "=1", "x,\"y\"", "<3 & 4"), n))
  names(labels) <- c("V 1", "r\u00e9gion", "=z")[seq_len(k)]
  as_sdc_table(array(sample(c(0, 0, 1, 2, 7, 12345), prod(size), TRUE), size, labels))
}

random_publications <- function() {
  x <- random_counts(sample(1:3, 1))
  pattern <- hidden_pattern(as.array(x))
  firms <- data.frame(
    a = sample(letters[1:3], 9, TRUE), b = sample(c("u", "v"), 9, TRUE),
    turnover = sample(1:4000, 9) / 4
  )
  mg <- magnitude_table(firms, c("a", "b"), "turnover")
  rules <- rule_p_percent(10)
  two <- array(stats::runif(6) < .5, lengths(mg$dimnames))
  list(
    suppressed = publish(suppress(x, 1, pattern = pattern, audit = FALSE), insist = TRUE),
    rounded = publish(round_controlled(margin(x, names(dimnames(x))[1]), 3, key = as.raw(1:16))),
    suppressed_magnitudes = publish(suppress(mg, rules, pattern = two, audit = FALSE),
                                    insist = TRUE, counts = TRUE),
    magnitudes = publish(redistribute(mg, rules, method = "iterative"), insist = TRUE),
    margins = publish(margins(x, list(character(), names(dimnames(x))[1])))
  )
}

# What a reader may see, from the object alone: labels and values, NA where suppressed, in one frame.
shown_rows <- function(pub) {
  frame <- if (inherits(pub, "sdc_margins")) {
    v <- names(pub[[2]]$dimnames)
    total <- as.data.frame(pub[[2]], zeros = TRUE, responseName = "the value")
    total[[v]] <- as.character(total[[v]])
    for (other in setdiff(margin_names_of(pub), v)) total[[other]] <- "Total"
    total[nrow(total) + 1, ] <- NA
    total[nrow(total), -match("the value", names(total))] <- "Total"
    total[["the value"]][nrow(total)] <- sum(pub[[1]])
    total
  } else if (inherits(pub, "sdc_rounded_publication")) {
    as.data.frame(pub$table, zeros = TRUE, totals = TRUE, responseName = "the value")
  } else if (inherits(pub, "sdc_magnitude_publication")) {
    as.data.frame(pub, totals = TRUE)
  } else {
    pub$cells[names(pub$cells) != "suppressed"]
  }
  value <- names(frame) %in% c("the value", "freq", "total", "count")
  long <- lapply(names(frame)[value], function(name) {
    part <- frame[!value]
    part[] <- lapply(part, as.character)
    if (sum(value) > 1) part$measure <- name
    part$shown <- frame[[name]]
    part
  })
  do.call(rbind, long)
}

margin_names_of <- function(pub) {
  unique(unlist(lapply(unclass(pub), function(m) names(m$dimnames))))
}

# Both in one order.
same_rows <- function(got, want, info) {
  by <- setdiff(names(want), "shown")
  got <- got[do.call(order, unname(got[by])), c(by, "shown")]
  want <- want[do.call(order, unname(want[by])), c(by, "shown")]
  rownames(got) <- rownames(want) <- NULL
  expect_identical(got, want, info = info)
}

read_json_stat <- function(file) {
  json <- jsonlite::fromJSON(file, simplifyVector = FALSE)
  size <- unlist(json$size)
  n <- prod(size)
  places <- if (is.null(names(json$value))) seq_len(n) else as.numeric(names(json$value)) + 1
  values <- vapply(unname(json$value), function(v) if (is.null(v)) NA_real_ else as.numeric(v), 1)
  # the last dimension is the fastest
  at <- places - 1
  out <- list()
  for (v in rev(seq_along(size))) {
    out[[json$id[[v]]]] <- unlist(json$dimension[[v]]$category$index)[at %% size[v] + 1]
    at <- at %/% size[v]
  }
  out <- as.data.frame(rev(out), check.names = FALSE, optional = TRUE)
  names(out) <- unlist(json$id)
  out$shown <- values
  hidden <- as.numeric(names(json$status)) + 1
  expect_setequal(places[is.na(values)], hidden)
  out
}

test_that("oracle: another reader finds the same cells in JSON-stat", {
  set.seed(11)
  for (trial in 1:12) {
    for (pub in random_publications()) {
      folder <- write_publication(pub, withr::local_tempfile(), format = "json-stat")
      same_rows(read_json_stat(file.path(folder, "table.json")), shown_rows(pub), class(pub)[1])
    }
  }
})

test_that("oracle: SDMX-CSV, SDMX-ML and the codes of the structure message tell the same cells", {
  skip_if_not_installed("xml2")
  set.seed(12)
  for (trial in 1:8) {
    for (pub in random_publications()) {
      folder <- withr::local_tempfile()
      write_publication(pub, folder, format = "sdmx-ml")
      write_publication(pub, folder, format = "sdmx-csv", overwrite = TRUE)
      structure <- xml2::read_xml(file.path(folder, "structure.xml"))
      data <- xml2::read_xml(file.path(folder, "table.sdmx.xml"))
      csv <- utils::read.csv(file.path(folder, "table.sdmx.csv"), colClasses = "character")
      label <- function(dimension, codes) {
        path <- sprintf("//structure:Codelist[@id='CL_%s']/structure:Code", dimension)
        all <- xml2::xml_find_all(structure, path)
        xml2::xml_text(xml2::xml_find_first(all, "common:Name"))[match(codes, xml2::xml_attr(all, "id"))]
      }
      dimensions <- xml2::xml_attr(xml2::xml_find_all(structure, "//structure:Dimension"), "id")
      names <- vapply(dimensions, function(d) {
        path <- sprintf("//structure:Concept[@id='%s']/common:Name", d)
        xml2::xml_text(xml2::xml_find_first(structure, path))
      }, "")
      got <- lapply(dimensions, function(d) label(d, csv[[d]]))
      # base R translates names into the encoding of the locale, which may not have them
      got <- list2data_frame(rlang::set_names(got, names), nrow(csv))
      got$shown <- as.numeric(csv$OBS_VALUE)
      same_rows(got, shown_rows(pub), class(pub)[1])
      if (inherits(pub, "sdc_suppressed")) {
        expect_identical(csv$OBS_STATUS == "Q", is.na(got$shown))
        expect_true("OBS_STATUS" %in% xml2::xml_attr(
          xml2::xml_find_all(structure, "//structure:Attribute"), "id"
        ))
      }
      obs <- xml2::xml_find_all(data, "//generic:Obs")
      value <- xml2::xml_attr(xml2::xml_find_first(obs, "generic:ObsValue"), "value")
      expect_identical(as.numeric(value), got$shown)
      status <- xml2::xml_attr(xml2::xml_find_first(obs, "generic:Attributes/generic:Value"), "value")
      expect_identical(status %in% "Q", is.na(got$shown))
    }
  }
})

test_that("oracle: a spreadsheet shows the cells, their signs and bold totals", {
  skip_if_not_installed("openxlsx")
  set.seed(13)
  x <- random_counts(2)
  pub <- publish(suppress(x, 1, pattern = hidden_pattern(as.array(x)), audit = FALSE), insist = TRUE)
  folder <- write_publication(pub, withr::local_tempfile(), format = "xlsx", suppressed = ":",
                              meta = list(title = "A table", prepared = "2026-01-02T03:04:05Z"))
  file <- file.path(folder, "table.xlsx")
  got <- openxlsx::read.xlsx(file, "Table", colNames = FALSE, skipEmptyCols = FALSE)
  want <- as.table(pub, totals = TRUE)
  text <- format(want, trim = TRUE)
  text[is.na(want)] <- ":"
  expect_identical(unname(as.matrix(got))[-1, -1, drop = FALSE],
                   matrix(as.character(text), nrow(want)))
  expect_identical(got[-1, 1], rownames(want))
  expect_identical(as.character(got[1, ]), c(names(dimnames(want))[1], colnames(want)))
  book <- openxlsx::loadWorkbook(file)
  bold <- Filter(function(s) "BOLD" %in% s$style$fontDecoration && s$sheet == "Table", book$styleObjects)
  cells <- unique(do.call(rbind, lapply(bold, function(s) cbind(s$rows, s$cols))))
  totals <- which(row(want) == nrow(want) | col(want) == ncol(want), arr.ind = TRUE) + 1
  inside <- cells[cells[, 1] > 1 & cells[, 2] > 1, , drop = FALSE]
  expect_setequal(paste(inside[, 1], inside[, 2]), paste(totals[, 1], totals[, 2]))
  expect_match(book$worksheets[[1]]$freezePane, "ySplit=\"1\" xSplit=\"1\".*frozen")
  metadata <- openxlsx::read.xlsx(file, "Metadata", colNames = FALSE)
  expect_identical(metadata[match(c("Title", "Date"), metadata[[1]]), 2],
                   c("A table", "2026-01-02T03:04:05Z"))
  expect_identical(openxlsx::read.xlsx(file, "Legend", colNames = FALSE)[1, 1], ":")
})

test_that("property: a spreadsheet has no date, no user and one line for each cell of other tables", {
  skip_if_not_installed("openxlsx")
  pub <- publish(release_greedy(czech_workers, risk_width(6)))
  folder <- write_publication(pub, withr::local_tempfile(), format = "xlsx")
  file <- file.path(folder, "table.xlsx")
  got <- openxlsx::read.xlsx(file, "Table")
  expect_identical(got$count, as.data.frame(pub)$count)
  inside <- withr::local_tempdir()
  utils::unzip(file, exdir = inside)
  core <- paste(readLines(file.path(inside, "docProps", "core.xml"), warn = FALSE), collapse = "")
  expect_no_match(core, "created")
  expect_no_match(core, Sys.info()[["user"]], fixed = TRUE)
  expect_false("Date" %in% openxlsx::read.xlsx(file, "Metadata", colNames = FALSE)[[1]])
})

test_that("property: no format holds a suppressed count", {
  rare <- c(104729, 104743, 104759, 104761, 104773, 104779, 104789, 104801, 104803)
  hidden <- c(1, 2, 4, 5)
  su <- suppress(matrix(rare, 3), 1, pattern = matrix(1:9 %in% hidden, 3), audit = FALSE)
  pub <- publish(su)
  for (format in c("csv", "json-stat", "sdmx-csv", "sdmx-ml", "xlsx")) {
    if (format == "xlsx") skip_if_not_installed("openxlsx")
    folder <- write_publication(pub, withr::local_tempfile(), format = format)
    if (format == "xlsx") utils::unzip(file.path(folder, "table.xlsx"), exdir = folder)
    files <- setdiff(list.files(folder, recursive = TRUE, full.names = TRUE),
                     file.path(folder, "table.xlsx"))
    text <- paste(unlist(lapply(files, readLines, warn = FALSE)), collapse = "\n")
    held <- vapply(rare, function(value) grepl(sprintf("%.0f", value), text, fixed = TRUE), NA)
    expect_identical(which(!held), as.integer(hidden), info = format)
  }
  text <- format(su, suppressed = "c", big.mark = "")
  expect_identical(which(unclass(text)[1:3, 1:3] == "c"), as.integer(hidden))
})

test_that("property: the signs of format() stand for the suppressed and the small, and for no others", {
  set.seed(14)
  for (trial in 1:20) {
    x <- random_counts(2)
    su <- suppress(x, 1, pattern = hidden_pattern(as.array(x)), audit = FALSE)
    pub <- publish(su, insist = TRUE)
    text <- format(pub, suppressed = "..", small = "<3", big.mark = "")
    expect_identical(text, format(su, suppressed = "..", small = "<3", big.mark = ""))
    want <- as.table(pub, totals = TRUE)
    expect_identical(dimnames(text), dimnames(want))
    expect_identical(unclass(text) == "..", unclass(is.na(want)))
    small <- !is.na(want) & want > 0 & want < 3
    expect_identical(unclass(text) == "<3", unclass(small))
    plain <- !small & !is.na(want)
    expect_identical(as.numeric(text[plain]), as.numeric(want[plain]))
  }
})

test_that("property: format() without signs is what print shows, and other tables become a frame", {
  all <- random_publications()
  for (pub in all) expect_true(is.character(format(pub)) && is.null(dim(format(pub))))
  cube <- as_sdc_table(Titanic)
  pub <- publish(round_controlled(
    cube, 5, "nearest", margins = list("Sex", "Age")
  ))
  text <- format(pub, suppressed = "c")
  expect_s3_class(text, "data.frame")
  expect_identical(names(text), c(names(dimnames(Titanic)), "count"))
  whole <- as.data.frame(pub$table, zeros = TRUE, totals = TRUE)
  expect_identical(as.numeric(gsub(",", "", text$count)), as.numeric(whole[[length(whole)]]))
})

test_that("property: input: formats, their arguments and folders", {
  pub <- publish(round_controlled(roehrig, 5, "nearest"))
  refused <- function(...) expect_error(write_publication(pub, ...), class = "sdc_error_input")
  path <- withr::local_tempfile()
  refused(path, format = "pdf")
  refused(path, meta = list(title = "a"))
  refused(path, format = "json-stat", suppressed = ":")
  refused(path, format = "json-stat", meta = list(colour = 1))
  refused(path, format = "xlsx", suppressed = 1)
  expect_false(dir.exists(path))
  write_publication(pub, path, format = "json-stat")
  refused(path, format = "json-stat")
  expect_error(read_publication(path), "table.json", class = "sdc_error_input")
  write_publication(pub, path)
  expect_setequal(list.files(path), c("publication.json", "table.csv", "table.json"))
  expect_identical(read_publication(path), pub)
  expect_error(write_publication(roehrig, path, format = "xlsx"), class = "sdc_error_input")
  expect_error(format(pub, small = "few"), "such as", class = "sdc_error_input")
  expect_error(format(pub, suppressed = 3), class = "sdc_error_input")
  expect_error(format(pub, signs = "c"), class = "sdc_error_input")
  firms <- data.frame(a = c("x", "x", "y", "y", "y"), v = c(5, 4, 3, 2, 9))
  mg <- suppress(magnitude_table(firms, "a", "v"), rule_p_percent(10), pattern = c(TRUE, TRUE))
  expect_error(format(mg, small = "<4"), "Only counts", class = "sdc_error_input")
})
