// The card of the selection: what its status is and why, what can be done, and the question itself.

import { ask, get } from "./api.js";
import {
  announce,
  byId,
  crossed,
  fill,
  h,
  isInert,
  listed,
  plural,
  setInert,
  statusIcon,
  statusWord,
} from "./dom.js";
import { pills } from "./sets.js";
import {
  byName,
  choose,
  chosenNames,
  chosenQuery,
  chosenVariables,
  notify,
  state,
  subscribe,
  toggle,
} from "./state.js";

const reasons = {
  structural: "The rules of this server do not allow it as things stand.",
  risk: "Together with what is already released it would tell too much about single people.",
};

const outcomeSentence = ({ outcome, reason, parts = [] }) =>
  ({
    released: "Released. The table is below.",
    already: "This table is already released.",
    refused: `Refused. ${reasons[reason] ?? ""}`.trim(),
    projected: `Refused as a whole. ${reasons[reason] ?? ""} ${
      parts.length ? "The largest parts of it that are released are listed below." : ""
    }`.trim(),
    deferred: "Your request is noted. Requests are collected, and decided together.",
    recorded: "Recorded.",
  })[outcome] ?? outcome;

const askedWords = {
  refused: "it was refused",
  projected: "it was refused as a whole",
  deferred: "it is not decided yet",
};

// Refused for risk, and not released since: it may be asked for again, but the answer is known.
const wasRefused = ({ status, asked }) =>
  status === "open" &&
  asked?.reason === "risk" &&
  ["refused", "projected"].includes(asked.outcome);

// One chip a variable; after one goes, the focus moves to its neighbour, or to the search.
function createChips() {
  const list = h("ul", { class: "chips", "aria-label": "Chosen variables" });
  let gone = null;

  const chip = ({ id, name }, k) =>
    h(
      "li",
      {},
      h(
        "button",
        {
          type: "button",
          class: "chip",
          "aria-label": `Remove ${name}`,
          onclick: () => {
            gone = k;
            toggle(id);
          },
        },
        name,
        h("span", { "aria-hidden": "true" }, "×"),
      ),
    );

  function draw() {
    fill(list, chosenVariables().map(chip));
    if (gone !== null)
      (list.querySelectorAll("button")[Math.max(gone - 1, 0)] ?? byId("search")).focus();
    gone = null;
  }
  return { list, draw };
}

const block = (title, list, n) => n > 0 && h("div", { class: "block" }, h("h3", {}, title), list);

const addButton = ({ name, status }) =>
  h(
    "li",
    {},
    h(
      "button",
      {
        type: "button",
        class: "pill",
        "aria-label": `Add ${name}: ${statusWord(status).toLowerCase()}`,
        onclick: () => {
          choose([...state.chosen, byName(name)?.id]);
          byId("card").focus();
        },
      },
      statusIcon(status),
      name,
    ),
  );

const asReleased = (sets) => pills(sets.map((set) => ({ ...set, status: "released" })));

const asOpen = (sets) => pills(sets.map((set) => ({ ...set, status: "open" })));

function hints({ variables, can_add: more, parts, out_with: outWith, steps = [] }) {
  const larger = outWith.filter((set) => set.variables.length > variables.length);
  return [
    block("Request one of these first; it is a step towards this table", asOpen(steps), steps.length),
    block("You can add", h("ul", { class: "pills" }, more.map(addButton)), more.length),
    block("Largest released parts", asReleased(parts), parts.length),
    block("Already released with this", asReleased(larger), larger.length),
  ];
}

export function createCard(section) {
  const title = h("h2", { id: "card-title" });
  const chips = createChips();
  const statusLine = h("p", { class: "status" });
  const reason = h("p", { class: "reason" });
  const facts = h("p", { class: "quiet" });
  const projected = h("input", { type: "checkbox", id: "projected" });
  const button = h(
    "button",
    { type: "button", class: "primary", onclick: request },
    "Request this table",
  );
  const result = h("p", { role: "status", class: "result" });
  const asking = h(
    "div",
    { class: "asking", hidden: true },
    button,
    h(
      "label",
      { for: "projected" },
      projected,
      " If it is refused, give me the parts that are released",
    ),
  );
  const more = h("div", {});
  let loading = new AbortController();
  let busy = false;

  fill(section, title, chips.list, statusLine, reason, facts, asking, result, more);

  // The button keeps its place and the focus; it only stops working when there is nothing to ask.
  function offer(card) {
    const open = card.status === "open";
    const again = open && wasRefused(card);
    setInert(button, !open || busy);
    asking.hidden = !open && document.activeElement !== button;
    if (!busy) button.textContent = card.status === "released" ? "Released" : again ? "Ask again" : "Request this table";
  }

  function show(card) {
    const shown = wasRefused(card) ? "refused" : card.status;
    fill(statusLine, statusIcon(shown), statusWord(shown));
    statusLine.className = `status is-${shown}`;
    const asked = card.asked?.outcome;
    fill(
      reason,
      card.reason,
      card.status !== "released" &&
        asked &&
        ` You asked for it before: ${askedWords[asked] ?? asked}.`,
      wasRefused(card) &&
        " It would be refused again, unless the people who run this server have given it more to work with.",
    );
    facts.textContent = `${plural(card.dimension, "variable")}, ${plural(card.cells, "cell")}`;
    offer(card);
    fill(more, hints(card));
    dispatchEvent(new CustomEvent("card", { detail: card }));
  }

  function showNothing() {
    loading.abort();
    section.removeAttribute("aria-busy");
    title.textContent = "Your selection";
    fill(statusLine);
    reason.textContent =
      "Choose variables to see whether their table is released, or may be requested.";
    facts.textContent = "";
    asking.hidden = true;
    fill(more);
    dispatchEvent(new CustomEvent("card", { detail: null }));
  }

  async function load(change) {
    loading.abort();
    loading = new AbortController();
    title.textContent = crossed(chosenNames());
    section.setAttribute("aria-busy", "true");
    try {
      const card = await get("card", { variables: chosenQuery() }, loading.signal);
      show(card);
      // An answer to a request has its own words.
      if (change === "chosen")
        announce(`${crossed(card.variables)}: ${statusWord(card.status)}. ${card.reason ?? ""}`);
    } catch (problem) {
      if (problem.name === "AbortError") return;
      fill(statusLine);
      reason.textContent = `${problem.message}.`;
      fill(more);
    }
    section.removeAttribute("aria-busy");
  }

  async function request() {
    if (isInert(button)) return;
    const variables = chosenNames();
    const answers = () => variables.join("\n") === chosenNames().join("\n");
    busy = true;
    setInert(button, true);
    button.textContent = "Asking …";
    result.textContent = "";
    try {
      const answer = await ask(variables, projected.checked, {
        waiting: () => answers() && (result.textContent = "No answer yet, asking again …"),
      });
      const told = outcomeSentence(answer);
      result.textContent = answers() ? told : `${listed(variables)}: ${told}`;
      result.className = `result is-${answer.outcome}`;
    } catch (problem) {
      const again = problem.status === 0 || problem.status === 503;
      result.textContent = `${problem.message}. ${again ? "Press the button to ask again." : ""}`;
      result.className = "result is-problem";
    }
    busy = false;
    notify("released");
  }

  function update(change) {
    if (change === "tab") return;
    if (change === "chosen") {
      result.textContent = "";
      chips.draw();
    }
    if (state.chosen.length) load(change);
    else showNothing();
  }

  subscribe(update);
  update("chosen");
}
