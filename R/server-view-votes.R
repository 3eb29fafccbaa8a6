# Views of votes: a user's own, and for operators all of them.

# Newest first. What was refused is not told here: requests of the rule "value" are noted, whatever
# the counts are.
view_votes <- function(server, user, cursor, limit) {
  rows <- user_votes(server$store, user)
  at <- page_places(nrow(rows), cursor, limit)
  sets <- decode_masks(rows$mask[at], length(server$variables))
  items <- Map(function(set, voted) {
    c(show_set(server, set),
      list(at = voted, status = if (is_released(server, set)) "released" else "waiting"))
  }, sets, rows$at[at], USE.NAMES = FALSE)
  page_of(items, at, cursor + length(at) < nrow(rows))
}

# Those that would be judged come first, by their worth; `worth` is null for others.
view_tally <- function(server, utility, cursor, limit) {
  found <- counted_votes(server)
  worth <- rep(NA_real_, length(found$sets))
  worth[found$open] <- vote_worth(server, found$sets[found$open], found$votes[found$open], utility)
  order <- order(!found$open, -worth, -found$votes, na.last = TRUE)
  at <- page_places(length(order), cursor, limit)
  states <- set_states(server, found$sets[order[at]], operator = TRUE)
  items <- Map(function(i, state) {
    c(show_set(server, found$sets[[i]]),
      list(votes = found$votes[i], worth = if (!is.na(worth[i])) worth[i], status = state))
  }, order[at], states, USE.NAMES = FALSE)
  page_of(items, at, cursor + length(at) < length(order))
}

# The cursor counts what was shown.
page_places <- function(n, cursor, limit) seq_len(max(0, min(limit, n - cursor))) + cursor
