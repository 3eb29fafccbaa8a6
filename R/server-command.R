# The command of operators, exec/sdclattice-server: words become calls of the functions that R users
# have. What is secret is read from files or written to the standard output, never an argument.

#' The command that runs a table server
#'
#' `server_command()` is what the script `sdclattice-server` calls: everything that an operator does
#' from a shell, with one configuration file. The script is in `system.file("exec", package =
#' "sdcLattice")`; examples of the configuration, of units for systemd and of a container are in
#' `system.file("server", package = "sdcLattice")`; the vignette `table-server-operations` is the
#' runbook.
#'
#' # Commands
#' `serve`; `plan`; `user add`, `user disable`, `user list`; `quota`; `token issue`, `token revoke`,
#' `token list`; `backup`; `verify`; `release` (write down what was published by other means);
#' `decide` (the next round of votes); `export` (the released tables as files).
#' `sdclattice-server help` explains them.
#'
#' All take `--config FILE` (or the variable `SDCLATTICE_CONFIG`), and `--new-anchor SEQ:HASH` for a
#' store that was restored from a backup: number and hash of the newest decision that is known.
#'
#' # Configuration
#' YAML. `table`: a file that [saveRDS()] wrote, with what [table_server()] takes; `policy`: the
#' arguments of [server_policy()], with `risk: {kind: width, beta: 3}` or `risk: {kind: n, n: 3}`;
#' `store`: the path of an SQLite file, or `postgres:` with `host`, `port`, `dbname`, `user`,
#' `service` and `password_file`; `metadata`, `anchor`, `durability` and `seed`, as [table_server()]
#' has them; `key_file`: a file with the key in hexadecimal digits; `serve`: the arguments of
#' [serve()].
#'
#' # Secrets
#' No password, key or token is an argument, so none is in the list of processes. A new token goes
#' to the standard output, or by `--out` to a file that only its owner can read.
#'
#' @param args (character vector) The words after the name of the command.
#' @return The status for the shell: 0 done; 1 failed; 2 the command or the configuration is wrong;
#'   3 the store was refused or what is out could not be verified. A unit of systemd should not
#'   start again after 2 and 3.
#' @template experimental
#' @family server
#' @export
#' @examples
#' server_command("help")
server_command <- function(args = commandArgs(TRUE)) {
  rlang::local_options(rlang_backtrace_on_error = "none", cli.num_colors = 1L)
  tryCatch(
    run_command(check_words(args)),
    sdc_error_input = function(cnd) fail_command(cnd, 2L),
    sdc_error_server = function(cnd) fail_command(cnd, 3L),
    error = function(cnd) fail_command(cnd, 1L)
  )
}

# Why it failed, and the status.
fail_command <- function(cnd, status) {
  message("sdclattice-server: ", conditionMessage(cnd))
  status
}

check_words <- function(args) {
  if (!is.character(args) || anyNA(args)) {
    abort_sdc("input", c(
      "{.arg args} must be words.",
      x = "{.arg args} is {.obj_type_friendly {args}}."
    ))
  }
  # where the locale is C, as under cron or in a container, R does not know what the shell gave it
  plain <- Encoding(args) == "unknown" & validUTF8(args)
  if (any(plain)) Encoding(args[plain]) <- "UTF-8"
  args
}

run_command <- function(args) {
  if (length(args) == 0 || args[1] %in% c("help", "--help", "-h")) {
    return(show_help(args[-1]))
  }
  two <- paste(args[1:2], collapse = " ")
  name <- if (two %in% names(server_commands)) two else args[1]
  command <- server_commands[[name]]
  if (is.null(command)) {
    known <- names(server_commands)
    abort_sdc("input", c(
      "The command must be one of {.val {known}}.",
      x = "It is {.val {args[1]}}.",
      i = "{.code sdclattice-server help} says what each does."
    ))
  }
  rest <- args[-seq_along(strsplit(name, " ", fixed = TRUE)[[1]])]
  if (any(rest %in% c("--help", "-h"))) {
    return(show_help(name))
  }
  wish <- read_words(rest, command)
  path <- wish$options$config %||% Sys.getenv("SDCLATTICE_CONFIG", NA)
  if (is.na(path)) {
    abort_sdc("input", c(
      "A configuration must be given.",
      x = "There is neither {.code --config} nor the variable {.envvar SDCLATTICE_CONFIG}."
    ))
  }
  config <- read_config(path)
  server <- config_server(config, noted_anchor(wish$options[["new-anchor"]]), command$plan)
  on.exit(close(server))
  status <- command$run(server, wish$words, wish$options, config)
  if (is.integer(status)) status else 0L
}

