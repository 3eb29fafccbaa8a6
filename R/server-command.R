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
  rest <- args[-seq_len(lengths(strsplit(name, " ", fixed = TRUE)))]
  if (any(rest %in% c("--help", "-h"))) {
    return(show_help(name))
  }
  wish <- read_words(rest, command)
  command$run(wish, command_config(wish))
}

# ---- words --------------------------------------------------------------------------------------

common_options <- c("config", "new-anchor")

# list(words, options): what stands by its place, and `--name value` or `--name=value`.
read_words <- function(args, command) {
  options <- list()
  words <- character()
  while (length(args) > 0) {
    word <- args[1]
    args <- args[-1]
    if (!startsWith(word, "--")) {
      words <- c(words, word)
      next
    }
    name <- sub("=.*", "", substring(word, 3))
    check_option(name, c(common_options, names(command$options)), options)
    if (grepl("=", word, fixed = TRUE)) {
      options[[name]] <- sub("^[^=]*=", "", word)
    } else if (length(args) > 0) {
      options[[name]] <- args[1]
      args <- args[-1]
    } else {
      abort_sdc("input", c("{.code --{name}} must have a value.", x = "Nothing follows it."))
    }
  }
  check_word_count(words, command)
  list(words = words, options = options)
}

check_option <- function(name, known, options) {
  if (!name %in% known || !is.null(options[[name]])) {
    abort_sdc("input", c(
      "An option must be one of {.code {paste0('--', known)}}, each once.",
      x = "{.code --{name}} is not one of them, or is given twice."
    ))
  }
}

check_word_count <- function(words, command) {
  if (length(words) != length(command$places)) {
    abort_sdc("input", c(
      "The command must be {.code {command_usage(command)}}.",
      x = "It has {length(words)} word{?s} after its name."
    ))
  }
}

command_config <- function(wish) {
  path <- wish$options$config %||% Sys.getenv("SDCLATTICE_CONFIG", NA)
  if (is.na(path)) {
    abort_sdc("input", c(
      "A configuration must be given.",
      x = "There is neither {.code --config} nor the variable {.envvar SDCLATTICE_CONFIG}."
    ))
  }
  read_config(path)
}

# ---- help ---------------------------------------------------------------------------------------

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
