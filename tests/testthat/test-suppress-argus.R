# Files of tau-ARGUS: what is written is read back, and what others write is read.

random_tree <- function(leaves, total = "Total") {
  groups <- split(leaves, sample(c("g1", "g2", "g3"), length(leaves), TRUE))
  rows <- do.call(rbind, lapply(names(groups), function(g) {
    data.frame(parent = c(total, rep(g, length(groups[[g]]))), child = c(g, groups[[g]]))
  }))
  rbind(data.frame(parent = NA, child = total), rows)
}

random_argus_table <- function(k = sample(1:3, 1)) {
  size <- sample(2:5, k, TRUE)
  labels <- lapply(size, function(n) sample(c("a", "B 1", "\u00e9t\u00e9", "01", "x,y", "@z", "-3"), n))
  names(labels) <- c("region", "size class", "v.3")[seq_len(k)]
  trees <- if (stats::runif(1) < .7) list(region = random_tree(labels[[1]]))
  counts <- array(sample(c(0, 0, 1, 2, 3, 40), prod(size), TRUE), size, labels)
  data <- as.data.frame(as.table(counts), stringsAsFactors = TRUE)
  names(data) <- c(names(labels), "n")
  # small variables may lie inside one another by chance
  suppressWarnings(sdc_table(data, names(labels), "n", hierarchies = trees, total = FALSE))
}

test_that("property: tables of counts are read back as they were, whatever the separator", {
  set.seed(21)
  for (trial in seq_len(rounds(15, 30))) {
    x <- random_argus_table()
    folder <- withr::local_tempfile()
    files <- write_tau_argus(x, folder, zeros = TRUE, separator = sample(c(";", "|", "#"), 1))
    back <- suppressWarnings(tau_argus_table(read_tau_argus(files[["tab"]])))
    expect_identical(names(dimnames(back)), names(dimnames(x)))
    expect_identical(lapply(dimnames(back), sort), lapply(dimnames(x), sort))
    wide <- function(t) sort(do.call(paste, lapply(as.data.frame(t, totals = TRUE), as.character)))
    expect_identical(wide(back), wide(x))
    # without zeros the cells that are left say the same
    sparse <- write_tau_argus(x, withr::local_tempfile())
    back <- suppressWarnings(tau_argus_table(read_tau_argus(sparse[["tab"]])))
    expect_identical(wide(back), wide(x))
  }
})

test_that("property: suppressions keep each status, by a column and by an a priori file", {
  set.seed(22)
  for (trial in seq_len(rounds(10, 20))) {
    x <- random_argus_table(2)
    pattern <- array(stats::runif(length(as.array(x))) < .4, dim(x))
    su <- suppress(x, maxN = 1, pattern = pattern, audit = FALSE)
    want <- as.data.frame(su)
    key <- function(f) do.call(paste, lapply(unclass(f)[names(dimnames(x))], as.character))
    want$sdcStatus[want$sdcStatus == "w"] <- "s"
    for (status in c("hst", "column")) {
      files <- write_tau_argus(su, withr::local_tempfile(), status = status, zeros = TRUE)
      expect_identical("hst" %in% names(files), status == "hst")
      hst <- if (status == "hst") files[["hst"]]
      back <- read_tau_argus(files[["tab"]], hst = hst)
      at <- match(key(back$cells), key(want))
      expect_false(anyNA(at))
      expect_identical(back$cells$sdcStatus, want$sdcStatus[at])
      expect_identical(back$cells[[back$roles$freq]], want$freq[at])
      again <- suppress(tau_argus_table(back), maxN = 1, pattern = back$cells, audit = FALSE)
      expect_setequal(key(subset(again$cells, sdcStatus %in% c("u", "x"))),
                      key(subset(want, sdcStatus %in% c("u", "x"))))
    }
    bare <- write_tau_argus(su, withr::local_tempfile(), status = "column", secondary = FALSE)
    expect_false("x" %in% read_tau_argus(bare[["tab"]])$cells$sdcStatus)
  }
})

