// The buttons that save a released table in each of the server's formats.

import { download, offeredFormats } from "./api.js";
import { h, isInert, setInert } from "./dom.js";
import { t } from "./i18n.js";
import { labelsOf, state } from "./state.js";

// Letters that all file systems have; the number tells tables with long names apart.
const word = (text) =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/ß/g, "ss")
    .replace(/[^\w-]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, 30);

const joined = (words) => words.map(word).filter(Boolean).join("-").slice(0, 120);

const fileName = ({ id, variables }) =>
  `${joined([state.metadata.title ?? "table", ...labelsOf(variables)])}-${id}`;

export function downloads(card, status) {
  const save = async (format, button) => {
    if (isInert(button)) return;
    setInert(button, true);
    status.textContent = t("saving", { what: format.name });
    try {
      await download(card.id, format, fileName(card));
      status.textContent = t("saved", { what: format.name });
    } catch (problem) {
      status.textContent = `${problem.message}.`;
    }
    setInert(button, false);
  };
  return h(
    "div",
    { class: "downloads", role: "group", "aria-labelledby": "downloads-title" },
    h("h3", { id: "downloads-title" }, t("downloads")),
    offeredFormats(state.policy).map((format) =>
      h(
        "button",
        { type: "button", onclick: (event) => save(format, event.currentTarget) },
        format.name,
      ),
    ),
  );
}
