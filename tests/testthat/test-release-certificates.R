# A checker that was written from the description at the beginning of the files alone, and shares
# nothing with the package. TRUE, FALSE, or NA for a file that is not of this format.

is_safe_file <- function(file) {
  tryCatch(judge_parts(file_parts(readLines(file, encoding = "UTF-8"))), not_read = function(e) NA)
}

not_read <- function() {
  stop(structure(class = c("not_read", "error", "condition"), list(message = "")))
}
must <- function(ok) if (!isTRUE(all(ok))) not_read()

# The words after the first of lines that begin with it, as numbers.
numbers_after <- function(word, lines, length = NULL) {
  pattern <- paste0("^", word, if (is.null(length)) "( -?[0-9]+)*$" else
    paste0("( -?[0-9]+){", length, "}$"))
  must(grepl(pattern, lines))
  lapply(strsplit(sub(paste0("^", word, " ?"), "", lines), " "), as.numeric)
}

ascends <- function(x) !is.unsorted(x, strictly = TRUE)

file_parts <- function(lines) {
  must(lines[1] %in% paste("sdclattice-certificates", 1:2))
  by_level <- endsWith(lines[1], "2")
  body <- paste0(utils::head(lines, -1), "\n", collapse = "")
  sum <- paste(as.character(openssl::sha256(charToRaw(body))), collapse = "")
  must(utils::tail(lines, 1) == paste("sha256", sum))
  lines <- grep("^#", lines[-c(1, length(lines))], value = TRUE, invert = TRUE)
  take <- function(n) {
    must(n <= length(lines))
    out <- lines[seq_len(n)]
    lines <<- lines[seq_along(lines) > n]
    out
  }
  counted <- function(word) take(numbers_after(word, take(1), 1)[[1]])
  beta <- numbers_after("beta", take(1), 1)[[1]]
  rule <- take(1)
  cells <- startsWith(rule, "risk cells")
  risk <- numbers_after(if (cells) "risk cells" else "risk counts", rule)[[1]]
  must(c(beta >= 1, length(risk) > 0, ascends(risk), risk >= 1))
  n <- numbers_after("variables", take(1), 1)[[1]]
  must(n >= 1)
  names <- character()
  levels <- vapply(seq_len(n), function(v) {
    head <- take(1)
    must(grepl("^variable [0-9]+ ", head))
    names <<- c(names, sub("^variable [0-9]+ ", "", head))
    k <- as.numeric(sub("^variable ([0-9]+) .*", "\\1", head))
    levels <- take(k)
    must(c(k >= 1, !duplicated(levels), levels == "missing" | startsWith(levels, "level ")))
    k
  }, 1)
  must(!duplicated(names))
  coarser <- if (by_level) numbers_after("coarser", counted("levels")) else list()
  must(c(!by_level || length(coarser) > 0, ascends(vapply(coarser, `[`, 1, 1))))
  must(vapply(coarser, function(c) {
    c[1] < n && length(c) == 1 + levels[c[1] + 1] && setequal(c[-1], seq_len(levels[c[1]]))
  }, NA))
  tables <- numbers_after("table", counted("tables"))
  must(length(tables) >= 1)
  must(vapply(tables, function(t) ascends(t) && all(t %in% seq_len(n)), NA))
  cell <- do.call(rbind, numbers_after("cell", counted("cells"), n + 1))
  must(c(t(cell[, seq_len(n)]) >= 1, t(cell[, seq_len(n)]) <= levels, cell[, n + 1] >= 0))
  must(ascends(drop((cell[, seq_len(n)] - 1) %*% cumprod(c(1, levels))[seq_len(n)])))
  must(vapply(coarser, function(c) all(cell[, c[1]] == c[-1][cell[, c[1] + 1]]), NA))
  must(!cells || all(risk <= nrow(cell) & cell[pmin(risk, nrow(cell)), n + 1] > 0))
  n_certificates <- numbers_after("certificates", take(1), 1)[[1]]
  certificates <- lapply(seq_len(n_certificates), function(c) {
    list(cell = numbers_after("certificate", take(1), 1)[[1]],
         entries = Map(function(word, line) {
           pairs <- numbers_after(word, line)[[1]]
           must(length(pairs) %% 2 == 0)
           pairs <- matrix(pairs, ncol = 2, byrow = TRUE)
           must(c(ascends(pairs[, 1]), pairs[, 1] %in% seq_len(nrow(cell)), pairs[, 2] != 0))
           pairs
         }, c("one", "other"), take(2)))
  })
  must(length(lines) == 0)
  must(vapply(certificates, `[[`, 1, "cell") %in% seq_len(nrow(cell)))
  list(beta = beta, cells = cells, risk = risk, tables = tables, cell = cell,
       certificates = certificates)
}

