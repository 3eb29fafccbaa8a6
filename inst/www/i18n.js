// Words and numbers in the reader's language. The words stand in messages/<language>.json, one file a
// language, all with the same keys; `{name}` in a message is filled in. Where a message depends on a
// number there are two keys, <key>.one and <key>.other, asked for by tn().

const shipped = ["en", "de"];

let language = "en";
let messages = {};
let plurals = null;
let whole = null;
let share = null;
let list = null;
let choice = null;
let moment = null;

export const languages = shipped;
export const currentLanguage = () => language;

const bare = (code) => code.toLowerCase().split("-")[0];

// The address says it (?lang=de), or else the browser: among those that the data have, if any.
export function preferredLanguage(offered = []) {
  const asked = bare(new URLSearchParams(location.search).get("lang") ?? "");
  if (shipped.includes(asked)) return asked;
  const both = offered.map(bare).filter((code) => shipped.includes(code));
  const among = both.length ? both : shipped;
  return navigator.languages.map(bare).find((code) => among.includes(code)) ?? among[0];
}

export async function useLanguage(code) {
  const response = await fetch(new URL(`messages/${code}.json`, document.baseURI));
  messages = await response.json();
  language = code;
  document.documentElement.lang = code;
  plurals = new Intl.PluralRules(code);
  whole = new Intl.NumberFormat(code);
  share = new Intl.NumberFormat(code, {
    style: "percent",
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
  list = new Intl.ListFormat(code);
  choice = new Intl.ListFormat(code, { type: "disjunction" });
  moment = new Intl.DateTimeFormat(code, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });
}

export function t(key, values = {}) {
  const text = messages[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);
}

// Beyond 10^15 the digits of a number say less than its size.
const raised = (n) => String(n).replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]);
const power = (n) => {
  const [head, tail] = n.toExponential(1).split("e+");
  return t("about_power", { head, tail: raised(tail) });
};
export const count = (n) => (n < 1e15 ? whole.format(n) : power(n));

export const tn = (key, n, values = {}) =>
  t(`${key}.${plurals.select(n) === "one" ? "one" : "other"}`, { n: count(n), ...values });

export const percent = (part, all) => (all > 0 ? share.format(part / all) : "–");

// "A", "A and B", "A, B and C".
export const listed = (names) => list.format(names);
export const either = (names) => choice.format(names);

// Of a time as the server writes it, in UTC.
export function timeText(at) {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? String(at) : `${moment.format(date)} UTC`;
}

export const dateText = (date) =>
  new Intl.DateTimeFormat(language, { dateStyle: "long" }).format(date);
