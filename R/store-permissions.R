# Who may read the files of a store. Sys.umask() keeps them for their owner, but has no effect on
# Windows, where files get the permissions of their folder; there the system's own icacls sets them.
#
# SQLite makes further files beside the database while it works, and they hold decisions too. On
# Windows a new store therefore needs a folder of its own, which is restricted to the user before
# anything is written. R's folder for a session's files belongs to the user already. A backup is one
# file, and is restricted alone. A store that exists keeps the permissions that it has.

guard_new_store <- function(place, os = .Platform$OS.type, restrict = restrict_to_user,
                            own = tempdir()) {
  if (os != "windows" || is.null(place) || file.exists(place) || user_insists()) {
    return(invisible(place))
  }
  folder <- dirname(place)
  is_temporary <- startsWith(on_disk(folder), on_disk(own))
  is_empty <- length(list.files(folder, all.files = TRUE, no.. = TRUE)) == 0
  if (is_temporary || (is_empty && restrict(folder))) {
    return(invisible(place))
  }
  abort_permissions(c(
    "A new store must lie in a folder that nobody else may read.",
    x = if (is_empty) {
      "Windows did not restrict {.file {folder}} to you."
    } else {
      "{.file {folder}} holds other files, whose permissions the package does not change."
    },
    i = "Make an empty folder for the store; the package restricts it to you."
  ))
}

guard_new_backup <- function(path, os = .Platform$OS.type, restrict = restrict_to_user) {
  if (os != "windows" || user_insists() || restrict(path)) {
    return(invisible(path))
  }
  abort_permissions(c(
    "A backup must be a file that nobody else may read.",
    x = "Windows did not restrict {.file {path}} to you."
  ))
}

abort_permissions <- function(message) {
  abort_sdc("input", c(message, i = paste(
    "If others cannot read it for another reason, say so:",
    "{.code options(sdcLattice.files_are_private = TRUE)}."
  )), .envir = parent.frame())
}

user_insists <- function() isTRUE(getOption("sdcLattice.files_are_private"))

on_disk <- function(path) normalizePath(path, winslash = "/", mustWork = FALSE)

# Takes what the folder above passes on, and lets the user in alone, with all that is made inside
# later. Gives whether Windows agreed.
restrict_to_user <- function(path) {
  user <- paste(c(Sys.getenv("USERDOMAIN"), Sys.info()[["user"]]), collapse = "\\")
  rights <- paste0(user, if (dir.exists(path)) ":(OI)(CI)F" else ":F")
  status <- tryCatch(
    suppressWarnings(system2("icacls",
      shQuote(c(normalizePath(path), "/inheritance:r", "/grant:r", rights)),
      stdout = FALSE, stderr = FALSE
    )),
    error = function(e) 1L
  )
  status == 0
}
