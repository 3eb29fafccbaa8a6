meta <- list(id = "0003", title = "Work & <rest>", agency = "AG.SUB", prepared = "2026-01-02T03:04:05Z")

nasty <- c("M\u00e4nner & <Frauen>", "a,b\"c]]>", "=1+1", "-2", "@x", "+3", "x\ny", "\t", "\r", " lead",
           "\U0001F600", "", "NA", "TRUE", "'", "\001\037", "a&amp;b", "\u200f\u0627", "1e5", "\\", "_T")

nasty_table <- function() {
  names <- sample(c("Work Class", "obsValue", "count", "count.1", "DATAFLOW", "a,\"b", "\u00e4", "value", "id"))
  k <- sample(1:3, 1)
  size <- sample(1:4, k, TRUE)
  labels <- lapply(size, function(n) {
    out <- sample(nasty, n)
    if (stats::runif(1) < .3) out[sample(n, 1)] <- NA
    out
  })
  counts <- sample(c(0, 0, 1, 7, 1e5, 1e15, 2^40 + 1), prod(size), TRUE)
  sdc_table(array(counts, size, rlang::set_names(labels, names[seq_len(k)])))
}

# The cells as the formats shall have them: all of them, labels as strings.
true_cells <- function(x) {
  out <- as.data.frame(x, zeros = TRUE, stringsAsFactors = FALSE, responseName = "the counts")
  out[["the counts"]] <- as.numeric(out[["the counts"]])
  out
}

read_text <- function(text, ...) {
  file <- withr::local_tempfile()
  con <- file(file, open = "wb")
  writeBin(charToRaw(enc2utf8(text)), con)
  close(con)
  utils::read.csv(file, check.names = FALSE, encoding = "UTF-8", ...)
}

# What a spreadsheet would take for a formula has one apostrophe before it.
inert <- function(x) {
  first <- substr(sub("^'+", "", x), 1, 1)
  ifelse(first %in% c("=", "+", "-", "@", "\t", "\r", "\n"), paste0("'", x), x)
}

test_that("oracle: read.csv() reads every label and count back", {
  set.seed(1)
  for (trial in 1:15) {
    x <- nasty_table()
    k <- length(dim(x))
    # lines that end inside of quotes are read.csv()'s to normalise
    text <- write_table_format(x, "csv")
    got <- read_text(text, colClasses = c(rep("character", k), "numeric"), na.strings = character())
    want <- true_cells(x)
    expect_identical(names(got)[seq_len(k)], inert(names(want)[seq_len(k)]))
    expect_false(names(got)[k + 1] %in% names(want))
    for (v in seq_len(k)) {
      labels <- inert(want[[v]])
      labels[is.na(labels)] <- ""
      expect_identical(gsub("\r\n?", "\n", got[[v]]), gsub("\r\n?", "\n", labels))
    }
    expect_identical(got[[k + 1]], want[["the counts"]])
  }
})

test_that("property: no field of a CSV file begins with what a spreadsheet takes for a formula", {
  labels <- c("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "'=1+1", "''=1+1", "a", "'a",
              "", "\uff1d1", " =1")
  found <- csv_fields(labels)
  expect_false(anyDuplicated(found) > 0)
  bare <- sub("^\"", "", found)
  expect_false(any(grepl("^[-=+@\t\r\n\uff1d]", bare)))
  expect_identical(found[c(1, 8, 10, 11)], c("\"'=1+1\"", "\"''=1+1\"", "a", "'a"))
  expect_identical(utils::read.csv(text = paste(c("x", found[1:4]), collapse = "\n"))$x,
                   paste0("'", labels[1:4]))
})

test_that("property: codes of levels are readable, legal, and no two are the same", {
  labels <- c("< 3", "<= 3", "> 3", ">= 3", "3+", "20-29", "-5", "5%", "a & b", "3", "<3", "", NA,
              "\u2265 3", "@x")
  codes <- level_codes(labels)
  expect_identical(codes, c("1_lt_3", "2_le_3", "3_gt_3", "4_ge_3", "5_3_plus", "6_20_to_29",
                            "7_minus_5", "8_5_pct", "9_a_and_b",
                            "10_3", "11_lt_3", "12", "13_missing", "14_ge_3", "15_x"))
  withr::local_seed(1)
  for (trial in 1:50) {
    some <- replicate(8, paste(sample(c("<", ">", "=", "-", "+", "@", "a", "3", " ", "_", "\u00e4"),
                                      3, TRUE), collapse = ""))
    codes <- level_codes(unique(some))
    expect_false(anyDuplicated(codes) > 0)
    expect_true(all(grepl("^[A-Za-z0-9_][A-Za-z0-9_@$-]*$", codes)))
  }
  expect_identical(level_codes(c("-1", "a")), c("1_minus_1", "2_a"))
})

