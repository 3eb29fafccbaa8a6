# A server whose envelope was planned: by plan_server(), which gives a plan to the first start.
# Later starts find the envelope in the store's first row, and what proves it beside; they need no
# plan.

# NULL when the envelope was not planned. `asked`: the policy as the user has it, which a plan is
# made for again where the store has lost its proof.
planned_server <- function(x, policy, plan, store) {
  if (!is.null(plan)) check_envelope_rule(policy)
  if (policy$rule != "envelope") {
    return(NULL)
  }
  problem <- planned_problem(x, policy$risk)
  if (is.null(plan)) {
    found <- stored_envelope(store, length(problem$variables))
    if (!is_planned(found, policy)) {
      return(NULL)
    }
  } else {
    check_plan_given(plan, problem, policy)
    found <- plan
  }
  # elsewhere the start tells that there is something at risk, and that one-way tables are safe
  if (found$origin != "self_consistent") {
    problem <- release_problem(x, policy$risk, kinds = c("width", "n"))
  }
  list(problem = problem, policy = public_policy(policy, found, problem), envelope = found$sets,
       asked = policy, given = plan)
}

# What is published: the policy with the envelope that was chosen. `only`: what was announced might
# have been this envelope or nothing more.
public_policy <- function(policy, found, problem) {
  named <- if (found$origin == "self_consistent") named_envelope(policy, problem)
  if (!is.null(named)) policy$only <- encode_masks(named, length(problem$variables))
  policy$envelope <- lapply(found$sets, function(set) problem$variables[set])
  policy$origin <- found$origin
  policy
}

# An envelope that is named, and not announced for all tables at once, needs no plan.
is_planned <- function(found, policy) {
  if (is.null(policy$envelope) && is.null(found)) {
    abort_sdc("input", c(
      "{.code rule = \"envelope\"} needs an {.arg envelope} in the policy, or a {.arg plan}.",
      x = "{.arg plan} is NULL, and {.arg store} holds none.",
      i = "{.fn plan_server} makes one, as does {.code sdclattice-server plan}."
    ))
  }
  is.null(policy$envelope) || identical(found$origin, "self_consistent")
}

# Reads the envelope that the first row of the store's ledger names, without a proof; NULL when the
# store is new or names none. open_store() proves later that the store began with this row.
stored_envelope <- function(store, k) {
  policy <- peek_policy(store)
  masks <- unlist(policy$envelope)
  if (is.character(masks) && all(is_mask(masks, k))) {
    list(sets = decode_masks(masks, k), origin = policy$origin)
  }
}

check_plan_given <- function(plan, problem, policy) {
  check_class(plan, "sdc_server_plan", make = "plan_server")
  same <- c("risk", "envelope", "max_dimension", "origin")
  differ <- if (!has_same_cells(plan$release$problem$x, problem$x)) {
    "another table"
  } else if (!identical(unclass(plan$policy)[same], unclass(policy)[same])) {
    "another policy"
  } else if (!identical(plan$seal, seal_plan(plan))) {
    "something else: it was changed by hand"
  }
  if (!is.null(differ)) {
    abort_sdc("input", c(
      "{.arg plan} must have been made for this table and this policy.",
      x = "It was made for {differ}.",
      i = "Make one with {.code plan_server(x, policy)}."
    ))
  }
}

# ---- what proves it -----------------------------------------------------------------------------

# From the store; else as given; else made again.
planned_envelope <- function(server, progress) {
  hash <- read_note(server$store, plan_key(0))
  plan <- if (!is.null(hash)) kept_envelope(server, hash, progress)
  if (!is.null(plan)) {
    return(plan)
  }
  made <- server$given %||% made_again(server, progress)
  plan <- list(kind = "envelope", sets = server$envelope,
               certificates = made$release$certificates, block = made$block)
  if (!proves_envelope(server, plan, progress)) abort_unsafe_envelope()
  plan$hash <- write_certificate(server$store, "plan", encode_plan(plan, server))
  claim_note(server$store, plan_key(0), plan$hash)
  plan
}

# NULL when it is not there, is of another envelope, or does not prove itself.
kept_envelope <- function(server, hash, progress) {
  kept <- read_certificate(server$store, hash)
  plan <- if (!is.null(kept)) tryCatch(decode_plan(kept$body, server), error = function(cnd) NULL)
  if (!is.null(plan) && setequal(plan$sets, server$envelope) &&
        proves_envelope(server, plan, progress)) {
    c(list(kind = "envelope", hash = hash), plan)
  }
}

proves_envelope <- function(server, plan, progress) {
  if (server$policy$origin == "self_consistent") {
    return(check_announced(server$problem, server$envelope, plan$block)$verified)
  }
  is_safe_envelope(server$problem, server$envelope, plan$certificates, progress)
}

# For the envelope in the store's first row. Self-consistent announcements are found again as they
# were, for a class of any size that was listed once.
made_again <- function(server, progress) {
  x <- server$problem$x
  if (server$policy$origin == "self_consistent") {
    plan <- plan_server(x, server$asked, time_limit_s = Inf, limit = 1e7, progress = progress)
    if (!setequal(plan$sets, server$envelope)) abort_altered("Its envelope is not the planned one.")
    return(plan)
  }
  if (!inherits(server$problem$risk, "sdc_risk_width") || is_small(server)) {
    return(NULL)
  }
  list(release = release_reducible(x, server$problem$risk, seed = 1, progress = progress,
                                   forced = variables_of(server, server$envelope)))
}