judge_parts <- function(x) {
  n <- ncol(x$cell) - 1
  count <- x$cell[, n + 1]
  at_risk <- if (x$cells) x$risk else which(count %in% x$risk)
  holds <- vapply(x$certificates, function(certificate) {
    tables <- lapply(certificate$entries, function(pairs) {
      replace(count, pairs[, 1], count[pairs[, 1]] + pairs[, 2])
    })
    agrees <- function(table, set) {
      key <- do.call(paste, c(list(rep("at", nrow(x$cell))), lapply(set, function(v) x$cell[, v])))
      all(rowsum(table - count, key) == 0)
    }
    all(vapply(tables, function(table) {
      all(table >= 0) && all(vapply(c(list(integer()), x$tables), agrees, NA, table = table))
    }, NA)) && abs(diff(vapply(tables, `[`, 1, certificate$cell))) >= x$beta
  }, NA)
  all(holds) && identical(sort(vapply(x$certificates, `[[`, 1, "cell")), as.numeric(at_risk))
}

certified_czech <- function(...) {
  few_looks(risk_width(...))
}

few_looks <- function(risk) {
  release_reducible(czech_workers, risk, seed = 1, max_looks = 1e6, time_limit_s = Inf,
                    progress = FALSE)
}

# Of a table by level.
certified_by_level <- function() {
  set.seed(4)
  kind <- sample(3, 300, TRUE)
  people <- data.frame(age = factor(paste0("a", pmin(5, kind + sample(0:3, 300, TRUE))),
                                    paste0("a", 1:5)),
                       job = factor(paste0("j", 1 + (kind + stats::rpois(300, 1)) %% 4),
                                    paste0("j", 1:4)),
                       sex = factor(sample(c("f", "m"), 300, TRUE)))
  trees <- list(age = data.frame(all = "all", half = c("y", "y", "y", "o", "o"),
                                 third = c("y1", "y1", "y2", "o1", "o1"), age = paste0("a", 1:5)),
                job = c(j1 = "J", j2 = "J", j3 = "K", j4 = "K"))
  release_reducible(level_table(sdc_table(people, hierarchies = trees)), risk_width(3), seed = 1,
                    max_looks = 1e6, time_limit_s = Inf, progress = FALSE)
}

certificate_lines <- function(release) readLines(write_certificates(release, tempfile()))

# A file of these lines, with the checksum of what stands in them.
resealed <- function(lines) {
  file <- tempfile()
  body <- paste0(lines[!startsWith(lines, "sha256 ")], "\n", collapse = "")
  sum <- paste(as.character(openssl::sha256(charToRaw(body))), collapse = "")
  writeBin(charToRaw(paste0(body, "sha256 ", sum, "\n")), file)
  file
}

# One line taken out, written twice, or with another number, or two of them swapped.
edited <- function(lines) {
  word <- sub(" .*", "", lines)
  kind <- sample(setdiff(word, c("#", "sdclattice-certificates", "sha256")), 1)
  at <- which(word == kind)
  at <- at[sample(length(at), 1)]
  way <- sample(c("out", "twice", "swap", rep("number", 9)), 1)
  switch(
    way,
    out = lines[-at], twice = append(lines, lines[at], at),
    swap = replace(lines, at + 0:1, lines[at + 1:0]),
    number = {
      words <- strsplit(lines[at], " ")[[1]]
      w <- if (length(words) > 1) sample(length(words) - 1, 1) + 1 else 1
      number <- suppressWarnings(as.numeric(words[w]))
      if (!is.na(number)) words[w] <- number + sample(c(-1, 1, 4), 1)
      replace(lines, at, paste(words, collapse = " "))
    }
  )
}

# What verify_release() says of a file: as is_safe_file().
verdict_of <- function(file) {
  release <- tryCatch(read_certificates(file), sdc_error_input = function(e) NULL)
  if (is.null(release)) NA else verify_release(release)$verified
}

