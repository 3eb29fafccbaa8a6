# Redistributed maps and magnitudes in a record.

# A map of one row of hexagons, and no other: the lattice that its bounds leave.
on_line <- function(count) {
  q <- rep(seq_along(count) - 1, count)
  hex_table(data.frame(x = q, y = rep(0, length(q))), dimVar = c("x", "y"), shape = .01,
            xbins = length(count) - 1, xbnds = c(0, length(count) - 1), ybnds = c(0, 1))
}

# All maps of n people on a line of hexagons, a column each.
maps_on_line <- function(n, hexagons) {
  bars <- utils::combn(n + hexagons - 1, hexagons - 1)
  apply(bars, 2, function(bar) diff(c(0, bar, n + hexagons)) - 1)
}

redistributed <- function(...) {
  tryCatch(redistribute(..., progress = FALSE), sdc_error_infeasible = function(cnd) NULL)
}

# The sensitive counts that are the same in all originals (a column each): for who knows nothing
# else, or for who is alone in another cell.
known_in <- function(count, originals, threshold) {
  sensitive <- which(count > 0 & count < threshold)
  found <- lapply(c(0, which(count == 1)), function(reader) {
    left <- if (reader == 0) originals else originals[, originals[reader, ] == 1, drop = FALSE]
    Filter(function(cell) all(left[cell, ] == count[cell]), setdiff(sensitive, reader))
  })
  sort(unique(unlist(found)))
}

small_firms <- function() {
  magnitude_table(data.frame(
    region = rep(c("north", "middle", "south"), c(3, 4, 4)),
    turnover = c(132, 99, 12, 40, 35, 30, 20, 50, 45, 33, 20)
  ), "region", "turnover")
}

two_cells <- function(a, b) as_sdc_table(array(c(a, b), 2, list(A = c("a1", "a2"))))

is_refused <- function(code) {
  tryCatch({
    force(code)
    FALSE
  }, sdc_error_refused = function(cnd) TRUE)
}

test_that("oracle: a map is entered only where nobody knows a sensitive count, of all maps that lead to it", {
  skip_if_not_installed("RSQLite")
  skip_if_not_installed("hexbin")
  hexagons <- if (is_long()) 7 else 5
  all <- maps_on_line(if (is_long()) 6 else 5, hexagons)
  asks <- expand.grid(outliers = c("keep", "redistribute", "suppress"), stringsAsFactors = FALSE,
                      method = if (is_long()) c("optimal", "local", "global") else c("optimal", "local"))
  seen <- c(exposed = 0, entered = 0, refused = 0)
  for (i in seq_len(nrow(asks))) {
    for (threshold in 2:3) {
      made <- apply(all, 2, function(count) {
        redistributed(on_line(count), threshold, asks$method[i], asks$outliers[i])
      })
      shown <- vapply(made, function(h) if (is.null(h)) "" else rlang::hash(public_map(h)), "")
      for (k in seq(1, ncol(all), by = if (is_long()) 7 else 3)) {
        count <- all[, k]
        if (shown[k] == "" || !any(count > 0 & count < threshold)) next
        known <- known_in(count, all[, shown == shown[k], drop = FALSE], threshold)
        refused <- is_refused(publish(made[[k]], record = publication_record()))
        if (length(known) > 0) expect_true(refused)
        seen <- seen + c(length(known) > 0, !refused, refused)
      }
    }
  }
  expect_gt(seen[["exposed"]], 3)
  expect_gt(seen[["entered"]], 30)
  # hardly more is refused than must be
  expect_lt(seen[["refused"]], 1.5 * seen[["exposed"]])
})

test_that("oracle: the other originals that a record finds lead to the same publication by redistribute()", {
  set.seed(11)
  tried <- 0
  for (i in seq_len(if (is_long()) 200 else 40)) {
    x <- random_hexagons(sample(4:12, 1), 5, sample(4:9, 1))
    threshold <- sample(2:4, 1)
    method <- sample(c("optimal", "local", "global"), 1)
    outliers <- sample(c("keep", "redistribute", "suppress"), 1)
    h <- redistributed(x, threshold, method, outliers)
    if (is.null(h)) next
    public <- public_map(h)
    map <- map_entry(h, public)$map
    sensitive <- which(x$count < threshold)
    others <- c(unlist(lapply(sensitive, originals_without, map = map), recursive = FALSE),
                unlist(lapply(c(0, which(x$count == 1)), originals_with, map = map), recursive = FALSE))
    for (other in others[seq_len(min(8, length(others)))]) {
      if (any(other$count < 0)) next
      expect_identical(sum(other$count), sum(x$count))
      again <- redistributed(hexagons(other$q, other$r, other$count), threshold, method, outliers)
      same <- !is.null(again) && identical(public_map(again), public)
      expect_identical(leads_to(other, map, public), same)
      tried <- tried + 1
    }
  }
  expect_gt(tried, 80)
})

test_that("property: an outlier that can lie nowhere else is known to who knows the number of people", {
  skip_if_not_installed("RSQLite")
  skip_if_not_installed("hexbin")
  # only the last hexagon is further than two steps from all data: it alone can have held one more
  tight <- redistribute(on_line(c(4, 0, 5, 2, 0, 0, 1)), 2, progress = FALSE)
  expect_identical(nrow(tight$suppressed), 1L)
  record <- publication_record()
  expect_error(publish(tight, record = record), "q = 6, r = 0", class = "sdc_error_refused")
  expect_identical(nrow(as.data.frame(record)), 0L)
  # with one hexagon more there are two places
  wide <- redistribute(on_line(c(4, 0, 5, 2, 0, 0, 1, 0)), 2, record = record, progress = FALSE)
  expect_s3_class(publish(wide, record = record), "sdc_hex_publication")
  expect_identical(as.data.frame(record)$protects, 1L)
})