test_that("property: magnitudes come back as ready cells of which the rules find the same", {
  set.seed(23)
  for (trial in seq_len(rounds(8, 15))) {
    firms <- data.frame(
      region = sample(c("a", "b", "c", "d"), 30, TRUE), kind = sample(c("u", "v"), 30, TRUE),
      turnover = round(stats::rexp(30, 1 / 100), 2)
    )
    tree <- random_tree(sort(unique(firms$region)), "All")
    mg <- magnitude_table(firms, c("region", "kind"), "turnover", hierarchies = list(region = tree))
    rules <- c(rule_threshold(3), rule_p_percent(10))
    files <- write_tau_argus(mg, withr::local_tempfile(), top = 2)
    x <- read_tau_argus(files[["tab"]])
    expect_identical(lengths(x$roles), c(value = 1L, freq = 1L, top = 2L))
    back <- tau_argus_table(x)
    found <- function(t) {
      s <- sensitive(t, rules, totals = TRUE)
      sort(paste(s$region, s$kind, s$count, format(s$total, digits = 12), s$rules))
    }
    expect_identical(found(back), found(mg))
    su <- suppress(mg, rules, pattern = array(TRUE, dim(mg)), audit = FALSE)
    with_status <- write_tau_argus(su, withr::local_tempfile(), status = "column")
    y <- read_tau_argus(with_status[["tab"]])$cells
    want <- as.data.frame(su)
    at <- match(paste(y$region, y$kind), paste(want$region, want$kind))
    expect_identical(y$sdcStatus, want$sdcStatus[at])
  }
})

# ---- files as others write them -----------------------------------------------------------------

folder_of <- function(files, env = parent.frame()) {
  folder <- withr::local_tempdir(.local_envir = env)
  for (name in names(files)) writeLines(enc2utf8(files[[name]]), file.path(folder, name), useBytes = TRUE)
  function(name) file.path(folder, name)
}

# The layout of tab_rda() of rtauargus 1.3: fields of fixed width without quotes, statuses in small
# letters, files by their full path.
fixed_width <- list(
  t.rda = c(
    "   <SEPARATOR> \",\"", "   <SAFE> \"s\"", "   <UNSAFE> \"u\"", "   <PROTECT> \"p\"",
    "activity", "  <RECODEABLE>", "  <TOTCODE> \"Total\"", "  <HIERARCHICAL>",
    "  <HIERCODELIST> \"C:/work/act.hrc\"", "  <HIERLEADSTRING> \"@\"",
    "size", "  <RECODEABLE>", "  <TOTCODE> \"Ensemble\"",
    "turnover", "  <NUMERIC>", "  <DECIMALS> 1", "n", "  <FREQUENCY>", "max", "  <MAXSCORE>",
    "  <DECIMALS> 1"
  ),
  act.hrc = c("A", "@A1", "@A2", "B"),
  t.tab = c(
    "Total,Ensemble,  60.5,  9,30.0", "    A,Ensemble,  40.5,  6,30.0", "   A1,Ensemble,  30.0,  1,30.0",
    "   A2,Ensemble,  10.5,  5, 4.0", "    B,Ensemble,  20.0,  3,10.0", "Total,     tr1,  50.5,  7,30.0",
    "    A,     tr1,  40.5,  6,30.0", "   A1,     tr1,  30.0,  1,30.0", "   A2,     tr1,  10.5,  5, 4.0",
    "    B,     tr1,  10.0,  1,10.0", "Total,     tr2,  10.0,  2, 7.0", "    B,     tr2,  10.0,  2, 7.0"
  ),
  t.hst = c("   A1,     tr1,u", "    B,     tr1,u", "   A1,     tr1,pl,3,3", "   A2,     tr1,c,99",
            "    B,     tr2,ml", "A2,Ensemble,ab,1,2.5")
)

