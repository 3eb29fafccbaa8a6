set.seed(71)
x <- random_table(6, 5, 4)
me <- mechanism(cycles_banded(x, group = 2, seed = 1), covers = 2)

expect_round_trip <- function(pub) {
  folder <- withr::local_tempdir()
  back <- read_publication(write_publication(pub, file.path(folder, "pub")))
  expect_true(identical(back, pub))
  expect_identical(serialize(back, NULL), serialize(pub, NULL))
  saveRDS(pub, file.path(folder, "pub.rds"))
  expect_true(identical(readRDS(file.path(folder, "pub.rds")), pub))
}

file_bytes <- function(pub) {
  folder <- withr::local_tempdir()
  write_publication(pub, folder)
  saveRDS(pub, file.path(folder, "pub.rds"))
  lapply(list.files(folder, full.names = TRUE), function(f) readBin(f, "raw", file.size(f)))
}

# Two originals, one cycle apart, that some coins lead to the same published table.
two_originals <- function() {
  tables <- list(plain_table(matrix(c(3, 4, 5, 6), 2)), plain_table(matrix(c(4, 3, 4, 7), 2)))
  me <- mechanism(cycles_bidiagonal(tables[[1]]))
  lapply(tables, function(original) {
    for (i in 0:255) {
      pe <- perturb(original, me, key = as.raw(rep(i, 16)), insist = TRUE)
      if (identical(dense_counts(pe$published), as.double(tables[[1]]))) return(pe)
    }
  })
}

test_that("property: the bytes do not depend on the original", {
  both <- two_originals()
  expect_false(identical(both[[1]]$original, both[[2]]$original))
  pubs <- lapply(both, publish)
  expect_identical(serialize(pubs[[1]], NULL), serialize(pubs[[2]], NULL))
  expect_identical(file_bytes(pubs[[1]]), file_bytes(pubs[[2]]))
  table <- plain_table(matrix(dense_counts(both[[1]]$published), 2))
  by_reader <- publication(table, mechanism(cycles_bidiagonal(table)))
  expect_identical(serialize(by_reader, NULL), serialize(pubs[[1]], NULL))
})

test_that("property: nothing that hangs on the parts comes along", {
  pe <- perturb(x, me, insist = TRUE)
  clean <- publish(pe)
  pe$mechanism$secret <- x
  attr(pe$mechanism, "original") <- x
  attr(pe$mechanism$alpha, "original") <- x
  attr(pe$mechanism$order, "original") <- x
  attr(pe$mechanism$cycles, "original") <- x
  attr(pe$published, "original") <- x
  dirty <- publish(pe)
  expect_identical(serialize(dirty, NULL), serialize(clean, NULL))
  expect_identical(names(unclass(clean)), c("table", "mechanism"))
  expect_null(environment(clean$mechanism$alpha))
})

test_that("property: orders made in different ways give the same bytes", {
  grown <- integer()
  for (i in 1:15) grown[i] <- i
  a <- publication(x, mechanism(me$cycles, order = 1:15))
  b <- publication(x, mechanism(me$cycles, order = grown))
  c <- publication(x, mechanism(me$cycles, order = as.double(1:15)))
  expect_identical(serialize(a, NULL), serialize(b, NULL))
  expect_identical(serialize(a, NULL), serialize(c, NULL))
})

test_that("property: round trips of rule sets", {
  expect_round_trip(publish(perturb(x, me, insist = TRUE)))
  for (size in list(c(2, 2), c(3, 5), c(5, 3), c(5, 2), c(4, 3), c(4, 4), c(7, 4))) {
    y <- random_table(size[[1]], size[[2]])
    expect_round_trip(publication(y, mechanism(cycles_bidiagonal(y))))
    expect_round_trip(publication(y, mechanism(cycles_bidiagonal(y, "chain"), covers = 3)))
    expect_round_trip(publication(y, mechanism(cycles_banded(y, group = 2, seed = 1),
                                               zero_rule = "nonnegative")))
    expect_round_trip(publication(y, mechanism(cycles_banded(y, seed = 1), covers = 2)))
    expect_round_trip(publication(y, mechanism(cycles_banded(y, seed = 1, open = TRUE))))
    expect_round_trip(publication(y, mechanism(cycles_banded(y, seed = 1, skip_zeros = TRUE),
                                               covers = 2)))
    set <- cycles_banded(y, seed = 2, transposed = TRUE)
    expect_round_trip(publication(y, mechanism(set, order = rev(cover_order(set)))))
  }
  expect_round_trip(publication(x, mechanism(cycles_banded(x, group = 2, seed = 1, open = TRUE))))
})