test_that("property: a redistributed map stands alone, but for the number of people", {
  skip_if_not_installed("RSQLite")
  x <- hexagons(c(0, 1, 2, 3, 4, 0, 1), c(0, 0, 0, 0, 0, 1, 1), c(7, 1, 2, 4, 6, 9, 1))
  map <- redistribute(x, 3, outliers = "keep", progress = FALSE)
  people <- two_cells(12, 18)
  count <- margins(people, list(character()))
  record <- publication_record()
  enter_publication(record, count)
  beside <- redistribute(x, 3, outliers = "keep", record = record, progress = FALSE)
  expect_identical(beside, map)
  expect_identical(nrow(as.data.frame(record)), 1L)
  first <- publish(map, record = record)
  expect_identical(first, publish(map))
  expect_identical(as.data.frame(record)$protects, c(0L, 3L))
  expect_identical(summary(record)$protected, c(0L, 0L))
  # the same again, and the number again
  expect_identical(publish(map, record = record), first)
  enter_publication(record, count)
  held <- as.data.frame(record)
  later <- list(
    quote(enter_publication(record, people)),
    quote(publish(suppress(people, 3), record = record)),
    quote(suppress(people, 3, record = record)),
    quote(round_controlled(people, 3, record = record)),
    quote(enter_publication(record, margins(two_cells(12, 17), list(character())))),
    quote(publish(redistribute(x, 3, "global", outliers = "keep", progress = FALSE), record = record)),
    quote(redistribute(x, 4, outliers = "keep", record = record, progress = FALSE)),
    quote(redistribute(small_firms(), rule_p_percent(10), "iterative", record = record)),
    quote(enter_publication(record, first))
  )
  for (call in later) expect_error(eval(call), class = "sdc_error_refused")
  expect_identical(as.data.frame(record), held)
})

test_that("property: what is out is a reason to refuse a redistribution before any work", {
  skip_if_not_installed("RSQLite")
  record <- publication_record()
  enter_publication(record, two_cells(12, 18))
  x <- row_of_hexagons(0:4, c(7, 1, 2, 4, 6))
  # this one has too few counts: nobody has looked
  few <- row_of_hexagons(0:4, c(1, 1, 2, 1, 1))
  expect_error(redistribute(few, 3, record = record), "is out, and this is a redistributed map",
               class = "sdc_error_refused")
  expect_error(publish(redistribute(x, 3, outliers = "keep"), record = record), "is out",
               class = "sdc_error_refused")
  expect_error(redistribute(small_firms(), rule_p_percent(10), record = record),
               "table of magnitudes", class = "sdc_error_refused")
  # so it is a year later
  next_year <- publication_record(previous = record, change = 2)
  expect_error(redistribute(few, 3, record = next_year), "is out", class = "sdc_error_refused")
  empty <- publication_record()
  expect_error(redistribute(few, 3, empty = TRUE, record = empty), "time of a search",
               class = "sdc_error_refused")
  expect_error(redistribute(few, 3, record = list()), class = "sdc_error_input")
  skip_if_not_installed("hexbin")
  points <- data.frame(x = c(0, 0, 1), y = c(0, 1, 1))
  from_data <- hex_table(points, c("x", "y"), xbins = 2)
  expect_error(redistribute(from_data, 2, record = empty), "bounds", class = "sdc_error_refused")
  expect_error(redistribute(from_data, 2, outliers = "keep", record = empty),
               class = "sdc_error_infeasible")
})

test_that("property: redistributed magnitudes are the only publication of their record", {
  skip_if_not_installed("RSQLite")
  record <- publication_record()
  made <- redistribute(small_firms(), rule_p_percent(10), method = "iterative", record = record)
  expect_identical(nrow(as.data.frame(record)), 0L)
  skip_if_not_installed("lpSolve")
  made <- redistribute(small_firms(), rule_p_percent(10), seed = 1, record = record)
  public <- publish(made, insist = TRUE, record = record)
  expect_identical(as.data.frame(record)[c("kind", "protects")],
                   data.frame(kind = "sdc_magnitude_publication", protects = 1L))
  expect_identical(publish(made, insist = TRUE, record = record), public)
  firms <- two_cells(5, 6)
  square <- as_sdc_table(array(5, c(4, 4), list(A = paste0("a", 1:4), B = paste0("b", 1:4))))
  later <- list(
    quote(redistribute(small_firms(), rule_p_percent(10), record = record)),
    quote(publish(redistribute(small_firms(), rule_p_percent(10), seed = 2), insist = TRUE,
                  record = record)),
    quote(enter_publication(record, margins(firms, list(character())))),
    quote(suppress(firms, 3, record = record)),
    quote(perturb(square, mechanism(cycles_banded(square, seed = 1)), seed = 1, record = record))
  )
  for (call in later) expect_error(eval(call), class = "sdc_error_refused")
  expect_identical(nrow(as.data.frame(record)), 2L)
})
