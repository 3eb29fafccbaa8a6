// The list of variables: a search box over a fieldset of check boxes.

import { count, fill, h, plural } from "./dom.js";
import { chosenVariables, state, subscribe, toggle, choose } from "./state.js";

const matches = (variable, words) => {
  const text = `${variable.name} ${variable.label ?? ""}`.toLowerCase();
  return words.every((word) => text.includes(word));
};

function item(variable) {
  const box = h("input", { type: "checkbox", onchange: () => toggle(variable.id) });
  const other = variable.label && variable.label !== variable.name;
  const row = h(
    "label",
    { class: "variable" },
    box,
    h(
      "span",
      { class: "variable-name" },
      variable.name,
      other && h("span", { class: "quiet variable-label" }, variable.label),
    ),
    h("span", { class: "quiet number" }, plural(variable.n_levels, "level")),
  );
  return { variable, box, row };
}

// Up and down go from box to box, so that forty variables need no forty tabs.
function moveInList(event, search, items) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const stops = [search, ...items.filter(({ row }) => !row.hidden).map(({ box }) => box)];
  const next = stops[stops.indexOf(event.target) + step];
  if (next) next.focus();
  event.preventDefault();
}

function focusBySlash(event, search) {
  const typing = event.target.closest("input:not([type=checkbox]), select, textarea");
  if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  search.focus();
}

export function createVariables(section) {
  const items = state.variables.map(item);
  const found = h("output", { class: "quiet", for: "search" });
  const clear = h("button", { type: "button", class: "link", onclick: () => choose([]) }, "Clear");

  const search = h("input", {
    id: "search",
    type: "search",
    autocomplete: "off",
    spellcheck: "false",
    "aria-keyshortcuts": "/",
    oninput: filter,
  });

  function filter() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { variable, row } of items) {
      row.hidden = !matches(variable, words);
      shown += !row.hidden;
    }
    found.textContent = words.length ? `${count(shown)} of ${count(items.length)} shown` : "";
  }

  function update() {
    for (const { variable, box } of items) box.checked = state.chosen.includes(variable.id);
    clear.hidden = chosenVariables().length === 0;
  }

  fill(
    section,
    h("div", { class: "heading" }, h("h2", { id: "variables-title" }, "Variables"), clear),
    h(
      "label",
      { class: "quiet", for: "search" },
      "Search ",
      h("kbd", { "aria-hidden": "true" }, "/"),
    ),
    search,
    found,
    h(
      "fieldset",
      {},
      h("legend", { class: "unseen" }, "Choose variables"),
      h(
        "div",
        { class: "variable-list" },
        items.map(({ row }) => row),
      ),
    ),
  );
  section.addEventListener("keydown", (event) => moveInList(event, search, items));
  document.addEventListener("keydown", (event) => focusBySlash(event, search));
  subscribe(update);
  update();
}
