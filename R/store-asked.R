# Who asked what last: for cards.

# In memory where `store$asked` is an environment; rows without an outcome say that nothing was.
asked_columns <- c("outcome", "reason_public", "at")
most_asked <- 20000

asked_key <- function(user, mask) paste(mask, user)
known_asked <- function(store, user, mask) store$asked[[asked_key(user, mask)]]

keep_asked <- function(store, user, mask, row) {
  if (is.null(store$asked)) {
    return(row)
  }
  if (length(store$asked) > most_asked) store$asked <- new.env(parent = emptyenv())
  store$asked[[asked_key(user, mask)]] <- row
  row
}

# What is not in memory is read when it is looked for.
follow_asked <- function(store, rows) {
  if (length(store$asked) == 0) {
    return(invisible())
  }
  keys <- asked_key(rows$user_id, rows$mask)
  for (i in which(keys %in% names(store$asked))) {
    store$asked[[keys[i]]] <- as.list(rows[i, asked_columns])
  }
}
