// Signing in is having a token; it stays in this browser tab until it is closed.

import { token, tryToken } from "./api.js";
import { byId, fill, h } from "./dom.js";

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
      problem.textContent =
        error.status === 401 ? "This token is wrong, or it has been revoked or has expired." : `${error.message}.`;
      field.focus();
    }
  }

  fill(
    section,
    h(
      "form",
      { onsubmit: submit },
      h("h2", {}, "Sign in"),
      h("label", { for: "token" }, "Your access token"),
      field,
      h(
        "p",
        { id: "token-help", class: "quiet" },
        "It begins with sdc_. The people who run this server issue it.",
      ),
      h(
        "p",
        { class: "tools" },
        h("button", { class: "primary" }, "Sign in"),
        guest && h("button", { type: "button", onclick: () => location.reload() }, "Back"),
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

export function createAccount(place, me) {
  const role = me.role === "operator" ? " (operator)" : "";
  const button = token.get()
    ? h("button", { type: "button", onclick: signOut }, "Sign out")
    : h(
        "button",
        { type: "button", onclick: () => createSignIn(byId("sign-in"), "", true) },
        "Sign in",
      );
  fill(place, h("span", {}, `${me.user}${role}`), button);
}
