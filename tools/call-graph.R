# Which file of R/ needs which other: an arrow for each function that a file calls or hands on and
# that another file defines. Files that need each other, directly or around a ring, form a group.
#   Rscript tools/call-graph.R            the figures and the groups
#   Rscript tools/call-graph.R -v         and the functions behind each arrow inside a group
#   Rscript tools/call-graph.R -m 4 4     fails with more than 4 groups, or one of more than 4 files
#   Rscript tools/call-graph.R -r <rooms> fails where a room calls one that stands below it in this
#                                         list, and names the functions
# Base R only; the code is parsed, never run. A method is called through its generic, so that a call
# of the generic makes an arrow to the generic's file alone.

read_files <- function(folder) {
  files <- sort(list.files(folder, "[.]R$"))
  files <- setdiff(files, "RcppExports.R")
  parsed <- lapply(file.path(folder, files), parse, keep.source = FALSE, encoding = "UTF-8")
  stats::setNames(lapply(parsed, as.list), files)
}

is_assignment <- function(e) {
  is.call(e) && as.character(e[[1]])[1] %in% c("<-", "=", "<<-") && is.symbol(e[[2]])
}

defined_in <- function(expressions) {
  unlist(lapply(expressions, function(e) if (is_assignment(e)) as.character(e[[2]])))
}

# The names that an expression needs from outside: heads of calls, and names that stand alone.
# `own` are the arguments and variables of the functions around it.
names_needed <- function(e, own = character()) {
  if (missing(e) || is.null(e)) return(character())
  if (is.symbol(e)) return(setdiff(as.character(e), c(own, "")))
  if (is.pairlist(e)) return(names_in_all(as.list(e), own))
  if (!is.call(e)) return(character())
  head <- if (is.symbol(e[[1]])) as.character(e[[1]]) else ""
  if (head %in% c("::", ":::")) return(character())
  if (head %in% c("$", "@")) return(names_needed(e[[2]], own))
  if (head == "function") {
    own <- c(own, names(e[[2]]), variables_of(e[[3]]))
    return(c(names_needed(e[[2]], own), names_needed(e[[3]], own)))
  }
  # a name at the head of a call is a function, whatever variables are called
  c(if (nzchar(head)) setdiff(head, functions_among(own)) else names_needed(e[[1]], own),
    names_in_all(as.list(e)[-1], own))
}

names_in_all <- function(es, own) {
  unlist(lapply(es, function(a) if (!identical(a, quote(expr = ))) names_needed(a, own)))
}

# Local functions hide those of other files, even at the head of a call; they are marked "()".
functions_among <- function(own) sub("[(][)]$", "", own[grepl("[(][)]$", own)])

variables_of <- function(e) {
  if (!is.call(e)) return(character())
  head <- if (is.symbol(e[[1]])) as.character(e[[1]]) else ""
  if (head == "function") return(character())
  here <- if (is_assignment(e)) {
    name <- as.character(e[[2]])
    is_function <- is.call(e[[3]]) && identical(e[[3]][[1]], quote(`function`))
    c(name, if (is_function) paste0(name, "()"))
  } else if (head == "for") {
    as.character(e[[2]])
  }
  deeper <- lapply(as.list(e), function(a) if (!identical(a, quote(expr = ))) variables_of(a))
  c(here, unlist(deeper))
}

# A row for each file, file that it needs and function.
find_arrows <- function(files) {
  defined <- lapply(files, defined_in)
  home <- stats::setNames(rep(names(files), lengths(defined)), unlist(defined))
  rows <- lapply(names(files), function(file) {
    needed <- unique(names_in_all(files[[file]], character()))
    needed <- needed[needed %in% names(home)]
    to <- unname(home[needed])
    data.frame(from = rep(file, length(to)), to = to, name = needed)[to != file, ]
  })
  do.call(rbind, rows)
}

# Groups of files that all reach each other, largest first (transitive closure: small numbers).
find_groups <- function(arrows, files) {
  reach <- matrix(FALSE, length(files), length(files), dimnames = list(files, files))
  reach[cbind(arrows$from, arrows$to)] <- TRUE
  for (k in files) reach <- reach | outer(reach[, k], reach[k, ], `&`)
  both <- reach & t(reach)
  groups <- unique(lapply(files[diag(both)], function(f) files[both[f, ]]))
  groups[order(-lengths(groups))]
}

room_of <- function(files) sub("[-.].*", "", files)

mutual_pairs <- function(from, to) {
  pairs <- unique(paste(from, to)[from != to])
  sum(paste(to, from)[from < to & !duplicated(paste(from, to))] %in% pairs)
}

report <- function(arrows, groups, verbose) {
  pairs <- unique(arrows[c("from", "to")])
  rooms <- unique(data.frame(from = room_of(pairs$from), to = room_of(pairs$to)))
  cat("pairs of files:", nrow(pairs), "\n")
  cat("mutual pairs of files:", mutual_pairs(pairs$from, pairs$to), "\n")
  cat("mutual pairs of rooms:", mutual_pairs(rooms$from, rooms$to), "\n")
  cat("groups:", length(groups), "\n")
  cat("largest group:", max(0, lengths(groups)), "files\n")
  for (g in groups) {
    cat("-", length(g), "files:", g, "\n", fill = 100)
    if (!verbose) next
    inside <- arrows[arrows$from %in% g & arrows$to %in% g, ]
    names <- split(inside$name, paste(inside$from, "->", inside$to))
    cat(paste0("    ", names(names), ": ", vapply(names, paste, "", collapse = " ")), sep = "\n")
  }
}

# Calls of a room that stands further down. Files of no room, as R/generics.R, may call any.
upward_calls <- function(arrows, rooms) {
  from <- match(room_of(arrows$from), rooms)
  to <- match(room_of(arrows$to), rooms)
  arrows[!is.na(from) & (is.na(to) | to > from) & room_of(arrows$to) != "generics", ]
}

check_order <- function(arrows, rooms) {
  bad <- upward_calls(arrows, rooms)
  cat(sprintf("%s calls %s of %s\n", bad$from, bad$name, bad$to), sep = "")
  quit(status = as.integer(nrow(bad) > 0))
}

main <- function(args) {
  files <- read_files("R")
  arrows <- find_arrows(files)
  if ("-r" %in% args) check_order(arrows, args[-1])
  groups <- find_groups(arrows, names(files))
  report(arrows, groups, "-v" %in% args)
  most <- as.integer(args[match("-m", args) + 1:2])
  if (!anyNA(most) && (length(groups) > most[1] || max(0, lengths(groups)) > most[2])) {
    quit(status = 1)
  }
}

main(commandArgs(trailingOnly = TRUE))
