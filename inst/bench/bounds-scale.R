# Sharp bounds of large releases, beside COIN's Clp and CBC in the same run.
#   Rscript inst/bench/bounds-scale.R              # all cases, some 25 minutes
#   Rscript inst/bench/bounds-scale.R h3c d10      # some
# From the top of the source tree: the cases are made by a program that is compiled here. The peers
# need clp and cbc (Debian: coinor-libcbc-dev); without them the package runs alone, and it is said.
# All times are processor times. Each case is a fresh process; memory is what it needs at most above
# what it holds with the tables read, and in all (Linux). After all cases comes the table of
# README.md, of the first limit of each case.

suppressPackageStartupMessages(library(sdcLattice))

script <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
bench <- dirname(script)
source(file.path(bench, "bounds_cases.R"))

# `seconds`: limits of time for the package. `real`, `whole`: how many suppressed cells the peers
# are asked for (0: all); `peer_s`: when no further cell of theirs is begun.
cases <- list(
  d8 = list("8 x 8 x 8, all 2-way margins, mean 3", seconds = 30, real = 0, whole = 40),
  d10 = list("10 x 10 x 10, all 2-way margins, mean 3", seconds = c(30, 300), real = 0, whole = 40),
  d20 = list("20 x 20 x 20, all 2-way margins, mean 3", seconds = c(60, 180), real = 20, whole = 1),
  s12 = list("12 x 12 x 12, 35 % hidden, all totals", seconds = 60, real = 0, whole = 20),
  h2a = list("two trees, 2,600 cells", seconds = 60, real = 0, whole = 40),
  h3a = list("three trees, 3,080 cells", seconds = 60, real = 0, whole = 40),
  h2c = list("two trees, 64,447 cells, primary known", seconds = 60, real = 40, whole = 5),
  h3c = list("three trees, 19,663 cells", seconds = c(4, 60), real = 200, whole = 10),
  h3e = list("three trees, 62,694 cells", seconds = 60, real = 40, whole = 3),
  l3a = list("two linked tables with trees, 28,090 cells", seconds = 60, real = 100, whole = 5),
  big2 = list("two trees, 2,804,235 cells", seconds = 300, real = 2, whole = 0),
  big3 = list("three trees, 412,910 cells", seconds = 150, real = 5, whole = 0)
)
peer_s <- 120

# ---- one case in a process of its own ---------------------------------------------------------

status_mb <- function(what) {
  lines <- tryCatch(readLines("/proc/self/status"), error = function(cnd) character())
  as.numeric(gsub("[^0-9]", "", grep(what, lines, value = TRUE))) / 1024
}

one_case <- function(case, folder, seconds) {
  held <- read_case(case, folder)
  asked <- held$asked[held$variables]
  invisible(gc())
  try(writeLines("5", "/proc/self/clear_refs"), silent = TRUE)
  before <- status_mb("VmRSS")
  style <- list(cells = asked, time_limit_s = seconds, max_cells = 1e9, progress = FALSE)
  time <- system.time(b <- suppressWarnings(do.call(bounds_margins, c(held$release, style))))
  peak <- status_mb("VmHWM")
  b <- as.data.frame(b)
  out <- cbind(cell = held$asked$cell, b[c("lower", "upper", "sharp")])
  for (end in intersect(c("least", "most"), names(b))) out[[end]] <- b[[end]]
  utils::write.csv(out, file.path(folder, paste0(case, "_ours.csv")), row.names = FALSE)
  cat(sum(time[c("user.self", "sys.self")]), peak - before, peak, "\n")
}

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) > 1 && arguments[1] == "--one") {
  one_case(arguments[2], arguments[3], as.numeric(arguments[4]))
  quit(save = "no")
}

# ---- cases and peers --------------------------------------------------------------------------

folder <- tempfile("bounds-scale")
dir.create(folder)
maker <- case_maker(bench, folder)
peer <- compile_program(bench, folder, "bounds_peer", c(
  "-lCbcSolver", "-lCbc", "-lCgl", "-lOsiClp", "-lOsi", "-lClp", "-lCoinUtils"
))
if (is.null(peer)) cat("COIN's Clp and CBC are missing: the package runs alone.\n\n")

# The words of the peer's line, and what it found; NULL where it came to no end.
ask_peer <- function(case, kind, n) {
  if (is.null(peer)) {
    return(NULL)
  }
  found <- file.path(folder, "peer.csv")
  unlink(found)
  line <- suppressWarnings(system2("timeout", c(
    3 * peer_s, shQuote(peer), shQuote(file.path(folder, paste0(case, ".sys"))), kind, n, peer_s,
    shQuote(found)
  ), stdout = TRUE, stderr = FALSE))
  line <- grep("^suppressed", line, value = TRUE)
  if (length(line) == 0) {
    return(NULL)
  }
  words <- strsplit(line, " ")[[1]]
  value <- rlang::set_names(as.list(as.numeric(words[c(FALSE, TRUE)])), words[c(TRUE, FALSE)])
  c(value, list(cells = utils::read.csv(found)))
}

say <- function(...) cat(sprintf(...), "\n", sep = "")

# ---- comparison -------------------------------------------------------------------------------

# What some table attains, and what is proved. Where no table was found both ends are open.
attained <- function(ours) {
  if (!"least" %in% names(ours)) {
    ours$least <- ours$lower
    ours$most <- ours$upper
  }
  ours$least[is.na(ours$least)] <- Inf
  ours$most[is.na(ours$most)] <- -Inf
  ours
}

