// The released frontier as a table of crosses: one row a maximal released sub-table, one column a
// variable.

import { get } from "./api.js";
import { count, crossed, fill, h, listed, unseen } from "./dom.js";
import { byName, chooseNames, chosenNames, state } from "./state.js";

const cross = (there) =>
  h("td", { class: "cross" }, there && [h("span", { "aria-hidden": "true" }, "×"), unseen("yes")]);

function row({ variables }, chosen) {
  const holds = new Set(variables);
  return h("tr", { class: chosen.length && chosen.every((name) => holds.has(name)) ? "is-chosen" : null },
    h("th", { scope: "row" }, h("button", { type: "button", class: "link", title: crossed(variables),
      onclick: () => chooseNames(variables) }, count(variables.length), unseen(` variables: choose ${crossed(variables)}`))),
    state.variables.map(({ name }) => cross(holds.has(name))));
}

// Large sub-tables first, then in the order of the variables.
function byDimension(a, b) {
  const order = (set) => set.variables.map((name) => String(state.variables.indexOf(byName(name))).padStart(4, "0")).join();
  return b.variables.length - a.variables.length || (order(a) < order(b) ? -1 : 1);
}

export function crosses(items, caption) {
  const chosen = chosenNames();
  return h("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": `${caption}, may scroll` },
    h("table", { class: "crosses" },
      h("caption", {}, caption),
      h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "size" }, "Size"),
        state.variables.map(({ name }) =>
          h("th", { scope: "col", class: "turned" }, h("span", {}, name))))),
      h("tbody", {}, [...items].sort(byDimension).map((item) => row(item, chosen)))));
}

export function createFrontier(panel) {
  return async function update(signal) {
    const { items } = await get("frontier", {}, signal);
    const chosen = chosenNames();
    const within = items.filter(({ variables }) => chosen.every((name) => variables.includes(name)));
    fill(panel,
      h("p", { class: "quiet" }, "Each row is a released sub-table that is part of no larger one. All parts of these are released too.",
        chosen.length > 0 && ` ${count(within.length)} of ${count(items.length)} hold ${listed(chosen)}.`),
      crosses(items, "The largest released sub-tables"));
  };
}
