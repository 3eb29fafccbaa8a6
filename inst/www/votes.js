// Where requests are collected: a user's own votes, and for operators all of them and the next round.

import { get, post } from "./api.js";
import { fill, h, isInert, scroller, setInert, time } from "./dom.js";
import { count, t, tn } from "./i18n.js";
import { crossed, setLink } from "./sets.js";
import { isOperator, notify } from "./state.js";
import { statusIcon, statusWord } from "./status.js";

const headed = (caption, keys, rows) =>
  scroller(
    caption,
    h(
      "table",
      {},
      h("caption", {}, caption),
      h("thead", {}, h("tr", {}, keys.map((key) => h("th", { scope: "col" }, t(key))))),
      h("tbody", {}, rows),
    ),
  );

const named = ({ variables }) =>
  h("th", { scope: "row" }, setLink(variables, crossed(variables)));

const standings = {
  released: ["released", "vote.released"],
  waiting: ["noted", "vote.waiting"],
};

const ownRow = (vote) => {
  const [icon, words] = standings[vote.status] ?? ["closed", vote.status];
  return h(
    "tr",
    {},
    named(vote),
    h("td", {}, statusIcon(icon), " ", t(words)),
    h("td", { class: "quiet" }, time(vote.at)),
  );
};

const tallyRow = (vote) =>
  h(
    "tr",
    {},
    named(vote),
    h("td", { class: "number" }, count(vote.votes)),
    h("td", { class: "number" }, vote.worth === null ? "–" : count(vote.worth)),
    h("td", {}, statusIcon(vote.status), " ", statusWord(vote.status)),
  );

const decidedRow = (row) =>
  h(
    "tr",
    {},
    named(row),
    h("td", {}, row.outcome, row.reason && ` (${row.reason})`),
    h("td", { class: "number" }, count(row.seq)),
  );

const ownColumns = ["votes.table", "votes.standing", "votes.when"];
const tallyColumns = ["votes.table", "votes.votes", "votes.worth", "votes.standing"];
const decidedColumns = ["votes.table", "history.outcome", "history.number"];

// A list that grows by pages.
function createList(place, path, caption, columns, row, none) {
  async function page(query, cursor, shown, signal) {
    const { items, next } = await get(path, { ...query, cursor, limit: 50 }, signal);
    const all = [...shown, ...items];
    const more =
      next && h("button", { type: "button", onclick: () => page(query, next, all) }, t("more"));
    fill(
      place,
      all.length
        ? headed(t(caption), columns, all.map(row))
        : h("p", { class: "quiet" }, t(none)),
      more,
    );
  }
  return (signal, query = {}) => page(query, null, [], signal);
}

const choice = (id, label, values, onchange) =>
  h(
    "label",
    { for: id },
    t(label),
    " ",
    h(
      "select",
      { id, onchange },
      values.map(([value, key]) => h("option", { value }, t(key))),
    ),
  );

// The form of the operator: how many, by which worth, and the button.
function createRound(worthOf, done) {
  const number = h("input", { type: "number", id: "round-n", min: 1, max: 20, value: 1 });
  const button = h("button", { type: "submit", class: "primary" }, t("votes.decide"));
  const told = h("p", { role: "status", class: "result" });
  const place = h("div", {});

  async function decide(event) {
    event.preventDefault();
    if (isInert(button)) return;
    setInert(button, true);
    told.textContent = t("votes.deciding");
    try {
      const answer = await post("rounds", { n: Number(number.value), worth: worthOf() });
      fill(
        place,
        answer.decided.length > 0 &&
          headed(t("votes.decided"), decidedColumns, answer.decided.map(decidedRow)),
      );
      told.textContent = t("votes.done", {
        decided: tn("n_tables", answer.decided.length),
        waiting: tn("n_tables", answer.waiting),
      });
      done();
    } catch (problem) {
      told.textContent = `${problem.message}.`;
    }
    setInert(button, false);
  }

  const form = h(
    "form",
    { class: "tools", onsubmit: decide },
    h("label", { for: "round-n" }, t("votes.number"), " ", number),
    button,
  );
  return [form, told, place];
}

export function createVotes(panel) {
  const own = h("div", {});
  const loadOwn = createList(own, "votes", "votes.own", ownColumns, ownRow, "votes.none");
  if (!isOperator()) {
    fill(panel, h("p", { class: "quiet" }, t("votes.help")), own);
    return (signal) => loadOwn(signal);
  }
  const tally = h("div", {});
  const loadTally = createList(tally, "tally", "votes.all", tallyColumns, tallyRow, "votes.none_yet");
  const worths = [
    ["votes", "worth.votes"],
    ["cells", "worth.cells"],
  ];
  const worth = choice("worth", "votes.by", worths, () => loadTally(undefined, query()));
  const worthOf = () => worth.querySelector("select").value;
  const query = () => ({ worth: worthOf() });
  fill(
    panel,
    h("p", { class: "notice" }, t("what_if.secret")),
    h("p", { class: "tools" }, worth),
    tally,
    createRound(worthOf, () => notify("released")),
    own,
  );
  return async function update(signal) {
    await loadTally(signal, query());
    await loadOwn(signal);
  };
}
