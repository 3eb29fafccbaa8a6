# The explorer's page in a browser.

test_that("property: the keyboard alone drives each scene, and the page says what changed", {
  skip_without_browser()
  skip_if_not_installed("withr")
  page <- local_explorer(explorer_page_of())
  focus <- function(selector) js(page, "void document.querySelector(%s).focus()", selector)
  active <- function(name) js(page, "document.activeElement.dataset[%s]", name)

  focus("#coins [data-coin='1']")
  press(page, "Enter")
  expect_match(scene_said(page, "coins"), "Step 1: cycle 1 was added. All totals are unchanged.")
  press(page, c("Tab", "Tab", " "))
  expect_match(scene_said(page, "coins"), "Step 2: cycle 2 is blocked by row 1, column 2.")
  expect_equal(js(page, "getComputedStyle(document.activeElement).outlineStyle"), "solid")

  focus("#posterior-alpha")
  press(page, c("ArrowRight", "ArrowRight"))
  expect_match(js(page, "document.querySelector('#posterior output').textContent"), "0.270")
  focus("#posterior [data-cell='0']")
  press(page, c("ArrowRight", "ArrowDown", "Enter"))
  expect_equal(active("cell"), "5")
  expect_match(scene_said(page, "posterior"), "row 2, column 2: the original is the published 11")

  focus("#margins [data-set='1']")
  press(page, c("ArrowDown", "Enter", "ArrowRight", "Enter"))
  expect_match(scene_said(page, "margins"), "is released. Cells known exactly: 0 of 6")
  expect_equal(js(page, "document.querySelectorAll('#margins .implied').length"), 3)

  focus("#suppress [data-cell='0']")
  press(page, "Enter")
  expect_match(scene_said(page, "suppress"), "1 cell suppressed, of which the attacker knows 1 exactly")
  press(page, c("ArrowRight", "Enter"))
  expect_equal(active("cell"), "4")
  expect_match(scene_said(page, "suppress"), "2 cells suppressed")

  focus("#map-step")
  press(page, "ArrowRight")
  expect_match(scene_said(page, "map"), "Move 1 of .* Distance so far 1 of 10;.* total 100")
  expect_equal(page_errors(page), character())
  expect_true(all(grepl("^(file|data):", requested_addresses(page))))
})

test_that("property: margins stay and a zero blocks under any sequence of coins", {
  skip_without_browser()
  skip_if_not_installed("withr")
  page <- local_explorer(explorer_page_of())
  totals <- js(page, "(() => {
    const coins = [1, 1, 1, -1, 1, 1, 0, 1, -1, -1, 1, 1];
    return coins.map((coin) => {
      document.querySelector(`#coins [data-coin='${coin}']`).click();
      const all = [...document.querySelectorAll('#coins td.total')].map((cell) => cell.textContent);
      const text = document.querySelector('#coins .said').textContent;
      return [all.every((total) => total.endsWith('=')), Math.min(...scenes.coins.counts()), text];
    });
  })()")
  expect_true(all(vapply(totals, `[[`, NA, 1)))
  expect_true(all(vapply(totals, `[[`, 0, 2) >= 0))
  expect_true(any(grepl("is blocked by", vapply(totals, `[[`, "", 3))))
  press_reset <- "void [...document.querySelectorAll('#coins button')].at(-1).click()"
  js(page, press_reset)
  expect_equal(page_numbers(js(page, "scenes.coins.counts()")), as.vector(roehrig))
})

test_that("oracle: the scene of a perturbation replays its coins, and shows posterior()", {
  skip_without_browser()
  skip_if_not_installed("withr")
  me <- mechanism(cycles_bidiagonal(roehrig), .3, .2)
  run <- perturb(roehrig, me, seed = 3, insist = TRUE)
  page <- local_explorer(explorer_page_of(run))
  js(page, "for (const _ of data.scenes.coins.drawn) [...document.querySelectorAll('#coins button')]
    .find((b) => b.textContent.startsWith('Step forward')).click()")
  expect_equal(page_numbers(js(page, "scenes.coins.counts()")), as.vector(as.table(run$published)))
  wanted <- as.data.frame(posterior(publish(run, insist = TRUE)))
  found <- matrix(page_numbers(js(page, "scenes.posterior.laws().laws")), ncol = 2, byrow = TRUE)
  expect_equal(found[, 1], wanted$value)
  expect_lt(max(abs(found[, 2] - wanted$probability)), 1e-12)
  expect_match(js(page, "document.querySelector('#banner').textContent"), "^PRIVATE")
})

test_that("oracle: the map ends as redistribute() ends, at its distance", {
  skip_without_browser()
  skip_if_not_installed("withr")
  withr::local_seed(2)
  cells <- expand.grid(q = 0:5, r = 0:4)
  cells$n <- stats::rpois(30, 4) + 1
  map <- hex_table(cells, c("q", "r"), freqVar = "n")
  page <- local_explorer(explorer_page_of(map, threshold = 4))
  for (k in 1:3) {
    method <- c("optimal", "local", "global")[[k]]
    wanted <- redistribute(map, 4, method = method, outliers = "keep")
    js(page, "(() => { const s = document.querySelector('#map select');
      s.value = %s; s.dispatchEvent(new Event('change')); })()", as.character(k - 1))
    js(page, "void [...document.querySelectorAll('#map button')].at(-1).click()")
    expect_equal(js(page, "Number(document.querySelector('[data-distance]').dataset.distance)"),
                 wanted$mu)
    expect_equal(page_numbers(js(page, "scenes.map.countsAfter(Infinity)")), wanted$map$count)
  }
})

# Names that would like to be markup.
hostile_counts <- function() {
  x <- as.table(matrix(c(5, 2, 1, 8, 3, 4), 2))
  dimnames(x) <- list(
    "<img src=x onerror=\"document.title='harm'\">" = c("</script><script>document.title='harm'", "b"),
    "variable with a very long name indeed" = c("one long level", "another long level", "\u00e9\"'\\")
  )
  x
}

expect_fits <- function(file) {
  page <- local_explorer(file, width = 360, hash = "#margins")
  expect_lte(js(page, "document.documentElement.scrollWidth"), 360)
  expect_equal(js(page, "document.title"), "Explorer of sdcLattice")
  expect_gt(js(page, "scrollY"), 100)
  unnamed <- "[...document.querySelectorAll('button, select, input')].filter((control) =>
    !(control.ariaLabel || control.textContent.trim() || control.labels?.length)).length"
  expect_equal(js(page, unnamed), 0)
  small <- "[...document.querySelectorAll('button')].filter((control) =>
    control.getBoundingClientRect().height < 24).length"
  expect_equal(js(page, small), 0)
  moving <- "[...document.querySelectorAll('*')].filter((element) =>
    getComputedStyle(element).transitionDuration !== '0s').length"
  expect_equal(js(page, moving), 0)
  expect_equal(page_errors(page), character())
}

test_that("property: the page fits 360 pixels, has names for its controls, and shows text as text", {
  skip_without_browser()
  skip_if_not_installed("withr")
  expect_fits(explorer_page_of())
  expect_fits(explorer_page_of(hostile_counts()))
})
