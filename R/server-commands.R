# What each command of `sdclattice-server` does (server-command.R). `run(wish, config)` gives the
# status, or anything else for 0.

command_serve <- function(wish, config) {
  server <- command_server(wish, config)
  on.exit(close(server))
  do.call(serve, c(list(server), config$serve))
  0L
}

command_plan <- function(wish, config) {
  server <- command_server(wish, config, progress = TRUE, plan = TRUE)
  on.exit(close(server))
  cat(format(server), sep = "\n")
  0L
}

command_user_add <- function(wish, config) {
  role <- wish$options$role %||% "user"
  with_server(wish, config, function(server) add_server_user(server, wish$words[1], role))
}

command_user_disable <- function(wish, config) {
  with_server(wish, config, function(server) disable_server_user(server, wish$words[1]))
}

command_user_list <- function(wish, config) {
  with_server(wish, config, function(server) write_rows(server_users(server)))
}

command_quota <- function(wish, config) {
  given <- wish$words[1]
  per_day <- if (given != "none") as_number(given, "quota")
  with_server(wish, config, function(server) {
    set_server_quota(server, per_day, wish$options$user)
    write_rows(server_quotas(server))
  })
}

command_token_issue <- function(wish, config) {
  days <- option_number(wish, "days", 365)
  out <- wish$options$out
  if (!is.null(out)) check_new_file(out)
  with_server(wish, config, function(server) {
    token <- issue_server_token(server, wish$words[1], days)
    if (is.null(out)) cat(token, "\n", sep = "") else write_secret(token, out)
  })
}

command_token_revoke <- function(wish, config) {
  with_server(wish, config, function(server) revoke_server_token(server, wish$words[1]))
}

command_token_list <- function(wish, config) {
  with_server(wish, config, function(server) write_rows(server_tokens(server)))
}

# Number and hash of the newest decision go to the standard output: keep them elsewhere.
command_backup <- function(wish, config) {
  with_server(wish, config, function(server) {
    newest <- backup_server(server, wish$words[1])
    cat(whole_text(newest$seq), ":", newest$hash, "\n", sep = "")
  })
}

command_verify <- function(wish, config) {
  with_server(wish, config, function(server) {
    found <- audit(server)
    cat(format(found), paste0("newest: ", whole_text(found$seq), ":", found$hash), sep = "\n")
    if (found$verified) 0L else 3L
  })
}

command_release <- function(wish, config) {
  note <- wish$options$note
  if (is.null(note)) {
    abort_sdc("input", c(
      "{.code --note} must say where the sub-table was published.",
      x = "{.code --note} is missing."
    ))
  }
  with_server(wish, config, function(server) {
    variables <- strsplit(wish$words[1], ",", fixed = TRUE)[[1]]
    answers <- record_release(server, list(variables), note, wish$options$by %||% "operator")
    cat(unlist(lapply(answers, format)), sep = "\n")
  })
}

command_decide <- function(wish, config) {
  n <- option_number(wish, "n", 1)
  with_server(wish, config, function(server) write_rows(decide_votes(server, n)))
}

# The maximal released sub-tables: all others are parts of them.
command_export <- function(wish, config) {
  folder <- wish$words[1]
  format <- check_choice(wish$options$format %||% "csv", names(download_formats), "--format")
  if (format == "xlsx") check_installed("openxlsx", "to write spreadsheets")
  if (!dir.exists(folder)) {
    abort_sdc("input", c(
      "The folder must be there.",
      x = "There is no folder {.file {folder}}."
    ))
  }
  with_server(wish, config, function(server) {
    lang <- label_language(server, wish$options$lang)
    for (set in server_frontier(server)) {
      path <- file.path(folder, file_name(server, set, format, lang))
      write_download(server, set, format, path, file_meta(server, set, "SDC"), lang)
      cat(path, "\n", sep = "")
    }
  })
}

# ---- what they share ----------------------------------------------------------------------------

