// All the steps to a table that may not be asked for at once: the page asks for its parts in order,
// the largest step that is open first, and stops at the first refusal.

import { ask, get } from "./api.js";
import { fill, h, unseen } from "./dom.js";
import { count, t } from "./i18n.js";
import { crossed } from "./sets.js";
import { byName, noteAnswer, wasRefusedToMe } from "./state.js";
import { statusIcon, statusWord } from "./status.js";

const most = 60;

const cardOf = (variables, signal) =>
  get("card", { variables: variables.map((name) => byName(name)?.id ?? name).join(",") }, signal);

const isGiven = ({ outcome }) => ["released", "already", "recorded"].includes(outcome);

// The next sub-table to ask for; null where there is no way on.
function nextOf(card) {
  if (card.status === "open") return card.variables;
  const steps = card.steps.filter(({ variables }) => !wasRefusedToMe(variables));
  steps.sort((a, b) => b.variables.length - a.variables.length);
  return steps[0]?.variables ?? null;
}

// Resolves to { outcome, variables }: "released", "stopped" by the reader, "blocked" where no step is
// open, or what the server answered. `tell(variables, outcome)` follows each step.
export async function askInSteps(variables, tell, signal) {
  for (let i = 0; i < most; i++) {
    const card = await cardOf(variables, signal);
    if (card.status === "released") return { outcome: "released", variables };
    const next = nextOf(card);
    if (!next) return { outcome: "blocked", variables };
    tell(next, null, i);
    const answer = await ask(next, false);
    noteAnswer(answer);
    tell(next, answer.outcome, i);
    if (!isGiven(answer)) return { outcome: answer.outcome, variables: next };
    if (signal.aborted) return { outcome: "stopped", variables: next };
  }
  return { outcome: "blocked", variables };
}

// Coarser tables that may be asked for, the finest first, as the server names them.
export const coarserOpen = ({ coarser = [] }) =>
  coarser.filter(({ status, variables }) => status === "open" && !wasRefusedToMe(variables));

// The first of some tables that is given; null when none is, or the reader stops.
export async function askInOrder(sets, tell, signal) {
  for (const [i, { variables }] of sets.entries()) {
    if (signal.aborted) return null;
    tell(variables, null, i);
    const answer = await ask(variables, false);
    noteAnswer(answer);
    tell(variables, answer.outcome, i);
    if (isGiven(answer)) return variables;
  }
  return null;
}

// One step adds one variable: what is missing to the largest released part says how many there are.
export const stepsTo = ({ variables, parts }) =>
  Math.max(1, variables.length - Math.max(1, ...parts.map((part) => part.variables.length)));

export function createProgress() {
  const bar = h("progress", { max: 1, value: 0, "aria-label": t("steps.progress") });
  const list = h("ol", { class: "steps" });
  const stop = h("button", { type: "button" }, t("steps.stop"));
  const node = h("div", { class: "progress", hidden: true }, bar, list, stop);

  function begin(total, onstop) {
    fill(list);
    bar.max = total;
    bar.value = 0;
    stop.hidden = false;
    stop.onclick = onstop;
    node.hidden = false;
  }

  function tell(variables, outcome, i) {
    const status = outcome === null ? "open" : isGiven({ outcome }) ? "released" : "refused";
    const words = outcome === null ? t("steps.asking") : statusWord(status);
    const line = [statusIcon(status), h("span", {}, `${crossed(variables)}: ${words}`)];
    const item = list.children[i] ?? list.appendChild(h("li", {}));
    fill(item, line);
    bar.max = Math.max(bar.max, i + 1);
    if (outcome !== null) bar.value = i + 1;
    fill(bar, unseen(`${count(bar.value)} / ${count(bar.max)}`));
  }

  const end = () => {
    stop.hidden = true;
  };
  const hide = () => {
    node.hidden = true;
  };
  return { node, begin, tell, end, hide };
}
