# The plan that perturbs counts although perturb() would refuse the design.
insisting_plan <- function() {
  new_plan("counts", "perturbation", list(alpha = .25, beta = .25, covers = 2, insist = TRUE))
}