# ---- words --------------------------------------------------------------------------------------

common_options <- c("config", "new-anchor")

# list(words, options): what stands by its place, and `--name value` or `--name=value`.
read_words <- function(args, command) {
  options <- list()
  words <- character()
  known <- c(common_options, names(command$options))
  while (length(args) > 0) {
    word <- args[1]
    args <- args[-1]
    if (!startsWith(word, "--")) {
      words <- c(words, word)
      next
    }
    name <- sub("=.*", "", substring(word, 3))
    if (!name %in% known || !is.null(options[[name]])) {
      abort_sdc("input", c(
        "An option must be one of {.code {paste0('--', known)}}, each once.",
        x = "{.code --{name}} is not one of them, or is given twice."
      ))
    }
    if (grepl("=", word, fixed = TRUE)) {
      options[[name]] <- sub("^[^=]*=", "", word)
    } else if (length(args) > 0) {
      options[[name]] <- args[1]
      args <- args[-1]
    } else {
      abort_sdc("input", c("{.code --{name}} must have a value.", x = "Nothing follows it."))
    }
  }
  if (length(words) != length(command$places)) {
    abort_sdc("input", c(
      "The command must be {.code {command_usage(command)}}.",
      x = "It has {length(words)} word{?s} after its name."
    ))
  }
  list(words = words, options = options)
}

