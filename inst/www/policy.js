// The policy in words, and what a reader ought to know about refusals.

import { fill, h } from "./dom.js";
import { crosses } from "./frontier.js";
import { count, either, t, tn } from "./i18n.js";
import { byName, state } from "./state.js";

const rules = {
  one_step: "rule.one_step",
  myopic: "rule.myopic",
  guarded: "rule.guarded",
  value: "rule.value",
  envelope: "rule.envelope",
};

const origins = {
  data_free: "origin.data_free",
  data_dependent: "origin.data_dependent",
  self_consistent: "origin.self_consistent",
};

const item = (term, text) => text && [h("dt", {}, term), h("dd", {}, text)];

// The envelope's sets are lists of names, or of ids.
const asNames = (set) =>
  set.map(
    (name) => byName(name)?.name ?? state.variables.find(({ id }) => id === name)?.name ?? name,
  );

// Three counts and more that follow one another are said by their ends.
function risk({ kind, least, counts }) {
  if (kind === "n") {
    return least === 1 ? t("policy.risk_none") : t("policy.risk_n", { n: count(least - 1) });
  }
  const values = { least: count(least) };
  if (!counts) return t("policy.risk_named", values);
  const run = counts.length > 2 && counts.every((one, i) => one === counts[0] + i);
  const shown = run
    ? t("policy.risk_run", { first: count(counts[0]), last: count(counts.at(-1)) })
    : either(counts.map(count));
  return t("policy.risk_width", { ...values, counts: shown });
}

export function createPolicy(panel) {
  return async function update() {
    const { policy } = state;
    const { envelope } = policy;
    const fixed = policy.rule === "envelope";
    const step = policy.step === "frontier" && !fixed ? ` ${t("policy.frontier_step")}` : "";
    const most = policy.max_dimension;
    fill(
      panel,
      h("h3", {}, t("policy.title")),
      h(
        "dl",
        {},
        item(t("policy.rule"), t(rules[policy.rule] ?? policy.rule) + step),
        item(t("policy.risk"), risk(policy.risk_terms)),
        item(t("policy.largest"), most && tn("n_variables", most)),
        item(t("policy.parts"), t("policy.parts_text")),
        item(t("policy.memory"), t("policy.memory_text")),
        item(t("policy.refusals"), t(fixed ? "policy.no_refusals" : "policy.refusals_text")),
        item(t("policy.envelope"), envelope && t(origins[envelope.origin] ?? envelope.origin)),
      ),
      envelope?.frontier &&
        crosses(
          envelope.frontier.map((set) => ({ variables: asNames(set) })),
          t("policy.envelope_caption"),
        ),
    );
  };
}
