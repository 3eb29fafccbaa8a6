# The twin of all work by workers is the same call without them.

skip_if_not_installed("future")
skip_on_cran()

# Functions of the package have no other environment than its own.
as_ours <- function(f) {
  environment(f) <- asNamespace("sdcLattice")
  f
}

timeless <- function(x) {
  x <- unclass(x)
  x$time_s <- x$chains$time_s <- x$log$time_s <- NULL
  x
}

small_table <- function() as_sdc_table(matrix(c(3, 1, 2, 5, 1, 4, 2, 2, 6, 1, 3, 3), nrow = 4))

certified <- function() {
  withr::local_seed(3)
  data <- as.data.frame(lapply(1:5, function(i) {
    factor(sample(4, 3000, TRUE, c(.5, .25, .15, .1)))
  }))
  names(data) <- LETTERS[1:5]
  release_reducible(sdc_table(data), risk_width(2, at_risk = 1:9), seed = 1, root_size = 3,
                    time_limit_s = 3, progress = FALSE)
}

released <- certified()

# What is done twice: without workers before the plan is set, and by workers.
calls <- list(
  anneal = function() {
    some <- utility_values(c("A:B" = 3, "B:C" = 1, "D:E" = 2.5, "A:B:C" = .3))
    lapply(list(utility_tables(), some), function(utility) {
      timeless(release_anneal(czech_workers, risk_width(12), utility, seed = 3, chains = 3,
                              proposals = 2000))
    })
  },
  widths = function() {
    table <- margin(cps13, names(dimnames(cps13))[1:8])
    lapply(c(2, 8), function(d) as.data.frame(critical_widths(table, max_dimension = d)))
  },
  # some publications, as many as a target needs, and all of them
  risk = function() {
    x <- small_table()
    tiny <- as_sdc_table(matrix(c(2, 1, 1, 3), 2))
    design <- mechanism(cycles_banded(x, seed = 11), covers = 2)
    list(risk_utility(x, design, replicates = 4), risk_utility(x, design, target = .2),
         risk_utility(tiny, mechanism(cycles_banded(tiny, seed = 1))))
  },
  tune = function() {
    x <- small_table()
    tune(x, cycles_banded(x, seed = 11), c(.1, .25), covers = 1:2, replicates = 3)
  },
  # redistribution is not for tables: its note comes back too
  compare = function() {
    methods <- list(method_margins(), method_cyclic(), method_redistribution())
    shift <- 2
    lapply(list(list(mean = mean), list(own = function(table) max(table) + shift)), function(user) {
      found <- compare_methods(roehrig, methods, replicates = 3, user = user)
      unclass(found)[c("measures", "publications")]
    })
  },
  # searches of their own, and parts of what was released: regions, and prime components
  reducible = function() {
    found <- timeless(release_reducible(czech_workers, risk_width(3), searches = 3, seed = 1,
                                        max_looks = 1e5, time_limit_s = Inf))
    list(found, release_reducible(small_table(), risk_width(2), searches = 2, seed = 1)$frontier)
  },
  bounds = function() {
    withr::local_seed(4)
    x <- as_sdc_table(array(stats::rpois(240, 2), c(5, 4, 4, 3), list(
      R = 1:5, A = 1:4, B = 1:4, C = 1:3
    )))
    by_region <- margins(x, list(c("R", "A", "B"), c("R", "A", "C"), c("R", "B", "C")))
    in_two <- margins(cps14, lapply(list(c(1, 2), c(2, 3), c(1, 3), c(3, 4), c(4, 5), c(3, 5)),
                                    function(set) names(dimnames(cps14))[set]))
    lapply(list(by_region, constraints(by_region), in_two), function(release) {
      found <- bounds_margins(release)
      as.data.frame(found)[c("lower", "upper", "sharp")]
    })
  },
  audit = function() {
    x <- margin(cps13, names(dimnames(cps13))[1:3])
    hidden <- suppress(x, maxN = 2, seed = 1, audit = FALSE, readers = "outsider")
    as.data.frame(audit(hidden, readers = "outsider", count = FALSE))
  },
  # certificates in blocks; one is spoilt, one is missing
  verify = function() {
    spoilt <- missing <- released
    spoilt$certificates$by[length(spoilt$certificates$by)] <- 7L
    missing$certificates$target[1] <- missing$certificates$target[2]
    lapply(list(released, spoilt, missing), function(release) {
      timeless(verify_release(release))
    })
  }
)
alone <- lapply(calls, function(call) call())