noted_anchor <- function(noted) {
  if (is.null(noted)) {
    return(FALSE)
  }
  if (!grepl("^[0-9]{1,15}:[0-9a-f]{64}$", noted)) {
    abort_sdc("input", c(
      "{.code --new-anchor} must be number and hash of a decision, with a colon between them.",
      x = "It is {.val {noted}}."
    ))
  }
  list(seq = as.numeric(sub(":.*", "", noted)), hash = sub(".*:", "", noted))
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

command_usage <- function(command) {
  paste(c("sdclattice-server", command$name, command$places,
          sprintf("[--%s %s]", names(command$options), command$options)), collapse = " ")
}

show_help <- function(words) {
  name <- paste(words, collapse = " ")
  chosen <- server_commands[startsWith(names(server_commands), name)]
  if (length(chosen) == 0) chosen <- server_commands
  for (command in chosen) {
    cat(command_usage(command), strwrap(command$help, 72, prefix = "    "), "", sep = "\n")
  }
  cat("All take --config FILE (or SDCLATTICE_CONFIG), and --new-anchor SEQ:HASH once\n",
      "after a restore. Status: 0 done, 1 failed, 2 command or configuration wrong,\n",
      "3 store refused or not verified.\n", sep = "")
  0L
}

# ---- the commands -------------------------------------------------------------------------------

# `run(server, words, options, config)` gives the status, or anything else for 0. `options`: the
# value of each, in words. `plan`: is the envelope of a policy that wants one planned?
new_command <- function(name, help, run, places = character(), options = list(), plan = FALSE) {
  list(name = name, help = help, run = run, places = places, options = options, plan = plan)
}

server_commands <- local({
  commands <- list(
    new_command("serve", paste(
      "Serve until SIGTERM or Ctrl-C. SIGHUP starts all processes anew, one after the other;",
      "SIGUSR1 opens the log anew."
    ), function(server, words, options, config) do.call(serve, c(list(server), config$serve))),
    new_command("plan", paste(
      "Search certificates, or the envelope of a policy that wants one, and keep them in the",
      "store: serve then starts at once."
    ), function(server, ...) cat(format(server), sep = "\n"), plan = TRUE),
    new_command("user add", "Add a user.", function(server, words, options, ...) {
      add_server_user(server, words, options$role %||% "user")
    }, "NAME", list(role = "user|operator")),
    new_command("user disable", "Disable a user and all tokens of it.",
                function(server, words, ...) disable_server_user(server, words), "NAME"),
    new_command("user list", "List all users.",
                function(server, ...) write_rows(server_users(server))),
    new_command("quota", paste(
      "Set how many decisions a day a user may ask for; without --user, all who have no quota of",
      "their own."
    ), function(server, words, options, ...) {
      set_server_quota(server, if (words != "none") as_number(words, "quota"), options$user)
      write_rows(server_quotas(server))
    }, "N|none", list(user = "NAME")),
    new_command("token issue",
                "Make a token and write it once: to the standard output, or to a new file.",
                function(server, words, options, ...) {
                  issue_to(server, words, as_number(options$days %||% "365", "--days"), options$out)
                }, "NAME", list(days = "DAYS", out = "FILE")),
    new_command("token revoke", "Revoke a token by its id.",
                function(server, words, ...) revoke_server_token(server, words), "TOKEN_ID"),
    new_command("token list", "List all tokens by their ids.",
                function(server, ...) write_rows(server_tokens(server))),
    new_command("backup", paste(
      "Copy the store to a new file while it is at work (SQLite; for PostgreSQL use pg_dump), and",
      "write number and hash of the newest decision in it: note them elsewhere."
    ), function(server, words, ...) {
      newest <- backup_server(server, words)
      cat(whole_text(newest$seq), ":", newest$hash, "\n", sep = "")
    }, "FILE"),
    new_command("verify",
                "Read the ledger anew from its first row, and verify all that is released.",
                function(server, ...) {
                  found <- audit(server)
                  cat(format(found), paste0("newest: ", whole_text(found$seq), ":", found$hash),
                      sep = "\n")
                  if (found$verified) 0L else 3L
                }),
    new_command("release", "Write down a sub-table that was published by other means.",
                function(server, words, options, ...) write_down(server, words, options),
                "VARIABLE,...", list(note = "TEXT", by = "NAME")),
    new_command("decide", "Decide the sub-tables with most votes (rule: value).",
                function(server, words, options, ...) {
                  write_rows(decide_votes(server, as_number(options$n %||% "1", "--n")))
                }, options = list(n = "N")),
    new_command("export", "Write the largest released sub-tables to a folder.",
                function(server, words, options, ...) export_tables(server, words, options),
                "FOLDER", list(format = "FORMAT", lang = "LANGUAGE"))
  )
  stats::setNames(commands, vapply(commands, `[[`, "", "name"))
})

# The file must be there for the token before it is made: nobody could read it else.
issue_to <- function(server, user_id, days, out) {
  if (is.null(out)) {
    return(cat(issue_server_token(server, user_id, days), "\n", sep = ""))
  }
  if (file.exists(out) || file.access(dirname(out), 2) != 0) {
    abort_sdc("input", c(
      "{.code --out} must be a new file in a folder that you may write to.",
      x = "There is a file {.file {out}}, or no such folder, or it belongs to somebody else."
    ))
  }
  before <- Sys.umask("077")
  on.exit(Sys.umask(before))
  writeLines(issue_server_token(server, user_id, days), out)
}

write_down <- function(server, variables, options) {
  if (is.null(options$note)) {
    abort_sdc("input", c(
      "{.code --note} must say where the sub-table was published.",
      x = "{.code --note} is missing."
    ))
  }
  answers <- record_release(server, strsplit(variables, ",", fixed = TRUE), options$note,
                            options$by %||% "operator")
  cat(unlist(lapply(answers, format)), sep = "\n")
}

# The maximal released sub-tables: all others are parts of them.
export_tables <- function(server, folder, options) {
  format <- check_choice(options$format %||% "csv", names(download_formats), "--format")
  if (format == "xlsx") check_installed("openxlsx", "to write spreadsheets")
  if (!dir.exists(folder)) {
    abort_sdc("input", c(
      "The folder must be there.",
      x = "There is no folder {.file {folder}}."
    ))
  }
  lang <- label_language(server, options$lang)
  for (set in server_frontier(server)) {
    path <- file.path(folder, file_name(server, set, format, lang))
    write_download(server, set, format, path, file_meta(server, set, "SDC"), lang)
    cat(path, "\n", sep = "")
  }
}
