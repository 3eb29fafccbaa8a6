// What operators see and nobody else: the history with a slider, and what a release would lead to.

import { get } from "./api.js";
import { fill, h, scroller, time } from "./dom.js";
import { crosses } from "./frontier.js";
import { count, listed, t, tn } from "./i18n.js";
import { crossed, pills } from "./sets.js";
import { chosenNames, chosenQuery } from "./state.js";
import { statusIcon } from "./status.js";

const verdicts = {
  certified: ["open", "verdict.certified"],
  refuted: ["refused", "verdict.refuted"],
  undecided: ["closed", "verdict.undecided"],
  released: ["released", "verdict.released"],
};

// The server names some of many.
function consequence(title, sets, n) {
  return [
    h("h4", {}, `${title}: ${count(n)}`),
    sets.length > 0 && pills(sets),
    n > sets.length && h("p", { class: "quiet" }, t("and_more", { n: count(n - sets.length) })),
  ];
}

export function createWhatIf(panel) {
  return async function update(signal) {
    const names = chosenNames();
    if (!names.length) {
      fill(
        panel,
        h(
          "p",
          { class: "quiet" },
          t("what_if.empty"),
        ),
      );
      return;
    }
    const answer = await get("what-if", { variables: chosenQuery() }, signal);
    const [icon, words] = verdicts[answer.verdict] ?? ["closed", answer.verdict];
    fill(
      panel,
      h(
        "p",
        { class: "notice" },
        t("what_if.secret"),
      ),
      h("h3", {}, t("what_if.title", { table: crossed(names) })),
      h("p", { class: "status" }, statusIcon(icon), t(words)),
      answer.how && h("p", { class: "quiet" }, t("what_if.how", { how: answer.how })),
      consequence(t("what_if.released"), answer.released, answer.n_released),
      consequence(
        t(answer.among === "one step" ? "what_if.lost_near" : "what_if.lost"),
        answer.unreleasable,
        answer.n_unreleasable,
      ),
    );
  };
}

const decision = (row) =>
  h(
    "tr",
    {},
    h("td", { class: "number" }, count(row.seq)),
    h("th", { scope: "row" }, crossed(row.variables)),
    h(
      "td",
      {},
      row.outcome,
      row.reason && ` (${row.reason})`,
      row.reason_private && h("span", { class: "quiet" }, ` ${row.reason_private}`),
    ),
    h("td", {}, row.user),
    h("td", { class: "quiet" }, time(row.at)),
  );

const columns = [
  "history.number",
  "history.table",
  "history.outcome",
  "history.user",
  "history.when",
];

const decisions = (items) =>
  scroller(
    t("history.decisions"),
    h(
      "table",
      {},
      h("caption", {}, t("history.decisions")),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          columns.map((key) =>
            h("th", { scope: "col" }, t(key)),
          ),
        ),
      ),
      h("tbody", {}, items.map(decision)),
    ),
  );

const counted = {
  decisions: "n_decisions",
  releases: "n_releases",
  refused_for_risk: "n_refused",
  maximal_sub_tables: "n_maximal",
  released_sub_tables: "n_released",
};

export function createHistory(panel) {
  const slider = h("input", { type: "range", min: 0, id: "upto", step: 1, oninput: slide });
  const output = h("output", { for: "upto" });
  const then = h("div", {});
  const log = h("div", {});
  const more = h("button", { type: "button" }, t("more"));
  let timer = null;
  let loading = new AbortController();

  fill(
    panel,
    h("p", { class: "tools" }, h("label", { for: "upto" }, t("history.upto")), slider, output),
    then,
    log,
    more,
  );

  function slide() {
    output.textContent = t("history.of", {
      n: count(Number(slider.value)),
      all: count(Number(slider.max)),
    });
    clearTimeout(timer);
    timer = setTimeout(asOf, 150);
  }

  async function asOf() {
    loading.abort();
    loading = new AbortController();
    try {
      const past = await get("history", { upto: slider.value }, loading.signal);
      const facts = Object.entries(past.counts).map(([name, n]) =>
        tn(counted[name] ?? name, n),
      );
      const all = past.counts.maximal_sub_tables;
      const shown = past.frontier.length;
      fill(
        then,
        h("p", {}, listed(facts)),
        crosses(
          past.frontier,
          shown < all
            ? t("history.frontier_some", { n: count(shown), all: count(all) })
            : t("history.frontier"),
        ),
      );
    } catch (problem) {
      if (problem.name !== "AbortError") then.textContent = `${problem.message}.`;
    }
  }

  async function page(cursor, shown, signal) {
    const { items, next } = await get("decisions", { cursor, limit: 50 }, signal);
    const all = [...shown, ...items];
    fill(log, all.length ? decisions(all) : h("p", { class: "quiet" }, t("history.none")));
    more.hidden = !next;
    more.onclick = () => page(next, all);
  }

  return async function update(signal) {
    const { last } = await get("history", {}, signal);
    const atEnd = slider.value === slider.max;
    slider.max = last;
    if (atEnd || !then.hasChildNodes()) slider.value = last;
    slide();
    await page(null, [], signal);
  };
}
