# Fields of private suppressions that were changed to something else.

test_that("property: print() of an edited suppression ends with what it shows or a classed error", {
  values <- data.frame(A = rep(c("a", "b", "c"), each = 4), B = rep(c("x", "y"), 6),
                       v = c(90, 5, 4, 3, 20, 21, 22, 23, 9, 8, 7, 60))
  money <- magnitude_table(values, c("A", "B"), "v")
  plain <- suppress(roehrig, maxN = 1, pattern = roehrig < 3, audit = FALSE)
  objects <- suppressWarnings(classes = "sdc_warning_unsafe", expr = list(
    pattern = plain,
    counts = suppress(replace(roehrig, 3, 0), maxN = 1, groups = "row", previous = plain, seed = 1,
                      status = data.frame(row = "1", column = "2", sdcStatus = "x")),
    magnitudes = suppress(money, rule_p_percent(10), method = "certified", seed = 1)
  ))
  edits <- list(none = NULL, missing = NA, text = "x", empty = list(), list = list(1), number = -3.5, many = 1:3,
                frame = data.frame(a = 1), code = sum)
  # in the short form each field meets some of them
  long <- is_long()
  if (!long) objects <- objects[-1]
  turn <- 0
  told <- c(shown = 0, refused = 0)
  for (name in names(objects)) for (field in names(objects[[name]])) for (kind in names(edits)) {
    turn <- turn + 1
    if (!long && turn %% 4 > 0) next
    edited <- objects[[name]]
    edited[field] <- edits[kind]
    found <- tryCatch(format(edited), sdc_error_input = function(cnd) "refused", error = function(cnd) NULL)
    expect_type(found, "character")
    if (is.null(found)) cat(name, field, kind, "\n")
    told <- told + c(!identical(found, "refused"), identical(found, "refused"))
  }
  expect_true(all(told > 10))
  objects$counts$maxN <- "x"
  expect_error(print(objects$counts), "Its field maxN was changed", class = "sdc_error_input")
  expect_error(summary(objects$counts), "as `suppress\\(\\)` made it", class = "sdc_error_input")
})

test_that("property: objects as suppress() makes them have no damaged field", {
  su <- suppress(roehrig, maxN = 3, seed = 1)
  method <- suppress(roehrig, maxN = 3, seed = 1, readers = c("outsider", "method"))
  for (one in list(su, method, suppress(roehrig, maxN = 1, pattern = slides_mask()))) expect_null(damaged_field(one))
  # the verifier finds a field that is damaged, sealed again or not
  for (field in c("optimal", "stopped", "lacking", "certificates", "readers", "width", "bound")) {
    edited <- su
    edited[field] <- list(list(1))
    expect_false(verify_suppression(edited)$verified, info = field)
    expect_false(verify_suppression(tryCatch(resealed(edited), error = function(cnd) edited))$verified, info = field)
  }
})
