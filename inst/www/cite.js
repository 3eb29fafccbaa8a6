// How to cite a released table: what it is, whose, when it was released, where it stays, and the hash
// by which everybody can tell that it is the same.

import { h, time } from "./dom.js";
import { dateText, t, timeText } from "./i18n.js";
import { crossed } from "./sets.js";
import { state } from "./state.js";

// Without the tab that happens to be open. Variables keep their ids as long as there is the server.
function linkTo(variables) {
  const ids = variables.map((name) => state.variables.find((one) => one.name === name)?.id);
  const address = new URL(state.metadata.address ?? document.baseURI);
  address.search = "";
  address.hash = `s=${ids.join(",")}`;
  return address.href;
}

// On an origin that is not secure there is no clipboard: then the selected text is copied.
async function copy(field) {
  if (navigator.clipboard) return navigator.clipboard.writeText(field.value);
  field.select();
  return document.execCommand("copy");
}

export function citation({ variables }, { table_hash: hash, at }) {
  const link = linkTo(variables);
  const title = [state.metadata.title, crossed(variables)].filter(Boolean).join(": ");
  const text = [
    `${title}.`,
    state.metadata.source && `${state.metadata.source}.`,
    at ? t("cite.released", { at: timeText(at) }) : t("cite.from_start"),
    `SHA-256 ${hash}.`,
    `${link}`,
    t("cite.seen", { date: dateText(new Date()) }),
  ]
    .filter(Boolean)
    .join(" ");
  const field = h("textarea", { id: "citation", readonly: true, rows: 4, spellcheck: "false" });
  field.value = text;
  const status = h("span", { role: "status", class: "quiet" });
  const button = h(
    "button",
    {
      type: "button",
      onclick: async () => {
        try {
          await copy(field);
          status.textContent = t("cite.copied");
        } catch {
          field.select();
          status.textContent = t("cite.select");
        }
      },
    },
    t("cite.copy"),
  );
  return h(
    "details",
    { class: "citation" },
    h("summary", {}, t("cite")),
    h("label", { for: "citation" }, t("cite.text")),
    field,
    h("p", { class: "tools" }, button, status),
    h(
      "dl",
      {},
      h("dt", {}, t("cite.link")),
      h("dd", {}, h("a", { href: link, id: "permanent" }, link)),
      h("dt", {}, t("cite.date")),
      h("dd", {}, at ? time(at) : t("cite.from_start")),
      h("dt", {}, t("cite.hash")),
      h("dd", { class: "hash" }, hash),
    ),
  );
}
