# verify_suppression(): what is true is verified, and each edit that matters is refused.

expect_refused <- function(su, info) {
  expect_false(verify_suppression(su)$verified, info = info)
  expect_error(publish(su), class = "sdc_error_refused", info = info)
}

# Two of those that are whole.
tampered_cases <- function() {
  whole <- vapply(certified_cases(), function(su) nrow(su$lacking) == 0 && nrow(su$certificates) > 0, NA)
  utils::head(intersect(c("tree", "linked", "two", "three"), names(which(whole))), 2)
}

# Primary cells, and small cells of the table itself that no crossing shows.
wanted_rows <- function(su) {
  inner <- seq_len(nrow(su$cells)) %in% inner_rows(su$cells, su$original$dimnames)
  small <- su$cells$freq >= 1 & su$cells$freq <= su$maxN
  which(su$cells$sdcStatus == "u" | su$cells$sdcStatus == "n" & inner & small)
}

test_that("property: suppressions as they were made are verified, and published, unless cells are lacking", {
  for (name in names(certified_cases())) {
    su <- certified_cases()[[name]]
    check <- verify_suppression(su, su$original)
    whole <- nrow(su$lacking) == 0
    expect_identical(check$verified, whole, info = name)
    expect_false("false" %in% check$claims$status, info = name)
    expect_identical(nrow(check$cells), length(wanted_rows(su)), info = name)
    # readers do not know that a count which no crossing shows is not 0
    seen <- su$cells$sdcStatus[wanted_rows(su)] != "n"
    expect_true(all(check$cells$least >= seen & check$cells$least <= check$cells$freq), info = name)
    expect_identical(check$cells$outsider, check$cells$width >= su$width, info = name)
    if (whole) expect_identical(publish(su), public_suppression(su))
  }
  expect_gt(sum(vapply(certified_cases(), function(su) nrow(su$lacking) == 0, NA)), 4)
})

test_that("oracle: certificates are judged as tables that are added up label by label", {
  set.seed(233)
  seen <- c()
  for (su in certified_cases()) {
    inner <- inner_rows(su$cells, su$original$dimnames)
    held <- held_labels(su)
      # true certificates, the same too far, and swaps of a few counts
    true <- split(su$certificates[c("row", "change")], su$certificates$certificate)
    sets <- c(true, lapply(true, function(set) transform(set, change = -9 * change)), lapply(1:12, function(k) {
      data.frame(row = sample(inner, min(4, length(inner))), change = sample(c(-1, 1), min(4, length(inner)), TRUE))
    }))
    su$certificates <- list2data_frame(list(
      certificate = rep(seq_along(sets), vapply(sets, nrow, 0L)) + 0,
      row = unlist(lapply(sets, `[[`, "row"), use.names = FALSE) + 0,
      change = unlist(lapply(sets, `[[`, "change"), use.names = FALSE)
    ), sum(vapply(sets, nrow, 0L)))
    expect_true(certificates_fit(su))
    changed <- changed_cells(su)
    faults <- certificate_faults_of(su, changed)
    for (k in seq_along(sets)) {
      values <- array(0, lengths(su$original$dimnames))
      values[match(sets[[k]]$row, inner)] <- sets[[k]]$change
      d <- naive_totals(values, su$original$dimnames, su$cells, held)
      own <- changed[changed$certificate == k, ]
      expect_identical(own$row, as.double(which(d != 0)))
      expect_identical(own$change, d[d != 0])
      status <- su$cells$sdcStatus
      least <- ifelse(status == "n", 0, 1)
      fault <- if (any(d[status %in% c("s", "z")] != 0)) 1 else
        if (any((su$cells$freq + d < least)[d != 0])) 2 else 0
      expect_identical(faults[k], fault)
      seen <- c(seen, fault)
    }
  }
  expect_setequal(seen, 0:2)
})

