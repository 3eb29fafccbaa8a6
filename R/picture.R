# What all pictures share.

# For plot(): draws the picture that autoplot() made, and hands it on.
show_picture <- function(picture) {
  print(picture)
  invisible(picture)
}
