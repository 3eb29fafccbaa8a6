#' Trees: how the levels of a variable add up
#'
#' The argument `hierarchies` of [as.data.frame()][as.data.frame.sdc_table], [suppress()],
#' [round_controlled()], [magnitude_table()] and [constraints()] says how the levels of a variable
#' add up to totals: regions to counties, industries to sections. It is a list with the name of a
#' variable for each element. The leaves of a tree are the levels of the variable; each other node
#' is the sum of the nodes directly below it, and the root is the total over all levels. A variable
#' that is not named gets one total, `total_label`.
#'
#' # Formats
#' A tree can be written as
#' * a **correspondence frame**: a data frame with a column for each level and a row for each code
#'   of the finest one. The order of the columns does not matter: they are put in order by which of
#'   them lies inside which. The finest column is the one that holds the levels of the variable;
#'   columns that are finer still are left out. The names of the columns are the names of the levels
#'   of the tree. A column with one code is the root; of columns that make the same groups the first
#'   is kept. A missing value (or an empty string) says that the code before it has no finer
#'   code. Columns that do not lie inside each other, such as police district and county, make
#'   several trees;
#' * a **parent-child frame**: a data frame with columns `parent` and `child`, a row for each node.
#'   A row for the root, with parent `NA`, may be there. A column `level` may name the levels of the
#'   tree. [nested_tree()] makes such a frame of variables that lie inside one another;
#' * an **`@`-frame**, as package sdcTable takes it: a data frame with two columns, the depth as
#'   `"@@"`, `"@@@@"`, ... and the code, each node below its parent;
#' * an **`.hrc` file** of tau-ARGUS, by its path, or its lines; see [read_hrc()]. The root has no
#'   line and is called `total_label`;
#' * an object of package **sdcHierarchies** (columns `root`, `leaf`);
#' * a hierarchy of package **SSBtools**: a data frame with columns `mapsFrom` and `mapsTo`. All
#'   signs must be 1, for a tree only adds. The list that `SSBtools::FindDimLists()` gives can be
#'   used as it is;
#' * a **named vector** from each code to its parent: `c(n1 = "North", n2 = "North", s1 = "South")`.
#'   Where no node is above all others, the root is `total_label`;
#' * a **string** that is no path: the name of the total over all levels.
#'
#' A variable may have several trees: a list of trees in any of these formats, or several elements
#' with the variable's name. Nodes of the same name in two trees must hold the same levels; they are
#' then one total.
#'
#' # Trees that are found
#' `sdc_table(hierarchies = "auto")` looks for columns of the data of which one lies inside another,
#' such as region inside county: each level of the region occurs with one county only. The finest
#' column is a variable of the table, the coarser ones are levels of its trees. A message of class
#' `sdc_message_trees` shows what was found, and says where columns have so few rows that chance can
#' explain it. Columns that make the same groups, such as code and name, are one: the first is kept.
#' A coarser column that several others determine goes with the first of them. Levels without rows
#' stand right below the total. Columns with one level, and coarser columns with missing values,
#' remain variables of their own.
#'
#' # Details
#' * Trees need not be balanced: leaves may stand at any depth.
#' * A leaf that does not occur in the table has no records: it becomes a level of zeros.
#' * Codes are strings. Factors and labelled vectors stand for their labels, and numbers for
#'   themselves, as in [sdc_table()]: the number 1 is not the level `"01"`.
#' * A code on two levels is one node when it is the only child of itself, as a county with a single
#'   municipality of the same code. In a correspondence frame the same code may stand on two levels
#'   for different leaves: the coarser node is then called `"code [column]"`. In the other formats
#'   that is an error, and one of the nodes needs another code.
#' * A leaf `NA` is the level `NA` of a variable that has one; other nodes must have a name.
#' * A message of class `sdc_message_trees` says which nodes were renamed, which columns were left
#'   out, and which columns make several trees.
#'
#' @section Errors: `sdc_error_input` for a tree that would not add up: several roots, a node with
#'   two parents or below itself, a level of the table that is no leaf, a code with spaces around
#'   it, a tree of another variable. The error says what to do, and proposes the name that was
#'   probably meant.
#' @section Complexity: O(n log n) for a tree with n nodes.
#' @name hierarchies
#' @family table
#' @seealso [nested_tree()] makes a tree of variables that lie inside one another, [read_hrc()]
#'   reads a file.
#' @examples
#' people <- data.frame(region = c("n1", "n1", "n2", "s1", "s1"))
#' x <- sdc_table(people)
#'
#' # a correspondence frame
#' wide <- data.frame(county = c("North", "North", "South"), region = c("n1", "n2", "s1"))
#' as.data.frame(x, hierarchies = list(region = wide))
#'
#' # the same tree in other formats
#' pairs <- data.frame(
#'   parent = c("Total", "Total", "North", "North", "South"),
#'   child = c("North", "South", "n1", "n2", "s1")
#' )
#' at <- data.frame(
#'   levels = strrep("@", c(1, 2, 3, 3, 2, 3)),
#'   codes = c("Total", "North", "n1", "n2", "South", "s1")
#' )
#' file <- tempfile(fileext = ".hrc")
#' writeLines(c("North", "@@n1", "@@n2", "South", "@@s1"), file)
#' maps <- data.frame(
#'   mapsFrom = c("North", "South", "n1", "n2", "s1"),
#'   mapsTo = c("Total", "Total", "North", "North", "South"), sign = 1
#' )
#' vector <- c(n1 = "North", n2 = "North", s1 = "South")
#' for (tree in list(pairs, at, file, maps, vector)) {
#'   print(as.data.frame(x, hierarchies = list(region = tree))$freq)
#' }
#'
#' # an object of sdcHierarchies
#' if (requireNamespace("sdcHierarchies", quietly = TRUE)) {
#'   tree <- sdcHierarchies::hier_create("Total", nodes = c("North", "South"))
#'   tree <- sdcHierarchies::hier_add(tree, root = "North", nodes = c("n1", "n2"))
#'   tree <- sdcHierarchies::hier_add(tree, root = "South", nodes = "s1")
#'   as.data.frame(x, hierarchies = list(region = tree))
#' }
#'
#' # two trees of one variable
#' coast <- c(n1 = "coast", n2 = "inland", s1 = "coast")
#' as.data.frame(x, hierarchies = list(region = list(wide, coast)))
#'
#' # a tree that is found
#' people$county <- ifelse(people$region == "s1", "South", "North")
#' as.data.frame(sdc_table(people, hierarchies = "auto"), totals = TRUE)
NULL