test_that("property: CSV follows RFC 4180", {
  x <- sdc_table(array(c(1e5, 2^53 - 1e5 - 1, 1, 0), c(4, 1),
                       list(a = c("=1+1", "b\"", "", NA), count = "x,y")))
  expect_identical(
    write_table_format(x, "csv"),
    paste0("a,count,count.1\r\n\"'=1+1\",\"x,y\",100000\r\n\"b\"\"\",\"x,y\",9007199254640991\r\n",
           "\"\",\"x,y\",1\r\n,\"x,y\",0\r\n")
  )
  expect_identical(write_table_format(margin(x, character()), "csv"),
                   "count\r\n9007199254740992\r\n")
  none <- sdc_table(data.frame(a = factor(character(), character())))
  expect_identical(write_table_format(none, "csv"), "a,count\r\n")
})

test_that("oracle: jsonlite reads JSON-stat back as the array", {
  set.seed(2)
  for (trial in 1:15) {
    x <- nasty_table()
    got <- jsonlite::fromJSON(write_table_format(x, "json", meta = meta), simplifyVector = FALSE)
    expect_identical(got$version, "2.0")
    expect_identical(got$class, "dataset")
    expect_identical(unlist(got$id), names(dimnames(x)))
    expect_identical(unlist(got$size), dim(x))
    expect_identical(names(got$dimension), names(dimnames(x)))
    for (v in seq_along(dim(x))) {
      labels <- dimnames(x)[[v]]
      labels[is.na(labels)] <- "(missing)"
      expect_identical(unlist(got$dimension[[v]]$category$index), labels)
    }
    # the last dimension is the fastest
    values <- aperm(array(as.numeric(unlist(got$value)), rev(dim(x))))
    expect_identical(as.vector(values), as.numeric(as.array(x)))
    expect_identical(got[c("label", "source", "updated")],
                     list(label = meta$title, source = meta$agency, updated = meta$prepared))

    sparse <- jsonlite::fromJSON(write_table_format(x, "json", zeros = FALSE),
                                 simplifyVector = FALSE)
    places <- numeric(length(x))
    places[as.numeric(names(sparse$value)) + 1] <- as.numeric(unlist(sparse$value))
    expect_identical(places, as.numeric(unlist(got$value)))
    expect_identical(length(sparse$value), sum(as.array(x) > 0))
  }
  total <- jsonlite::fromJSON(write_table_format(margin(x, character()), "json"))
  expect_identical(total[c("id", "size")], list(id = "TOTAL", size = 1L))
  expect_equal(total$value, sum(x))
})

# ---- SDMX ---------------------------------------------------------------------------------------

# What ids may look like by the rules of the schema.
id_rule <- "^[A-Za-z0-9_@$-]+$"
name_rule <- "^[A-Za-z][A-Za-z0-9_-]*$"

xml_of <- function(text) xml2::read_xml(charToRaw(enc2utf8(text)))
found_in <- function(doc, path) xml2::xml_find_all(doc, path)
attribute <- function(doc, path, name) xml2::xml_attr(found_in(doc, path), name)

