// What operators see and nobody else: the history with a slider, and what a release would lead to.

import { get } from "./api.js";
import { count, crossed, fill, h, statusIcon } from "./dom.js";
import { crosses } from "./frontier.js";
import { time } from "./requests.js";
import { pills } from "./sets.js";
import { chosenNames, chosenQuery } from "./state.js";

const verdicts = {
  certified: [
    "open",
    "It would be released: tables that a reader must hold possible keep every cell at risk wide enough.",
  ],
  refuted: [
    "refused",
    "It would be refused: bounds prove that a cell at risk would be too narrow.",
  ],
  undecided: ["closed", "Neither safe nor unsafe could be proved within the time limit."],
  released: ["released", "It is released already."],
};

// The server names some of many.
function consequence(title, sets, n) {
  return [
    h("h4", {}, `${title}: ${count(n)}`),
    sets.length > 0 && pills(sets),
    n > sets.length && h("p", { class: "quiet" }, `and ${count(n - sets.length)} more`),
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
          "Choose variables to see what the release of their sub-table would lead to.",
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
        "For operators only: this tells about counts, and must not be passed on.",
      ),
      h("h3", {}, `If ${crossed(names)} were requested`),
      h("p", { class: "status" }, statusIcon(icon), words),
      answer.how && h("p", { class: "quiet" }, `How it was judged: ${answer.how}.`),
      consequence("Would be released with it", answer.released, answer.n_released),
      consequence(
        `Would become too risky${answer.among === "one step" ? ", among those one step away" : ""}`,
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

const decisions = (items) =>
  h(
    "div",
    { class: "scroll" },
    h(
      "table",
      {},
      h("caption", {}, "Decisions"),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          ["No.", "Sub-table", "Outcome", "User", "When"].map((text) =>
            h("th", { scope: "col" }, text),
          ),
        ),
      ),
      h("tbody", {}, items.map(decision)),
    ),
  );

export function createHistory(panel) {
  const slider = h("input", { type: "range", min: 0, id: "upto", step: 1, oninput: slide });
  const output = h("output", { for: "upto" });
  const then = h("div", {});
  const log = h("div", {});
  const more = h("button", { type: "button" }, "More");
  let timer = null;
  let loading = new AbortController();

  fill(
    panel,
    h("p", { class: "tools" }, h("label", { for: "upto" }, "As after decision "), slider, output),
    then,
    log,
    more,
  );

  function slide() {
    output.textContent = `${count(Number(slider.value))} of ${count(Number(slider.max))}`;
    clearTimeout(timer);
    timer = setTimeout(asOf, 150);
  }

  async function asOf() {
    loading.abort();
    loading = new AbortController();
    try {
      const past = await get("history", { upto: slider.value }, loading.signal);
      const facts = Object.entries(past.counts).map(
        ([name, n]) =>
          `${count(n)} ${name.replaceAll("_", " ").replace("sub tables", "sub-tables")}`,
      );
      const all = past.counts.maximal_sub_tables;
      const shown = past.frontier.length;
      fill(
        then,
        h("p", {}, facts.join(", ")),
        crosses(
          past.frontier,
          "The released frontier as of then" +
            (shown < all ? `: the first ${count(shown)} of ${count(all)}` : ""),
        ),
      );
    } catch (problem) {
      if (problem.name !== "AbortError") then.textContent = `${problem.message}.`;
    }
  }

  async function page(cursor, shown, signal) {
    const { items, next } = await get("decisions", { cursor, limit: 50 }, signal);
    const all = [...shown, ...items];
    fill(log, all.length ? decisions(all) : h("p", { class: "quiet" }, "Nothing was decided yet."));
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