n_open <- function(ours) {
  ours <- attained(ours)
  sum(ours$lower < ours$least) + sum(ours$upper > ours$most)
}

# A contradiction: a table beyond the peer's ends, or, with its whole numbers, a bound within them.
# A bound within the ends over the real numbers is the gain of whole numbers.
compare <- function(ours, theirs, what) {
  theirs <- theirs[theirs$proved == 1, ]
  ours <- attained(ours[match(theirs$cell, ours$cell), ])
  low <- ceiling(theirs$lower - 1e-6)
  high <- floor(theirs$upper + 1e-6)
  beyond <- sum(ours$least < low) + sum(ours$most > high)
  wider <- sum(ours$lower < low) + sum(ours$upper > high)
  within <- sum(ours$lower > low) + sum(ours$upper < high)
  wrong <- beyond + if (what == "whole") within else 0
  n <- 2 * length(low)
  if (what == "real") {
    say("    ends that are Clp's, rounded: %d of %d; %d wider, %d narrower; %d contradictions",
        n - wider - within, n, wider, within, wrong)
  } else {
    say("    ends that are CBC's: %d of %d; %d contradictions", n - wider - within, n, wrong)
  }
  sprintf("%d of %d", wrong, n)
}

run_package <- function(case, seconds) {
  line <- system2(file.path(R.home("bin"), "Rscript"), c(
    shQuote(script), "--one", case, shQuote(folder), seconds
  ), stdout = TRUE, stderr = "")
  if (!is.null(attr(line, "status"))) {
    say("  the package failed")
    return(NULL)
  }
  value <- as.numeric(strsplit(utils::tail(line, 1), " ")[[1]])
  ours <- utils::read.csv(file.path(folder, paste0(case, "_ours.csv")))
  open <- if ("least" %in% names(ours)) sprintf(", %d ends open", n_open(ours)) else ""
  say("  package, limit %g s: %.2f s, %d of %d cells sharp (%.2f %%)%s, %.0f MB (%.0f in all)",
      seconds, value[1], sum(ours$sharp), nrow(ours), 100 * mean(ours$sharp), open, value[2],
      value[3])
  list(seconds = value[1], mb = value[2:3], cells = ours)
}

# Of a case, for the table; what a peer did not answer is a dash.
row_of <- function(what, ours, real, whole, checks) {
  count <- function(x) format(x, big.mark = ",")
  share <- 100 * mean(ours$cells$sharp)
  c(what, count(nrow(ours$cells)), sprintf("%.2f s", ours$seconds),
    if (share == 100) "all" else sprintf("%.2f %%", floor(100 * share) / 100),
    count(n_open(ours$cells)),
    sprintf("%.0f / %.0f MB", ours$mb[1], ours$mb[2]),
    if (is.null(real)) "-" else sprintf("%s s (%s)", format(signif(real$all_s, 3), big.mark = ","),
                                        count(real$asked)),
    if (is.null(real)) "-" else format(signif(real$all_s / ours$seconds, 2), big.mark = ","),
    if (is.null(whole)) "-" else sprintf("%s s (%d)", signif(whole$ends_s / whole$asked / 2, 2),
                                         whole$asked),
    paste(checks, collapse = ", "))
}

head_of_table <- c("case", "suppressed", "package", "sharp", "ends open", "memory",
                   "Clp, all ends (cells asked)", "times", "CBC, an end (cells asked)",
                   "contradictions of Clp, CBC")

run_case <- function(case) {
  plan <- cases[[case]]
  system2(maker, c(case, shQuote(folder)))
  say("%s: %s", case, plan[[1]])
  ours <- lapply(plan$seconds, function(s) run_package(case, s))[[1]]
  if (is.null(ours)) {
    return(NULL)
  }
  real <- ask_peer(case, "real", plan$real)
  whole <- if (plan$whole > 0) ask_peer(case, "whole", plan$whole)
  checks <- c(real = "-", whole = "-")
  if (!is.null(real)) {
    real$all_s <- real$start_s + real$ends_s * real$suppressed / real$asked
    say("  Clp, real numbers: %.2f s%s, %.1f times the package", real$all_s,
        if (real$asked < real$suppressed) sprintf(" (from %d cells)", real$asked) else "",
        real$all_s / ours$seconds)
    checks["real"] <- compare(ours$cells, real$cells, "real")
  } else if (!is.null(peer)) {
    say("  Clp: no end in %d s", 3 * peer_s)
  }
  if (!is.null(whole)) {
    all_s <- whole$ends_s * whole$suppressed / whole$asked
    say("  CBC, whole numbers: %.2f s an end (%d cells, %d proved); all ends %.0f s, %.0f times",
        whole$ends_s / whole$asked / 2, whole$asked, whole$proved, all_s, all_s / ours$seconds)
    checks["whole"] <- compare(ours$cells, whole$cells, "whole")
  }
  unlink(Sys.glob(file.path(folder, paste0(case, "*"))))
  row_of(paste0(case, ": ", plan[[1]]), ours, real, whole, checks)
}

rows <- lapply(if (length(arguments) > 0) arguments else names(cases), run_case)
cat("\n")
for (line in c(list(head_of_table, rep("---", length(head_of_table))), rows))
  if (!is.null(line)) say("| %s |", paste(line, collapse = " | "))