test_that("property: a release that is written and read again is the same", {
  cells <- rbind(c(1, 1, 1, 1, 1, 1), c(2, 1, 2, 2, 1, 2))
  for (risk in list(risk_width(6), risk_width(3, at_risk = 1:4), risk_width(2, cells = cells))) {
    release <- few_looks(risk)
    file <- write_certificates(release, tempfile())
    expect_true(is_safe_file(file))
    again <- read_certificates(file)
    expect_identical(again$sets, release$sets)
    expect_identical(again$problem$x$keys, release$problem$x$keys)
    expect_identical(again$problem$at_risk, release$problem$at_risk)
    expect_true(verify_release(again, czech_workers)$verified)
    expect_identical(publish(again)$tables, publish(release)$tables)
    twice <- write_certificates(again, tempfile())
    expect_identical(readBin(twice, "raw", 1e6), readBin(file, "raw", 1e6))
    if (.Platform$OS.type == "unix") expect_identical(format(file.mode(file)), "600")
  }
})

test_that("property: a release by level that is written and read again is the same", {
  release <- certified_by_level()
  file <- write_certificates(release, tempfile())
  lines <- readLines(file)
  expect_true(all(c("sdclattice-certificates 2", "variable 2 age@half", "variable 3 age@third",
                    "coarser 1 1 1 2", "coarser 2 1 1 2 3 3") %in% lines))
  expect_true(is_safe_file(file))
  again <- read_certificates(file)
  expect_identical(again$sets, release$sets)
  expect_identical(again$frontier, release$frontier)
  expect_identical(again$problem$x$keys, release$problem$x$keys)
  expect_identical(again$problem$at_risk, release$problem$at_risk)
  expect_true(verify_release(again)$verified)
  expect_identical(publish(again)$tables, publish(release)$tables)
  expect_identical(readLines(write_certificates(again, tempfile())), lines)
  # as with variables of one level
  plain <- certified_czech(6)
  x <- in_single_steps(czech_workers)
  steps <- release_reducible(x, risk_width(6), seed = 1, max_looks = 1e6, time_limit_s = Inf,
                             progress = FALSE)
  expect_identical(certificate_lines(steps), certificate_lines(plain))
})

test_that("property: labels are any text, and levels may be missing", {
  frame <- expand.grid(`a name` = c("back\\slash", "two\nlines", "\u00e4\u00f6", NA, " ", ""),
                       count = c("x", "NA"), A = 1:2)
  frame$n <- c(1, 5, 7, 6, 9, 8)
  x <- sdc_table(frame, c("a name", "count", "A"), freqVar = "n", na = "level",
                 total = FALSE)
  release <- release_reducible(x, risk_width(2), seed = 1, progress = FALSE)
  skip_if(is.null(release$certificates))
  file <- write_certificates(release, tempfile())
  expect_true(is_safe_file(file))
  expect_identical(read_certificates(file)$problem$x, sdc_table(x))
  expect_false(any(grepl("lines$", setdiff(readLines(file), "level two\\nlines"))))
})

test_that("oracle: edited files are judged as a checker written from their description judges", {
  set.seed(241)
  for (lines in list(certificate_lines(certified_czech(6)),
                     certificate_lines(certified_by_level()))) {
    found <- c("TRUE" = 0, "FALSE" = 0, "NA" = 0)
    for (i in seq_len(rounds(40, 3000))) {
      file <- resealed(edited(lines))
      safe <- is_safe_file(file)
      verdict <- verdict_of(file)
      # a release that lost some of its cells at risk is safe with certificates for more than these
      surplus <- isTRUE(verdict) && isFALSE(safe)
      expect_true(surplus || identical(verdict, safe))
      found <- found + (names(found) == format(safe))
    }
    expect_true(all(found > rounds(1, 5)))
  }
})

checker_program <- function() {
  build <- file.path(source_folder(), "inst", "checker", "build.sh")
  compiler <- Sys.which(c("c++", "g++", "clang++"))
  compiler <- compiler[nzchar(compiler)]
  if (length(compiler) == 0 || !nzchar(Sys.which("sh"))) skip("there is no compiler")
  program <- tempfile("sdclattice-check")
  status <- system2("sh", c(build, program), env = c(paste0("CXX=", compiler[1]), "CXXFLAGS=-O0"))
  expect_identical(status, 0L)
  program
}

# Exit code, and what it prints, without the path of a temporary folder.
run_checker <- function(program, ...) {
  said <- suppressWarnings(system2(program, c(...), stdout = TRUE, stderr = TRUE))
  list(status = attr(said, "status") %||% 0L, lines = sub("/.*/", "", as.vector(said)))
}

