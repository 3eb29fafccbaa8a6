// What the data are and where they come from, and the catalogue of all that is released.

import { downloadCatalogue } from "./api.js";
import { drawer, h, isInert, setInert } from "./dom.js";
import { count, t, tn } from "./i18n.js";
import { levelsOf, state } from "./state.js";

const terms = [
  ["universe", "about.universe"],
  ["source", "about.source"],
  ["contact", "about.contact"],
  ["licence", "about.licence"],
  ["address", "about.address"],
];

const item = (term, text) => text && [h("dt", {}, term), h("dd", {}, text)];

function catalogue() {
  const status = h("p", { role: "status", class: "quiet" });
  const button = (format, label) => {
    const own = h("button", { type: "button", onclick: save }, label);
    async function save() {
      if (isInert(own)) return;
      setInert(own, true);
      try {
        await downloadCatalogue(format);
        status.textContent = t("saved", { what: label });
      } catch (problem) {
        status.textContent = `${problem.message}.`;
      }
      setInert(own, false);
    }
    return own;
  };
  return [
    h("h3", {}, t("catalogue")),
    h("p", { class: "quiet" }, t("catalogue.help")),
    h("p", { class: "tools" }, button("json", "JSON-stat"), button("sdmx", "SDMX")),
    status,
  ];
}

export function createAbout({ variables, n_cells: cells }) {
  const n = variables.filter((one) => levelsOf(one).at(-1) === one).length;
  const size = t("size", { variables: tn("n_variables", n), cells: count(cells) });
  const lists = h(
    "dl",
    {},
    terms.map(([part, key]) => item(t(key), state.metadata[part])),
    item(t("about.size"), size),
  );
  const content = h(
    "div",
    {},
    lists,
    h("p", { class: "quiet" }, t("about.protection")),
    catalogue(),
    h("p", {}, h("a", { href: "openapi.json" }, t("about.api"))),
  );
  return drawer("about", t("about"), content);
}
