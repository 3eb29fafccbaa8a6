skip_if_no_store()

check_id <- function(token) strsplit(token, "_")[[1]][2]

test_that("property: tokens open for their user, and are not in the store", {
  store <- local_store()
  add_user(store, "ann")
  add_user(store, "o'brien", "operator")
  token <- issue_token(store, "ann")
  expect_match(token, "^sdc_[0-9a-f]{16}_[0-9a-f]{64}$")
  expect_identical(check_token(store, token)[c("user_id", "role")],
                   list(user_id = "ann", role = "user"))
  expect_identical(check_token(store, issue_token(store, "o'brien"))$role, "operator")
  expect_false(issue_token(store, "ann") == token)
  close_store(store)
  bytes <- unlist(lapply(Sys.glob(paste0(store$place, "*")), readBin, "raw", 1e7))
  text <- rawToChar(bytes[bytes != 0], multiple = FALSE)
  expect_false(grepl(sub(".*_", "", token), text, useBytes = TRUE))
  expect_true(grepl(check_id(token), text, useBytes = TRUE))
})

test_that("property: tokens that are no good give NULL, whatever is wrong", {
  store <- trial_store()
  add_user(store, "ann")
  add_user(store, "bob", "operator")
  ann <- issue_token(store, "ann")
  bob <- issue_token(store, "bob")
  mixed <- paste("sdc", check_id(bob), sub(".*_", "", ann), sep = "_")
  bad <- list(NULL, NA, 1, "", "sdc__", c(ann, bob), toupper(ann), paste0(ann, " "),
              paste0(ann, "\n"), mixed,
              sub("_[0-9a-f]", "_x", ann), sub("[0-9a-f]{16}_", "0000000000000000_", ann), "\xff",
              "sdc_' OR 1=1 --_0", substr(ann, 1, 80))
  for (token in bad) expect_null(check_token(store, token))
  expect_null(check_token(store, issue_token(store, "ann", days = 0)))
  expect_false(is.null(check_token(store, issue_token(store, "ann", days = NULL))))
  DBI::dbExecute(store$con,
                 "UPDATE tokens SET expires_at = '2020-01-01T00:00:00Z' WHERE token_id = $1",
                 params = list(check_id(ann)))
  expect_null(check_token(store, ann))
  revoke_token(store, check_id(bob))
  expect_null(check_token(store, bob))
  late <- issue_token(store, "ann")
  disable_user(store, "ann")
  expect_null(check_token(store, late))
  expect_error(issue_token(store, "ann"), class = "sdc_error_input")
  expect_identical(sum(is.na(list_tokens(store)$revoked_at)), 4L)
  expect_false(is.na(list_users(store)$disabled_at[1]))
  expect_false("hash" %in% names(list_tokens(store)))
})

test_that("property: users and roles are checked", {
  store <- trial_store()
  add_user(store, "ann")
  expect_error(add_user(store, "ann", "operator"), class = "sdc_error_input")
  expect_error(add_user(store, "bob", "root"), class = "sdc_error_input")
  expect_error(add_user(store, ""), class = "sdc_error_input")
  expect_error(issue_token(store, "bob"), class = "sdc_error_input")
  expect_error(issue_token(store, "ann", days = -1), class = "sdc_error_input")
  expect_error(revoke_token(store, "none"), class = "sdc_error_input")
  expect_error(disable_user(store, "none"), class = "sdc_error_input")
  expect_identical(list_users(store)$role, "user")
})

test_that("property: digests are compared over their whole length", {
  a <- strrep("0", 64)
  expect_true(same_digest(a, a))
  expect_false(same_digest(a, paste0(strrep("0", 63), "1")))
  expect_false(same_digest(a, strrep("0", 63)))
})

test_that("property: votes count once for each user", {
  store <- trial_store()
  expect_true(add_vote(store, "ann", mask_of(1:2)))
  expect_false(add_vote(store, "ann", mask_of(1:2)))
  expect_true(add_vote(store, "bob", mask_of(1:2)))
  expect_true(add_vote(store, "bob", mask_of(3)))
  votes <- count_votes(store)
  expect_identical(votes$mask, c(mask_of(1:2), mask_of(3)))
  expect_identical(votes$votes, c(2, 1))
})

test_that("property: whoever asks for a token of nobody is told of a function that is there", {
  store <- trial_store()
  e <- expect_error(issue_token(store, "nobody"), class = "sdc_error_input")
  named <- regmatches(conditionMessage(e), regexpr("[a-z_]+(?=\\(\\)`)", conditionMessage(e),
                                                   perl = TRUE))
  expect_length(intersect(named, getNamespaceExports("sdcLattice")), 1)
})