test_that("oracle: the program judges files as the others do, and says no count", {
  skip_on_cran()
  program <- checker_program()
  release <- certified_czech(6)
  lines <- certificate_lines(release)
  set.seed(242)
  codes <- integer()
  for (i in seq_len(rounds(30, 2000))) {
    file <- resealed(edited(lines))
    code <- run_checker(program, file)$status
    expect_identical(code, c(1L, 0L, 2L)[match(is_safe_file(file), c(FALSE, TRUE, NA))])
    codes <- c(codes, code)
  }
  expect_true(all(table(factor(codes, 0:2)) > rounds(2, 5)))

  levels <- certified_by_level()
  file <- write_certificates(levels, tempfile())
  sheet <- file.path(write_publication(publish(levels), tempfile()), "table.csv")
  expect_identical(run_checker(program, file, sheet)$status, 0L)
  coarse <- tempfile()
  count <- function(label) as.numeric(margins(levels, label)[[1]]$counts)
  writeLines(c("age@half,count", paste0(c("y", "o"), ",", count("age@half"))), coarse)
  expect_identical(run_checker(program, file, coarse)$status, 0L)
  writeLines(c("age@half,count", paste0(c("y", "o"), ",", count("age@half") + 1)), coarse)
  expect_identical(run_checker(program, file, coarse)$status, 1L)

  folder <- write_publication(publish(release), tempfile())
  shown <- function(...) {
    found <- run_checker(program, ...)
    cat(paste("exit code", found$status), found$lines, sep = "\n")
  }
  good <- file.path(tempdir(), "release.txt")
  edit <- function(from, to) {
    bad <- file.path(tempdir(), "edited.txt")
    expect_true(any(grepl(from, lines)))
    file.rename(resealed(sub(from, to, lines)), bad)
    bad
  }
  file.rename(resealed(lines), good)
  csv <- function(...) {
    path <- file.path(tempdir(), "sheet.csv")
    writeLines(c(...), path)
    path
  }
  expect_snapshot({
    shown(good, file.path(folder, "table.csv"))
    shown(edit("^beta 6$", "beta 2000"))
    shown(edit("^risk counts 1 2$", "risk counts 1 2 3 4 5"))
    shown(edit("^risk counts 1 2$", "risk counts 1"))
    shown(edit("^table 1 2 3 5 6$", "table 1 2 3 4 5 6"))
    shown(edit("^((one|other) [0-9]+ )([0-9]+)", "\\19\\3"))
    shown(edit("^(cell 1 1 1 1 1 1) .*", "\\1 one"))
    shown(good, csv("A,freq", "negative,1", "positive,2"))
    shown(good, csv("A,freq", "never,1"))
    shown(good, csv("A,B,C,D,E,F,freq", "negative,< 3,< 140,no,no,negative,44"))
    shown(good, csv("A,Z,freq"))
    shown(good, file.path(tempdir(), "nothing.csv"))
    shown(file.path(folder, "table.csv"))
    shown()
  })
  unlink(c(good, program))
})

test_that("snapshot: errors", {
  release <- certified_czech(6)
  file <- file.path(tempdir(), "certificates.txt")
  unlink(file)
  withr::local_dir(tempdir())
  write_certificates(release, "certificates.txt")
  bad <- release
  bad$certificates$by[1] <- bad$certificates$by[1] + 1L
  cut <- utils::head(readLines("certificates.txt"), -5)
  writeLines(cut, "cut.txt")
  file.copy(resealed(sub("^beta.*", "beta 0", readLines("certificates.txt"))), "zero.txt")
  latin <- sub("^level no$", "level \xe4", readLines("certificates.txt"), useBytes = TRUE)
  file.copy(resealed(latin), "latin.txt")
  expect_snapshot(read_certificates("certificates.txt"))
  expect_snapshot(error = TRUE, {
    write_certificates()
    write_certificates(czech_workers, "new.txt")
    write_certificates(release_greedy(czech_workers, risk_width(6)), "new.txt")
    write_certificates(release, "certificates.txt")
    write_certificates(release, 1)
    write_certificates(release, file.path("no", "such", "folder"))
    write_certificates(bad, "new.txt")
    write_certificates(release, "new.txt", what = 1)
    read_certificates("nothing.txt")
    read_certificates("cut.txt")
    read_certificates("zero.txt")
    read_certificates("latin.txt")
  })
  expect_false(file.exists("new.txt"))
  write_certificates(release, "certificates.txt", overwrite = TRUE)
  unlink(c("certificates.txt", "cut.txt", "zero.txt", "latin.txt"))
})
