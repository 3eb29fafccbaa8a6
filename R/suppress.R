# Cell suppression: the confidential side.

#' Suppress small counts of a table
#'
#' Takes small counts out of a table with its totals, and further cells so that they cannot be
#' computed back. This package chooses the further cells, with proof that can be checked; a library
#' may choose them, or a pattern that you have already, which are audited over whole numbers. A
#' publication holds nothing but what it shows. The result is **private**: it holds the original.
#' [publish()] makes what may leave the building.
#'
#' @details
#' **The rule.** A cell or total is *primary* when its count is from 1 to `maxN`; with
#' `protectZeros = TRUE` zeros are too. `maxN` means "at most", as in both libraries. Zeros are
#' published by default: in a sparse table hiding them hides almost everything, and a zero is no
#' small group. That is the default of sdcTable (`allowZeros = FALSE`); GaussSuppression's is
#' `protectZeros = TRUE`. Where it matters that *nobody* has a property, set it.
#'
#' **Certified suppression**, the default. `method = "certified"` chooses secondary cells of low
#' cost, and finds *certificates* for the primary ones: other tables of whole numbers with the same
#' published cells and totals. Whoever has only the publication cannot tell these tables from the
#' true one, so that the count of a primary cell in which they differ stays unknown. Where zeros are
#' published every reader knows that a suppressed count is at least 1, and each certificate respects
#' that.
#' [verify_suppression()] checks all certificates, by code that the search does not use;
#' [publish()] does so, too.
#' * `width` asks for more than one other count: the largest and the least count of a primary cell
#'   in these tables differ by at least `width`.
#' * With `protectZeros = TRUE` no zero is published, and a suppressed count may be 0: each zero has
#'   a certificate with a count above it. All combinations of levels take part, at most 500,000
#'   cells and totals. A cell that can only be zero is treated like all others. Whoever is alone in
#'   a cell then knows her own count alone: that nobody else is in a total would tell her zeros.
#' * `readers` says for whom. `"contributor"` is somebody who is alone in a cell, and therefore
#'   knows that its count is 1. She must not learn another primary cell: among the certificates that
#'   leave her own counts as they are, there must be enough. `"coalition"` is for two people who put
#'   together what they know, see below, and `"method"` for whoever knows how the cells were chosen.
#'   `NULL` is `"outsider"` and `"contributor"`, and `"method"` too where that costs little; the
#'   printout says for whom the result is certified. More than two people who act together, pairs
#'   without `"coalition"`, and other releases of the same data are not covered.
#' * `cost` says what is to be kept small: the number of secondary cells (`"cells"`), the sum of
#'   their counts (`"counts"`) or of their logarithms `log(1 + count)` (`"log"`). Or give a function
#'   of a data frame of the published cells that are not zero (the variables, with totals as further
#'   levels, and `freq`) that returns a number above 0 for each row; or a data frame that names
#'   cells by the variables and has a column `cost` (other cells cost 1). The logarithms are rounded
#'   to multiples of 2^-20, so that a search can prove that no pattern costs less.
#' * **Totals are dearer**, as readers look at them first: with `"cells"` a total costs 2 times as
#'   much for each variable in which it is a total, so that a margin over two variables costs 4. The
#'   grand total costs as much as all other cells together, and is suppressed only where it must be.
#'   The other packages keep totals too, as they weigh cells by their counts. `total_cost = 1` makes
#'   all cells alike.
#' * The result says which cost is *necessary*: a proved lower bound. `method = "optimal"` searches
#'   until no pattern is cheaper, which suits small tables, of some 100 cells; at the time limit it
#'   returns the best pattern found so far, with the bound.
#' * Some cells cannot be protected, as no other table has these zeros, or a person who is alone
#'   would know too much. Then there is a warning `sdc_warning_unsafe`, the result lists them in
#'   `lacking`, and [publish()] refuses it.
#'
#' **Two people who act together** are, with `"coalition"` among the `readers`, two who are alone in
#' cells of their own, or the two of one cell. They know these cells, and all suppressed totals in
#' which nobody else is. (Two of three people in a cell know that it has two at least, which is not
#' asked here; with `groups` it is.) Among the certificates that leave all of these as they are
#' there must be enough for every other primary cell. It is not the default, as it takes more cells:
#' `roehrig` then needs 4 secondary cells instead of 3 and `HairEyeColor` 9 instead of 5
#' (`maxN = 3, total_cost = 1`). With `protectZeros = TRUE` people know their own cells alone. A
#' table may have at most 50,000 such pairs, and 5,000,000 pairs times primary cells; it cannot be
#' asked for together with `"method"`. `audit(x, readers = "coalition")` asks the same of any
#' suppression, without certificates. With `groups` it is for more than two, see there.
#'
#' **Sums of suppressed cells.** Where two primary cells are all that is suppressed below a
#' published total, everybody knows their sum. Certificates are about cells, not about such sums: a
#' sum of primary cells may be small itself. If nobody shall know that two classes together have so
#' few people, make them one class of a tree: their total is then a cell, primary by the same rule.
#' (For magnitudes sums are judged, as a contributor can dominate a sum.)
#'
#' **A reader who knows the method** may run it on every table that agrees with the publication, and
#' exclude those for which other cells would be suppressed. With `"method"` among the `readers` the
#' choice looks at no count: it depends on which cells are zero, which are primary, the arguments,
#' and nothing else.
#' * A certificate then counts for this reader only if it *keeps the status*: cells with counts from
#'   1 to `maxN` keep such counts, and all others stay above `maxN`; protected zeros count as small.
#'   For such a table the same cells are suppressed, and nobody can exclude it. With `"contributor"`
#'   this holds for single people who know the method, too.
#' * The choice has *levels*, which ask more and more of a table with large counts. At level 1 no
#'   primary cell is exact for readers; at level 2 nor is it for anybody who might be alone in a
#'   cell; at levels 3 to 5 nor where half of the primary cells cannot change, halved once, twice or
#'   in more ways; at level 6 nor where no other primary count can change. The first level that
#'   suffices is taken. Such a decision could itself give counts away. So it is made by
#'   what the level would publish and the status alone: other tables are looked for as a reader
#'   would, and they must serve the people of each of them; only those tables count for which no
#'   level before suffices either. Every certificate then leads to a table with the same level, the
#'   same cells and the same decision. `level` of the result says which it was.
#' * **By default**, with `readers = NULL`, a level is taken where it suffices and costs little: at
#'   most a quarter more than level 2, which protects from outsiders and from people who may be
#'   alone, or at most 2 more. This decision looks at no count either. Where no such level is found,
#'   cells are chosen by their counts as for the other two readers, nothing is certified for this
#'   reader, and the printout says why: the price, or that no level suffices. So it is for tables of
#'   at most 300 cells and totals that are not zero, `method = "certified"`, `cost = "cells"`, and
#'   neither a `pattern`, a `formula`, `protectZeros` nor codes `u` and `x` in `status`. No key is
#'   needed: the same call suppresses the same cells, and who knows the `seed` cannot use it.
#' * With `"method"` named in `readers`, costs are secret: 1 to 4 times the `cost`, drawn for each
#'   cell from a `key` of the operating system, which the result keeps for you in `further$key` and
#'   the publication does not. Where a level suffices the key adds nothing to the promise.
#' * `level` is 0 where none suffices, where zeros are protected, and for larger tables. Then the
#'   cells are chosen for those who might be alone, and certificates are looked for from the table
#'   as it is. The promise is then about the choice, not about the decision after it, to publish the
#'   table since certificates were found.
#' * With `maxN = 1` nothing is left to certify: for this reader a primary count can only be 1. In
#'   general `width` must be below `maxN`.
#' * The price is more secondary cells, in some tables. The printout compares with the best pattern
#'   found for the other readers, whose cost is `price` of the result. It is nothing for `Titanic`
#'   (26 secondary cells either way), `HairEyeColor` (5) and `roehrig` (3), where `maxN = 3`; for
#'   many small tables with many small counts it is several times the cells. Where `"method"` is
#'   named, some primary cells may remain without certificates, also for other readers, as the
#'   choice adds no cell after a look at the counts.
#' * Do not draw keys until one suits you, and do not publish two choices for one table: give the
#'   `key` back instead.
#' * Named, it is for tables without a `formula`, `method = "certified"`, no `pattern`, and a `cost`
#'   that does not look at counts: `"cells"`, or a data frame of yours, like `published`. A choice
#'   that the time limit ends is certified for nobody who knows the method.
#'
#' **Large tables.** With more than 1,000,000 cells and totals (the option `sdcLattice.full_cells`)
#' the result lists the cells that are not zero, and is as large as they are many, up to the option
#' `sdcLattice.max_cells`, 5 * 10^7. All zeros are then published. Linked tables list all cells.
#'
#' **Single cells.** `status` has codes as sdcTable and tau-ARGUS do: `u` for further primary cells,
#' which are certified like those of the rule; `x` for cells that are suppressed in any case, though
#' not primary; `z` for cells that stay published; `w` for cells that may be suppressed at the price
#' in `cost`; `s`, and all cells that are not named, for those that may be suppressed at the usual
#' cost, or at that in `cost`. The rule calls its cells primary, whatever their code, and `z` for
#' one of these is an error. Zeros are suppressed only with `protectZeros = TRUE`.
#'
#' **Last year.** With `previous` cells that were suppressed last year cost half as much as others,
#' so that the two years have many suppressed cells in common; the result counts them. A table with
#' a count that is published in one year and suppressed in the other tells those something who know
#' how little the count can have changed. No certificate speaks of that: see [audit_years()].
#'
#' **A start.** With `start` the search begins from a pattern of yours, too, or from that of
#' GaussSuppression, where this is installed: it is certified, repaired where it does not protect,
#' and improved. The better of the two results is kept. It is never dearer than without `start`,
#' and never than the pattern itself where that is certified for these `readers`, as long as the
#' time limit ends no search; the library's own time does not count. Only candidates for suppression
#' are taken from it: that it suppresses zeros or cells of `published`, or which cells it calls
#' primary, does not matter. Without `start` results do not depend on what else is installed.
#'
#' A `pattern` of last year or of another program is certified as it is by
#' `suppress(x, pattern = pattern, method = "certified")`; `repair = TRUE` suppresses further cells
#' where it does not protect. It must not suppress zeros. Such a result has no lower bound.
#'
#' The search makes random choices; the same `seed` gives the same result, unless the time limit
#' ended it, which the printout says. Of two patterns for one table a reader has all that either of
#' them shows, which may give away what each protects: keep a [publication_record()].
#'
#' **The libraries** choose the secondary cells where `method` names one, and it is installed.
#' * `"GaussSuppression"` calls `SuppressSmallCounts()`: Gaussian elimination. No primary cell can
#'   then be computed from the published ones by linear equations.
#' * `"sdcTable"` calls `protectTable(method = "SIMPLEHEURISTIC")`, which asks for each primary cell
#'   whether its interval over the reals is more than a point. Its documentation advises against
#'   its optimal methods in production. One tree for a variable; tables with a single row or column
#'   end with an error of the library.
#'
#' Both reason over real numbers, and counts are whole: **a protected cell may still be exactly
#' known**; [audit()][audit.sdc_suppression] has an example. Libraries see codes instead of labels,
#' so that any label will do, and results are matched by them. Zeros that the rule does not call
#' primary stay published where the library can do without them. What the library warns of becomes a
#' warning `sdc_warning_library`, and is kept in `notes`.
#'
#' **Further arguments** of a library pass only when this call uses them and the rule stays as it
#' is; all others are errors, as the libraries ignore what they do not know. GaussSuppression takes
#' `singletonMethod`, `secondaryZeros` and `lpPackage`; with `lpPackage` also `rangeMin`,
#' `rangePercent`, `protectionIntervals`, `protectionLimit`, `protectionPercent`,
#' `loProtectionLimit`, `loProtectionPercent` and `allInt`. sdcTable takes `detectSingletons` and
#' `threshold`.
#'
#' **The choice of cells is not secret.** The libraries choose the secondary cells by published
#' algorithms that draw nothing at random. A reader who guesses the library, `maxN` and the other
#' arguments can run the same call on every table that agrees with the publication, and rule out all
#' tables for which it hides other cells. What remains can be much less than the intervals of
#' [audit()] suggest: of the six tables that agree with
#' `suppress(Titanic, method = "GaussSuppression", repair = FALSE)`, once published, only one leads
#' to that publication, so that such a reader knows every suppressed count.
#' `audit(x, readers = "method")` does what this reader does, for small tables.
#'
#' **Repair.** So the pattern of GaussSuppression is audited, with the default readers of
#' [audit()][audit.sdc_suppression]: everybody, and the people who are alone in a cell. Where it
#' fails the cheapest published cell beside each cell that fails is given to the library as one more
#' cell to protect, and it runs again, until the audit passes or after 12 times: then the first
#' pattern remains, and `publish()` refuses it. Each time takes a run of the library and an audit.
#'
#' **A pattern** of your own is one of
#' * a logical array or [table()] in the shape of `x`: `TRUE` for the cells that are suppressed; all
#'   totals are published. Where it has names of levels, they are those of `x`, in their order;
#' * a data frame with a column for each variable, a row for each of some cells and totals, and
#'   `suppressed` (flags), as GaussSuppression returns, or `sdcStatus` (`u` and `x` are suppressed),
#'   as sdcTable does. Cells without a row are published. Columns `primary`, or `sdcStatus`, say
#'   which cells are primary besides those of the rule. Other columns are not read.
#'
#' **Linked tables.** Of a table made with a `formula` only the cells of its crossings are published
#' and may be primary or secondary. All others are unknown to the reader, whole and not negative;
#' the crossings are protected and audited together, as what one of them shows may give away a cell
#' of another. **A count that no crossing shows is judged too**: a small cell of the table itself
#' has certificates like a primary cell, and no small sum of such cells may follow from published
#' totals: [publish()] refuses it by name, as "g1 - h1 = a2". sdcTable takes no such table.
#'
#' Tables of magnitudes have rules of their own: [suppress()][suppress.sdc_magnitude] of those has a
#' page to itself.
#'
#' @param x (sdc_table, or what [as_sdc_table()] takes) The confidential table.
#' @param maxN (whole number >= 0) The largest small count.
#' @param pattern (logical array, table or data frame, or `NULL`) The cells to suppress; see below.
#' @param method (string) What chooses the secondary cells: this package, with certificates
#'   (`"certified"`, `"optimal"`), or a library. With `pattern`: nothing, or `"certified"`.
#' @param hierarchies,dimList (named list) For some variables a tree, or a list of trees, see
#'   [hierarchies]: the totals are then the inner nodes of the trees. `dimList` is another name. A
#'   table that was made with trees needs none here.
#' @param total_label (string or `NULL`) What the total of a variable without a tree is called.
#'   `NULL`: as in the table.
#' @param protectZeros (flag) Are zeros primary as well?
#' @param audit (flag) Run [audit()] at once, and keep it in the result? By default only of a
#'   `pattern` and of a library's choice, for certificates are proof.
#' @param repair (flag) Where the audit of a pattern of GaussSuppression fails, run it again with
#'   further cells to hide, until the audit passes, at most 12 times? Repair runs audits of its own,
#'   with `audit = FALSE` too. With a `pattern` and `method = "certified"`: suppress further cells,
#'   of low cost, until all primary cells are certified? `TRUE` is an error otherwise.
#' @param ... With a library as `method` further arguments of its function, by name: those of
#'   `GaussSuppression::SuppressSmallCounts()` (such as `lpPackage = "lpSolve", rangeMin = 3` for
#'   intervals at least that wide) or of `sdcTable::protectTable()` (such as
#'   `detectSingletons = TRUE`) that the details list. `"certified"` and `"optimal"` take none of
#'   these, and they alone take the arguments that follow.
#' @param width (whole number >= 1) How far apart the possible counts of a primary cell must be. 1:
#'   no primary count is exactly known.
#' @param readers (character vector, or `NULL`) From whom primary cells are protected: `"outsider"`
#'   (always), `"contributor"`, `"coalition"` and `"method"`. `NULL`: the first two, and the last
#'   where that costs little.
#' @param cost (string, function or data frame) What a secondary cell costs, see above.
#' @param total_cost (number > 0, or `NULL`) A factor on the cost of a total, once for each
#'   variable in which it is one: above 1 totals are suppressed less. `NULL` is 2 with
#'   `cost = "cells"`, and 1 with other costs.
#' @param published (logical array or data frame, or `NULL`) Cells that must stay published, in
#'   either form of `pattern`; a data frame names them by the variables alone.
#' @param status (data frame, or `NULL`) Codes for some cells and totals, which it names by the
#'   variables, in a column `sdcStatus`, and maybe costs in a column `cost`; see below.
#' @param previous (sdc_suppression, sdc_suppressed, data frame, or `NULL`) Last year's table: what
#'   it suppresses costs half as much to suppress again.
#' @param record (sdc_record or `NULL`) What is out, see [publication_record()].
#' @param groups (character vector, list, or `NULL`) Variables of which nobody shall learn the
#'   category of people by the group that they belong to. A list has an element for each of them:
#'   `NULL`, or combinations of its levels that are categories, too; see below.
#' @param small_groups (whole number >= 0) In groups of at most so many people all zeros of these
#'   variables are primary.
#' @param coalition (whole number >= 2, or `NULL`) With `groups`: how many people who act together
#'   shall not learn the category of others; see below. `NULL` is 2 with `"coalition"` among the
#'   `readers`; a number adds that reader.
#' @param start (logical array, table, data frame or string, or `NULL`) A pattern that the search
#'   starts from as well, in either form of `pattern`, or `"GaussSuppression"`; see below.
#' @param time_limit_s (number >= 0, seconds of processor time, or `NULL`) When to stop and take the
#'   best. `NULL` is 2 for `"certified"` and at most 300 published cells that are not zero, without
#'   the reader `"method"`, and 30 otherwise.
#' @param seed (whole number, or `NULL`) For the search; `NULL`: drawn from R's generator. Of the
#'   reader `"method"` only a seed that you give is used, see `key`.
#' @param key (raw vector of at least 16 bytes, or `NULL`) For the reader `"method"`: the key that
#'   all random choices follow from. `NULL` takes 32 bytes from the operating system; with a `seed`,
#'   which is for examples, the key follows from it.
#' @param threads (whole number >= 1) How many threads choose cells of a large table; the result
#'   does not depend on it. `time_limit_s` counts the time of all of them. See
#'   [sdcLattice-threads] for the default.
#' @param progress (flag) Show a progress bar?
#' @return An object of class `sdc_suppression`: a list with `original` (sdc_table), `cells` (data
#'   frame: the variables with totals as further levels, `freq`, `sdcStatus`), `hierarchies`,
#'   `total_label`, `crossings` (of a table made with a `formula`), `maxN`, `protectZeros`, `method`
#'   (the method, `"pattern"` or `"certified pattern"`), `version` (of the library), `further` (its
#'   further arguments), `notes` (its warnings), `repair` (`NULL`, or a list: did the audit pass in
#'   the end, after how many `rounds`, which cells were `added`), `audit` (or `NULL`) and `seal`
#'   (see [publish()]). The codes of `sdcStatus` are `u` (primary), `x` (secondary), `z` (a zero
#'   that is published) and `s` (published); with crossings `cells` has `n` for combinations of
#'   nodes that are not published, which [as.data.frame()] leaves out.
#'
#'   A certified suppression has besides, with its arguments in `further`:
#'   * `width` and `readers`;
#'   * `certificates`, a data frame: the number of a `certificate`, a `row` of `cells` that is a
#'     cell of the table itself, and its `change`; totals change by the sums of these;
#'   * `lacking`, a data frame of what is not certified: the `row` of a primary cell, the `reader`,
#'     `who` (the row of the cell that a contributor is alone in), `with` (of two people the row of
#'     the other's cell, the same one for the two of a cell; of a `coalition` of people `who` and
#'     `with` are the first and the last of their cells; what is open to one of them is said of her
#'     alone), and two flags: is protection `impossible`, and is it proved that she knows too
#'     much (`exposed`)?
#'   * `status` (the `row`, `sdcStatus` and `cost` of the cells that a user's `status` names) and
#'     `previous` (the `row` of each cell that was suppressed last year, and how many are `gone`);
#'   * `groups` and `small_groups`, where groups are protected, `combinations` (the levels of each,
#'     by variable and name), and `coalition`, where that is from people who act together;
#'   * with the reader `"method"`: `value_free` (did the choice of the cells end before the time
#'     limit?), `level` (1 to 6, the level that suffices, or 0), `further$key` where it was named,
#'     and `price` (of tables with at most 300 cells that are not zero: what the best pattern found
#'     for the other readers costs);
#'   * `left_out`, where no readers were named: the `reason` why readers who know the method are not
#'     covered, and, where that is the price, the `cost` of the first level that was not tried and
#'     the `usual` one;
#'   * `cost` (of the secondary cells), `bound` (what is necessary at least), `optimal` and
#'     `stopped` (did the time limit end the search?); with `pattern` also `added`, the number of
#'     cells by repair.
#' @section Errors:
#' `sdc_error_input` for arguments that do not fit, among them further arguments that the library
#' would ignore, a library that is not installed, and several trees for a variable with sdcTable;
#' `sdc_error_infeasible` when a library ends with an error or without an answer for each cell. The
#' library's own words are shown when they hold no number, as numbers may be counts. Errors of
#' [audit()]. A warning `sdc_warning_library` for each warning of the library, and
#' `sdc_warning_unsafe` when primary cells are not certified.
#' @section Guarantee:
#' Certified: with `"certified"` and `"optimal"` each primary cell that `lacking` does not name is
#' proved to be protected as asked. The number of secondary cells is heuristic, unless `optimal` is
#' `TRUE`.
#'
#' Heuristic otherwise: the pattern is as good as the library's. Every cell that the rule calls
#' primary is suppressed, unless a `pattern` publishes it, which the result says. What the pattern
#' protects is exact: see [audit()].
#'
#' Time is mostly the library's, whose work grows with cells times suppressed cells; the rest is
#' proportional to the cells of the table with its totals.
#' @references Fischetti, M. and Salazar, J. J. (2001). Solving the cell suppression problem on
#'   tabular data with linear constraints. *Management Science* 47, 1008-1027. Langsrud, O. (2024).
#'   Secondary cell suppression by Gaussian elimination: an algorithm suitable for handling issues
#'   with zeros and singletons. *Privacy in Statistical Databases*.
#'   \doi{10.1007/978-3-031-69651-0_6}.
#' @family suppress
#' @export
#' @examples
#' # no package is needed: the secondary cells come with proof, also for readers who know the method
#' su <- suppress(roehrig, maxN = 3)
#' su
#' verify_suppression(su)
#' as.table(publish(su))
#'
#' # a pattern of four cells, as in the slides: three tables agree
#' hidden <- roehrig < 0
#' hidden[c(1, 4), c(2, 4)] <- TRUE
#' su <- suppress(roehrig, maxN = 1, pattern = hidden)
#' su
#' # the two people who are alone in cells know each other's
#' try(publish(su))
#'
#' # all people of the north have the same job, and no job but one or two is there in the west
#' jobs <- rbind(north = c(factory = 12, office = 0, none = 0), east = c(5, 7, 4),
#'               south = c(3, 9, 6), west = c(0, 3, 2))
#' names(dimnames(jobs)) <- c("area", "job")
#' as.table(suppress(jobs, maxN = 1, groups = "job", small_groups = 5), totals = TRUE)
#'
#' # the fewest secondary cells
#' suppress(czech_workers[, , 1, 1, 1, ], maxN = 3, method = "optimal")
#' @examplesIf requireNamespace("GaussSuppression", quietly = TRUE)
#' # a library's choice, audited and repaired
#' suppress(roehrig, maxN = 3, method = "GaussSuppression")
suppress <- function(x, ...) {
  check_given(x)
  methods <- lapply(c(class(x), "default"), function(class) {
    utils::getS3method("suppress", class, optional = TRUE)
  })
  own <- names(formals(Find(Negate(is.null), methods)))
  check_names_in_full(rlang::names2(match.call(expand.dots = FALSE)$...), own)
  UseMethod("suppress")
}

