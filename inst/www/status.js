// What is known of a sub-table, in words and shapes; colour only repeats them. Readers get the plain
// words; short ones stand in lists and in the pictures for experts.

import { svg } from "./dom.js";
import { t } from "./i18n.js";
import { wasRefusedToMe } from "./state.js";

const shapes = {
  released: () => [
    svg("circle", { cx: 8, cy: 8, r: 7 }),
    svg("path", { d: "M4.5 8.3 7 10.8 11.6 5.6" }),
  ],
  open: () => [svg("circle", { cx: 8, cy: 8, r: 6 })],
  steps: () => [svg("path", { d: "M1 13h4V9h5V5h5" })],
  noted: () => [svg("circle", { cx: 8, cy: 8, r: 6 }), svg("path", { d: "M8 5v3.5l2.5 1.5" })],
  closed: () => [
    svg("rect", { x: 2, y: 2, width: 12, height: 12, rx: 2 }),
    svg("path", { d: "M5 8h6" }),
  ],
  refused: () => [
    svg("path", { d: "M8 1 15 8 8 15 1 8z" }),
    svg("path", { d: "M6 6l4 4M10 6l-4 4" }),
  ],
};

const sentences = {
  released: "status.released",
  open: "status.open",
  steps: "status.steps",
  noted: "status.noted",
  closed: "status.closed",
  refused: "status.refused",
};

const shorts = {
  released: "short.released",
  open: "short.open",
  steps: "short.steps",
  noted: "short.noted",
  closed: "short.closed",
  refused: "short.refused",
};

export const statusSentence = (status) => t(sentences[status] ?? status);

export const statusWord = (status) => t(shorts[status] ?? status);

export const statusIcon = (status) =>
  svg(
    "svg",
    { class: `icon icon-${status}`, viewBox: "0 0 16 16", "aria-hidden": "true" },
    (shapes[status] ?? shapes.closed)(),
  );

// The status of an entry in a list: what this user was refused stays refused, until it is released.
export const shownStatus = ({ variables, status }) =>
  status && status !== "released" && wasRefusedToMe(variables) ? "refused" : status;

// The status of a card, which knows more than a list.
export function standing({ status, asked, variables, steps = [] }) {
  if (status === "released") return "released";
  const refusedForRisk = asked?.reason === "risk" && ["refused", "projected"].includes(asked.outcome);
  if (refusedForRisk || wasRefusedToMe(variables)) return "refused";
  if (status === "open") return asked?.outcome === "deferred" ? "noted" : "open";
  return steps.length ? "steps" : "closed";
}
