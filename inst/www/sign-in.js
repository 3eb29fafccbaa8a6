// Signing in is having a token; it stays in this browser tab until it is closed.

import { token, tryToken } from "./api.js";
import { byId, fill, h } from "./dom.js";
import { currentLanguage, languages, t } from "./i18n.js";

export function createSignIn(section, reason, guest = false) {
  const field = h("input", {
    id: "token",
    type: "password",
    autocomplete: "off",
    spellcheck: "false",
    required: true,
    "aria-describedby": "token-help",
  });
  const problem = h("p", { role: "alert", class: "result is-problem" }, reason);

  async function submit(event) {
    event.preventDefault();
    problem.textContent = "";
    token.set(field.value.trim());
    try {
      await tryToken();
      location.reload();
    } catch (error) {
      token.clear();
      problem.textContent = error.status === 401 ? t("sign_in.wrong") : `${error.message}.`;
      field.focus();
    }
  }

  fill(
    section,
    h(
      "form",
      { onsubmit: submit },
      h("h2", {}, t("sign_in")),
      h("label", { for: "token" }, t("sign_in.token")),
      field,
      h("p", { id: "token-help", class: "quiet" }, t("sign_in.help")),
      h(
        "p",
        { class: "tools" },
        h("button", { class: "primary" }, t("sign_in")),
        guest && h("button", { type: "button", onclick: () => location.reload() }, t("sign_in.back")),
      ),
      problem,
    ),
  );
  section.hidden = false;
  byId("main").hidden = true;
  field.focus();
}

// Everything on the page goes with the token, so that the next person at this screen sees nothing.
function signOut() {
  token.clear();
  location.hash = "";
  location.reload();
}

// Each language by its own name; the choice stands in the address, and the selection stays.
const ownNames = { en: "English", de: "Deutsch" };

function switchTo(code) {
  const address = new URL(location.href);
  address.searchParams.set("lang", code);
  location.assign(address);
}

const languageChoice = () =>
  h(
    "span",
    { class: "languages", role: "group", "aria-label": t("language") },
    languages.map((code) =>
      h(
        "button",
        {
          type: "button",
          class: "link",
          lang: code,
          "aria-pressed": String(code === currentLanguage()),
          onclick: () => switchTo(code),
        },
        ownNames[code],
      ),
    ),
  );

export function createAccount(place, me) {
  if (!me) return fill(place, languageChoice());
  const role = me.role === "operator" ? ` (${t("operator")})` : "";
  const button = token.get()
    ? h("button", { type: "button", onclick: signOut }, t("sign_out"))
    : h(
        "button",
        { type: "button", onclick: () => createSignIn(byId("sign-in"), "", true) },
        t("sign_in"),
      );
  return fill(place, languageChoice(), h("span", { id: "who" }, `${me.user}${role}`), button);
}