old <- future::plan(future::multisession, workers = 2)
withr::defer(future::plan(old), teardown_env())
ready <- tryCatch(future::value(future::future(requireNamespace("sdcLattice", quietly = TRUE))),
                  error = function(cnd) FALSE)
skip_if_not(isTRUE(ready), "workers cannot load sdcLattice")

test_that("oracle: all that workers share is the same without them", {
  withr::local_options(sdcLattice.least_block = 20, sdcLattice.least_share = 20)
  for (name in names(calls)) expect_identical(calls[[name]](), alone[[name]])
  expect_identical(vapply(alone$verify, `[[`, NA, "verified"), c(TRUE, FALSE, FALSE))
  expect_gt(min(vapply(alone$verify, `[[`, 0, "n_failed")[-1]), 0)
})

square <- as_ours(function(item, ready, tick) {
  if (item == 3) warning("three")
  item^2 + ready
})

test_that("property: values come in the order of items, and heard in order", {
  heard <- numeric()
  expect_warning(
    found <- work_apply(1:20, square, 100, done = function(value, i) {
      heard <<- c(heard, i)
      FALSE
    }),
    "three"
  )
  expect_identical(found, as.list((1:20)^2 + 100))
  expect_identical(heard, as.numeric(1:20))
  few <- suppressWarnings(work_apply(1:20, square, 100, done = function(value, i) i == 5))
  expect_identical(few, found[1:5])
  expect_identical(work_apply(list(), square, 0), list())
})

test_that("property: data go through a file, and by value where no file is seen", {
  length_of <- as_ours(function(item, ready, tick) length(ready) + item)
  big <- as.numeric(1:3e5)
  folder <- withr::local_tempdir()
  withr::local_options(sdcLattice.shared_folder = folder)
  expect_identical(work_apply(1:3, length_of, big), list(300001L, 300002L, 300003L))
  expect_identical(list.files(folder), character())
  # a machine that lacks the folder asks for the data themselves
  expect_false(remember_parcel(list(hash = "new", file = file.path(folder, "none"))))
  run <- new_work(as.list(1:3), length_of, list(shared = big), NULL, function(value, i) FALSE)
  unlink(run$parcel$file)
  while (!run$ended) work_step(run)
  expect_identical(run$values, list(300001L, 300002L, 300003L))
  unlink(run$folder, recursive = TRUE)
  withr::local_options(sdcLattice.shared_folder = file.path(folder, "none"))
  expect_error(work_apply(1:3, length_of, big), class = "sdc_error_input")
})

test_that("property: the first error of the items is the error, with its class", {
  fails <- as_ours(function(item, ready, tick) {
    if (item == 2) Sys.sleep(.3)
    if (item >= 2) abort_sdc("infeasible", c("Item must be 1.", x = "It is {item}."))
    item
  })
  expect_error(work_apply(1:6, fails), "It is 2", class = "sdc_error_infeasible")
  expect_error(work_here(1:6, fails), "It is 2", class = "sdc_error_infeasible")
  # of the core, and named as the user's call
  x <- small_table()
  error <- tryCatch(tune(x, cycles_banded(x, seed = 1), c(.1, .2), prior = 1),
                    error = identity)
  expect_s3_class(error, "sdc_error_input")
  expect_identical(conditionCall(error), quote(tune()))
})

test_that("property: a worker that dies is replaced and its work repeated, three times at most", {
  marker <- withr::local_tempfile()
  dies_once <- as_ours(function(item, ready, tick) {
    if (item == 2 && !file.exists(ready)) {
      file.create(ready)
      tools::pskill(Sys.getpid(), tools::SIGKILL)
      Sys.sleep(10)
    }
    item
  })
  expect_identical(work_apply(1:6, dies_once, marker), as.list(1:6))
  expect_true(file.exists(marker))
  always <- as_ours(function(item, ready, tick) {
    if (item == 2) {
      tools::pskill(Sys.getpid(), tools::SIGKILL)
      Sys.sleep(10)
    }
    item
  })
  run <- new_work(as.list(1:2), always, list(), NULL, function(value, i) FALSE)
  run$tries[] <- 2
  expect_error(while (!run$ended) work_step(run), "failed 3 times", class = "sdc_error_workers")
  unlink(run$folder, recursive = TRUE)
  expect_identical(work_apply(1:2, square, 0), list(1, 4))
})

