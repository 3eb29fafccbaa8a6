test_that("oracle: JSON as jsonlite writes it", {
  x <- list(a = 1, b = "x\"\\\n\t\u00e4\u0001/<", c = list(), d = named_list(), e = NULL, f = NA,
            g = TRUE, h = 2^40,
            i = list(1L, "b", list(k = FALSE)), `n"` = 0.25, l = NA_character_, m = -3,
            o = 1234.5678)
  x["e"] <- list(NULL)
  expect_identical(jsonlite::parse_json(to_json(x)), jsonlite::parse_json(
    jsonlite::toJSON(x, auto_unbox = TRUE, null = "null", na = "null", digits = NA)
  ))
  expect_identical(jsonlite::parse_json(to_json(list(1e40)))[[1]], 1e40)
  expect_identical(Encoding(to_json("\u00e4")), "UTF-8")
})

test_that("oracle: JSON in lines as jsonlite writes it, byte by byte", {
  verbatim <- function(x) structure(x, class = "json")
  x <- list(
    a = 1, b = "x", c = c(1, 2), d = list(), f = list(list(p = 1), list(p = 2)), g = I("one"),
    h = I(list(verbatim("1"), verbatim("2"))), i = list(1, 2), l = character(), m = TRUE, n = NA,
    o = named_list(), p = list(x = list(y = list(1, c(1, 2), list()))), q = c(u = 1, v = 2),
    r = verbatim("[\n1,\n2\n]"), s = list(c("a", "b"), "c"), t = "a/b\"\\\u00e4\u007f", u = 1e5,
    v = 123456789012345678, w = 0.1 + 0.2, y = 1e-10, z = 100000L, aa = 1 / 3, ab = 2^53, ac = 1e15,
    ad = 123456.789, ae = 1e14 + .5, af = -0.5, ag = I(5L), ah = NA_character_, ai = c("a", NA)
  )
  x["e"] <- list(NULL)
  expect_identical(pretty_json(x), as.character(jsonlite::toJSON(
    x, auto_unbox = TRUE, digits = NA, pretty = TRUE, json_verbatim = TRUE, null = "null"
  )))
})

test_that("published: hashes of ledgers that there are do not change", {
  # computed by version 0.1.0; a store that was begun with it must open
  key <- charToRaw("0123456789abcdef0123456789abcdef")
  policy <- server_policy(risk_width(3), envelope = c("A:B", "C"), max_risk_refusals = 5,
                          max_dimension = 3)
  identity <- list(fingerprint = table_fingerprint(as_sdc_table(czech_workers)),
                   variables = c("A", "B\"\u00e4", "C"),
                   policy = canonical_json(policy_identity(policy, c("3", "4"))))
  expect_identical(identity$fingerprint,
                   "043f6df0576d366e9ac76be07c066790ce726b1b80c3e97012d19718150e9d18")
  expect_identical(identity$policy, paste0(
    "{\"envelope\":[\"3\",\"4\"],\"max_closed\":10,\"max_dimension\":3,\"max_risk_refusals\":5,",
    "\"origin\":\"data_dependent\",\"risk\":{\"at_risk\":[1,2],\"beta\":3,",
    "\"kind\":\"sdc_risk_width\"},\"rule\":\"one_step\",\"step\":\"any\",\"undecided\":\"refuse\"}"
  ))
  chain <- chain_hash(key)
  expect_identical(genesis_of(identity, chain),
                   "82298275128b3166921b8bc777f74d080accf666845fc467e452229c9b21e8ca")
  row <- list(
    seq = "1", v = "1", at = "2026-01-01T00:00:00Z", user_id = "m\u00e4ry \"q\"\n",
    request_id = "r-1",
    mask = "3", form = "table", outcome = "released", reason_public = NA_character_,
    reason_private = "certified: closed form", parts = "", release_no = "1",
    table_hash = strrep("a", 64), certificate_hash = NA_character_, prev = strrep("0", 64)
  )
  expect_identical(chain$rows(row),
                   "2c791ced6f09527a5ff38ceccfa8afef5a457452024bb17f422e05800fe2d3b7")
})

test_that("published: the canonical form is one text for what is the same", {
  x <- list(b = 1.5, a = c(1, 2), d = list("x", TRUE), c = 2^60, e = list(z = 1 / 3))
  text <- "{\"a\":[1,2],\"b\":1.5,\"c\":1.152921504606847e+18,\"d\":[\"x\",true],\"e\":{\"z\":0.33333333333333331}}"
  expect_identical(canonical_json(x), text)
  expect_identical(canonical_json(rev(x)), text)
  read <- jsonlite::fromJSON(text)
  expect_identical(c(read$c, read$e$z), c(2^60, 1 / 3))
})
