# Writes codemeta.json, by which catalogues of software know the package, from DESCRIPTION.
#   Rscript tools/codemeta.R
fields <- read.dcf("DESCRIPTION")[1, ]
people <- eval(parse(text = fields[["Authors@R"]]))
packages <- function(field) {
  entries <- trimws(strsplit(fields[[field]], ",")[[1]])
  names <- sub("[[:space:](].*", "", entries)
  lapply(setdiff(names, c("R", "")), function(name) {
    list(`@type` = "SoftwareApplication", identifier = name, name = name)
  })
}
page <- list(
  `@context` = "https://doi.org/10.5063/schema/codemeta-2.0",
  `@type` = "SoftwareSourceCode",
  identifier = fields[["Package"]],
  name = paste0(fields[["Package"]], ": ", fields[["Title"]]),
  description = gsub("[[:space:]]+", " ", fields[["Description"]]),
  version = fields[["Version"]],
  dateModified = fields[["Date"]],
  license = "https://spdx.org/licenses/GPL-2.0-or-later",
  programmingLanguage = list(`@type` = "ComputerLanguage", name = "R"),
  runtimePlatform = "R (>= 4.2)",
  author = lapply(people, function(one) {
    list(`@type` = "Organization", name = trimws(paste(one$given, one$family)), email = one$email)
  }),
  softwareRequirements = packages("Imports"),
  softwareSuggestions = packages("Suggests")
)
writeLines(jsonlite::toJSON(page, auto_unbox = TRUE, pretty = 2), "codemeta.json")
