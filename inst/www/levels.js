// Sub-tables by the number of their variables: a table of counts, and of each row a paged list.

import { get } from "./api.js";
import { count, fill, h, listed, plural, statusWord, svg, unseen } from "./dom.js";
import { pill } from "./sets.js";
import { chosenNames, chosenQuery, isOperator } from "./state.js";

const page = 50;

const filters = ["all", "released", "open"];

// What is too much to count is not told.
const counted = (n) =>
  n === null || n === undefined
    ? [h("span", { "aria-hidden": "true" }, "–"), unseen("not counted")]
    : count(n);

// A page may be empty, and the search still go on.
const told = (items, on) =>
  items.length
    ? plural(items.length, "sub-table")
    : on
      ? "None among those looked at so far."
      : "There are none.";

// Shares as a bar; the numbers beside it say the same.
function bar({ total, released, open }) {
  const width = 120;
  const part = (n) => (n > 0 ? Math.max((width * n) / total, 1.5) : 0);
  return svg(
    "svg",
    { class: "bar", viewBox: `0 0 ${width} 8`, "aria-hidden": "true" },
    svg("rect", { class: "bar-all", width, height: 8, rx: 2 }),
    svg("rect", {
      class: "bar-open",
      width: Math.min(part(released) + part(open), width),
      height: 8,
      rx: 2,
    }),
    svg("rect", { class: "bar-released", width: part(released), height: 8, rx: 2 }),
  );
}

// The list of one level. `cursors` holds where each page seen so far begins.
function listOf(dimension, query) {
  const place = h("div", { class: "list", id: `level-${dimension}` });
  const items = h("ul", { class: "pills" });
  const status = h("p", { role: "status", class: "quiet" });
  const cursors = [null];
  const select = h(
    "select",
    { onchange: () => show(0) },
    filters.map((filter) =>
      h("option", { value: filter }, filter === "all" ? "all" : statusWord(filter).toLowerCase()),
    ),
  );
  const back = h("button", { type: "button", onclick: () => show(now - 1) }, "Previous");
  const on = h("button", { type: "button", onclick: () => show(now + 1) }, "Next");
  let now = 0;

  async function show(which) {
    status.textContent = "Loading …";
    try {
      const answer = await get("space", {
        ...query,
        dimension,
        status: select.value,
        limit: page,
        cursor: cursors[which],
      });
      now = which;
      cursors[now + 1] = answer.next;
      fill(items, answer.items.map(pill));
      status.textContent = `Page ${count(now + 1)}: ${told(answer.items, answer.next)}`;
      back.hidden = now === 0;
      on.hidden = !answer.next;
    } catch (problem) {
      status.textContent = `${problem.message}.`;
    }
  }

  fill(place, h("p", { class: "tools" }, h("label", {}, "Show ", select), back, on), status, items);
  show(0);
  return place;
}

function levelRow(level, query, columns) {
  const holder = h("tr", { hidden: true }, h("td", { colspan: columns.length + 2 }));
  const button = h(
    "button",
    {
      type: "button",
      class: "expand",
      "aria-expanded": "false",
      onclick: () => {
        const open = button.getAttribute("aria-expanded") === "false";
        button.setAttribute("aria-expanded", String(open));
        holder.hidden = !open;
        if (open) fill(holder.firstChild, listOf(level.dimension, query));
        else fill(holder.firstChild);
      },
    },
    level.dimension,
    unseen(level.dimension === 1 ? " variable: list" : " variables: list"),
  );
  return [
    h(
      "tr",
      {},
      h("th", { scope: "row" }, button),
      columns.map((column) => h("td", { class: "number" }, counted(level[column]))),
      h("td", { class: "bar-cell" }, bar(level)),
    ),
    holder,
  ];
}

const heads = {
  total: "Sub-tables",
  released: "Released",
  open: "May be requested",
  refused: "Refused",
};

const headRow = (columns) =>
  h(
    "tr",
    {},
    h("th", { scope: "col" }, "Variables"),
    columns.map((column) => h("th", { scope: "col", class: "number" }, heads[column])),
    h("td", {}),
  );

// Where there are many sizes, those of which nothing is out or may be asked for wait behind a button.
const fewLevels = 12;

function lastOfInterest(levels) {
  const last = levels.findLastIndex(({ released, open }) => released !== 0 || open !== 0);
  return levels.length <= fewLevels ? levels.length : Math.max(last + 2, fewLevels);
}

export function createLevels(panel) {
  return async function update(signal) {
    const query = { variables: chosenQuery() || null };
    const { levels } = await get("levels", query, signal);
    const columns = ["total", "released", "open", ...(isOperator() ? ["refused"] : [])];
    const names = chosenNames();
    const n = lastOfInterest(levels);
    const rows = (some) => some.map((level) => levelRow(level, query, columns));
    const rest = h("tbody", { hidden: true }, rows(levels.slice(n)));
    const all = h(
      "button",
      {
        type: "button",
        onclick: () => {
          rest.hidden = false;
          all.hidden = true;
          rest.querySelector("button").focus();
        },
      },
      `Show ${plural(levels.length - n, "larger size")}`,
    );
    const caption = names.length
      ? `Sub-tables that hold ${listed(names)}, by number of variables`
      : "Sub-tables by number of variables";
    const table = h(
      "table",
      { class: "levels" },
      h("caption", {}, caption),
      h("thead", {}, headRow(columns)),
      h("tbody", {}, rows(levels.slice(0, n))),
      rest,
    );
    fill(panel, h("div", { class: "scroll" }, table), n < levels.length && all);
  };
}
