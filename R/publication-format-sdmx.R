# Tables in SDMX, the exchange format of statistical offices: data as SDMX-CSV 1.0 and as generic
# SDMX-ML 2.1, and the structure message that says what their ids mean.
#
# Ids are not free text, so names and labels are mapped, always in the same way, and stand in full
# in the structure message.
# * A variable is the dimension `V<its number>_<its name>`, letters and digits of ASCII only:
#   `V1_Work_Class`. Readers that make columns of them cannot mistake one for a part of the format.
# * A level is its label where all labels of the variable are legal as they stand, and else
#   `<its number>_<its label>`: `3_Private_wage`, `1_lt_3` for "< 3". The number makes them
#   different from each other, whatever the labels have in common. These codes depend on the levels
#   of the variable alone, which all sub-tables of a table share. By level each level of a variable
#   is a dimension of its own, with its own codes: an id means the same in all messages.
# * A table without variables has the dimension TOTAL with the code _T: a key must not be empty.
#
# A table `id` has the data structure `DSD_<id>` and the dataflow `DF_<id>`, version 1.0. All tables
# share the concepts `CS_SDC` and the codelists `CL_<dimension>`.
#
# The messages are put together as text: node by node takes some thousand times as long. What XML
# cannot hold (most control characters) becomes U+FFFD.

# One line of text for each observation.
sdmx_ml_parts <- function(source, meta) {
  dims <- sdmx_dimensions(source$dimnames, meta)
  labels <- Map(function(id, codes) {
    paste0("<generic:Value id=\"", id, "\" value=\"", codes, "\"/>", recycle0 = TRUE)
  }, dims$ids, dims$codes)
  list(head = sdmx_ml_head(meta), foot = "</message:DataSet>\n</message:GenericData>\n",
       n = source$n,
       piece = rows_piece(with_total(source), labels, "<generic:Obs><generic:ObsKey>",
                          sdmx_ml_value))
}

# The code Q of the codelist CL_OBS_STATUS says that a value is missing because it is suppressed.
sdmx_ml_value <- function(values) {
  status <- paste0("<generic:Attributes><generic:Value id=\"OBS_STATUS\" value=\"Q\"/>",
                   "</generic:Attributes>")
  value <- ifelse(is.na(values), status, paste0("<generic:ObsValue value=\"", values, "\"/>"))
  paste0("</generic:ObsKey>", value, "</generic:Obs>\n", recycle0 = TRUE)
}

# A table without variables, as one with the dimension TOTAL.
with_total <- function(source) {
  given <- source$cells
  source$cells <- function(at) {
    cells <- given(at)
    if (length(cells$codes) == 0) cells$codes <- list(rep(1L, length(at)))
    cells
  }
  source
}

sdmx_ml_head <- function(meta) {
  ref <- sprintf("<Ref agencyID=\"%s\" id=\"DSD_%s\" version=\"1.0\" class=\"DataStructure\"/>",
                 meta$agency, meta$id)
  paste0(
    sdmx_open("GenericData", c(generic = "data/generic")),
    sdmx_header(meta, paste0(
      "<message:Structure structureID=\"S_", meta$id,
      "\" dimensionAtObservation=\"AllDimensions\"><common:Structure>", ref,
      "</common:Structure></message:Structure>\n"
    )),
    "<message:DataSet action=\"Information\" structureRef=\"S_", meta$id, "\">\n"
  )
}

sdmx_csv_parts <- function(source, meta) {
  dims <- sdmx_dimensions(source$dimnames, meta)
  labels <- lapply(dims$codes, function(codes) paste0(codes, ",", recycle0 = TRUE))
  dataflow <- sprintf("%s:DF_%s(1.0),", meta$agency, meta$id)
  columns <- c("DATAFLOW", dims$ids, "OBS_VALUE", if (source$marks) "OBS_STATUS")
  ends <- function(values) {
    hidden <- is.na(values)
    paste0(ifelse(hidden, "", values), if (source$marks) ifelse(hidden, ",Q", ",A"), "\r\n")
  }
  list(head = paste0(paste(columns, collapse = ","), "\r\n"), foot = "", n = source$n,
       piece = rows_piece(with_total(source), labels, dataflow, ends))
}

# ---- ids ----------------------------------------------------------------------------------------

# The dimensions of a table: ids, concepts (what the ids stand for), names, codes and labels.
sdmx_dimensions <- function(dimnames, meta) {
  if (length(dimnames) == 0) {
    return(list(ids = "TOTAL", concepts = "Total", names = "Total", codes = list("_T"),
                labels = list("Total")))
  }
  ids <- dimension_ids(meta$variables)[match(meta$dimensions, meta$variables)]
  list(ids = ids, concepts = utf8_text(meta$dimensions), names = utf8_text(names(dimnames)),
       codes = unname(lapply(dimnames, level_codes)),
       labels = unname(lapply(dimnames, level_texts)))
}

dimension_ids <- function(variables) {
  number <- paste0("V", seq_along(variables), recycle0 = TRUE)
  name <- id_text(variables)
  paste0(number, ifelse(nzchar(name), "_", ""), name)
}

