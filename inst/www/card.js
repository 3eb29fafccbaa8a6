// The card of the selection: can this table be had, why not, what is near, and the question itself.

import { ask, get } from "./api.js";
import { announce, byId, fill, h, isInert, setInert } from "./dom.js";
import { count, listed, t, tn } from "./i18n.js";
import { nearTo } from "./near.js";
import { crossed } from "./sets.js";
import {
  chooseNames,
  chosenNames,
  chosenQuery,
  chosenVariables,
  labelsOf,
  noteAnswer,
  notify,
  state,
  subscribe,
  toggle,
} from "./state.js";
import { standing, statusIcon, statusSentence } from "./status.js";
import { askInOrder, askInSteps, coarserOpen, createProgress, stepsTo } from "./steps.js";

const reasons = { structural: "reason.structural", risk: "reason.risk" };

const outcomes = {
  released: "outcome.released",
  already: "outcome.already",
  refused: "outcome.refused",
  projected: "outcome.projected",
  deferred: "outcome.deferred",
  recorded: "outcome.already",
};

const closures = {
  dimension: "closed.dimension",
  envelope: "closed.envelope",
  step: "closed.step",
};

const outcomeSentence = ({ outcome, reason }) =>
  `${t(outcomes[outcome] ?? outcome)} ${reasons[reason] ? t(reasons[reason]) : ""}`.trim();

// Why it is as it is, in one or two sentences.
function whyOf(card, shown) {
  if (shown === "released") return t("why.released");
  if (shown === "refused") return `${t("why.refused")} ${t("reason.risk")}`;
  if (shown === "noted") return t("why.noted");
  if (shown === "open") return t("why.open");
  if (shown === "steps") return t("why.steps", { steps: tn("n_steps", stepsTo(card)) });
  const most = state.policy?.max_dimension ?? 0;
  return card.closed_by ? t(closures[card.closed_by], { n: tn("n_variables", most) }) : "";
}

