# Whoever runs the method again, on all tables that agree with a publication, and excludes those that lead
# to another one: judged by the program in inst/checker.

test_that("oracle: a part of the tables that lead to a publication has the verdict of all of them", {
  set.seed(511)
  most <- rounds(25, 300)
  # the second kind chooses by the counts, and promises nothing to these readers
  drawn <- lapply(rep(c("method", "plain"), rounds(6, 60)), function(kind) {
    one <- draw_publication(kind)
    if (kind == "plain") {
      one$arguments <- list(counts = auditor_table(c(3, 3), 1.5), maxN = 2, readers = "outsider", cost = "counts")
      one$su <- do.call(quietly_suppress, one$arguments)
      one$pub <- publish(one$su, insist = TRUE)
      one$su$readers <- c("outsider", "contributor", "method")
    }
    one
  })
  case <- function(one) function(more) case_of_suppression("x", one$su, one$pub, more)
  listed <- lapply(run_auditor(lapply(drawn, function(one) sub(" method", "", case(one)("list")))), `[[`, "listed")
  few <- which(lengths(listed) > 8 & lengths(listed) <= most)
  expect_gt(length(few), 1)
  again <- matrix(0, 0, 2)
  for (k in few) {
    found <- lapply(c(FALSE, TRUE), function(all) audit_by_method(drawn[[k]], listed[[k]], case(drawn[[k]]), all = all))
    learned <- lapply(found, function(one) grep("^open method", one$said, value = TRUE))
    expect_identical(learned[[1]], learned[[2]])
    expect_equal(found[[2]]$again, length(listed[[k]]))
    if (drawn[[k]]$kind == "method") expect_identical(found[[2]]$verdict, "safe")
    again <- rbind(again, c(found[[1]]$again, length(learned[[2]])))
  }
  # less is run where nobody learns anything
  expect_true(any(again[, 2] > 0))
  expect_true(all(again[again[, 2] > 0, 1] == lengths(listed)[few][again[, 2] > 0]))
})
