# Makes the pictures of the table server's page for the vignette and README, in man/figures: of the
# installed package, by a Chromium. Run from the top level after the page was changed:
# Rscript tools/screenshots.R
suppressMessages(library(sdcLattice))
`%||%` <- function(x, y) if (is.null(x)) y else x
for (name in c("browser", "server-page")) {
  source(file.path("tests", "testthat", paste0("helper-", name, ".R")))
}

labels_of <- function(file, x) {
  server_metadata(system.file("extdata", file, package = "sdcLattice"), x)
}
settle <- function(page, status) {
  wait_in_page(page, "document.querySelector('#card .status').dataset.status === %s &&
    !document.querySelector('[aria-busy]')", status)
  Sys.sleep(.3)
}
ask <- function(page, status) {
  js(page, "void document.querySelector('#card button.primary').click()")
  wait_in_page(page, "document.querySelector('#card .result').textContent.length > 8 &&
    document.querySelector('#card button.primary').textContent !== 'Asking …' &&
    document.querySelector('#card button.primary').textContent !== 'Anfrage läuft …'")
  settle(page, status)
}
choose_option <- function(page, id, value) {
  js(page, "(() => { const s = document.getElementById(%s); s.value = %s;
    s.dispatchEvent(new Event('change')); s.blur(); })()", id, value)
}
keep <- function(page, name, height) {
  js(page, "void document.activeElement.blur()")
  screenshot(page, file.path("man", "figures", name), height = height, scale = .7)
}

policy <- server_policy(risk_width(3), time_limit_s = 1, tick_s = 1.2, plan_time_s = 5)
survey <- start_page_server(cps13, policy, metadata = labels_of("cps13.yml", cps13))
policy <- server_policy(risk_width(30), time_limit_s = 1, tick_s = 1.2)
workers <- start_page_server(czech_workers, policy,
                             metadata = labels_of("czech-workers.yml", czech_workers))
page <- start_browser()
open_tab(page, width = 1240, height = 760)

# A table that is given, with its picture.
visit(page, paste0(survey$address, "?lang=en#s=v1,v8"))
settle(page, "open")
ask(page, "released")
visit(page, "about:blank")
visit(page, paste0(survey$address, "?lang=en#s=v1,v8"))
wait_for_some(page, "#table tfoot")
choose_option(page, "chart", "pyramid")
Sys.sleep(.5)
keep(page, "server.png", 1040)

# The steps to a table, of which one is refused, and what is near.
visit(page, paste0(workers$address, "?lang=en#s=v1,v4,v5"))
settle(page, "steps")
ask(page, "refused")
keep(page, "server-steps.png", 740)

# In German, on a phone: before asking.
close_tab(page)
open_tab(page, width = 400, height = 760)
visit(page, paste0(survey$address, "?lang=de#s=v3,v13"))
settle(page, "open")
js(page, "document.querySelectorAll('.levels-of')[2].open = true")
js(page, "document.querySelector('.variable-list').scrollTop = 120")
Sys.sleep(.5)
keep(page, "server-german.png", 900)

stop_browser(page)
stop_page_server(survey)
stop_page_server(workers)