test_that("property: round trips of user's moves, any number of variables", {
  move <- array(c(1, -1, -1, 1, -1, 1, 1, -1), c(2, 2, 2))
  y <- plain_table(array(rpois(8, 3), c(2, 2, 2)))
  expect_round_trip(publication(y, mechanism(cycles(list(move, -3 * move), y))))
  expect_round_trip(publication(y, mechanism(cycles(list(move), y, margins = list(c("A", "B"), "C",
                                                                                  character())))))
  expect_round_trip(publication(y, mechanism(cycles(list(move), y, margins = list()))))
  y <- plain_table(array(c(3, 4, 0), 3))
  expect_round_trip(publication(y, mechanism(cycles(list(c(1, -1, 0)), y), alpha = .2)))
})

test_that("property: round trips keep every bit of the probabilities and the whole order", {
  n <- length(me$cycles)
  for (alpha in c(0, .1, 1 / 3, 1 - 2^-53, 2^-53 * 3, 1e-300, 5e-324, 1)) {
    expect_round_trip(publication(x, mechanism(me$cycles, alpha = alpha, beta = 0)))
  }
  set.seed(3)
  each <- mechanism(me$cycles, runif(n) / 2, runif(n) / 2, covers = 2,
                    order = c(sample(n), sample(n)))
  expect_round_trip(publication(x, each))
})

test_that("property: round trips of labels of every kind", {
  y <- x
  dimnames(y) <- list(
    `my "var", 1` = c("NA", "1", "a,b", "q\"x\"", "\u00e9\u4e2d", " sp "),
    frequency = c("1e5", "TRUE", "007", "-", "\\n")
  )
  expect_round_trip(publication(y, mechanism(cycles_banded(y, group = 2, seed = 1))))
  latin <- "\xe9"
  Encoding(latin) <- "latin1"
  dimnames(y)[[1]][5] <- latin
  pub <- publication(y, mechanism(cycles_banded(y, group = 2, seed = 1)))
  expect_round_trip(pub)
  expect_identical(dimnames(pub$table)[[1]][5], "\u00e9")
  dimnames(y) <- list(A = c("NA", "NaN", "NULL", "Inf", "null", "0x1"),
                      B = c("NA", "b", "c", "d", "e"))
  expect_round_trip(publication(y, mechanism(cycles_banded(y, group = 2, seed = 1))))
})

test_that("property: round trips of missing levels, which are not the label NA", {
  y <- sdc_table(data.frame(g = c("u", "w", NA), h = c("k", "l", "k")), na = "level")
  expect_true(anyNA(dimnames(y)$g))
  move <- array(0, c(3, 2))
  move[2:3, ] <- c(1, -1, -1, 1)
  expect_round_trip(publication(y, mechanism(cycles_banded(y, group = 2, seed = 1))))
  expect_round_trip(publication(y, mechanism(cycles(list(move), y))))
  y <- plain_table(matrix(1:9, 3))
  dimnames(y) <- list(a = c("NA", "", NA), b = c(NA, "x", "NA"))
  pub <- publication(y, mechanism(cycles_bidiagonal(y)))
  expect_round_trip(pub)
  folder <- withr::local_tempdir()
  write_publication(pub, folder)
  expect_snapshot({
    writeLines(readLines(file.path(folder, "table.csv"), 4))
    writeLines(grep("levels\"", readLines(file.path(folder, "mechanism.json")), value = TRUE))
  })
})

test_that("property: large counts survive", {
  y <- plain_table(matrix(c(2^52, 1e15, 123456789012, 0), 2))
  expect_round_trip(publication(y, mechanism(cycles_bidiagonal(y))))
})

test_that("snapshot: the files", {
  y <- plain_table(matrix(c(3, 0, 2, 5), 2))
  pub <- publication(y, mechanism(cycles_banded(y, group = 2, shuffle = FALSE), alpha = .1))
  folder <- withr::local_tempdir()
  write_publication(pub, folder)
  expect_snapshot(writeLines(readLines(file.path(folder, "table.csv"))))
  expect_snapshot(writeLines(readLines(file.path(folder, "mechanism.json"))))
  triads <- plain_table(matrix(0, 5, 3))
  pub <- publication(triads, mechanism(cycles_banded(triads, shuffle = FALSE, open = TRUE)))
  write_publication(pub, folder, overwrite = TRUE)
  cycles <- jsonlite::read_json(file.path(folder, "mechanism.json"))$cycles
  expect_snapshot(writeLines(jsonlite::toJSON(cycles, pretty = TRUE, auto_unbox = TRUE)))
  pub <- publication(triads, mechanism(cycles_banded(triads, skip_zeros = TRUE)))
  write_publication(pub, folder, overwrite = TRUE)
  document <- jsonlite::read_json(file.path(folder, "mechanism.json"))
  expect_snapshot(writeLines(c(document$cycles$rule_in_words, document$mechanism$zero_rule_in_words)))
  expect_true(document$cycles$parameters$skip_zeros)
  move <- matrix(c(1, -1, -1, 1), 2)
  pub <- publication(y, mechanism(cycles(list(move, 2 * move), y), alpha = c(.25, .5)))
  write_publication(pub, folder, overwrite = TRUE)
  expect_snapshot(writeLines(readLines(file.path(folder, "mechanism.json"))))
})

