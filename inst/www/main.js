// The start: the language, who looks, what there is, and then the parts of the page.

import { createAbout } from "./about.js";
import { get, token } from "./api.js";
import { createCard } from "./card.js";
import { byId, fill } from "./dom.js";
import { count, currentLanguage, preferredLanguage, t, tn, useLanguage } from "./i18n.js";
import { createRequests, loadRefusals } from "./requests.js";
import { createAccount, createSignIn } from "./sign-in.js";
import { levelsOf, readAddress, state } from "./state.js";
import { createTable } from "./table-view.js";
import { createVariables } from "./variables.js";
import { createExperts } from "./views.js";

// The focus goes to the card; the address stays, since it holds the selection.
function skip(event) {
  event.preventDefault();
  byId("card").focus();
}

// A token may be revoked while the page is open.
const watchTokens = () =>
  addEventListener("unauthorised", () => createSignIn(byId("sign-in"), t("sign_in.again")));

// The words of the data may be in a language that the page does not speak.
function nameData({ title, description, language }, { variables, n_cells: cells }) {
  const lang = language && language !== currentLanguage() ? language : null;
  const heading = byId("title");
  heading.textContent = title ?? t("title");
  document.title = title ?? t("title");
  const n = variables.filter((one) => levelsOf(one).at(-1) === one).length;
  const size = t("size", { variables: tn("n_variables", n), cells: count(cells) });
  fill(byId("source"), description ?? size);
  for (const node of [heading, byId("source"), byId("variables"), byId("table")]) {
    if (lang && title) node.lang = lang;
  }
}

async function load() {
  state.me = await get("me");
  const first = await get("metadata", { lang: preferredLanguage() });
  const language = preferredLanguage(first.languages);
  if (language !== currentLanguage()) await useLanguage(language);
  state.metadata =
    first.language === language ? first : await get("metadata", { lang: language });
  const structure = await get("structure", { lang: language });
  state.variables = structure.variables;
  state.policy = await get("policy");
  await loadRefusals();
  return structure;
}

async function start() {
  await useLanguage(preferredLanguage());
  byId("skip").textContent = t("skip");
  byId("title").textContent = t("title");
  document.title = t("title");
  let structure;
  try {
    structure = await load();
  } catch (problem) {
    const known = token.get();
    if (problem.status === 401) token.clear();
    const reason =
      problem.status !== 401 ? `${problem.message}.` : known ? t("sign_in.expired") : "";
    createAccount(byId("account"), null);
    createSignIn(byId("sign-in"), reason);
    return;
  }
  watchTokens();
  readAddress();
  byId("skip").textContent = t("skip");
  nameData(state.metadata, structure);
  createAccount(byId("account"), state.me);
  byId("main").hidden = false;
  createTable(byId("table"));
  createVariables(byId("variables"));
  createCard(byId("card"));
  fill(byId("more"), createRequests(), createAbout(structure), createExperts());
}

byId("skip").addEventListener("click", skip);
start();