#' @rdname suppress
#' @export
suppress.default <- function(x, maxN = 3, pattern = NULL,
                             method = c("certified", "optimal", "GaussSuppression", "sdcTable"),
                             hierarchies = NULL, dimList = NULL, total_label = NULL,
                             protectZeros = FALSE, audit = TRUE, repair = audit, ..., width = 1,
                             readers = NULL, cost = "cells", total_cost = NULL, published = NULL,
                             status = NULL, previous = NULL, groups = NULL, small_groups = 0,
                             coalition = NULL, record = NULL, start = NULL, time_limit_s = NULL,
                             seed = 1, key = NULL, threads = default_threads(),
                             progress = rlang::is_interactive()) {
  x <- one_level_argument(x)
  check_no_rules(maxN)
  check_whole(maxN, min = 0, max = 2^53)
  check_flag(protectZeros)
  if (maxN == 0 && !protectZeros && is.null(pattern) && is.null(groups)) warn_of_nothing_primary()
  named <- names(match.call())
  status <- status_of_record(record, status, x, maxN)
  wishes <- list(width = width, readers = readers, cost = cost, total_cost = total_cost,
                 published = published, status = status, previous = previous, groups = groups,
                 small_groups = small_groups, coalition = coalition, start = start,
                 time_limit_s = time_limit_s, seed = seed, key = key, threads = threads,
                 progress = progress)
  ask <- choose_method(pattern, method, audit, repair, wishes, named)
  check_can_suppress(x)
  x <- laid_out(x, one_of_two(hierarchies, dimList), total_label)
  if (!ask$method %in% library_methods) {
    check_no_library_arguments(ask$method, FALSE, ...)
    check_no_dots(...)
  }
  fields <- list(
    original = x, cells = NULL, hierarchies = table_trees(x), total_label = table_total_label(x),
    crossings = table_crossings(x), maxN = maxN, protectZeros = protectZeros
  )
  suppress_cells(structure(fields, class = sdc_class("sdc_suppression", mark = "private")), ask,
                 list(...))
}