command_server <- function(wish, config, ...) {
  noted <- wish$options[["new-anchor"]]
  if (is.null(noted)) {
    return(config_server(config, ...))
  }
  if (!grepl("^[0-9]{1,15}:[0-9a-f]{64}$", noted)) {
    abort_sdc("input", c(
      "{.code --new-anchor} must be number and hash of a decision, with a colon between them.",
      x = "It is {.val {noted}}."
    ))
  }
  at <- strsplit(noted, ":", fixed = TRUE)[[1]]
  config_server(config, list(seq = as.numeric(at[1]), hash = at[2]), ...)
}

# Runs `work(server)` on an open server and gives its status.
with_server <- function(wish, config, work) {
  server <- command_server(wish, config)
  on.exit(close(server))
  status <- work(server)
  if (is.integer(status)) status else 0L
}

option_number <- function(wish, name, default) {
  text <- wish$options[[name]]
  if (is.null(text)) {
    return(default)
  }
  as_number(text, paste0("--", name))
}

as_number <- function(text, what) {
  if (!grepl("^[0-9]{1,9}$", text)) {
    abort_sdc("input", c("{.code {what}} must be a whole number.", x = "It is {.val {text}}."))
  }
  as.numeric(text)
}

# With tabs between them, for other programs.
write_rows <- function(rows) {
  utils::write.table(rows, "", sep = "\t", quote = FALSE, row.names = FALSE, na = "")
}

# Before the token is made: nobody could read it.
check_new_file <- function(path) {
  if (file.exists(path) || file.access(dirname(path), 2) != 0) {
    abort_sdc("input", c(
      "{.code --out} must be a new file in a folder that you may write to.",
      x = "There is a file {.file {path}}, or no such folder, or it belongs to somebody else."
    ))
  }
}

write_secret <- function(text, path) {
  before <- Sys.umask("077")
  on.exit(Sys.umask(before))
  writeLines(text, path)
}

# ---- the commands -------------------------------------------------------------------------------

# `options`: the value of each, in words.
new_command <- function(name, run, help, places = character(), options = list()) {
  list(name = name, run = run, help = help, places = places, options = options)
}

server_commands <- local({
  commands <- list(
    new_command("serve", command_serve, paste(
      "Serve until SIGTERM or Ctrl-C. SIGHUP starts all processes anew, one after the other;",
      "SIGUSR1 opens the log anew."
    )),
    new_command("plan", command_plan, paste(
      "Search certificates, or the envelope of a policy that wants one, and keep them in the",
      "store: serve then starts at once."
    )),
    new_command("user add", command_user_add, "Add a user.", "NAME",
                list(role = "user|operator")),
    new_command("user disable", command_user_disable, "Disable a user and all tokens of it.",
                "NAME"),
    new_command("user list", command_user_list, "List all users."),
    new_command("quota", command_quota, paste(
      "Set how many decisions a day a user may ask for; without --user, all who have no quota of",
      "their own."
    ), "N|none", list(user = "NAME")),
    new_command("token issue", command_token_issue,
                "Make a token and write it once: to the standard output, or to a new file.",
                "NAME", list(days = "DAYS", out = "FILE")),
    new_command("token revoke", command_token_revoke, "Revoke a token by its id.", "TOKEN_ID"),
    new_command("token list", command_token_list, "List all tokens by their ids."),
    new_command("backup", command_backup, paste(
      "Copy the store to a new file while it is at work (SQLite; for PostgreSQL use pg_dump), and",
      "write number and hash of the newest decision in it: note them elsewhere."
    ), "FILE"),
    new_command("verify", command_verify,
                "Read the ledger anew from its first row, and verify all that is released."),
    new_command("release", command_release,
                "Write down a sub-table that was published by other means.", "VARIABLE,...",
                list(note = "TEXT", by = "NAME")),
    new_command("decide", command_decide,
                "Decide the sub-tables with most votes (rule: value).", options = list(n = "N")),
    new_command("export", command_export,
                "Write the largest released sub-tables to a folder.", "FOLDER",
                list(format = "FORMAT", lang = "LANGUAGE"))
  )
  stats::setNames(commands, vapply(commands, `[[`, "", "name"))
})
