# The configuration file of `sdclattice-server` (server-command.R): YAML, with the arguments of
# server_policy(), table_server() and serve() under their own names. It holds no secret, only the
# paths of files that do.

config_parts <- c("table", "metadata", "policy", "store", "anchor", "durability", "key_file",
                  "seed", "serve")

read_config <- function(path) {
  check_string(path, "--config")
  if (!file.exists(path) || dir.exists(path)) {
    abort_sdc("input", c(
      "{.code --config} must name a file.",
      x = "There is no file {.file {path}}."
    ))
  }
  check_installed("yaml", "to read the configuration")
  text <- paste(readLines(path, encoding = "UTF-8", warn = FALSE), collapse = "\n")
  config <- tryCatch(
    yaml::yaml.load(enc2utf8(text), eval.expr = FALSE),
    error = function(cnd) {
      found <- conditionMessage(cnd)
      abort_sdc("input", c("The configuration must be YAML.", x = "{found}"))
    }
  )
  check_config(config)
  config
}

check_config <- function(config) {
  check_names_known(config, config_parts, "The configuration")
  for (part in c("table", "policy", "store")) {
    if (is.null(config[[part]])) {
      abort_sdc("input", c(
        "The configuration must have a {.field {part}}.",
        x = "It has none."
      ))
    }
  }
  check_names_known(config$policy, c(names(formals(server_policy))), "policy")
  check_names_known(config$policy$risk, c("kind", "beta", "at_risk", "n"), "policy: risk")
  check_names_known(config$serve %||% list(port = 1),
                    setdiff(names(formals(serve)), c("server", "...")), "serve")
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

# ---- from the file to a server ------------------------------------------------------------------

# `new_anchor`: list(seq, hash), for a store that was restored. `plan`: plan the envelope of a
# policy that wants one? Later starts find it in the store.
config_server <- function(config, new_anchor = FALSE, progress = FALSE, plan = FALSE) {
  x <- config_table(config$table)
  policy <- config_policy(config$policy)
  seed <- config$seed %||% 1
  planned <- if (plan && policy$rule == "envelope") {
    plan_server(x, policy, seed = seed, progress = progress)
  }
  metadata <- if (!is.null(config$metadata)) server_metadata(config$metadata, x)
  key <- if (!is.null(config$key_file)) read_key_file(config$key_file)
  table_server(
    x, policy, store = config_store(config$store), plan = planned, metadata = metadata,
    anchor = config$anchor, new_anchor = new_anchor, key = key,
    durability = config$durability %||% "wal", seed = seed, progress = progress
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
  known <- c("host", "port", "dbname", "user", "service", "password_file")
  given <- store$postgres
  check_names_known(given, known, "store: postgres")
  check_installed("RPostgres", "to keep a store in PostgreSQL")
  function() {
    password <- if (!is.null(given$password_file)) readLines(given$password_file, 1, warn = FALSE)
    arguments <- c(given[setdiff(names(given), "password_file")], list(bigint = "numeric"))
    if (!is.null(password)) arguments$password <- password
    do.call(DBI::dbConnect, c(list(RPostgres::Postgres()), arguments))
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
