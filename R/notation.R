#' Terms and notation
#'
#' The words of this package, each with one meaning.
#'
#' # Tables
#' * **Variable**, **level**: a dimension of a table and one of its categories. Variables and levels
#'   have the order that the user gave them.
#' * **Cell**: one combination of levels, one for each variable. Cells are numbered from 1, the
#'   first variable fastest, as in R's arrays. **Count** is the whole number in a cell; **total**
#'   (grand total, `N`) is the sum of all counts.
#' * **Sparse**: only the cells with a count above 0 are stored. **Dense**: all cells.
#' * **Margin** (sub-table): the table over some of the variables, summed over the others. A `k`-way
#'   margin has `k` variables; the 0-way margin is the total.
#' * **Shape**: the numbers of levels, such as 4 x 4 x 3. **Records**, **microdata**: a row for each
#'   person.
#' * **Total level** of a variable: a level that stands for several; in a **tree**, an inner node,
#'   whose leaves are levels.
#' * **By level**: a variable with a tree can be had at each level of the tree, such as ages by
#'   decade. `age@decade` is the variable `age` at its level `decade`; `age` alone is at its finest
#'   level. `age@decade:sex` is a sub-table; as an argument, `c(age = "decade", "sex")` is the same.
#'   A sub-table is **coarser** than another when it can be computed from it: without some of its
#'   variables, or with some at coarser levels. See [level_table()].
#'
#' # Perturbation
#' * **Move**: whole numbers, one for each cell, that are added to a table. **Cycle**: a move that
#'   leaves stated margins as they are; its **support** are the cells where it is not 0.
#' * **Coin**: each application of a cycle has three outcomes: the cycle is added (probability
#'   `alpha`), subtracted (`beta`) or not applied (`1 - alpha - beta`).
#' * **Cover**: one application of each cycle of a set, in a stated order; `r` is the number of
#'   covers.
#' * **Blocked**: an application that the **zero rule** forbids; nothing is drawn in its place.
#' * **Exposure** of a cell: one application of a cycle whose support contains the cell.
#' * **Ring**: cycles of which each shares cells with the next, and the last with the first;
#'   **open** when the cycle that would close it is left out.
#' * **Band**: the cycles of two lines (rows or columns) on one ring; **pair**, **triad**: a group
#'   of two or three lines, a triad with a band for each two of them. **Sweep**: one run along a
#'   band.
#' * **Way**: variables merged into one, whose levels are the combinations of theirs.
#' * **Original**: the confidential table; **published**: what was made of it. **Publication**: what
#'   the reader gets, the published table and the mechanism.
#'
#' # Releases
#' * **Release**: all that was published about a table. **Constraint**: one sum of cells, or one
#'   cell, with the limits that the release gives it.
#' * **Suppressed**: withheld; **primary** because a rule says so, **secondary** because it would
#'   give a primary cell away.
#' * **Conditional rates**: P(response | given), a **row** of rates for each combination of the
#'   given variables; **full** when these and the response are all variables, else **partial**.
#' * **Controlled rounding**: to multiples of a **base** such that the rounded table adds up;
#'   **zero-restricted** when every count goes to one of the two next multiples, and multiples stay.
#'
#' # What can be inferred
#' * **Fibre**: all tables of counts that agree with what is released.
#' * **Feasibility interval** of a cell: the smallest and the largest count that it has in the
#'   fibre.
#'   **Bounds** are `lower` and `upper`, inclusive. **Sharp**: both are attained by a table of the
#'   fibre; **outer**: the feasibility interval lies inside.
#' * **Width** of a cell: `upper - lower`. [risk_width()] asks for a **minimum width**.
#' * **Class** of cells: cells that always change together. **Law**: a probability distribution over
#'   whole numbers, such as that of a change or of a count.
#'   **Front**: cycles whose coins are begun and not yet summed out; its **size** is their number.
#' * **Evidence**: the sum, over all originals, of the probability of the published table times the
#'   prior weight. **Posterior**: the share of one original, or of one count of a cell, in that sum.
#' * **At risk**: cells with counts so small that their width matters.
#' * **Separator**, **clique**: of the graph whose vertices are variables and whose cliques are the
#'   released margins; **frontier**: the released margins that no other released margin contains.
#'   **Decomposable**: the graph is chordal and its cliques are the frontier; **prime components**
#'   are the parts obtained by splitting the graph at released separators.
#'
#' # Which sub-tables to release
#' * **Sub-table**: the margin over some variables; the **full table** has all. **Query space**: all
#'   sub-tables, ordered by inclusion; by level, ordered by being coarser. **Direct** release: one
#'   that was asked for or chosen; **indirect**: a sub-table of such a one.
#' * **Width of a release**: the least width of a cell at risk of the full table, given all that is
#'   released. **Outer** widths are at least the true one and can only refute; **inner** widths are
#'   at most the true one and **certify**. Safe at **beta**: the width is at least `beta`.
#' * **Critical width** of a sub-table: the width of the release of it and of the one-way tables of
#'   all other variables.
#' * **Admissible** sub-table: its least count over the cells at risk is at least `beta`; only such
#'   can be part of a safe release. **Face**: a released set of variables; **non-face**: one that is
#'   not.
#'
#' # Maps of hexagons
#' * **Data cell**: a hexagon with a count above 0. **Sensitive**: below the threshold.
#'   **Distance**: steps on the unbounded lattice. **Outlier**: one sensitive cell, or two adjacent
#'   ones, with no other data cell within a distance of the threshold.
#' * **Filling**: moving counts into sensitive cells until they reach the threshold; **emptying**:
#'   moving them out. `mu`: the total distance over all single counts that move. **Deficit**: what
#'   the sensitive cells lack.
#'
#' # Symbols
#' `N` total, `m`, `n` rows and columns, `r` covers, `alpha`, `beta` probabilities of adding and
#' subtracting, `gamma = 1 - alpha - beta`. In rules about releases `beta` is the minimum width, as
#' in the source.
#'
#' @name notation
#' @seealso [sdc_table()], [margin()]
NULL