test_that("property: any changed byte is an error", {
  folder <- withr::local_tempdir()
  write_publication(publish(perturb(x, me, insist = TRUE)), folder)
  files <- file.path(folder, c("table.csv", "mechanism.json"))
  set.seed(8)
  for (file in files) {
    bytes <- readBin(file, "raw", file.size(file))
    tries <- list(raw(), bytes[-1], bytes[-length(bytes)], c(bytes, as.raw(10)),
                  c(as.raw(c(0xef, 0xbb, 0xbf)), bytes))
    for (i in sample(length(bytes), 20)) {
      tries <- c(tries, list(replace(bytes, i, xor(bytes[[i]], as.raw(1)))), list(bytes[-i]))
    }
    tries <- c(tries, list(replace(bytes, 9, as.raw(0)), replace(bytes, 9, as.raw(255))))
    for (changed in tries) {
      writeBin(changed, file)
      expect_error(read_publication(folder), class = "sdc_error_input")
    }
    writeBin(bytes, file)
  }
  expect_s3_class(read_publication(folder), "sdc_publication")
})

# Writes a document that was changed before its checksum was made: the content is judged too.
forge <- function(folder, change) {
  file <- file.path(folder, "mechanism.json")
  text <- paste(readLines(file), collapse = "\n")
  new <- change(text)
  expect_false(identical(new, text))
  open <- sub("  \"sha256\": \"[0-9a-f]*\"\n}$", "", new)
  writeBin(charToRaw(paste0(open, checksum_line(sha256_of(open)))), file)
}

test_that("snapshot: files whose content is wrong", {
  y <- plain_table(matrix(c(3, 0, 2, 5, 1, 1), 2))
  move <- matrix(c(1, -1, -1, 1, 0, 0), 2)
  user <- publication(y, mechanism(cycles(list(move), y)))
  rule <- publication(y, mechanism(cycles_banded(y, group = 2, shuffle = FALSE), alpha = .1))
  root <- withr::local_tempdir()
  folder <- file.path(root, "pub")
  forged <- function(pub, from, to) {
    write_publication(pub, folder, overwrite = TRUE)
    forge(folder, function(text) sub(from, to, text, fixed = TRUE))
    read_publication(folder)
  }
  expect_snapshot(error = TRUE, {
    forged(rule, "sdcLattice publication", "something")
    forged(rule, "\"format_version\": 1", "\"format_version\": 2")
    forged(rule, "\"total\": \"12\"", "\"total\": \"13\"")
    forged(rule, "\"covers\": 1", "\"covers\": 2")
    forged(rule, "\"covers\": 1", "\"covers\": \"a\"")
    forged(rule, "[1, 2, 3]\n", "[1, 2, 2]\n")
    forged(rule, "[1, 2, 3],", "[1, 2, 2],")
    forged(rule, "\"0.25\"", "\"0.26\"")
    forged(rule, "1/2^2", "5/2^2")
    forged(rule, "1/2^2", "1e2")
    forged(rule, "\"blocked\"", "\"nonnegative\"")
    forged(rule, "\"blocked\"", "\"other\"")
    forged(rule, "has probability alpha", "has probability beta")
    forged(rule, "\"rule\": \"banded\"", "\"rule\": \"striped\"")
    forged(rule, "has +1 in row", "has -1 in row")
    forged(rule, "\"number\": 3", "\"number\": 4")
    forged(rule, "\"transposed\": false", "\"transposed\": true")
    forged(rule, "\"open\": false", "\"open\": true")
    forged(rule, "\"open\": false", "\"open\": null")
    forged(rule, "\"skip_zeros\": false", "\"skip_zeros\": true")
    forged(rule, "\"group\": 2", "\"group\": 3")
    forged(rule, "\"group\": 2", "\"group\": \"2\"")
    forged(rule, "[\"1\", \"2\", \"3\"]", "[\"1\", \"2\", \"2\"]")
    forged(rule, "[\"1\", \"2\", \"3\"]", "[\"1\", \"2\", \"4\"]")
    forged(rule, "[\"1\", \"2\", \"3\"]", "[\"1\", \"2\", 3]")
    forged(rule, "[\"1\", \"2\", \"3\"]", "[\"1\", null, null]")
    forged(rule, "\"name\": \"B\"", "\"name\": null")
    forged(rule, "\"name\": \"B\"", "\"name\": \"A\"")
    forged(rule, "[\"A\"]", "[\"B\"]")
    forged(rule, "\"format\":", "\"format\"")
    forged(user, "[1,-1,-1,1]", "[1,-1,-1,2]")
    forged(user, "[1,-1,-1,1]", "[1,-1,-1]")
    forged(user, "[1,-1,-1,1]", "[1,-1,-1,1.5]")
    forged(user, "[2,2]", "[2,9]")
    forged(user, "[2,2]", "[1,1]")
    forged(user, "[2,2]", "[2,2,1]")
  })
})