level_codes <- function(levels) {
  levels <- utf8_text(levels)
  if (all(grepl("^[A-Za-z0-9_][A-Za-z0-9_@$-]{0,59}$", levels) & !is.na(levels))) {
    return(levels)
  }
  name <- id_text(code_words(ifelse(is.na(levels), "missing", levels)))
  paste0(seq_along(levels), ifelse(nzchar(name), "_", ""), name)
}

# Signs that a label's meaning hangs on, in words: "< 3" becomes lt_3, "20-29" 20_to_29.
code_words <- function(x) {
  # not names of a vector: R writes names in the locale's own encoding
  signs <- c("<=", "\u2264", ">=", "\u2265", "<", ">", "+", "%", "&", "=")
  words <- c("le", "le", "ge", "ge", "lt", "gt", "plus", "pct", "and", "eq")
  x <- utf8_text(x)
  x <- gsub("(?<=[0-9])\\s*[-\u2013]\\s*(?=[0-9])", " to ", x, perl = TRUE)
  x <- gsub("(?<![A-Za-z0-9])[-\u2212](?=[0-9])", " minus ", x, perl = TRUE)
  for (i in seq_along(signs)) x <- gsub(signs[i], paste0(" ", words[i], " "), x, fixed = TRUE)
  x
}

# ---- the structure message ----------------------------------------------------------------------

# Codelists, concepts, the data structure and a dataflow for a table with these variables and
# levels; `meta` as for write_table_format(). `marks`: may cells be suppressed? `decimals`: may
# values have decimals?
sdmx_structure <- function(dimnames, meta = list(), marks = FALSE, decimals = FALSE) {
  check_given(dimnames)
  meta <- format_meta(meta, names(dimnames))
  dims <- sdmx_dimensions(dimnames, meta)
  paste0(
    sdmx_open("Structure", c(structure = "structure")), sdmx_header(meta, ""),
    "<message:Structures>\n", sdmx_dataflow(meta),
    "<structure:Codelists>\n", paste(sdmx_codelists(dims, meta), collapse = ""),
    if (marks) sdmx_status_list(meta), "</structure:Codelists>\n", sdmx_concepts(dims, meta, marks),
    sdmx_data_structure(dims, meta, marks, decimals),
    "</message:Structures>\n</message:Structure>\n"
  )
}

sdmx_dataflow <- function(meta) {
  paste0("<structure:Dataflows>\n", sdmx_flow(meta), "</structure:Dataflows>\n")
}

sdmx_flow <- function(meta) {
  paste0(
    "<structure:Dataflow id=\"DF_", meta$id, "\"", maintained(meta), ">",
    sdmx_title(meta), sdmx_description(meta$note),
    "<structure:Structure><Ref id=\"DSD_", meta$id,
    "\" version=\"1.0\" agencyID=\"", meta$agency, "\" class=\"DataStructure\"/>",
    "</structure:Structure></structure:Dataflow>\n"
  )
}

sdmx_codelists <- function(dims, meta) {
  codes <- Map(function(codes, labels, name) {
    names <- sdmx_names(meta, function(own) own$levels[[name]] %||% labels)
    paste0("<structure:Code id=\"", codes, "\">", names, "</structure:Code>\n", collapse = "",
           recycle0 = TRUE)
  }, dims$codes, dims$labels, dims$names)
  names <- vapply(dims$concepts, function(name) sdmx_variable_name(meta, name), "")
  paste0("<structure:Codelist id=\"CL_", dims$ids, "\"", maintained(meta), ">", names, "\n", codes,
         "</structure:Codelist>\n")
}

sdmx_variable_name <- function(meta, name) {
  sdmx_names(meta, function(labels) {
    all <- labels$concepts %||% labels$variables
    known <- names(all) == name
    if (any(known)) all[[which(known)[1]]] else name
  })
}

# The two codes of the cross-domain codelist that are used.
sdmx_status_list <- function(meta) {
  paste0("<structure:Codelist id=\"CL_OBS_STATUS\"", maintained(meta), ">",
         sdmx_name("Observation status"), "\n<structure:Code id=\"A\">", sdmx_name("Normal value"),
         "</structure:Code>\n<structure:Code id=\"Q\">", sdmx_name("Missing value; suppressed"),
         "</structure:Code>\n</structure:Codelist>\n")
}

# Of all variables, whichever the table has: the scheme is the same in every message.
sdmx_concepts <- function(dims, meta, marks) {
  ids <- c(dimension_ids(meta$variables), "TOTAL", "OBS_VALUE", if (marks) "OBS_STATUS")
  own <- vapply(meta$variables, function(name) sdmx_variable_name(meta, name), "")
  names <- c(own, sdmx_name(c("Total", utf8_text(meta$measure), if (marks) "Observation status")))
  concepts <- paste0("<structure:Concept id=\"", ids, "\">", names, "</structure:Concept>\n",
                     collapse = "")
  paste0("<structure:Concepts>\n<structure:ConceptScheme id=\"CS_SDC\"", maintained(meta), ">",
         sdmx_name("Variables"), "\n", concepts,
         "</structure:ConceptScheme>\n</structure:Concepts>\n")
}