test_that("oracle: data, structure and SDMX-CSV tell the same, and the table", {
  skip_if_not_installed("xml2")
  set.seed(3)
  for (trial in 1:10) {
    x <- nasty_table()
    k <- length(dim(x))
    # as one of the tables of a server with more variables
    about <- c(meta, list(variables = sample(c("other", names(dimnames(x))))))
    structure <- xml_of(sdmx_structure(dimnames(x), about))
    data <- xml_of(write_table_format(x, "sdmx-ml", meta = about))

    dimensions <- attribute(structure, "//structure:Dimension", "id")
    expect_match(dimensions, name_rule)
    expect_identical(anyDuplicated(dimensions), 0L)
    expect_identical(as.integer(sub("^V([0-9]+).*", "\\1", dimensions)),
                     match(names(dimnames(x)), about$variables))
    lists <- attribute(structure, "//structure:Dimension//structure:Enumeration/Ref", "id")
    concepts <- attribute(structure, "//structure:Dimension/structure:ConceptIdentity/Ref", "id")
    expect_true(all(concepts %in% attribute(structure, "//structure:Concept", "id")))
    expect_true("OBS_VALUE" %in% attribute(structure, "//structure:Concept", "id"))
    expect_identical(xml2::xml_text(found_in(structure,
                                             "//structure:Concept/common:Name"))[seq_along(about$variables)],
                     about$variables)

    ids <- attribute(data, "//generic:ObsKey/generic:Value", "id")
    expect_identical(ids, rep(dimensions, length(x)))
    codes <- matrix(attribute(data, "//generic:ObsKey/generic:Value", "value"), k)
    want <- true_cells(x)
    for (v in seq_len(k)) {
      list <- found_in(structure, sprintf("//structure:Codelist[@id='%s']", lists[v]))
      code <- xml2::xml_attr(xml2::xml_find_all(list, "structure:Code"), "id")
      expect_match(code, id_rule)
      expect_identical(anyDuplicated(code), 0L)
      label <- xml2::xml_text(xml2::xml_find_all(list, "structure:Code/common:Name"))
      truth <- want[[v]]
      truth[is.na(truth)] <- "(missing)"
      expect_identical(label[match(codes[v, ], code)], gsub("[\001\037]", "\ufffd", truth))
    }
    values <- attribute(data, "//generic:ObsValue", "value")
    expect_identical(as.numeric(values), want[["the counts"]])

    # the references of one message are found in the other
    from <- found_in(data, "//message:Header//Ref")
    expect_identical(xml2::xml_attr(from, "id"),
                     attribute(structure, "//structure:DataStructure", "id"))
    expect_identical(xml2::xml_attr(from, "agencyID"),
                     attribute(structure, "//structure:DataStructure", "agencyID"))
    expect_identical(attribute(data, "//message:DataSet", "structureRef"),
                     attribute(data, "//message:Header/message:Structure", "structureID"))
    expect_match(attribute(data, "//message:DataSet", "structureRef"), name_rule)

    csv <- read_text(write_table_format(x, "sdmx-csv", meta = about), colClasses = "character",
                     na.strings = character())
    expect_identical(names(csv), c("DATAFLOW", dimensions, "OBS_VALUE"))
    expect_identical(unique(csv$DATAFLOW), "AG.SUB:DF_0003(1.0)")
    expect_identical(attribute(structure, "//structure:Dataflow", "id"), "DF_0003")
    expect_identical(unname(t(as.matrix(csv[dimensions]))), codes)
    expect_identical(csv$OBS_VALUE, values)
  }
})

test_that("property: codes are the labels where these are legal, whatever the table", {
  expect_identical(level_codes(c("a", "B_2", "1-9", "_T")), c("a", "B_2", "1-9", "_T"))
  expect_identical(level_codes(c("a", "Private wage", NA, "", "\u00e4")),
                   c("1_a", "2_Private_wage", "3_missing", "4", "5"))
  expect_identical(level_codes(character()), character())
  expect_identical(dimension_ids(c("Work Class", "obsValue", "\u00e4", "1-2")),
                   c("V1_Work_Class", "V2_obsValue", "V3", "V4_1_2"))
  expect_lte(max(nchar(dimension_ids(strrep("long name ", 20)))), 40)
})

test_that("property: a table without variables has the dimension TOTAL", {
  skip_if_not_installed("xml2")
  x <- margin(sdc_table(Titanic), character())
  data <- xml_of(write_table_format(x, "sdmx-ml"))
  expect_identical(attribute(data, "//generic:Value", "id"), "TOTAL")
  expect_identical(attribute(data, "//generic:Value", "value"), "_T")
  expect_identical(attribute(data, "//generic:ObsValue", "value"), "2201")
  structure <- xml_of(sdmx_structure(dimnames(x)))
  expect_identical(attribute(structure, "//structure:Dimension", "id"), "TOTAL")
  expect_identical(attribute(structure, "//structure:Code", "id"), "_T")
  expect_identical(write_table_format(x, "sdmx-csv"),
                   "DATAFLOW,TOTAL,OBS_VALUE\r\nSDC:DF_table(1.0),_T,2201\r\n")
})

