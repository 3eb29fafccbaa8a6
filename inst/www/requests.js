// What this user asked for before, newest first as the server gives it.

import { get } from "./api.js";
import { crossed, fill, h } from "./dom.js";
import { setLink } from "./sets.js";

const words = {
  released: "Released",
  already: "Was released already",
  projected: "Refused, its released parts given",
  deferred: "Collected, to be decided later",
  recorded: "Recorded",
};

const reasons = { risk: " for risk", structural: " by the rules" };

const told = ({ outcome, reason }) =>
  outcome === "refused" ? `Refused${reasons[reason] ?? ""}` : (words[outcome] ?? outcome);

export const time = (at) =>
  h(
    "time",
    { datetime: at },
    String(at)
      .replace("T", " ")
      .replace(/(\.\d+)?Z$/, " UTC"),
  );

const row = (answer) =>
  h(
    "tr",
    {},
    h("th", { scope: "row" }, setLink(answer.variables, crossed(answer.variables))),
    h("td", {}, told(answer)),
    h("td", { class: "quiet" }, time(answer.at)),
  );

export function createRequests(panel) {
  return async function update(signal) {
    const body = h("tbody", {});
    const more = h("button", { type: "button" }, "More");

    async function page(cursor) {
      const { items, next } = await get("requests", { cursor, limit: 50 }, signal);
      body.append(...items.map(row));
      more.hidden = !next;
      more.onclick = () => page(next);
      return items.length;
    }
    const any = await page(null);
    fill(
      panel,
      any
        ? [
            h(
              "div",
              { class: "scroll" },
              h(
                "table",
                {},
                h("caption", {}, "What you asked for"),
                h(
                  "thead",
                  {},
                  h(
                    "tr",
                    {},
                    ["Sub-table", "Answer", "When"].map((text) => h("th", { scope: "col" }, text)),
                  ),
                ),
                body,
              ),
            ),
            more,
          ]
        : h("p", { class: "quiet" }, "You have not asked for anything yet."),
    );
  };
}
