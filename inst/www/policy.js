// The policy in words, and what a reader ought to know about refusals.

import { fill, h } from "./dom.js";
import { crosses } from "./frontier.js";
import { t, tn } from "./i18n.js";
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

// The server says the risk in English.
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
        item(t("policy.risk"), h("span", { lang: "en" }, policy.risk)),
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
