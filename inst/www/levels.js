// Sub-tables by the number of their variables: a table of counts, and of each row a paged list.

import { get } from "./api.js";
import { fill, h, scroller, svg, unseen } from "./dom.js";
import { count, listed, t, tn } from "./i18n.js";
import { pill } from "./sets.js";
import { chosenNames, chosenQuery, isOperator, labelsOf } from "./state.js";
import { statusWord } from "./status.js";

const page = 50;

const filters = ["all", "released", "open"];

// What is too much to count is not told.
const counted = (n) =>
  n === null || n === undefined
    ? [h("span", { "aria-hidden": "true" }, "–"), unseen(t("levels.not_counted"))]
    : count(n);

// A page may be empty, and the search still go on.
const told = (items, on) =>
  items.length
    ? tn("n_tables", items.length)
    : on
      ? t("levels.none_yet")
      : t("levels.none");

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
      h("option", { value: filter }, filter === "all" ? t("levels.all") : statusWord(filter)),
    ),
  );
  const back = h("button", { type: "button", onclick: () => show(now - 1) }, t("previous"));
  const on = h("button", { type: "button", onclick: () => show(now + 1) }, t("next"));
  let now = 0;

  async function show(which) {
    status.textContent = t("loading");
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
      status.textContent = t("levels.page", {
        page: count(now + 1),
        found: told(answer.items, answer.next),
      });
      back.hidden = now === 0;
      on.hidden = !answer.next;
    } catch (problem) {
      status.textContent = `${problem.message}.`;
    }
  }

  fill(place, h("p", { class: "tools" }, h("label", {}, t("levels.show"), " ", select), back, on), status, items);
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
    unseen(` ${t("levels.list")}`),
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
  total: "levels.total",
  released: "levels.released",
  open: "levels.open",
  refused: "levels.refused",
};

const headRow = (columns) =>
  h(
    "tr",
    {},
    h("th", { scope: "col" }, t("variables.number")),
    columns.map((column) => h("th", { scope: "col", class: "number" }, t(heads[column]))),
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
      tn("n_larger", levels.length - n),
    );
    const caption = names.length
      ? t("levels.caption_of", { variables: listed(labelsOf(names)) })
      : t("levels.caption");
    const table = h(
      "table",
      { class: "levels" },
      h("caption", {}, caption),
      h("thead", {}, headRow(columns)),
      h("tbody", {}, rows(levels.slice(0, n))),
      rest,
    );
    fill(panel, scroller(caption, table), n < levels.length && all);
  };
}
