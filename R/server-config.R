# The configuration file of `sdclattice-server` (server-command.R): YAML, with the arguments of
# server_policy(), table_server() and serve() under their own names. It holds no secret, only the
# paths of files that do.

# ---- from the file to a server ------------------------------------------------------------------

# `new_anchor`: list(seq, hash), for a store that was restored. `plan`: plan the envelope of a
# policy that wants one? Later starts find it in the store.
config_server <- function(config, new_anchor = FALSE, plan = FALSE) {
  x <- config_table(config$table)
  policy <- config_policy(config$policy)
  seed <- config$seed %||% 1
  planned <- if (plan && policy$rule == "envelope") {
    plan_server(x, policy, seed = seed, progress = TRUE)
  }
  table_server(
    x, policy, store = config_store(config$store), plan = planned,
    metadata = if (!is.null(config$metadata)) server_metadata(config$metadata, x),
    anchor = config$anchor, new_anchor = new_anchor,
    key = if (!is.null(config$key_file)) read_key_file(config$key_file),
    durability = config$durability %||% "wal", seed = seed, progress = plan
  )
}

# An R object that was written by saveRDS().
config_table <- function(path) {
  check_string(path, "table")
  found <- tryCatch(suppressWarnings(readRDS(path)), error = function(cnd) NULL)
  if (is.null(found)) {
    abort_sdc("input", c(
      "{.field table} must be a file that {.fn saveRDS} wrote.",
      x = "{.file {path}} cannot be read as one."
    ))
  }
  found
}

config_policy <- function(policy) {
  risk <- policy$risk
  kind <- check_choice(risk$kind %||% "width", c("width", "n"), "policy: risk: kind")
  arguments <- risk[setdiff(names(risk), "kind")]
  policy$risk <- do.call(if (kind == "width") risk_width else risk_n, arguments)
  policy$max_risk_refusals <- policy$max_risk_refusals %||% Inf
  do.call(server_policy, policy)
}

# The path of an SQLite file, or how PostgreSQL is reached. Its password stands in the file of
# passwords that libpq knows (~/.pgpass, PGPASSFILE), or in one that is named here.
config_store <- function(store) {
  if (is.character(store)) {
    return(store)
  }
  check_names_known(store, "postgres", "store")
  given <- store$postgres
  check_names_known(given, c("host", "port", "dbname", "user", "service", "password_file"),
                    "store: postgres")
  check_installed("RPostgres", "to keep a store in PostgreSQL")
  function() {
    if (!is.null(given$password_file)) {
      given$password <- readLines(given$password_file, 1, warn = FALSE)
    }
    given$password_file <- NULL
    do.call(DBI::dbConnect, c(list(RPostgres::Postgres(), bigint = "numeric"), given))
  }
}

# Hexadecimal digits, as `openssl rand -hex 32` writes them.
read_key_file <- function(path) {
  check_string(path, "key_file")
  text <- if (file.exists(path)) trimws(paste(readLines(path, warn = FALSE), collapse = "")) else ""
  if (!grepl("^([0-9a-fA-F]{2}){16,}$", text)) {
    abort_sdc("input", c(
      "{.field key_file} must name a file with 32 hexadecimal digits or more.",
      x = "{.file {path}} is not such a file.",
      i = "Make one by {.code openssl rand -hex 32}."
    ))
  }
  as.raw(strtoi(substring(text, seq(1, nchar(text), 2), seq(2, nchar(text), 2)), 16))
}

# ---- reading and checking -----------------------------------------------------------------------

read_config <- function(path) {
  check_string(path, "--config")
  check_installed("yaml", "to read the configuration")
  config <- read_yaml(path, "{.code --config}", "The configuration must be YAML.")
  check_names_known(config, c("table", "metadata", "policy", "store", "anchor", "durability",
                              "key_file", "seed", "serve"), "The configuration")
  for (part in c("table", "policy", "store")) {
    if (is.null(config[[part]])) {
      abort_sdc("input", c(
        "The configuration must have a {.field {part}}.",
        x = "It has none."
      ))
    }
  }
  check_names_known(config$policy, names(formals(server_policy)), "policy")
  check_names_known(config$policy$risk, c("kind", "beta", "at_risk", "n"), "policy: risk")
  if (!is.null(config$serve)) {
    check_names_known(config$serve, setdiff(names(formals(serve)), c("server", "...")), "serve")
  }
  config
}

check_names_known <- function(x, known, where) {
  given <- if (is.list(x)) rlang::names2(x) else "no names"
  wrong <- unique(given[!given %in% known | duplicated(given)])
  if (length(wrong) == 0) {
    return(invisible(x))
  }
  abort_sdc("input", c(
    "{where} must be names out of {.val {setdiff(known, '...')}}, each once.",
    x = "{.val {wrong}} is not one of them, or is given twice."
  ))
}