# Certificates by hand: whoever is touched by all of them is not protected from.
test_that("oracle: what certificates prove for each reader is what their tables say one by one", {
  set.seed(234)
  opened <- 0
  for (su in certified_cases()) {
    n <- n_certificates(su)
    if (n == 0) next
    for (width in 1:3) for (keep in list(seq_len(n), sample(n, ceiling(n / 2)), sample(n, 1))) {
      thin <- su
      thin$width <- width
      thin$readers <- c("outsider", "contributor")
      made <- su$certificates[su$certificates$certificate %in% keep, ]
      made$certificate <- match(made$certificate, unique(made$certificate)) + 0
      rownames(made) <- NULL
      thin$certificates <- made
      changed <- changed_cells(thin)
      single <- single_contributors(thin)
      primary <- wanted_rows(su)
      d <- matrix(0, nrow(su$cells), length(keep))
      d[cbind(changed$row, changed$certificate)] <- changed$change
      reach <- function(p, kept) diff(range(0, d[p, kept]))
      outside <- primary[vapply(primary, reach, 0, kept = rep(TRUE, ncol(d))) < width]
      inside <- NULL
      for (r in seq_along(single$who)) {
        rows <- single$known$row[single$known$reader == r]
        kept <- colSums(d[rows, , drop = FALSE] != 0) == 0
        asked <- setdiff(primary, c(outside, rows))
        open <- asked[vapply(asked, reach, 0, kept = kept) < width]
        inside <- c(inside, paste(open, single$who[r], recycle0 = TRUE))
      }
      found <- proved_intervals(thin, changed)$open
      expect_identical(sort(found$row[found$reader == "outsider"]), as.double(outside))
      of <- found$reader == "contributor"
      expect_setequal(paste(found$row[of], found$who[of], recycle0 = TRUE), as.character(inside))
      opened <- opened + length(inside)
    }
  }
  expect_gt(opened, 20)
})

test_that("oracle: single contributors are the people of the cells with a count of 1", {
  for (su in certified_cases()) {
    single <- single_contributors(su)
    inner <- inner_rows(su$cells, su$original$dimnames)
    held <- held_labels(su)
    ones <- inner[su$cells$freq[inner] == 1 & is_hidden(su)[inner]]
    expect_true(all(ones %in% single$who))
    for (r in seq_along(single$who)) {
      at <- single$who[r]
      above <- Reduce(`&`, lapply(names(held), function(v) {
        level <- as.character(su$cells[[v]][at])
        vapply(as.character(su$cells[[v]]), function(l) level %in% held[[v]][[l]], NA)
      }))
      knows <- which(unname(above) & su$cells$freq == 1 & (is_withheld(su) | seq_along(above) == at) & is_hidden(su))
      expect_setequal(single$known$row[single$known$reader == r], knows)
    }
  }
  # no number of R's is too small for all pairs
  many <- list(who = seq_len(1e5), known = list(row = c(3L, 8L)))
  expect_identical(pairs_of(many, seq_len(1e5)), 1e10 - 2)
})

test_that("property: certificates that were edited are refused, sealed again or not", {
  n_edits <- 0
  for (name in tampered_cases()) {
    su <- certified_cases()[[name]]
    made <- su$certificates
    put <- function(...) within_list(su, certificates = transform(made, ...))
    with <- function(frame) within_list(su, certificates = frame)
    edits <- list(
      change = put(change = replace(change, 1, change[1] + 1)),
      sign = put(change = replace(change, 1, -change[1])),
      zero = put(change = replace(change, 1, 0)),
      part = put(change = change + .5),
      na = put(change = replace(change, 1, NA)),
      huge = put(change = change * 2^60),
      text = put(change = as.character(change)),
      far = put(row = replace(row, 1, nrow(su$cells) + 1)),
      total = put(row = replace(row, 1, nrow(su$cells))),
      negative = put(row = -row),
      number = put(certificate = certificate + 1),
      twice = with(rbind(made, made[nrow(made), ])),
      dropped = with(made[-1, ]),
      none = with(made[0, ]),
      missing = within_list(su, certificates = NULL),
      columns = with(made[2:3]),
      more = with(cbind(made, note = 1)),
      list = with(as.list(made)),
      environment = with(new.env()),
      reversed = with(made[rev(seq_len(nrow(made))), ][order(-rev(made$certificate)), ])
    )
    # one certificate alone tells no difference between its first entry and the frame
    if (length(unique(made$certificate)) == 1) edits$reversed <- NULL
    for (edit in names(edits)) {
      n_edits <- n_edits + 1
      if (name == tampered_cases()[1]) expect_refused(edits[[edit]], paste(name, edit))
      sealed <- tryCatch(resealed(edits[[edit]]), error = function(cnd) edits[[edit]])
      expect_refused(sealed, paste(name, edit, "sealed"))
    }
  }
  expect_gt(n_edits, 35)
})

