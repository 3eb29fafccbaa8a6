// What this user asked for before, newest first as the server gives it.

import { get } from "./api.js";
import { drawer, fill, h, scroller, time } from "./dom.js";
import { t } from "./i18n.js";
import { crossed, setLink } from "./sets.js";
import { noteAnswer, subscribe } from "./state.js";
import { statusIcon } from "./status.js";

const words = {
  released: "request.released",
  already: "request.already",
  refused: "request.refused",
  projected: "request.projected",
  deferred: "request.deferred",
  recorded: "request.already",
};

const icons = {
  released: "released",
  already: "released",
  recorded: "released",
  deferred: "noted",
};

const told = ({ outcome, reason }) => {
  if (outcome === "refused" && reason === "structural") return t("request.structural");
  return t(words[outcome] ?? outcome);
};

const row = (answer) =>
  h(
    "tr",
    {},
    h("th", { scope: "row" }, setLink(answer.variables, crossed(answer.variables))),
    h("td", {}, statusIcon(icons[answer.outcome] ?? "refused"), " ", told(answer)),
    h("td", { class: "quiet" }, time(answer.at)),
  );

// So that a refusal is known wherever its table is named. Oldest first: a later answer counts.
export async function loadRefusals() {
  const all = [];
  let cursor = null;
  do {
    const page = await get("requests", { cursor, limit: 200 });
    all.push(...page.items);
    cursor = page.next;
  } while (cursor && all.length < 1000);
  all.reverse().forEach(noteAnswer);
}

const table = (body) =>
  scroller(
    t("requests"),
    h(
      "table",
      {},
      h("caption", {}, t("requests.caption")),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          [t("requests.table"), t("requests.answer"), t("requests.when")].map((text) =>
            h("th", { scope: "col" }, text),
          ),
        ),
      ),
      body,
    ),
  );

export function createRequests() {
  const status = h("p", { role: "status", class: "quiet" });
  const place = h("div", {});
  const node = drawer("requests", t("requests"), h("div", {}, status, place), load);
  let loading = new AbortController();

  async function load() {
    loading.abort();
    loading = new AbortController();
    const { signal } = loading;
    const body = h("tbody", {});
    const more = h("button", { type: "button" }, t("more"));

    async function page(cursor) {
      const { items, next } = await get("requests", { cursor, limit: 50 }, signal);
      body.append(...items.map(row));
      more.hidden = !next;
      more.onclick = () => page(next);
      return items.length;
    }
    try {
      const any = await page(null);
      fill(place, any ? [table(body), more] : h("p", { class: "quiet" }, t("requests.none")));
      status.textContent = "";
    } catch (problem) {
      if (problem.name !== "AbortError") status.textContent = `${problem.message}.`;
    }
  }

  subscribe((change) => change === "released" && node.open && load());
  return node;
}
