// Names of sub-tables, and buttons that choose one. The focus goes to its card, since what held the
// button is drawn anew.

import { byId, h, unseen } from "./dom.js";
import { t } from "./i18n.js";
import { chooseNames, labelsOf } from "./state.js";
import { shownStatus, statusIcon, statusWord } from "./status.js";

export const crossed = (names) =>
  names.length ? labelsOf(names).join(" × ") : t("grand_total");

const chooser = (variables, attributes, ...children) =>
  h(
    "button",
    {
      type: "button",
      ...attributes,
      onclick: () => {
        chooseNames(variables);
        byId("card").focus();
      },
    },
    children,
  );

export function pill(set) {
  const status = shownStatus(set);
  return h(
    "li",
    {},
    chooser(
      set.variables,
      { class: "pill" },
      status && statusIcon(status),
      crossed(set.variables),
      status && unseen(`: ${statusWord(status)}`),
    ),
  );
}

export const pills = (sets) => h("ul", { class: "pills" }, sets.map(pill));

export const setLink = (variables, ...children) => chooser(variables, { class: "link" }, children);
