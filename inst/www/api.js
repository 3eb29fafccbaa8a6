// All talk with the server. Addresses are relative, so that a proxy may serve the page below a path.

import { currentLanguage, t } from "./i18n.js";

const base = new URL("v1/", document.baseURI);
const TOKEN = "sdc-token";

export const token = {
  get: () => sessionStorage.getItem(TOKEN),
  set: (value) => sessionStorage.setItem(TOKEN, value),
  clear: () => sessionStorage.clear(),
};

// A refusal to answer: what the server says in application/problem+json. Status 0: no answer at all.
export class Problem extends Error {
  constructor(status, title, requestId, retryAfter) {
    super(title);
    this.status = status;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

// In the reader's language, as far as readers can do something about it.
const known = {
  "urn:sdc:unauthorized": "problem.unauthorized",
  "urn:sdc:forbidden": "problem.forbidden",
  "urn:sdc:not_found": "problem.not_found",
  "urn:sdc:not_acceptable": "problem.not_acceptable",
  "urn:sdc:no_votes": "problem.no_votes",
  "urn:sdc:rate_limited": "problem.rate_limited",
  "urn:sdc:unavailable": "problem.unavailable",
  "urn:sdc:stopped": "problem.stopped",
  "urn:sdc:internal": "problem.internal",
};

async function problemOf(response) {
  const body = await response.json().catch(() => ({}));
  const key = known[body.type];
  return new Problem(
    response.status,
    key ? t(key) : t("problem.status", { status: response.status }),
    body.request_id,
    Number(response.headers.get("Retry-After")) || null,
  );
}

async function send(path, { query = {}, headers = {}, trial = false, ...options } = {}) {
  const url = new URL(path, base);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) url.searchParams.set(name, value);
  }
  if (token.get()) headers.Authorization = `Bearer ${token.get()}`;
  let response;
  try {
    response = await fetch(url, { headers, cache: "no-cache", credentials: "omit", ...options });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem(0, t("problem.unreachable"));
  }
  if (response.status === 401 && !trial) dispatchEvent(new Event("unauthorised"));
  if (!response.ok) throw await problemOf(response);
  return response;
}

// Is the token good? Who signs in is told by the form, and nobody is signed out.
export const tryToken = () => send("me", { trial: true });

export async function get(path, query, signal) {
  const response = await send(path, { query, signal, headers: { Accept: "application/json" } });
  return response.json();
}

const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, 1000 * seconds));

// randomUUID() exists on secure origins only; an agency may serve plain HTTP inside its house.
const newKey = () =>
  crypto.randomUUID?.() ??
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) =>
    b.toString(16).padStart(2, "0"),
  ).join("");

// The key of a question is kept until it is answered, across reloads too: asked again with the same
// key, the server gives the answer that it gave or would have given, and decides nothing twice.
function keyOf(question) {
  const kept = sessionStorage.getItem(question) ?? newKey();
  sessionStorage.setItem(question, kept);
  return kept;
}

const isPassing = (problem) => problem instanceof Problem && [0, 429, 503].includes(problem.status);

// `waiting` is told of each new try. The answer to a question that was sent before comes back as it was.
export async function post(path, content, { waiting = () => {}, tries = 4 } = {}) {
  const body = JSON.stringify(content);
  const question = `sdc-${path} ${body}`;
  const headers = {
    Accept: "application/json",
    "Content-Type": "application/json",
    "Idempotency-Key": keyOf(question),
  };
  for (let i = 1; ; i++) {
    try {
      const response = await send(path, { method: "POST", headers, body });
      const answer = await response.json();
      sessionStorage.removeItem(question);
      return answer;
    } catch (problem) {
      // Answered, if with a no: the next question is a new one. A key for another question is spent.
      if (!isPassing(problem) && problem.status !== 401) sessionStorage.removeItem(question);
      if (!isPassing(problem) || i >= tries) throw problem;
      waiting(i);
      await pause(Math.min(problem.retryAfter ?? 0.5 * 2 ** (i - 1), 10));
    }
  }
}

export const ask = (variables, projected, options) =>
  post("requests", { variables, ...(projected && { if_refused: "projected" }) }, options);

// Spreadsheets first: most people open tables there. `label`: of the button, for files of one language.
const formats = [
  { id: "xlsx", label: "format.xlsx", extension: "xlsx" },
  { id: "csv-sheet", label: "format.csv_sheet", extension: "sheet.csv" },
  { id: "csv", label: "format.csv", extension: "csv" },
  { id: "json", label: "format.json", extension: "json" },
  { id: "sdmx-csv", label: "format.sdmx_csv", extension: "sdmx.csv" },
  { id: "sdmx-ml", label: "format.sdmx_ml", extension: "xml" },
];

// Those that the server offers.
export const offeredFormats = ({ formats: offered }) =>
  formats.filter(({ id }) => offered.includes(id)).map((format) => ({ ...format, name: t(format.label) }));

const dataPath = (id) => `tables/${encodeURIComponent(id)}/data`;

export const cube = (id, signal) =>
  get(dataPath(id), { format: "json", lang: currentLanguage() }, signal);

export const about = (id, signal) => get(`tables/${encodeURIComponent(id)}`, {}, signal);

// The token travels in a header, so a plain link would not do: the file is fetched, then saved.
async function save(path, query, name) {
  const response = await send(path, { query: { ...query, lang: currentLanguage() } });
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

export const download = (id, format, name) =>
  save(dataPath(id), { format: format.id }, `${name}.${format.extension}`);

export const downloadCatalogue = (format) =>
  save("catalogue", { format }, format === "sdmx" ? "catalogue.xml" : "catalogue.json");

// All categories of a variable, which the server gives in pages: { levels, labels }. Asked for once.
const categories = new Map();

export async function categoriesOf(id) {
  if (categories.has(id)) return categories.get(id);
  const found = { levels: [], labels: [] };
  let cursor = null;
  do {
    const page = await get(`structure/${encodeURIComponent(id)}`, {
      cursor,
      limit: 200,
      lang: currentLanguage(),
    });
    found.levels.push(...page.levels);
    found.labels.push(...page.labels);
    cursor = page.next;
  } while (cursor && found.levels.length < 1000);
  found.more = Boolean(cursor);
  categories.set(id, found);
  return found;
}
