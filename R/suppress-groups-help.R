# Help on groups of people and those who act together: a section of the page of suppress().

#' @section Groups of people:
#' Who belongs to a group, such as the men of an area, is given away when all
#' of them have the same illness, and no count need be small. With `groups = "illness"` one zero of
#' each such group (a cell of the other variables, totals among them) is primary: in another table
#' that agrees some of them have that other illness. The package chooses which zero. `small_groups
#' = 5` makes all zeros of groups of at most 5 people primary: that none of them has an illness is
#' not told either, unless the zero of a larger group tells it. All other zeros are published.
#' Whoever is alone in a group learns nothing of others there.
#'
#' Where all but one have the same illness, that one knows her own, and would learn that of all
#' others. With `"contributor"` among the `readers`, as by default, one zero of these groups is
#' primary, too: in a table that agrees, and in which she is alone with her illness, some of the
#' others have neither hers nor that of the rest. Where no third illness is possible, as there are
#' two or published totals say that nobody has another, she knows the rest by herself once she knows
#' that she is alone. Then her count of 1 is primary, so that the publication does not tell her. The
#' printout says how many groups are of which kind.
#'
#' **Combinations.** A list names sets of levels that are judged like a level, whether or not a
#' total shows them: with `groups = list(job = list(dependent = c("student", "pensioner")))`
#' nobody learns that all people of a group, or all others, are students or pensioners. One zero
#' outside the set is primary then. A tree says the same, in any form of [hierarchies]: each of
#' its inner nodes that does not hold all levels is a combination, as are those of a published tree
#' where you give it again. Sums of levels, as `mc_hierarchies` of GaussSuppression may have them,
#' will do, too: `"dependent = student + pensioner"`.
#'
#' **Linked tables.** Of a table made with a `formula` the groups are those of its crossings: cells
#' of the other variables for which all levels of the variable are published. Where a crossing
#' leaves the variable out, or shows totals of its levels alone, nothing is asked about its cells.
#'
#' **Groups and people who act together.** `coalition = k`, or `"coalition"` among the `readers`,
#' which is `coalition = 2`, does the same for groups where all but at most k have the same illness.
#' If these put together what they know they learn that of all others. The certificates are for all
#' coalitions of at most k people, wherever they are:
#' * A coalition learns what the others of a group have only if all of these have the same. So it
#'   holds everybody of the group who has something else, and these are at most k. Hence no group is
#'   forgotten; the other members of the coalition may be anywhere.
#' * Of a cell some of whose people are in the coalition it knows that at least these are there.
#'   Each certificate keeps at least k people in all suppressed cells, and all but one of fewer, so
#'   that such members exclude none. Where no other illness is possible it keeps all of the few.
#' * What is left are coalitions that are all people of some cells of the table itself. For each
#'   of these, for every primary cell that is not its own, there must be enough certificates that
#'   leave its cells as they are, like for single people. Its own are, too, zeros of groups that
#'   nobody else is in, and totals that nobody else is in, unless zeros of other groups are
#'   suppressed below them. A table may have at most 50,000 such coalitions, and 5,000,000
#'   coalitions times primary cells.
#'
#' GaussSuppression's `SuppressKDisclosure()` with a `sensitive` variable and the same `coalition`
#' protects the same groups, and the same combinations (`mc_hierarchies`), mostly with fewer cells,
#' from readers who know nothing but the publication: those few themselves may learn the rest.
#'
#' So a suppressed count can be 0 in these groups alone, and readers may know that: each certificate
#' keeps at least 1 in all other suppressed cells. Where the search has to keep tables in mind that
#' a reader rules out by this, or more than readers know, it gives no bound for the cost. Each cell
#' must have a row, see large tables. It is not for `protectZeros = TRUE`, which does more, or the
#' reader `"method"`.
#' @name suppress
#' @rdname suppress
NULL