// One chip a variable; after one goes, the focus moves to its neighbour, or to the search.
function createChips() {
  const list = h("ul", { class: "chips", "aria-label": t("chips") });
  let gone = null;

  const chip = ({ id, label }, k) =>
    h(
      "li",
      {},
      h(
        "button",
        {
          type: "button",
          class: "chip",
          "aria-label": t("chips.remove", { variable: label }),
          onclick: () => {
            gone = k;
            toggle(id);
          },
        },
        label,
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

export function createCard(section) {
  const title = h("h2", { id: "card-title" });
  const chips = createChips();
  const statusLine = h("p", { class: "status" });
  const reason = h("p", { class: "reason" });
  const facts = h("p", { class: "quiet" });
  const button = h("button", { type: "button", class: "primary", onclick: request });
  const nearest = h("button", { type: "button", onclick: requestCoarser }, t("ask.coarser"));
  const result = h("p", { role: "status", class: "result" });
  const asking = h("p", { class: "asking", hidden: true }, button, nearest);
  const progress = createProgress();
  const more = h("div", {});
  let loading = new AbortController();
  let busy = false;
  let shownCard = null;

  fill(section, title, chips.list, statusLine, reason, facts, asking, progress.node, result, more);

  const labels = {
    released: "ask.given",
    steps: "ask.steps",
    refused: "ask.again",
    noted: "ask.again",
  };

  // The button keeps its place and the focus; it only stops working when there is nothing to ask.
  function offer(card, shown) {
    const canAsk = card.status === "open" || shown === "steps";
    const canCoarsen = shown === "refused" && coarserOpen(card).length > 0;
    setInert(button, !canAsk || busy);
    setInert(nearest, busy);
    nearest.hidden = !canCoarsen;
    button.hidden = !canAsk && document.activeElement !== button;
    asking.hidden = button.hidden && nearest.hidden;
    if (!busy) button.textContent = t(labels[shown] ?? "ask");
  }

  function show(card) {
    shownCard = card;
    const shown = standing(card);
    fill(statusLine, statusIcon(shown), statusSentence(shown));
    statusLine.className = `status is-${shown}`;
    statusLine.dataset.status = shown;
    reason.textContent = whyOf(card, shown);
    facts.textContent = t("facts", {
      variables: tn("n_variables", card.dimension),
      cells: tn("n_cells", card.cells),
    });
    offer(card, shown);
    fill(more, nearTo(card, shown));
    dispatchEvent(new CustomEvent("card", { detail: card }));
  }

  function showNothing() {
    loading.abort();
    shownCard = null;
    section.removeAttribute("aria-busy");
    title.textContent = t("card.empty");
    fill(statusLine);
    delete statusLine.dataset.status;
    reason.textContent = t("card.empty_help");
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
        announce(`${crossed(card.variables)}: ${statusSentence(standing(card))}. ${reason.textContent}`);
    } catch (problem) {
      if (problem.name === "AbortError") return;
      fill(statusLine);
      reason.textContent = `${problem.message}.`;
      fill(more);
    }
    section.removeAttribute("aria-busy");
  }

  function tell(variables, outcome, text) {
    const here = variables.join("\n") === chosenNames().join("\n");
    result.textContent = here ? text : `${listed(labelsOf(variables))}: ${text}`;
    result.className = `result is-${outcome}`;
  }

  async function askOnce(variables) {
    const here = () => variables.join("\n") === chosenNames().join("\n");
    const answer = await ask(variables, true, {
      waiting: () => here() && (result.textContent = t("ask.retry")),
    });
    noteAnswer(answer);
    tell(variables, answer.outcome, outcomeSentence(answer));
  }

  async function askAll(variables) {
    const stopping = new AbortController();
    progress.begin(stepsTo(shownCard), () => stopping.abort());
    try {
      const end = await askInSteps(variables, progress.tell, stopping.signal);
      const at = crossed(end.variables);
      const words = {
        released: () => t("outcome.released"),
        stopped: () => t("steps.stopped", { table: at }),
        blocked: () => t("steps.blocked"),
      };
      tell(variables, end.outcome, words[end.outcome]?.() ?? t("steps.refused", { table: at }));
    } finally {
      progress.end();
    }
  }

  async function request() {
    if (isInert(button)) return;
    const variables = chosenNames();
    const inSteps = shownCard !== null && standing(shownCard) === "steps";
    busy = true;
    setInert(button, true);
    button.textContent = t("ask.asking");
    result.textContent = "";
    progress.hide();
    try {
      await (inSteps ? askAll(variables) : askOnce(variables));
    } catch (problem) {
      const again = problem.status === 0 || problem.status === 503;
      const words = problem.name === "AbortError" ? t("steps.ended") : `${problem.message}.`;
      result.textContent = `${words} ${again ? t("ask.press_again") : ""}`.trim();
      result.className = "result is-problem";
    }
    busy = false;
    notify("released");
  }

  // One click for what is near: the finest coarser table that can be given becomes the selection.
  async function requestCoarser() {
    if (isInert(nearest)) return;
    const variables = chosenNames();
    const sets = coarserOpen(shownCard);
    const stopping = new AbortController();
    busy = true;
    setInert(nearest, true);
    result.textContent = "";
    progress.begin(sets.length, () => stopping.abort());
    let given = null;
    try {
      given = await askInOrder(sets, progress.tell, stopping.signal);
      tell(variables, given ? "released" : "refused", given ? "" : t("near.coarser_none"));
    } catch (problem) {
      tell(variables, "problem", `${problem.message}.`);
    }
    busy = false;
    progress.end();
    if (given) chooseNames(given);
    else notify("released");
  }

  function update(change) {
    if (change === "tab") return;
    if (change === "chosen") {
      result.textContent = "";
      progress.hide();
      chips.draw();
    }
    if (state.chosen.length) load(change);
    else showNothing();
  }

  subscribe(update);
  update("chosen");
}