sdmx_concept <- function(id, meta) {
  paste0("<structure:ConceptIdentity><Ref maintainableParentID=\"CS_SDC\" ",
         "maintainableParentVersion=\"1.0\" agencyID=\"", meta$agency, "\" id=\"", id,
         "\" class=\"Concept\"/></structure:ConceptIdentity>")
}

# That the values are codes of the list of an id.
sdmx_coded <- function(id, meta) {
  paste0("<structure:LocalRepresentation><structure:Enumeration><Ref id=\"CL_", id,
         "\" version=\"1.0\" agencyID=\"", meta$agency, "\" class=\"Codelist\"/>",
         "</structure:Enumeration></structure:LocalRepresentation>")
}

sdmx_status_attribute <- function(meta) {
  paste0("<structure:AttributeList id=\"AttributeDescriptor\">",
         "<structure:Attribute id=\"OBS_STATUS\" assignmentStatus=\"Conditional\">",
         sdmx_concept("OBS_STATUS", meta), sdmx_coded("OBS_STATUS", meta),
         "<structure:AttributeRelationship><structure:PrimaryMeasure><Ref id=\"OBS_VALUE\"/>",
         "</structure:PrimaryMeasure></structure:AttributeRelationship></structure:Attribute>",
         "</structure:AttributeList>\n")
}

sdmx_data_structure <- function(dims, meta, marks, decimals) {
  dimensions <- paste0(
    "<structure:Dimension id=\"", dims$ids, "\" position=\"", seq_along(dims$ids), "\">",
    sdmx_concept(dims$ids, meta), sdmx_coded(dims$ids, meta), "</structure:Dimension>\n",
    collapse = ""
  )
  paste0(
    "<structure:DataStructures>\n<structure:DataStructure id=\"DSD_", meta$id, "\"",
    maintained(meta), ">", sdmx_title(meta), "\n<structure:DataStructureComponents>\n",
    "<structure:DimensionList id=\"DimensionDescriptor\">\n", dimensions,
    "</structure:DimensionList>\n<structure:MeasureList id=\"MeasureDescriptor\">",
    "<structure:PrimaryMeasure id=\"OBS_VALUE\">", sdmx_concept("OBS_VALUE", meta),
    "<structure:LocalRepresentation><structure:TextFormat textType=\"",
    if (decimals) "Decimal" else "Long",
    "\"/></structure:LocalRepresentation></structure:PrimaryMeasure></structure:MeasureList>\n",
    if (marks) sdmx_status_attribute(meta),
    "</structure:DataStructureComponents>\n</structure:DataStructure>\n",
    "</structure:DataStructures>\n"
  )
}

# ---- text of XML --------------------------------------------------------------------------------

sdmx_space <- "http://www.sdmx.org/resources/sdmxml/schemas/v2_1/"

sdmx_open <- function(element, spaces) {
  spaces <- c(message = "message", common = "common", spaces)
  paste0(
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<message:", element,
    paste0(" xmlns:", names(spaces), "=\"", sdmx_space, spaces, "\"", collapse = ""), ">\n"
  )
}

sdmx_header <- function(meta, structure) {
  paste0(
    "<message:Header><message:ID>M_", meta$id, "</message:ID><message:Test>false</message:Test>",
    "<message:Prepared>", meta$prepared, "</message:Prepared><message:Sender id=\"",
    gsub(".", "_", meta$agency, fixed = TRUE), "\"/>", structure, "</message:Header>\n"
  )
}

maintained <- function(meta) paste0(" agencyID=\"", meta$agency, "\" version=\"1.0\"")

sdmx_name <- function(text, lang = "en") {
  paste0("<common:Name xml:lang=\"", lang, "\">", escape_xml(text), "</common:Name>",
         recycle0 = TRUE)
}

# Names in all languages of the labels: `pick(labels)` gives those of one.
sdmx_names <- function(meta, pick) {
  name <- function(labels, lang) sdmx_name(pick(labels), lang)
  do.call(paste0, unname(Map(name, meta$labels, names(meta$labels))))
}

sdmx_title <- function(meta) sdmx_names(meta, function(labels) labels$title)

sdmx_description <- function(notes) {
  if (length(notes) > 0) {
    paste0("<common:Description xml:lang=\"en\">", escape_xml(paste(notes, collapse = " ")),
           "</common:Description>")
  }
}

# What XML 1.0 has no way to write.
no_xml <- paste0("[\001-\010\013\014\016-\037", "\ufffe\uffff", "]")

# As text or inside of double quotes; blanks other than spaces would not survive an attribute.
escape_xml <- function(x) {
  signs <- c("&" = "&amp;", "<" = "&lt;", ">" = "&gt;", "\"" = "&quot;", "\t" = "&#9;",
             "\n" = "&#10;", "\r" = "&#13;")
  x <- utf8_text(x)
  for (sign in names(signs)) x <- gsub(sign, signs[[sign]], x, fixed = TRUE)
  gsub(no_xml, "\ufffd", x)
}
