# Redistributed tables in a record. Who knows the method can exclude originals that no constraints
# on sums describe, so that what such a table tells together with others is not judged: it stands
# alone. A map is judged for readers who know the number of people; so that can stand beside it.

is_redistributed <- function(x) {
  inherits(x, c("sdc_hex_publication", "sdc_magnitude_publication"))
}

# Can a record take it, by what readers see of it? With `entry` also: does it protect what it must?
check_alone_in_record <- function(public, entry = NULL) UseMethod("check_alone_in_record")

# Does a publication show the number of people, and nothing else?
shows_people_alone <- function(x) {
  inherits(x, "sdc_margins") &&
    all(vapply(unclass(x), function(table) length(table$dimnames) == 0, NA))
}

# Is a new entry, or something that is out, redistributed? Then it is judged here.
check_redistributed <- function(held, entry) {
  public <- entry$publication
  if (is_redistributed(public)) {
    check_stands_beside(held, function(before) {
      identical(before, public) ||
        inherits(public, "sdc_hex_publication") && shows_people_alone(before)
    }, what_is(public))
  } else {
    out <- all_out(held)$publications
    if (!any(vapply(out, is_redistributed, NA))) {
      return(FALSE)
    }
    check_stands_beside(held, function(before) {
      shows_people_alone(public) && !inherits(before, "sdc_magnitude_publication")
    }, what_is(public))
  }
  people <- unlist(lapply(c(held$entries, list(entry)), people_of_entry))
  if (length(unique(people)) > 1) abort_other_people()
  if (is_redistributed(public)) check_alone_in_record(public, entry)
  TRUE
}

# With the years before.
all_out <- function(held) {
  years <- c(list(held), held$years)
  entries <- unlist(lapply(years, `[[`, "entries"), recursive = FALSE)
  list(publications = lapply(entries, `[[`, "publication"),
       at = unlist(lapply(years, function(year) year$lines$at)))
}

# `fits`: does a publication that is out leave room for this one?
check_stands_beside <- function(held, fits, what) {
  out <- all_out(held)
  bad <- which(!vapply(out$publications, fits, NA))
  if (length(bad) == 0) {
    return(invisible())
  }
  other <- what_is(out$publications[[bad[1]]])
  both <- c(what, other)
  abort_sdc("refused", c(
    "A redistributed table must stand alone in its record: readers who know the method can learn
     more from it beside another than is judged.",
    x = "A {other} of {substr(out$at[bad[1]], 1, 10)} is out, and this is a {what}.",
    i = if (any(both == "redistributed map")) "The number of people can stand beside a map.",
    i = "Publish one of the two, or the same one again."
  ))
}

check_none_out <- function(held, what) check_stands_beside(held, function(before) FALSE, what)

check_none_redistributed <- function(held, what) {
  check_stands_beside(held, Negate(is_redistributed), what)
}

what_is <- function(x) {
  if (inherits(x, "sdc_hex_publication")) {
    "redistributed map"
  } else if (inherits(x, "sdc_magnitude_publication")) {
    "redistributed table of magnitudes"
  } else {
    "table"
  }
}

# NULL where a publication need not show it.
people_of_entry <- function(entry) {
  if (!is.null(entry$map)) {
    return(sum(entry$map$original$count))
  }
  if (shows_people_alone(entry$publication)) {
    vapply(unclass(entry$publication), function(table) sum(table$counts), 0)
  }
}

# Of a map by others nobody here can say what it leaves of its original.
check_made_here <- function(x) {
  if (!inherits(x, "sdc_hex_publication")) {
    return(invisible(x))
  }
  abort_sdc("refused", c(
    "A redistributed map is judged by its original.",
    x = "This is a published map, without one.",
    i = "Enter it with the result of {.fn redistribute}: {.code publish(..., record = )}."
  ))
}
