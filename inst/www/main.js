// The start: who is it, which variables are there, and then the parts of the page.

import { get, token } from "./api.js";
import { createCard } from "./card.js";
import { byId, count, plural } from "./dom.js";
import { createAccount, createSignIn } from "./sign-in.js";
import { readAddress, state } from "./state.js";
import { createTable } from "./table-view.js";
import { createVariables } from "./variables.js";
import { createViews } from "./views.js";

function sizeOf({ variables, n_cells, total }) {
  const people = total === undefined || total === null ? "" : `${count(total)} records, `;
  return `${people}${plural(variables.length, "variable")}, ${count(n_cells)} cells`;
}

// The focus goes to the card; the address stays, since it holds the selection.
function skip(event) {
  event.preventDefault();
  byId("card").focus();
}

// A token may be revoked while the page is open.
const watchTokens = () =>
  addEventListener("unauthorised", () => createSignIn(byId("sign-in"), "Please sign in again."));

async function start() {
  try {
    state.me = await get("me");
    const structure = await get("structure");
    state.variables = structure.variables;
    byId("source").textContent = sizeOf(structure);
  } catch (problem) {
    const known = token.get();
    if (problem.status === 401) token.clear();
    const reason =
      problem.status !== 401
        ? `${problem.message}.`
        : known
          ? "Your token is not valid any more."
          : "";
    createSignIn(byId("sign-in"), reason);
    return;
  }
  watchTokens();
  readAddress();
  createAccount(byId("account"), state.me);
  byId("main").hidden = false;
  createTable(byId("table"));
  createVariables(byId("variables"));
  createCard(byId("card"));
  createViews(byId("views"));
}

byId("skip").addEventListener("click", skip);
start();
