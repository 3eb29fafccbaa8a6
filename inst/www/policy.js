// The policy in words, and what a reader ought to know about refusals.

import { get } from "./api.js";
import { count, fill, h } from "./dom.js";
import { crosses } from "./frontier.js";
import { byName, state } from "./state.js";

const rules = {
  one_step:
    "A sub-table may be requested when all but one of its variables are together in a released one.",
  myopic: "Any sub-table may be requested.",
  guarded:
    "A sub-table may be requested when all but one of its variables are together in a released one. It is refused, for the time being, when its release would close the way to too many others.",
  value: "Requests are collected, and the sub-tables that most people want are decided first.",
  envelope:
    "What can be released was fixed and published before the first request: anything inside of the envelope, nothing outside of it.",
};

const origins = {
  data_free:
    "It was named without looking at the counts, and checked once before the server started.",
  data_dependent:
    "It was chosen with regard to the counts, so its own publication tells something about them.",
  self_consistent:
    "It was chosen for all tables with the same one-way tables at once, so that knowing how it was chosen tells nothing beyond what was promised.",
};

const item = (term, text) => text && [h("dt", {}, term), h("dd", {}, text)];

// The envelope's sets are lists of names, or of ids.
const asNames = (set) =>
  set.map(
    (name) => byName(name)?.name ?? state.variables.find(({ id }) => id === name)?.name ?? name,
  );

function refusals(policy) {
  if (policy.rule === "envelope") {
    return "Nothing is decided by the counts after the start, so no refusal tells anything about them.";
  }
  return (
    "A refusal for risk depends on the counts, so it tells something to whoever knows this policy. " +
    "That is why the reason given is never finer than “risk”, and why only operators see what was refused to others."
  );
}

export function createPolicy(panel) {
  return async function update(signal) {
    const policy = await get("policy", {}, signal);
    const step =
      policy.step === "frontier" && policy.rule !== "envelope"
        ? " The released one must be a largest one."
        : "";
    const envelope = policy.envelope;
    fill(
      panel,
      h("h3", {}, "How requests are decided"),
      h(
        "dl",
        {},
        item("Rule", (rules[policy.rule] ?? policy.rule) + step),
        item("Risk", policy.risk),
        item(
          "Largest sub-table",
          policy.max_dimension && `${count(policy.max_dimension)} variables`,
        ),
        item(
          "Parts",
          "With a sub-table, all of its parts are released: whoever has it can add them up.",
        ),
        item("Memory", "Each decision regards all that was released before, and is kept for good."),
        item("Refusals", refusals(policy)),
        item("Envelope", envelope && origins[envelope.origin]),
      ),
      envelope?.frontier &&
        crosses(
          envelope.frontier.map((set) => ({ variables: asNames(set) })),
          "The envelope: its largest sub-tables",
        ),
      h("p", {}, h("a", { href: "openapi.json" }, "The API for programs (OpenAPI)")),
    );
  };
}
