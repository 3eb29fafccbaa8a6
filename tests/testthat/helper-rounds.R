# How often a test tries: `few` times, or `many` in the long form, which is for a machine that nobody
# waits for.
is_long <- function() Sys.getenv("SDCLATTICE_LONG") == "1"

rounds <- function(few, many) if (is_long()) many else few
