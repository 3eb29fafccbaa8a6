// What the page shows: who looks, the metadata, the variables there are, the chosen ones and the open
// tab. Choices live in the address (#s=v1,v4&tab=levels), so that they can be shared and the back
// button works: a view changes the address, the address changes the state, the state tells the views.

export const state = {
  me: null,
  policy: null,
  metadata: null,
  variables: [],
  chosen: [],
  tab: null,
  refused: new Set(),
};

const listeners = [];

export const subscribe = (listener) => listeners.push(listener);

// Also called after a release: what is out has changed, the choices have not.
export const notify = (change) => listeners.forEach((listener) => listener(change));

export const isOperator = () => state.me?.role === "operator";

export const hasLevels = () => state.variables.some(({ variable }) => variable !== undefined);

// The levels of a variable, coarse to fine; without levels it is the only one.
export const levelsOf = ({ name, variable }) =>
  state.variables.filter((other) =>
    variable === undefined ? other.name === name : other.variable === variable,
  );

export const byName = (name) => state.variables.find((variable) => variable.name === name);

export const chosenVariables = () => state.variables.filter(({ id }) => state.chosen.includes(id));

export const chosenNames = () => chosenVariables().map(({ name }) => name);

// As the API takes a set of variables in a query.
export const chosenQuery = () => state.chosen.join(",");

const inOrder = (ids) => state.variables.map(({ id }) => id).filter((id) => ids.includes(id));

export function readAddress() {
  const parts = new URLSearchParams(location.hash.slice(1));
  state.chosen = inOrder(oneLevelEach((parts.get("s") ?? "").split(",")));
  state.tab = parts.get("tab");
}

function writeAddress(chosen, tab) {
  const tail = tab ? `&tab=${tab}` : "";
  location.hash = `s=${chosen.join(",")}${tail}`;
}

// Of a variable with levels one level at a time: the one that was chosen last.
function oneLevelEach(ids) {
  const last = new Map();
  for (const id of ids) {
    const found = state.variables.find((variable) => variable.id === id);
    if (found) last.set(found.variable ?? found.name, id);
  }
  return [...last.values()];
}

export const choose = (ids) => writeAddress(inOrder(oneLevelEach(ids)), state.tab);

export const chooseNames = (names) => choose(names.map((name) => byName(name)?.id).filter(Boolean));

export const openTab = (tab) => writeAddress(state.chosen, tab);

export function toggle(id) {
  choose(
    state.chosen.includes(id)
      ? state.chosen.filter((other) => other !== id)
      : [...state.chosen, id],
  );
}

addEventListener("hashchange", () => {
  const { chosen, tab } = state;
  readAddress();
  notify(chosen.join() === state.chosen.join() && tab !== state.tab ? "tab" : "chosen");
});

// ---- words of the data --------------------------------------------------------------------------

export const labelOf = (name) => byName(name)?.label ?? name;

export const labelsOf = (names) => names.map(labelOf);

// ---- what this user was refused -----------------------------------------------------------------

const keyOf = (variables) => variables.join("\n");

export const wasRefusedToMe = (variables) => state.refused.has(keyOf(variables));

// An answer, new or old. Only a refusal for risk is one for good.
export function noteAnswer({ variables, outcome, reason }) {
  if (reason === "risk" && ["refused", "projected"].includes(outcome))
    state.refused.add(keyOf(variables));
  if (["released", "already", "recorded"].includes(outcome)) state.refused.delete(keyOf(variables));
}
