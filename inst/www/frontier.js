// The released frontier as a table of crosses: one row a maximal released sub-table, one column a
// variable.

import { get } from "./api.js";
import { fill, h, scroller, unseen } from "./dom.js";
import { count, listed, t } from "./i18n.js";
import { crossed, setLink } from "./sets.js";
import { byName, chosenNames, labelsOf, state } from "./state.js";

const cross = (there) =>
  h("td", { class: "cross" }, there && [h("span", { "aria-hidden": "true" }, "×"), unseen(t("yes"))]);

function row({ variables }, chosen) {
  const holds = new Set(variables);
  return h(
    "tr",
    { class: chosen.length && chosen.every((name) => holds.has(name)) ? "is-chosen" : null },
    h(
      "th",
      { scope: "row" },
      setLink(variables, variables.length, unseen(` ${t("frontier.choose", { table: crossed(variables) })}`)),
    ),
    state.variables.map(({ name }) => cross(holds.has(name))),
  );
}

// Large sub-tables first, then in the order of the variables.
function byDimension(a, b) {
  const order = (set) =>
    set.variables
      .map((name) => String(state.variables.indexOf(byName(name))).padStart(4, "0"))
      .join();
  return b.variables.length - a.variables.length || (order(a) < order(b) ? -1 : 1);
}

export function crosses(items, caption) {
  const chosen = chosenNames();
  return scroller(
    caption,
    h(
      "table",
      { class: "crosses" },
      h("caption", {}, caption),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col", class: "size" }, t("frontier.size")),
          state.variables.map(({ label }) =>
            h("th", { scope: "col", class: "turned" }, h("span", {}, label)),
          ),
        ),
      ),
      h(
        "tbody",
        {},
        [...items].sort(byDimension).map((item) => row(item, chosen)),
      ),
    ),
  );
}

export function createFrontier(panel) {
  return async function update(signal) {
    const chosen = chosenNames();
    const items = [];
    const summary = h("p", { class: "quiet" });
    const place = h("div", {});
    const more = h("button", { type: "button" }, t("more"));

    async function page(cursor) {
      const answer = await get("frontier", { cursor }, signal);
      items.push(...answer.items);
      const within = items.filter(({ variables }) =>
        chosen.every((name) => variables.includes(name)),
      );
      fill(
        summary,
        t("frontier.help"),
        chosen.length > 0 &&
          ` ${t("frontier.within", {
            all: count(items.length),
            n: count(within.length),
            variables: listed(labelsOf(chosen)),
          })}`,
      );
      fill(place, crosses(items, t("frontier.caption")));
      more.hidden = !answer.next;
      more.onclick = () => page(answer.next);
    }
    await page(null);
    fill(panel, summary, place, more);
  };
}