test_that("property: an interrupt ends the work; what is kept is whole up to the first gap", {
  waits <- as_ours(function(item, ready, tick) {
    begin <- Sys.time()
    while (item > 1 && !tick(0) && Sys.time() - begin < 30) Sys.sleep(.01)
    if (item > 1 && !tick(0)) "not ended" else item
  })
  stop_here <- function(value, i) if (i == 1) rlang::interrupt() else FALSE
  expect_identical(work_apply(1:4, waits, done = stop_here, keep = TRUE)[1:2], list(1L, 2L))
  told <- tryCatch(work_apply(1:4, waits, done = stop_here), interrupt = function(cnd) "interrupt")
  expect_identical(told, "interrupt")
  # without workers to wait for, the first value ends all
  expect_identical(work_apply(1:4, waits, done = function(value, i) TRUE), list(1L))
})

test_that("property: handlers of progressr hear how far the work is", {
  skip_if_not_installed("progressr")
  loadNamespace("progressr")
  withr::local_options(progressr.enable = TRUE)
  heard <- 0
  withCallingHandlers(
    with_progress("Working", function(tick) work_apply(1:4, square, 0, tick = tick), show = FALSE),
    progression = function(cnd) if (cnd$type == "update") heard <<- heard + cnd$amount,
    warning = function(cnd) invokeRestart("muffleWarning")
  )
  expect_equal(heard, 1000)
})

test_that("oracle: workers of a cluster give what this session gives, and get the parts", {
  nodes <- future::makeClusterPSOCK(2)
  cluster <- future::plan(future::cluster, workers = nodes)
  withr::defer({
    future::plan(cluster)
    parallel::stopCluster(nodes)
  }, priority = "last")
  withr::local_options(sdcLattice.least_share = 20)
  for (name in c("bounds", "reducible")) expect_identical(calls[[name]](), alone[[name]])
  # regions are parts of their own: four shares for each worker, and five regions
  x <- as_sdc_table(array(rep(c(1, 2, 0, 3), 40), c(5, 4, 4, 2), list(
    R = 1:5, A = 1:4, B = 1:4, C = 1:2
  )))
  system <- constraints(margins(x, list(c("R", "A", "B"), c("R", "A", "C"), c("R", "B", "C"))))
  share <- worthy_shares(system, seq_len(160))
  expect_identical(length(unique(share)), 5L)
})

test_that("oracle: jobs of Slurm give what this session gives", {
  skip_if(!nzchar(Sys.getenv("SDCLATTICE_SLURM")), "SDCLATTICE_SLURM is not set")
  skip_if(!nzchar(Sys.which("sbatch")), "Slurm is not installed")
  skip_if(!nzchar(system.file(package = "future.batchtools")), "future.batchtools is not installed")
  folder <- withr::local_tempfile()
  script <- system.file("cluster", "slurm-node.sh", package = "sdcLattice")
  conf <- system2("sh", c(script, "start", folder, "4"), stdout = TRUE)
  withr::defer(system2("sh", c(script, "stop", folder)))
  withr::local_envvar(SLURM_CONF = conf)
  withr::local_dir(withr::local_tempdir())
  slurm <- future::plan(
    "future.batchtools::batchtools_slurm", workers = 4,
    template = system.file("cluster", "slurm.tmpl", package = "sdcLattice")
  )
  withr::defer(future::plan(slurm))
  for (name in names(calls)) expect_identical(calls[[name]](), alone[[name]])
})

test_that("property: a progress bar stays until its work ends, also when a part comes to its end", {
  withr::local_options(cli.progress_show_after = 0)
  result <- NULL
  utils::capture.output(type = "message", {
    result <- with_progress("Working", function(tick) {
      tick(1)
      tick(1)
      tick(.5)
      "done"
    }, show = TRUE)
  })
  expect_identical(result, "done")
})
