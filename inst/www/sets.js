// Buttons that choose a sub-table. The focus goes to its card, since what held the button is drawn anew.

import { byId, crossed, h, statusIcon, statusWord, unseen } from "./dom.js";
import { chooseNames } from "./state.js";

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

export const pill = ({ variables, status }) =>
  h(
    "li",
    {},
    chooser(
      variables,
      { class: "pill" },
      status && statusIcon(status),
      crossed(variables),
      status && unseen(`: ${statusWord(status)}`),
    ),
  );

export const pills = (sets) => h("ul", { class: "pills" }, sets.map(pill));

export const setLink = (variables, ...children) => chooser(variables, { class: "link" }, children);