test_that("property: a pattern, a table or a field that was edited is refused, sealed again or not", {
  n_edits <- 0
  for (name in tampered_cases()) {
    su <- certified_cases()[[name]]
    changed <- changed_cells(su)
    status <- su$cells$sdcStatus
    used <- unique(changed$row)
    edits <- list()
    cells <- function(...) within_list(su, cells = transform(su$cells, ...))
    for (at in utils::head(used[status[used] %in% c("u", "x")], 6)) {
      edits[[paste("published", at)]] <- cells(sdcStatus = replace(sdcStatus, at, "s"))
    }
    u <- which(status == "u")[1]
    s <- which(status == "s")[1]
    edits <- c(edits, list(
      secondary = cells(sdcStatus = replace(sdcStatus, u, "x")),
      primary = cells(sdcStatus = replace(sdcStatus, s, "u")),
      freq = cells(freq = replace(freq, u, 50)),
      table = within_list(su, original = set_layout(as_sdc_table(as.array(su$original) + 1), su$original$layout)),
      max = within_list(su, maxN = max(su$cells$freq)),
      zeros = within_list(su, protectZeros = TRUE),
      width = within_list(su, width = 1e6), width_none = within_list(su, width = NULL),
      width_text = within_list(su, width = "1"),
      readers = within_list(su, readers = "coalition"), no_readers = within_list(su, readers = NULL),
      lacking = within_list(su, lacking = data.frame(row = u + 0, reader = "outsider", who = NA_real_,
                                                     impossible = FALSE)),
      no_lacking = within_list(su, lacking = NULL),
      cost = within_list(su, cost = su$cost - 1), bound = within_list(su, bound = su$cost + 1)
    ))
    for (edit in names(edits)) {
      n_edits <- n_edits + 1
      if (name == tampered_cases()[1]) expect_refused(edits[[edit]], paste(name, edit))
      expect_refused(resealed(edits[[edit]]), paste(name, edit, "sealed"))
    }
    # without a seal, or with one of another object
    expect_error(publish(within_list(su, seal = NULL)), class = "sdc_error_refused")
  }
  expect_gt(n_edits, 35)
})

test_that("property: one more published cell is no matter where no certificate needs it", {
  su <- certified_cases()$two
  changed <- changed_cells(su)
  more <- su
  at <- which(su$cells$sdcStatus == "s" & su$cells$freq > 5)[1]
  more$cells$sdcStatus[at] <- "x"
  more$cost <- more$cost + 1
  check <- verify_suppression(resealed(more))
  expect_identical(check$verified, TRUE)
  expect_false(at %in% changed$row)
})

test_that("property: another table than one's own, and suppressions without certificates, are told", {
  su <- certified_cases()$two
  other <- as.array(su$original)
  other[1] <- other[1] + 1
  found <- verify_suppression(su, other)
  expect_false(found$verified)
  expect_match(found$faults, "not the one that was given", all = FALSE)
  by_hand <- suppress(roehrig, maxN = 1, pattern = slides_mask())
  expect_error(verify_suppression(by_hand), "by the pattern", class = "sdc_error_input")
  expect_error(verify_suppression(1), class = "sdc_error_input")
})

test_that("property: words of a certified suppression name its certificates, and publish nothing of them", {
  su <- certified_cases()$two
  check <- verify_suppression(su)
  primary <- which(su$cells$sdcStatus == "u")
  for (i in seq_along(primary)) {
    said <- paste(as.character(explain(su, su$cells[primary[i], c("A", "B")])), collapse = " ")
    ends <- check$cells[i, ]
    expect_match(said, paste0("from ", ends$least, " to ", ends$most, " here"), fixed = TRUE)
  }
  second <- which(su$cells$sdcStatus == "x")[1]
  expect_match(paste(as.character(explain(su, su$cells[second, c("A", "B")])), collapse = " "), "primary cell")
  expect_match(as.character(explain(su)), "certificate", all = FALSE)
  expect_match(as.character(explain(check)), "VERIFIED", all = FALSE)
  public <- publish(su, insist = nrow(su$lacking) > 0)
  expect_null(public$certificates)
  expect_identical(as.data.frame(check), check$cells)
  expect_identical(summary(check), check$readers)
})

test_that("snapshot: prints of a certified suppression and its check", {
  x <- matrix(c(5, 1, 8, 4, 7, 9, 2, 6, 3, 8, 7, 4), 3, dimnames = list(A = 1:3, B = 1:4))
  totals <- rbind(data.frame(A = 1:3, B = "Total"), data.frame(A = "Total", B = c(1:4, "Total")))
  su <- suppress(x, maxN = 2, method = "optimal", seed = 3, published = totals)
  expect_snapshot(su)
  # several sets of tables prove the same
  expect_snapshot(verify_suppression(su), transform = function(lines) sub("[0-9]+ tables?", "<n> tables", lines))
  su$certificates <- su$certificates[0, ]
  expect_snapshot(verify_suppression(su))
  expect_snapshot(publish(resealed(su)), error = TRUE)
})
