# Packages that ask the system for its time zone fail loudly where it has none.
withr::local_envvar(TZ = Sys.getenv("TZ", "UTC"), .local_envir = testthat::teardown_env())
