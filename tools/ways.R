# The way of a call: through which files of R/ it goes, and how often it comes back to one that it
# had left. Every function of the installed package notes its file when it is entered; files of the
# room `base` do not count.
#   Rscript tools/ways.R            a row for each call: files, moves, returns
#   Rscript tools/ways.R suppress   the files of one call in the order of the first visit
# The package must be the one of this tree. tests/testthat/ways.csv has the ceilings.

suppressPackageStartupMessages(library(sdcLattice))

ns <- asNamespace("sdcLattice")
visits <- new.env()
visits$files <- character()

# The file of each function, as R/ is written.
home <- unlist(lapply(setdiff(list.files("R", "[.]R$"), "RcppExports.R"), function(file) {
  expressions <- as.list(parse(file.path("R", file), keep.source = FALSE, encoding = "UTF-8"))
  assigned <- Filter(function(e) is.call(e) && identical(e[[1]], quote(`<-`)) && is.symbol(e[[2]]),
                     expressions)
  names <- vapply(assigned, function(e) as.character(e[[2]]), "")
  stats::setNames(rep(file, length(names)), names)
}))
home <- home[!grepl("^base[.-]", home)]

noting <- function(f, file) {
  force(file)
  note <- bquote((.(function() visits$files <- c(visits$files, file)))())
  body(f) <- call("{", note, body(f))
  f
}

# Methods are called as they were registered.
registered <- function(name) {
  for (generics in c("sdcLattice", loadedNamespaces())) {
    methods <- if (generics == "base") .BaseNamespaceEnv[[".__S3MethodsTable__."]] else
      asNamespace(generics)[[".__S3MethodsTable__."]]
    if (exists(name, methods, inherits = FALSE)) return(methods)
  }
}

for (name in intersect(names(home), ls(ns, all.names = TRUE))) {
  f <- get(name, ns)
  if (!is.function(f) || is.primitive(f)) next
  noted <- noting(f, home[[name]])
  unlockBinding(name, ns)
  assign(name, noted, ns)
  methods <- registered(name)
  if (!is.null(methods)) assign(name, noted, methods)
  attached <- as.environment("package:sdcLattice")
  if (exists(name, attached, inherits = FALSE)) {
    unlockBinding(name, attached)
    assign(name, noted, attached)
  }
}

way_of <- function(code) {
  visits$files <- character()
  suppressMessages(suppressWarnings(force(code)))
  path <- rle(visits$files)$values
  list(files = unique(path), moves = length(path) - 1L)
}

people <- as.data.frame(roehrig)
people <- people[rep(seq_len(nrow(people)), people$Freq), -3]
x <- as_sdc_table(roehrig)
cube <- as_sdc_table(array(1:8, c(2, 2, 2), list(A = 1:2, B = 1:2, C = 1:2)))
ways <- list("sdc_table" = way_of(sdc_table(people)))
design <- mechanism(cycles_bidiagonal(x))
ways$perturb <- way_of(private <- perturb(x, design, seed = 1, insist = TRUE))
ways$"publish perturbation" <- way_of(public <- publish(private, insist = TRUE))
ways$posterior <- way_of(posterior(public))
ways$bounds_margins <- way_of(bounds_margins(margins(cube, list(c("A", "B"), c("B", "C")))))
ways$suppress <- way_of(hidden <- suppress(x, 3, seed = 1, progress = FALSE))
ways$"publish suppression" <- way_of(publish(hidden))
ways$"audit suppression" <- way_of(audit(hidden, progress = FALSE))
ways$table_server <- way_of(server <- table_server(czech_workers, server_policy(risk_width(3))))
ways$request_table <- way_of(request_table(server, c("A", "B")))
close(server)

asked <- commandArgs(TRUE)
if (length(asked) > 0) {
  for (name in asked) cat(paste0(name, ":"), ways[[name]]$files, sep = "\n  ")
} else {
  files <- vapply(ways, function(way) length(way$files), 1L)
  moves <- vapply(ways, function(way) way$moves, 1L)
  found <- data.frame(call = names(ways), files = files, returns = moves - files + 1L)
  utils::write.csv(found, stdout(), row.names = FALSE, quote = FALSE)
}