# ---- files, limits and errors -------------------------------------------------------------------

test_that("property: a file has the same bytes as the text, in any number of chunks", {
  set.seed(4)
  x <- sdc_table(array(sample(0:2, 60, TRUE), c(5, 4, 3),
                       list(a = nasty[1:5], b = 1:4, c = c("x", NA, "y"))))
  for (format in names(table_formats)) {
    for (zeros in c(TRUE, FALSE)) {
      text <- write_table_format(x, format, meta = meta, zeros = zeros)
      for (chunk in c(1, 7, 60)) {
        local({
          local_mocked_bindings_store(format_chunk = chunk)
          file <- withr::local_tempfile()
          expect_identical(write_table_format(x, format, file, meta, zeros), file)
          expect_identical(readBin(file, "raw", 1e6), charToRaw(enc2utf8(text)))
          expect_identical(write_table_format(x, format, meta = meta, zeros = zeros), text)
        })
      }
    }
  }
})

test_that("property: large tables leave by their cells that are not zero", {
  people <- data.frame(a = c(1, 2000, 2000), b = c(1, 1, 2000))
  levels <- seq_len(2000)
  people[] <- lapply(people, factor, levels)
  x <- sdc_table(people)
  expect_false(gives_zeros(x))
  expect_identical(write_table_format(x, "csv"),
                   "a,b,count\r\n1,1,1\r\n2000,1,1\r\n2000,2000,1\r\n")
  json <- write_table_format(x, "json")
  expect_match(json, "\"value\":{\"0\":1,\"3998000\":1,\"3999999\":1}}", fixed = TRUE)
  expect_match(json, "not listed are zero", fixed = TRUE)
  wide <- sdc_table(as.data.frame(lapply(rlang::set_names(1:6), function(v) factor(1, levels))))
  expect_error(write_table_format(wide, "json"), class = "sdc_error_too_large")
  expect_identical(write_table_format(wide, "csv"), "X1,X2,X3,X4,X5,X6,count\r\n1,1,1,1,1,1,1\r\n")
})

test_that("property: bytes that are no UTF-8 cannot break a message", {
  skip_if_not_installed("xml2")
  latin <- iconv("\u00e4", "UTF-8", "latin1")
  broken <- "x\xff"
  Encoding(broken) <- "UTF-8"
  x <- sdc_table(array(1:2, 2, list(a = c(latin, broken))))
  for (format in names(table_formats)) expect_true(validUTF8(write_table_format(x, format)))
  expect_identical(jsonlite::fromJSON(write_table_format(x, "json"))$dimension$a$category$index,
                   c("\u00e4", "x\ufffd"))
  expect_silent(xml_of(sdmx_structure(dimnames(x))))
})

test_that("property: bad arguments are refused", {
  x <- sdc_table(Titanic)
  expect_input <- function(...) expect_error(write_table_format(...), class = "sdc_error_input")
  expect_input(Titanic, "csv")
  expect_input(x)
  expect_input(x, "xlsx")
  expect_input(x, "csv", file = 3)
  expect_input(x, "csv", meta = list(1))
  expect_input(x, "csv", meta = list(colour = 1))
  expect_input(x, "csv", meta = list(id = "a b"))
  expect_input(x, "csv", meta = list(agency = "1a"))
  expect_input(x, "csv", meta = list(agency = "a..b"))
  expect_input(x, "csv", meta = list(prepared = "yesterday"))
  expect_input(x, "csv", meta = list(title = NA_character_))
  expect_input(x, "csv", meta = list(variables = "Class"))
  expect_input(x, "csv", zeros = NA)
  expect_error(sdmx_structure(), class = "sdc_error_input")
  file <- file.path(withr::local_tempdir(), "no", "such")
  expect_error(suppressWarnings(write_table_format(x, "csv", file)))
})

test_that("snapshot: a table in every format", {
  x <- sdc_table(array(c(1, 0, 2, 3), c(2, 2),
                       list(`Work Class` = c("Private & co", "other"), sex = c("f", "m"))))
  shown <- function(text) cat(gsub("\r", "", text, fixed = TRUE))
  expect_snapshot(for (format in names(table_formats)) shown(write_table_format(x, format, meta = meta)))
  expect_snapshot(cat(sdmx_structure(dimnames(x), meta)))
})