test_that("oracle: files in the layout of rtauargus are read", {
  at <- folder_of(fixed_width)
  x <- read_tau_argus(at("t.tab"), hst = at("t.hst"))
  expect_identical(levels(x$cells$activity), c("A1", "A2", "B", "A", "Total"))
  expect_identical(levels(x$cells$size), c("tr1", "tr2", "Ensemble"))
  expect_identical(x$total_codes, c(activity = "Total", size = "Ensemble"))
  expect_identical(x$roles[c("value", "freq", "top")],
                   list(value = "turnover", freq = "n", top = "max"))
  expect_identical(paste(x$cells$activity, x$cells$size)[x$cells$sdcStatus == "u"],
                   c("A1 tr1", "B tr1"))
  expect_identical(paste(x$cells$activity, x$cells$size)[x$cells$sdcStatus == "x"], "B tr2")
  row <- function(a, s) subset(x$cells, activity == a & size == s)
  expect_identical(unlist(row("A1", "tr1")[c("lower_pl", "upper_pl")], use.names = FALSE), c(3, 3))
  expect_identical(row("A2", "tr1")$cost, 99)
  expect_identical(row("A2", "Ensemble")$upper_bound, 2.5)
  mg <- tau_argus_table(x)
  expect_equal(sum(mg), 60.5)
  s <- sensitive(mg, rule_threshold(3))
  expect_identical(as.character(s$activity[s$sdcStatus == "u"]), c("A1", "B", "B"))
})

# The columns and the decimal commas of the example of tabular data that comes with tau-ARGUS.
comma_files <- list(
  p.rda = c(
    "// a comment", "   <SEPARATOR> \";\"", "Size \"99\"", "    <RECODABLE>", "    <TOTCODE> \"Total\"",
    "Region \"99\"", "    <RECODEABLE>", "    <DISTANCE> 2 4 4 4 4", "    <CODELIST> \"R.CDL\"",
    "Var2", "    <NUMERIC>", "    <DECIMALS> 2", "FreqVar", "    <FREQUENCY>", "Shadow",
    "    <NUMERIC> <SHADOW>", "Cost", "    <NUMERIC> <COSTVAR>", "Top1", "    <MAXSCORE>", "Top2",
    "    <MAXSCORE>", "StatusVar", "    <STATUS>", "Low", "    <NUMERIC> <LOWERPL>", "Upp",
    "    <NUMERIC> <UPPERPL>"
  ),
  p.tab = c(
    "\"TOTAL\";\"Total\";30,50;4;30,50;30,50;16,00;8,50;S;0,01;0,01",
    "\" 2\";\"Total\";24,50;2;24,50;24,50;16,00;8,50;U;0,01;0,01",
    "\" 2\";\"N\";24,50;2;24,50;24,50;16,00;8,50;M;0,01;0,01",
    "\" 5\";\"Total\";6,00;2;6,00;6,00;3,00;3,00;P;0,01;0,01",
    "\" 5\";\"N\";6,00;2;6,00;6,00;3,00;3,00;s;0,01;0,01", "\" 5\";\"O\";-;-;-;-;-;-;E;;"
  )
)

test_that("oracle: a file with every role, decimal commas and all statuses is read", {
  at <- folder_of(comma_files)
  x <- read_tau_argus(at("p.tab"))
  expect_identical(names(x$roles), c("value", "freq", "shadow", "cost", "top", "lower_pl", "upper_pl"))
  expect_identical(x$cells$sdcStatus, c("s", "u", "x", "z", "s", "z"))
  expect_identical(x$cells$Var2, c(30.5, 24.5, 24.5, 6, 6, NA))
  expect_identical(as.character(x$cells$Size[1]), "Total")
  expect_identical(x$metadata$variables[[2]]$distance, c("2", "4", "4", "4", "4"))
  expect_identical(x$metadata$variables[[1]]$missing, "99")
  mg <- tau_argus_table(x)
  expect_equal(sum(mg), 30.5)
})