test_that("snapshot: errors of writing and reading", {
  root <- withr::local_tempdir()
  withr::local_dir(root)
  pub <- publication(x, me)
  write_publication(pub, "pub")
  broken <- x
  dimnames(broken)$A[1] <- "two\nlines"
  broken <- publication(broken, mechanism(cycles_bidiagonal(broken)))
  clash <- x
  names(dimnames(clash))[2] <- "count"
  clash <- publication(clash, mechanism(cycles_bidiagonal(clash)))
  writeLines("a file", "file")
  dir.create("half")
  file.copy("pub/mechanism.json", "half")
  expect_snapshot(error = TRUE, {
    write_publication(pub, "pub")
    write_publication(x, "other")
    write_publication(pub, NA)
    write_publication(pub, "other", overwrite = "yes")
    write_publication(broken, "other")
    write_publication(clash, "other")
    as.data.frame(clash)
    as.data.frame(pub, zeros = FALSE)
    summary(pub, level = .9)
    plot(pub, 3)
    write_publication(pub, "file")
    read_publication("nowhere")
    read_publication("half")
    read_publication(1)
  })
  expect_identical(write_publication(pub, "pub", overwrite = TRUE), "pub")
  expect_setequal(list.files("pub"), c("table.csv", "mechanism.json"))
})

test_that("snapshot: errors of publishing", {
  example <- perturb(x, me, seed = 1, insist = TRUE)
  changed <- me
  changed$alpha <- 2
  turned <- me
  turned$cycles$parameters$rings[[1]] <- c(1L, 1L, 2L, 3L, 4L)
  expect_snapshot(error = TRUE, {
    publish(example)
    publish(x)
    publish(example, insist = NA)
    publication(x, me$cycles)
    publication(x[1:5, ], me)
    publication(replace(x, 2, NA), me)
    publication(replace(x, 2, -1), me)
    publication(replace(x, 2, .5), me)
    publication("table", me)
    publication(x, changed)
    publication(x, turned)
    publication(x, mechanism(me$cycles, zero_rule = "roehrig"))
    publication(x, mechanism(me$cycles, zero_rule = "none"))
  })
  expect_s3_class(publish(example, insist = TRUE), "sdc_publication")
})

test_that("snapshot: print and summary", {
  pub <- publication(x, me)
  expect_snapshot({
    pub
    summary(pub)
    head(as.data.frame(pub), 3)
  })
  expect_identical(nrow(as.data.frame(pub)), 30L)
  expect_identical(as.table(pub), as.table(pub$table))
  expect_equal(as.vector(as.table(pub)), as.data.frame(pub)$count)
  expect_error(as.table(pub, 3), class = "sdc_error_input")
  expect_identical(data.frame(pub), as.data.frame(pub))
})

test_that("property: pictures are made for one, two and three variables", {
  skip_if_not_installed("ggplot2")
  move <- array(c(1, -1, -1, 1, -1, 1, 1, -1), c(2, 2, 2))
  y <- plain_table(array(1:8, c(2, 2, 2)))
  z <- plain_table(array(1:3, 3))
  pubs <- list(
    publication(x, me), publication(y, mechanism(cycles(list(move), y))),
    publication(z, mechanism(cycles(list(c(1, -1, 0)), z)))
  )
  for (pub in pubs) {
    picture <- ggplot2::autoplot(pub)
    expect_equal(picture$data$.amount, dense_counts(pub$table))
    expect_no_error(ggplot2::ggplot_build(picture))
  }
})
