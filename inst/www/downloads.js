// The buttons that save a released table in each of the server's formats.

import { download, formats } from "./api.js";
import { h, isInert, setInert } from "./dom.js";

const fileName = (variables) =>
  `table-${variables.join("-")}`
    .normalize("NFKD")
    .replace(/[^\w-]+/g, "_")
    .slice(0, 80) || "table";

export function downloads(card, status) {
  const save = async (format, button) => {
    if (isInert(button)) return;
    setInert(button, true);
    status.textContent = `Preparing ${format.name} …`;
    try {
      await download(card.id, format, fileName(card.variables));
      status.textContent = `${format.name} saved.`;
    } catch (problem) {
      status.textContent = `${problem.message}.`;
    }
    setInert(button, false);
  };
  return h(
    "p",
    { class: "downloads" },
    h("span", { class: "quiet" }, "Download"),
    formats.map((format) =>
      h(
        "button",
        { type: "button", onclick: (event) => save(format, event.currentTarget) },
        format.name,
      ),
    ),
  );
}