test_that("oracle: safe tables and SBS files are read as tau-ARGUS writes them", {
  rda <- c("<SEPARATOR> \";\"", "r", "<RECODEABLE>", "<TOTCODE> \"Total\"", "v", "<NUMERIC>", "n",
           "<FREQUENCY>")
  at <- folder_of(list(
    s.rda = rda,
    bare.csv = c("Total,40", "a,x", "b,x", "c,30", "d,-"),
    head.csv = c("\"r\",\"v\",\"Status\",", "\"Total\",40,1", "\"a\",4,5", "\"b\",6,11", "\"c\",30,2",
                 "\"d\",-,14"),
    s.sbs = c("Total,40,9,V", "a,4,1,B,100.0", "b,6,3,D", "c,30,5,V", "d,-,0,-"),
    levels.sbs = c("Total,0,40,9,V", "a,1,4,1,A", "b,1,6,3,F,60.0,10.0", "c,1,30,5,V"),
    round.csv = c("r,v_Round,v_Orig", "Total,40,41")
  ))
  read <- function(file, format) read_tau_argus(at(file), at("s.rda"), format = format)$cells
  bare <- read("bare.csv", "safe")
  expect_identical(bare$sdcStatus, c("s", "x", "x", "s", "z"))
  expect_identical(bare$v, c(40, NA, NA, 30, NA))
  head <- read("head.csv", "safe")
  expect_identical(head$sdcStatus, c("s", "u", "x", "s", "z"))
  expect_identical(head$v, c(40, 4, 6, 30, NA))
  sbs <- read("s.sbs", "sbs")
  expect_identical(sbs$sdcStatus, c("s", "u", "x", "s", "z"))
  expect_identical(sbs$n, c(9, 1, 3, 5, 0))
  levels <- read("levels.sbs", "sbs")
  expect_identical(levels$sdcStatus, c("s", "u", "u", "s"))
  expect_identical(as.character(levels$r), c("Total", "a", "b", "c"))
  expect_error(read("round.csv", "safe"), "rounded", class = "sdc_error_input")
  expect_error(tau_argus_table(read_tau_argus(at("bare.csv"), at("s.rda"), format = "safe")),
               "have none", class = "sdc_error_input")
})

test_that("oracle: <HIERLEVELS> is the tree of the leading digits", {
  at <- folder_of(list(
    d.rda = c("<SEPARATOR> \";\"", "nace", "<RECODEABLE>", "<TOTCODE> \"T\"", "<HIERARCHICAL>",
              "<HIERLEVELS> 1 2", "n", "<FREQUENCY>"),
    d.tab = c("T;10", "1;7", "112;3", "113;4", "2;3", "201;3")
  ))
  x <- read_tau_argus(at("d.tab"))
  expect_identical(x$hierarchies$nace$parent, c(NA, "T", "T", "1", "1", "2")[c(1, 2, 3, 4, 5, 6)])
  table <- tau_argus_table(x)
  expect_identical(dimnames(table)$nace, c("112", "113", "201"))
  expect_equal(sum(table), 10)
})

test_that("property: what the files show becomes constraints", {
  hidden <- roehrig < 0
  hidden[c(1, 3, 4), c(2, 3, 4)] <- TRUE
  su <- suppress(roehrig, maxN = 1, pattern = hidden)
  files <- write_tau_argus(su, withr::local_tempfile(), status = "column", zeros = TRUE)
  x <- read_tau_argus(files[["tab"]])
  mine <- bounds_margins(x, hidden)
  theirs <- bounds_margins(publish(su), hidden)
  expect_identical(as.data.frame(mine)[c("lower", "upper")], as.data.frame(theirs)[c("lower", "upper")])
})

test_that("property: broken files name the file and the line", {
  broken <- function(change, what, file = "t.tab", hst = FALSE) {
    files <- fixed_width
    files[[file]] <- change(files[[file]])
    at <- folder_of(files, parent.frame())
    expect_error(read_tau_argus(at("t.tab"), hst = if (hst) at("t.hst")), what, class = "sdc_error_input")
  }
  replaced <- function(i, text) function(lines) replace(lines, i, text)
  broken(replaced(3, "A1,Ensemble,30"), "Line 3.*3 fields")
  broken(replaced(3, "A1,Ensemble,30,1,30,7"), "Line 3.*6 fields")
  broken(replaced(3, "A1,Ensemble,many,1,30"), "Line 3.*no number")
  broken(replaced(3, "A9,Ensemble,30,1,30"), "Line 3.*A9")
  broken(replaced(3, "A2,Ensemble,30,1,30"), "Line 4.*earlier line")
  broken(replaced(6, "  <RECODEABEL>"), "Line 6.*no keyword", "t.rda")
  broken(replaced(6, "  <WEIGHT>"), "microdata", "t.rda")
  broken(replaced(5, "  <NUMERIC>"), "before the first variable", "t.rda")
  broken(function(l) l[-15], "no role", "t.rda")
  broken(replaced(18, "  <STATUS>"), "t.tab.*no status", "t.rda")
  broken(replaced(2, "@@A1"), "act.hrc.*line 2", "act.hrc")
  broken(replaced(2, "@"), "Line 2 has no code", "act.hrc")
  broken(replaced(1, "A1,tr1,q"), "Line 1.*no command", "t.hst", TRUE)
  broken(replaced(1, "A1,tr9,u"), "Line 1.*no such cell", "t.hst", TRUE)
  broken(replaced(3, "A1,tr1,pl,3"), "Line 3", "t.hst", TRUE)
  expect_error(read_tau_argus(tempfile()), "There is no", class = "sdc_error_input")
  at <- folder_of(list(
    c.rda = c("<SEPARATOR> \";\"", "r", "<RECODEABLE>", "n", "<FREQUENCY>"),
    c.tab = c("Total;9", "a;4", "b;4")
  ))
  expect_error(tau_argus_table(read_tau_argus(at("c.tab"))), "sums.*Total|Total.*not",
               class = "sdc_error_input")
})

