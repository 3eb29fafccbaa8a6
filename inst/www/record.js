// Operators write down what was published by other means, so that all later answers regard it.

import { post } from "./api.js";
import { fill, h, isInert, setInert } from "./dom.js";
import { t } from "./i18n.js";
import { crossed } from "./sets.js";
import { chosenNames, notify } from "./state.js";

export function createRecord(panel) {
  const which = h("p", { id: "record-which" });
  const note = h("input", { type: "text", id: "record-note", maxlength: 1000, required: true });
  const sure = h("input", { type: "checkbox", id: "record-sure", required: true });
  const button = h("button", { type: "submit" }, t("record.button"));
  const told = h("p", { role: "status", class: "result" });

  async function record(event) {
    event.preventDefault();
    if (isInert(button)) return;
    const variables = chosenNames();
    setInert(button, true);
    told.textContent = t("record.writing");
    try {
      const answer = await post("releases", { variables, note: note.value });
      const words = t("record.done", { table: crossed(variables) });
      told.textContent = answer.safe ? words : `${words} ${t("record.unsafe")}`;
      told.className = `result is-${answer.safe ? "released" : "problem"}`;
      note.value = "";
      sure.checked = false;
      notify("released");
    } catch (problem) {
      told.textContent = `${problem.message}.`;
      told.className = "result is-problem";
    }
    setInert(button, !chosenNames().length);
  }

  fill(
    panel,
    h("p", {}, t("record.help")),
    h(
      "form",
      { class: "record", onsubmit: record },
      which,
      h("p", {}, h("label", { for: "record-note" }, t("record.note")), " ", note),
      h("p", {}, sure, " ", h("label", { for: "record-sure" }, t("record.sure"))),
      button,
    ),
    told,
  );

  return async function update() {
    const names = chosenNames();
    which.textContent = names.length
      ? t("record.which", { table: crossed(names) })
      : t("record.choose");
    setInert(button, !names.length);
  };
}
