// What a table can show: topics and a search over the variables, each with its categories.

import { categoriesOf } from "./api.js";
import { fill, h } from "./dom.js";
import { count, t, tn } from "./i18n.js";
import { choose, chosenVariables, levelsOf, state, subscribe, toggle } from "./state.js";

const matches = (variable, words, topic) => {
  const text = `${variable.name} ${variable.label} ${variable.description ?? ""}`.toLowerCase();
  return (!topic || topic.variables.includes(variable.id)) && words.every((word) => text.includes(word));
};

// The categories are loaded when somebody opens them.
function categoriesDrawer(variable) {
  const place = h("ul", { class: "categories" });
  const title = h(
    "summary",
    { "aria-label": t("categories.of", { variable: variable.label }) },
    tn("n_categories", variable.n_levels),
  );
  const drawer = h("details", { class: "levels-of" }, title, place);
  drawer.addEventListener("toggle", async () => {
    if (!drawer.open || place.hasChildNodes()) return;
    try {
      const { labels, more } = await categoriesOf(variable.id);
      fill(
        place,
        labels.map((label) => h("li", {}, label)),
        more && h("li", {}, "…"),
      );
    } catch (problem) {
      fill(place, h("li", {}, `${problem.message}.`));
    }
  });
  return drawer;
}

// The server calls the finest level so where nobody named it.
const levelName = ({ level_label: name, label }) =>
  name === "finest" ? t("level.finest") : (name ?? label);

// Which level of a variable: the finest stands first.
function levelChoice(levels, onchange) {
  const id = `level-of-${levels.at(-1).id}`;
  const select = h(
    "select",
    { id, onchange },
    [...levels]
      .reverse()
      .map((level) => h("option", { value: level.id }, levelName(level))),
  );
  return { select, node: h("p", { class: "level" }, h("label", { for: id }, t("level")), select) };
}

// `variable`: at its finest level.
function item(variable) {
  const levels = levelsOf(variable);
  let current = variable;
  const box = h("input", { type: "checkbox", onchange: () => toggle(current.id) });
  const categories = h("div", {}, categoriesDrawer(variable));
  const level = levelChoice(levels, () => {
    use(levels.find(({ id }) => id === level.select.value));
    if (box.checked) choose([...state.chosen, current.id]);
  });

  function use(chosen) {
    current = chosen;
    level.select.value = chosen.id;
    fill(categories, categoriesDrawer(chosen));
  }

  function update() {
    const chosen = levels.find(({ id }) => state.chosen.includes(id));
    box.checked = chosen !== undefined;
    if (chosen && chosen !== current) use(chosen);
  }

  const row = h(
    "div",
    { class: "variable" },
    h(
      "label",
      {},
      box,
      h(
        "span",
        { class: "variable-name" },
        variable.label,
        variable.description && h("span", { class: "quiet variable-label" }, variable.description),
      ),
    ),
    levels.length > 1 && level.node,
    categories,
  );
  return { variable, box, row, update };
}

// Up and down go from box to box, so that forty variables need no forty tabs.
function moveInList(event, search, items) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step || event.target.closest("select, summary")) return;
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

function topicChoice(onchange) {
  const { topics } = state.metadata;
  if (!topics.length) return { control: null, topic: () => null };
  const select = h(
    "select",
    { id: "topic", onchange },
    h("option", { value: "" }, t("topics.all")),
    topics.map(({ name }, k) => h("option", { value: k }, name)),
  );
  const control = h("p", { class: "topic" }, h("label", { for: "topic" }, t("topics")), select);
  return { control, topic: () => topics[select.value] };
}

export function createVariables(section) {
  const items = state.variables.filter((one) => levelsOf(one).at(-1) === one).map(item);
  const found = h("output", { class: "quiet", for: "search" });
  const clear = h(
    "button",
    { type: "button", class: "link", onclick: () => choose([]) },
    t("clear"),
  );
  const search = h("input", {
    id: "search",
    type: "search",
    autocomplete: "off",
    spellcheck: "false",
    "aria-keyshortcuts": "/",
    oninput: filter,
  });
  const { control, topic } = topicChoice(filter);

  function filter() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { variable, row } of items) {
      row.hidden = !matches(variable, words, topic());
      shown += !row.hidden;
    }
    const all = items.length;
    found.textContent =
      words.length || topic() ? t("search.found", { n: count(shown), all: count(all) }) : "";
  }

  function update() {
    items.forEach((one) => one.update());
    clear.hidden = chosenVariables().length === 0;
  }

  fill(
    section,
    h("div", { class: "heading" }, h("h2", { id: "variables-title" }, t("variables")), clear),
    control,
    h(
      "label",
      { class: "quiet", for: "search" },
      t("search"),
      " ",
      h("kbd", { "aria-hidden": "true" }, "/"),
    ),
    search,
    found,
    h(
      "fieldset",
      {},
      h("legend", { class: "unseen" }, t("variables.choose")),
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
