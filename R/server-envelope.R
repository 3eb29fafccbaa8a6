# The plan: sub-tables that are certified together before anybody asks. As long as only such ones
# are out, any of them may follow, and its decision is a look-up. It is the envelope, which is
# published, or what release_reducible() found for a table that is too large for exact bounds, which
# is not.
#
# A release by other means may not fit the plan. Then the operator's process, or the next one that
# starts, makes another, of which everything that is out is a part; the others find it in the store.
# So plans have numbers, from 0, and the last that fits is in force: with_plan() looks for it.
#
# Plans are kept in the store, so that all processes have the same. They are caches that prove
# themselves: the certificates are checked whenever one is read.

start_plan <- function(server, seed, progress) {
  if (!is.null(server$envelope)) {
    server$now <- take_plan(server$now, envelope_plan(server, progress), 1)
  }
  refresh_server(server)
  renew_plan(server, seed, progress)
}

# What proves it, where there is anything, is kept for whoever looks at the ledger later, and for
# the next start of a server whose plan was made by plan_server().
envelope_plan <- function(server, progress) {
  if (!is.null(server$asked)) {
    return(planned_envelope(server, progress))
  }
  plan <- list(kind = "envelope", sets = server$envelope,
               certificates = given_certificates(server$policy))
  plan$hash <- read_note(server$store, plan_key(0)) %||% note_plan(server, plan, 0)
  plan
}

take_plan <- function(now, plan, n_plans) {
  now$plan <- plan
  now$n_plans <- n_plans
  now$planned <- fits_plan(plan, now$frontier)
  now
}

# NULL when there is none that holds all that is out.
plan_in_force <- function(now) if (now$planned) now$plan
planned_sets <- function(now) plan_in_force(now)$sets

# Are plans made for such a server? Small tables are judged by exact bounds.
may_plan <- function(server) {
  server$policy$plan && inherits(server$problem$risk, "sdc_risk_width") && !is_small(server)
}

# With what this or another process has planned, when the plan at hand does not fit.
with_plan <- function(server, now) {
  while (!now$planned && may_plan(server) &&
           !is.null(hash <- read_note(server$store, plan_key(now$n_plans)))) {
    plan <- read_plan(server, now, hash)
    now$n_plans <- now$n_plans + 1
    if (!is.null(plan)) now <- take_plan(now, plan, now$n_plans)
  }
  with_undecided(server, now)
}

# A plan with all that is out, when the one at hand does not fit. The first process that has one is
# followed by all others.
renew_plan <- function(server, seed, progress) {
  server$now <- with_plan(server, server$now)
  if (!may_plan(server) || server$now$planned) {
    return(invisible())
  }
  found <- tryCatch(
    release_reducible(server$problem$x, server$problem$risk, seed = seed, progress = progress,
                      forced = variables_of(server, server_frontier(server)),
                      time_limit_s = server$policy$plan_time_s),
    sdc_error_infeasible = function(cnd) NULL, sdc_error_too_large = function(cnd) NULL
  )
  if (!is.null(found$certificates)) {
    note_plan(server, found, server$now$n_plans)
    server$now <- with_plan(server, server$now)
  }
  invisible()
}

# What a judgement starts from.
state_with_plan <- function(server, state) with_plan(server, follow_state(server, state))

# ---- in the store -------------------------------------------------------------------------------

plan_key <- function(n) paste0("plan_", n)

# Number `n`, unless another process was first.
note_plan <- function(server, plan, n) {
  hash <- write_certificate(server$store, "plan", encode_plan(plan, server))
  claim_note(server$store, plan_key(n), hash)
}

# NULL when it lacks something that is out, or does not prove itself.
read_plan <- function(server, now, hash) {
  kept_plan(server, hash, "plan", function(plan) {
    fits_plan(plan, now$frontier) &&
      is_safe_envelope(server$problem, plan$sets, plan$certificates, progress = FALSE)
  })
}

# NULL when it is not there, cannot be read, or is not `good`.
kept_plan <- function(server, hash, kind, good) {
  kept <- read_certificate(server$store, hash)
  plan <- if (!is.null(kept)) tryCatch(decode_plan(kept$body, server), error = function(cnd) NULL)
  if (!is.null(plan) && isTRUE(tryCatch(good(plan), error = function(cnd) FALSE))) {
    c(list(kind = kind, hash = hash), plan)
  }
}

# Certificates of cells at risk; or the tables that a reader of a self-consistent announcement is
# left with.
plan_parts <- c("keys", "target", "start", "cell", "by", "block")

encode_plan <- function(plan, server) {
  parts <- c(unclass(plan$certificates), list(block = plan$block))[plan_parts]
  packed <- lapply(parts[lengths(parts) > 0], function(part) {
    bytes <- if (is.raw(part)) part else writeBin(as.numeric(part), raw(), endian = "little")
    openssl::base64_encode(memCompress(bytes, "gzip"))
  })
  canonical_json(c(list(sets = as.list(encode_masks(plan$sets, server$k))), packed))
}

decode_plan <- function(body, server) {
  read <- jsonlite::fromJSON(body)
  parts <- lapply(rlang::set_names(intersect(plan_parts, names(read))), function(part) {
    bytes <- memDecompress(openssl::base64_decode(read[[part]]), "gzip")
    if (part == "keys") {
      return(bytes)
    }
    numbers <- readBin(bytes, "double", length(bytes) / 8, endian = "little")
    if (part %in% c("target", "cell", "by")) as.integer(numbers) else numbers
  })
  list(
    sets = decode_masks(read$sets, server$k),
    certificates = if (length(parts$keys) > 0) {
      structure(parts[setdiff(plan_parts, "block")],
                class = sdc_class("sdc_certificates", mark = "private"))
    },
    block = if (length(parts$block) > 0) matrix(parts$block, prod(server$problem$dim))
  )
}

# ---- a server whose envelope was planned --------------------------------------------------------

# By plan_server(), which gives a plan to the first start. Later starts find the envelope in the
# store's first row, and what proves it beside; they need no plan.

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

# What proves it: from the store; else as given; else made again.
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
  kept_plan(server, hash, "envelope", function(plan) {
    setequal(plan$sets, server$envelope) && proves_envelope(server, plan, progress)
  })
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
