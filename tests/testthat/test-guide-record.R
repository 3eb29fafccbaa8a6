# Plans that are carried out beside what is out.

test_that("property: a plan is carried out beside a record, and its publication is entered", {
  skip_if_not_installed("RSQLite")
  x <- as_sdc_table(matrix(c(1, 8, 2, 9, 7, 1, 12, 3, 1), 3, dimnames = list(A = 1:3, B = 1:3)))
  record <- publication_record()
  done <- protect(x, plan = "suppression", record = record)
  expect_identical(nrow(as.data.frame(record)), 1L)
  expect_match(done$code, "publish(protected, record = record)", fixed = TRUE, all = FALSE)
  # the lines say what was done
  again <- publication_record()
  room <- new.env()
  room$x <- x
  room$record <- again
  for (line in done$code) eval(str2lang(line), room)
  expect_identical(room$published, done$published)
  expect_identical(as.data.frame(again)$kind, as.data.frame(record)$kind)
  # what cannot stand beside it is not entered
  full <- publication_record()
  enter_publication(full, margin(x, "A"))
  enter_publication(full, x)
  n <- nrow(as.data.frame(full))
  expect_error(protect(x, plan = "suppression", record = full), class = "sdc_error")
  expect_identical(nrow(as.data.frame(full)), n)
  # from cells, and from a proposal
  record <- publication_record()
  protect(as.data.frame(x), dimVar = c("A", "B"), freqVar = "freq", plan = "suppression",
          record = record)
  expect_identical(nrow(as.data.frame(record)), 1L)
  expect_error(protect(x, record = record), "plan", class = "sdc_error_input")
  expect_error(protect(x, plan = "suppression", record = 1), class = "sdc_error_input")
  # magnitudes are not judged
  mg <- magnitude_table(data.frame(a = 1:3, v = c(5, 6, 7), firm = 1:3), "a", "v",
                        contributorVar = "firm")
  expect_error(protect(mg, plan = "suppression", record = record), class = "sdc_error_input")
})
