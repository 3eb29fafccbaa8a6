// What is near a table: steps towards it, what can be added, and what is released already.

import { byId, h } from "./dom.js";
import { t } from "./i18n.js";
import { pills } from "./sets.js";
import { byName, choose, labelOf, state, wasRefusedToMe } from "./state.js";
import { statusIcon, statusWord } from "./status.js";

const block = (title, list, n) => n > 0 && h("div", { class: "block" }, h("h3", {}, title), list);

const addButton = ({ name, status }) =>
  h(
    "li",
    {},
    h(
      "button",
      {
        type: "button",
        class: "pill",
        "aria-label": t("near.add_one", { variable: labelOf(name), status: statusWord(status) }),
        onclick: () => {
          choose([...state.chosen, byName(name)?.id]);
          byId("card").focus();
        },
      },
      statusIcon(status),
      labelOf(name),
    ),
  );

const as = (status, sets) => pills(sets.map((set) => ({ ...set, status })));

// `shown`: the status that the card shows.
export function nearTo(card, shown) {
  const { variables, can_add: more, parts, out_with: outWith, steps = [], smaller = [] } = card;
  const coarser = card.coarser ?? [];
  const known = new Set([...coarser, ...parts].map(({ id }) => id));
  const lesser = smaller.filter(
    ({ id, variables: names }) => !known.has(id) && !wasRefusedToMe(names),
  );
  const larger = outWith.filter((set) => set.variables.length > variables.length);
  const lost = shown === "refused" || shown === "closed";
  return [
    lost && block(t("near.coarser"), pills(coarser), coarser.length),
    block(lost ? t("near.parts_instead") : t("near.parts"), as("released", parts), parts.length),
    lost && block(t("near.smaller"), as("open", lesser), lesser.length),
    block(t("near.steps"), as("open", steps), steps.length),
    block(t("near.add"), h("ul", { class: "pills" }, more.map(addButton)), more.length),
    block(t("near.larger"), as("released", larger), larger.length),
  ];
}
