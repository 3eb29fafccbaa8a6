#' A 4 x 4 table of counts
#'
#' The original table of the slides that introduced cyclic perturbation. Its margins alone agree
#' with 18,272,363,056 tables.
#'
#' @format A [table] of 4 rows and 4 columns, total 135; the slides name neither variables nor
#'   levels, here `row` and `column`, from 1 to 4.
#' @source Slides "Cyclic perturbation" (Duncan and Roehrig), table of counts.
#' @family data
#' @examples
#' sdc_table(roehrig)
#' addmargins(roehrig)
"roehrig"

#' Downloads by sex
#'
#' The 2 x 2 table with which bounds from conditional frequencies are explained.
#'
#' @format A [table] of 50 persons by `Sex` (Male, Female) and `Download` (Yes, No).
#' @source Slides "Calculating bounds based on conditional frequencies", 2008: basic 2-way table.
#' @family data
#' @examples
#' proportions(downloads, "Sex")
"downloads"

#' Recovery of patients, by treatment, status and centre
#'
#' A clinical trial with 193 patients: the four-way example of bounds from conditional frequencies.
#' Exactly 15 tables agree with its total and the conditional frequencies of `Recovery` given the
#' other three variables.
#'
#' @format A [table] with the variables `Center` (1, 2), `Status` (1, 2), `Treatment` (1, 2) and
#'   `Recovery` (Poor, Modest, Excellent); the source gives no labels for the first three.
#' @source Slides "Calculating bounds based on conditional frequencies", 2008: 4-way table, "due to
#'   Koch".
#' @family data
#' @examples
#' ftable(koch, row.vars = 1:3)
"koch"

#' Czech car factory workers
#'
#' 1841 workers of a Czechoslovakian car factory in a prospective study of risk factors for coronary
#' thrombosis. Three cells are at risk: one count of 1 and two of 2.
#'
#' @format A [table] of 2 x 2 x 2 x 2 x 2 x 2 cells with the variables
#' * `A`: family anamnesis of coronary heart disease (negative, positive);
#' * `B`: ratio of beta and alpha lipoproteins (< 3, >= 3);
#' * `C`: systolic blood pressure (< 140, >= 140);
#' * `D`: strenuous physical work (no, yes);
#' * `E`: strenuous mental work (no, yes);
#' * `F`: smokes (no, yes).
#'
#' The letters are those of the critical widths (table 3) and of section 5.2 of the source. Its
#' table 2 prints the data with the letters in reverse: there `A` is smoking and `F` is family
#' anamnesis. With the order here all 35 printed critical widths come out as printed.
#' @source "Software systems for tabular data releases", technical report 125, National Institute of
#'   Statistical Sciences, 2002, table 2; from "A fast procedure for model search in
#'   multidimensional contingency tables", Biometrika 72, 339-351, 1985.
#' @family data
#' @examples
#' x <- sdc_table(czech_workers)
#' summary(x)
#' as.table(margin(x, c("D", "E")))
"czech_workers"

#' Current population surveys 1994 and 1995
#'
#' Two sparse tables of the same 299,285 persons: `cps13` has 13 variables and 2,592,000 cells, of
#' which 41,684 are not zero; `cps14` has finer levels, the year as a further variable, and
#' 435,456,000 cells, of which 70,829 are not zero. `cps14`, with levels merged and summed over
#' `year`, is `cps13`.
#'
#' @format Objects of class [sdc_table()] with the variables `age`, `workclass`, `education`,
#'   `marital` (marital status), `industry`, `occupation`, `race`, `sex`, `tax` (tax filer status),
#'   `household` (relation to the householder), `citizenship`, `employment`, (`year`,) `salary`.
#' @details Recoded from the survey file with labels of our own; the recoding of the report that
#'   first used these surveys for tabular releases is not published, and these tables have its
#'   shape and nearly its counts. Survey weights are not used.
#' @source Census-Income (KDD) data set, UCI machine learning repository: weighted census data
#'   extracted from the current population surveys conducted by the U.S. Census Bureau. Public,
#'   licence CC BY 4.0.
#' @family data
#' @name cps
#' @examples
#' cps13
#' as.table(margin(cps13, c("sex", "salary")))
NULL

#' @rdname cps
#' @format NULL
"cps13"

#' @rdname cps
#' @format NULL
"cps14"

#' Trees over four variables of a survey
#'
#' Coarser levels of age, education, industry and occupation, for the table [cps14]: an example of
#' what [level_table()] and [table_server()] choose from. They are ours, and coarsen the levels of
#' `cps14` only.
#'
#' @format A list of data frames, one for each variable: a row for each of its levels, which the
#'   last column names; the columns before it are coarser levels, from coarse to fine.
#'   * `age`: `stage` (3: under 25, 25 to 54, 55 and over);
#'   * `education`: `school` (2: up to high school, beyond), `degree` (5);
#'   * `industry`: `sector` (3: goods, services, public or none);
#'   * `occupation`: `work` (2: civilian occupation or not), `group` (4).
#' @source The levels are those of [cps14]; the groups were made for this package.
#' @family data
#' @examples
#' cps14_trees$education
#' x <- sdc_table(cps14, hierarchies = cps14_trees)
#' names(dimnames(level_table(x)))
"cps14_trees"

#' Firms of invented towns
#'
#' 160 firms in eleven towns and seven branches, with the trees that an office has: towns lie in
#' counties and regions, branches in sectors. The firms are invented; the file
#' `data-raw/make-data.R`
#' of the sources draws them.
#'
#' @format A data frame with 160 rows, a firm each:
#' * `region`, `county`, `town`: where it is, from the coarsest level to the finest (2, 4 and 11);
#' * `sector`, `branch`: what it does (2 and 7);
#' * `firm`: its name, from f001 to f160;
#' * `turnover`: a whole number of thousands, at least 1;
#' * `weight`: for how many firms of the population it stands, when the firms are taken for a
#'   sample:
#'   1 for those with a turnover above 60, else 2, 2.5 or 4.
#' @family data
#' @examples
#' sdc_table(town_firms, formula = ~ town * sector + county * branch)
"town_firms"