test_that("property: no message and no print of the files shows a count", {
  at <- folder_of(list(
    c.rda = c("<SEPARATOR> \";\"", "r", "<RECODEABLE>", "n", "<FREQUENCY>"),
    c.tab = c("Total;900017", "a;400009", "b;400037")
  ))
  x <- read_tau_argus(at("c.tab"))
  said <- c(utils::capture.output(print(x)), utils::capture.output(str(x)),
            tryCatch(tau_argus_table(x), error = conditionMessage))
  expect_no_match(paste(said, collapse = " "), "9000|4000")
  expect_s3_class(x, "sdc_private")
})

test_that("property: input: what tau-ARGUS cannot read is not written", {
  refused <- function(x, ...) {
    expect_error(write_tau_argus(x, withr::local_tempfile(), ...), class = "sdc_error_input")
  }
  table <- function(labels) {
    sdc_table(array(seq_along(labels), length(labels), list(a = labels)), total = FALSE)
  }
  refused(table(c("x;y", "b")))
  refused(table(c("x\"y", "b")))
  refused(table(c(" x", "b")))
  refused(table(c("", "b")))
  refused(table(c(NA, "b")))
  refused(table(c("TOTAL", "b")))
  expect_length(write_tau_argus(table(c("x;y", "b")), withr::local_tempfile(), separator = "|"), 2)
  two <- list(a = list(random_tree(c("p", "q")), data.frame(parent = c("Total", "Total"), child = c("p", "q"))))
  refused(sdc_table(data.frame(a = c("p", "q")), hierarchies = two))
  refused(table(c("x", "b")), name = "a b")
  refused(table(c("x", "b")), separator = ".")
  refused(table(c("x", "b")), separator = ";;")
  refused("text")
  refused(table(c("x", "b")), top = 1)
  refused(table(c("x", "b")), status = "column")
  refused(sdc_table(data.frame(a = c("p", "q"), b = c("r", "s")), formula = ~ a + b))
  path <- withr::local_tempfile()
  write_tau_argus(table(c("x", "b")), path)
  expect_error(write_tau_argus(table(c("x", "b")), path), "there yet", class = "sdc_error_input")
  expect_length(write_tau_argus(table(c("x", "b")), path, overwrite = TRUE), 2)
})

test_that("property: a suppression of nothing and a table of zeros have files, a table without variables not", {
  x <- as_sdc_table(matrix(5:8, 2, dimnames = list(a = c("p", "q"), b = c("r", "s"))))
  files <- write_tau_argus(suppress(x, 1, pattern = matrix(FALSE, 2, 2)), withr::local_tempfile())
  expect_identical(unique(read_tau_argus(files[["tab"]], hst = files[["hst"]])$cells$sdcStatus), "s")
  zero <- as_sdc_table(matrix(0, 2, 2, dimnames = dimnames(x)))
  files <- write_tau_argus(zero, withr::local_tempfile())
  expect_identical(nrow(read_tau_argus(files[["tab"]])$cells), 0L)
  files <- write_tau_argus(zero, withr::local_tempfile(), zeros = TRUE)
  expect_identical(tau_argus_table(read_tau_argus(files[["tab"]])), zero)
  expect_error(write_tau_argus(margin(x, character()), withr::local_tempfile()), "variables",
               class = "sdc_error_input")
})
