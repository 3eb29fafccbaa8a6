// The overviews for experts, one tab each, in a drawer that an address with a tab opens. Only the open
// one is loaded, and loaded again when what it shows has changed.

import { drawer, fill, h } from "./dom.js";
import { createFrontier } from "./frontier.js";
import { t } from "./i18n.js";
import { createLattice, latticeMost } from "./lattice.js";
import { createLevels } from "./levels.js";
import { createHistory, createWhatIf } from "./operator.js";
import { createPolicy } from "./policy.js";
import { createRecord } from "./record.js";
import { hasLevels, isOperator, openTab, state, subscribe } from "./state.js";
import { createVotes } from "./votes.js";

const always = () => true;

const views = [
  { id: "levels", label: "tab.levels", create: createLevels, when: always },
  {
    id: "lattice",
    label: "tab.lattice",
    create: createLattice,
    when: () => state.variables.length <= latticeMost && !hasLevels(),
  },
  { id: "frontier", label: "tab.frontier", create: createFrontier, when: always },
  { id: "what-if", label: "tab.what_if", create: createWhatIf, when: isOperator },
  { id: "history", label: "tab.history", create: createHistory, when: isOperator },
  {
    id: "votes",
    label: "tab.votes",
    create: createVotes,
    when: () => state.policy.rule === "value",
  },
  { id: "record", label: "tab.record", create: createRecord, when: isOperator },
  { id: "policy", label: "tab.policy", create: createPolicy, when: always },
];

function makeTab(view) {
  const panel = h("div", {
    role: "tabpanel",
    id: `panel-${view.id}`,
    "aria-labelledby": `tab-${view.id}`,
    hidden: true,
  });
  const content = h("div", {});
  const status = h("p", { role: "status", class: "quiet" });
  fill(panel, status, content);
  const button = h(
    "button",
    {
      type: "button",
      role: "tab",
      id: `tab-${view.id}`,
      "aria-controls": panel.id,
      onclick: () => openTab(view.id),
    },
    t(view.label),
  );
  return { ...view, panel, status, button, update: view.create(content) };
}

export function createExperts() {
  const tabs = views.filter(({ when }) => when()).map(makeTab);
  let loading = new AbortController();

  const open = () => tabs.find(({ id }) => id === state.tab) ?? tabs[0];

  async function load() {
    if (!node.open) return;
    const { panel, status, update } = open();
    loading.abort();
    const own = new AbortController();
    loading = own;
    panel.setAttribute("aria-busy", "true");
    try {
      await update(own.signal);
      status.textContent = "";
    } catch (problem) {
      if (problem.name !== "AbortError") status.textContent = `${problem.message}.`;
    }
    // Not when the same panel is being loaded anew.
    if (loading === own || open().panel !== panel) panel.removeAttribute("aria-busy");
  }

  function show() {
    for (const { id, button, panel } of tabs) {
      const chosen = id === open().id;
      button.setAttribute("aria-selected", String(chosen));
      button.tabIndex = chosen ? 0 : -1;
      panel.hidden = !chosen;
    }
    load();
  }

  // As in any list of tabs: left and right open the neighbour, and focus it.
  function move(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = tabs[(tabs.indexOf(open()) + step + tabs.length) % tabs.length];
    next.button.focus();
    openTab(next.id);
  }

  const content = h(
    "div",
    { class: "views" },
    h("p", { class: "quiet" }, t("experts.help")),
    h(
      "div",
      { role: "tablist", class: "tabs", "aria-label": t("experts"), onkeydown: move },
      tabs.map(({ button }) => button),
    ),
    tabs.map(({ panel }) => panel),
  );
  const node = drawer("experts", t("experts"), content, show);
  const openByAddress = () => {
    if (state.tab) node.open = true;
  };
  subscribe(() => {
    openByAddress();
    show();
  });
  openByAddress();
  show();
  return node;
}
