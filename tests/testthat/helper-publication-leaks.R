# What is searched for private numbers and labels, and how.

# The bytes of a number as R and files write it: a double and an integer, either end first, and digits.
forms_of <- function(number) {
  ends <- c("big", "little")
  whole <- abs(number) < 2^31
  texts <- unique(c(format(number, scientific = FALSE, trim = TRUE),
                    format(number, big.mark = ",", scientific = FALSE, trim = TRUE)))
  c(lapply(ends, function(end) writeBin(as.double(number), raw(), 8, end)),
    if (whole) lapply(ends, function(end) writeBin(as.integer(number), raw(), 4, end)),
    lapply(texts, charToRaw))
}

has_bytes <- function(bytes, form) length(grepRaw(form, bytes, fixed = TRUE)) > 0

# The private numbers and labels that are found in some bytes.
found_in <- function(bytes, numbers, labels) {
  seen <- vapply(numbers, function(n) any(vapply(forms_of(n), has_bytes, NA, bytes = bytes)), NA)
  named <- vapply(labels, function(label) has_bytes(bytes, charToRaw(label)), NA)
  c(format(numbers[seen], scientific = FALSE, trim = TRUE), labels[named])
}

file_contents <- function(path) {
  files <- if (dir.exists(path)) list.files(path, full.names = TRUE, recursive = TRUE) else path
  do.call(c, lapply(files, function(file) readBin(file, "raw", file.size(file))))
}

# The files of a picture, with their metadata. In a plain pdf file each text is one string.
picture_files <- function(picture, folder) {
  draw <- function(device, file, ...) {
    path <- file.path(folder, file)
    device(path, ...)
    suppressWarnings(print(picture))
    grDevices::dev.off()
    file_contents(path)
  }
  list(png = draw(grDevices::png, "p.png"), svg = draw(grDevices::svg, "p.svg"),
       pdf = draw(grDevices::pdf, "p.pdf", compress = FALSE, useKerning = FALSE))
}

# What an error says, and where it was.
error_bytes <- function(code) {
  cnd <- tryCatch(code, error = identity)
  expect_s3_class(cnd, "error")
  charToRaw(paste(c(conditionMessage(cnd), deparse(conditionCall(cnd))), collapse = "\n"))
}

# Everything that is made of a publication.
all_bytes <- function(pub) {
  folder <- withr::local_tempdir()
  out <- list(object = serialize(pub, NULL), text = serialize(pub, NULL, ascii = TRUE),
              print = charToRaw(paste(c(format(pub), utils::capture.output(print(pub))), collapse = "\n")))
  has_book <- requireNamespace("openxlsx", quietly = TRUE)
  for (format in setdiff(publication_formats, if (!has_book) "xlsx")) {
    path <- file.path(folder, format)
    written <- tryCatch(write_publication(pub, path, format = format),
                        sdc_error_input = function(cnd) NULL)
    if (is.null(written)) next
    if (format == "xlsx") { # a book is a zip file
      book <- list.files(path, full.names = TRUE)
      utils::unzip(book, exdir = path)
    }
    out[[format]] <- file_contents(path)
  }
  report <- tryCatch(write_report(pub, file.path(folder, "report")), error = function(cnd) NULL)
  if (!is.null(report)) out$report <- file_contents(report)
  if (requireNamespace("ggplot2", quietly = TRUE)) {
    # its data and layers; environments of the package hold no table
    picture <- tryCatch(ggplot2::autoplot(pub), sdc_error_input = function(cnd) NULL)
    if (!is.null(picture)) {
      out$picture <- serialize(ggplot2::ggplot_build(picture)$data, NULL)
      out$plot <- serialize(picture$data, NULL)
      out <- c(out, picture_files(picture, folder))
    }
  }
  out
}

expect_no_leak <- function(pub, numbers, labels = character()) {
  for (form in names(bytes <- all_bytes(pub))) {
    expect_identical(found_in(bytes[[form]], numbers, labels), character(), info = form)
  }
  names(bytes)
}

# Large primes, which nothing else is equal to by chance.
primes <- c(1000003, 1000033, 1000037, 1000039, 1000081, 1000099, 1000117, 1000121, 1000133, 1000151,
            1000159, 1000171)
large_table <- function() {
  as_sdc_table(array(primes, c(3, 4), list(area = paste0("a", 1:3), job = paste0("j", 1:4))))
}

firms <- function() {
  set.seed(3)
  data.frame(
    area = rep(paste0("a", 1:4), each = 6), job = rep(c("j1", "j2"), 12),
    v = c(1000003, sample(2e5:4e5, 23)), firm = paste0("firmQx", 101:124)
  )
}
