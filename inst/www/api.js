// All talk with the server. Addresses are relative, so that a proxy may serve the page below a path.

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

async function problemOf(response) {
  const body = await response.json().catch(() => ({}));
  return new Problem(
    response.status,
    body.title || `The server answered ${response.status}`,
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
    throw new Problem(0, "The server cannot be reached");
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

export async function ask(variables, projected, { waiting = () => {}, tries = 4 } = {}) {
  const body = JSON.stringify({ variables, ...(projected && { if_refused: "projected" }) });
  const question = `sdc-ask ${body}`;
  const headers = {
    Accept: "application/json",
    "Content-Type": "application/json",
    "Idempotency-Key": keyOf(question),
  };
  for (let i = 1; ; i++) {
    try {
      const response = await send("requests", { method: "POST", headers, body });
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

export const formats = [
  { id: "csv", name: "CSV", extension: "csv" },
  { id: "json", name: "JSON-stat", extension: "json" },
  { id: "sdmx-csv", name: "SDMX-CSV", extension: "sdmx.csv" },
  { id: "sdmx-ml", name: "SDMX-ML", extension: "xml" },
];

const dataPath = (id) => `tables/${encodeURIComponent(id)}/data`;

export const cube = (id, signal) => get(dataPath(id), { format: "json" }, signal);

// The token travels in a header, so a plain link would not do: the file is fetched, then saved.
export async function download(id, format, name) {
  const response = await send(dataPath(id), { query: { format: format.id } });
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement("a");
  link.href = url;
  link.download = `${name}.${format.extension}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
