// All sub-tables of up to eight variables as a lattice, the grand total at the bottom. The picture is
// for eyes only (the levels say the same in a table); the arrow keys move in it: up adds a variable,
// down drops the one that was added last, left and right exchange it.

import { get } from "./api.js";
import { fill, h, svg } from "./dom.js";
import { t } from "./i18n.js";
import { crossed } from "./sets.js";
import { choose, isOperator, state } from "./state.js";
import { statusWord } from "./status.js";

export const latticeMost = 8;

const letters = { r: "released", o: "open", c: "closed", u: "refused" };
const ways = (set) => set.toString(2).replaceAll("0", "").length;
const bits = (k) => Array.from({ length: k }, (_, i) => i);

// Where each set stands: its level from below, and its place in the level.
function layout(k) {
  const rows = Array.from({ length: k + 1 }, () => []);
  for (let set = 0; set < 2 ** k; set++) rows[ways(set)].push(set);
  const width = Math.max(560, Math.max(...rows.map((row) => row.length)) * 14);
  const gap = k > 6 ? 56 : 62;
  const at = [];
  rows.forEach((row, level) =>
    row.forEach((set, i) => {
      at[set] = { x: ((i + 0.5) * width) / row.length, y: 20 + (k - level) * gap };
    }),
  );
  return { at, width, height: 40 + k * gap, rows };
}

const line = (a, b) => `M${a.x.toFixed(1)} ${a.y}L${b.x.toFixed(1)} ${b.y}`;

// The edges from each set to those with one variable more, of which `keep` says which are drawn.
function edges(k, at, keep) {
  let path = "";
  for (let set = 0; set < 2 ** k; set++) {
    for (const i of bits(k)) {
      const upper = set | (1 << i);
      if (upper !== set && keep(set, upper)) path += line(at[set], at[upper]);
    }
  }
  return path;
}

function mark(status, { x, y }, r) {
  const attributes = { class: `node node-${status}` };
  if (status === "released") return svg("circle", { ...attributes, cx: x, cy: y, r });
  if (status === "open") return svg("circle", { ...attributes, cx: x, cy: y, r: r - 0.5 });
  if (status === "refused")
    return svg("path", {
      ...attributes,
      d: `M${x - r} ${y - r}l${2 * r} ${2 * r}m0 ${-2 * r}l${-2 * r} ${2 * r}`,
    });
  return svg("circle", { ...attributes, cx: x, cy: y, r: r / 2.5 });
}

function node(set, status, place, r, namesOf) {
  const ids = () => state.variables.map(({ id }) => id).filter((_, i) => set & (1 << i));
  return svg(
    "g",
    { class: "spot", onclick: () => choose(ids()) },
    svg("circle", { class: "target", cx: place.x, cy: place.y, r: r + 3 }),
    mark(status, place, r),
    svg("title", {}, `${crossed(namesOf(set))}: ${statusWord(status)}`),
  );
}

const sample = (status) =>
  svg(
    "svg",
    { class: "sample", viewBox: "0 0 16 16", "aria-hidden": "true" },
    mark(status, { x: 8, y: 8 }, 6),
  );

const legend = () =>
  h(
    "p",
    { class: "legend", "aria-hidden": "true" },
    ["released", "open", ...(isOperator() ? ["refused"] : []), "closed"].map((status) =>
      h("span", {}, sample(status), statusWord(status)),
    ),
  );

// The next set in the direction of a key, and the variable that was moved (`cursor`).
export function neighbour(set, k, key, cursor) {
  const missing = bits(k).filter((i) => !(set & (1 << i)));
  const present = bits(k).filter((i) => set & (1 << i));
  const last = present.includes(cursor) ? cursor : present.at(-1);
  if (key === "ArrowUp" && missing.length) {
    const added = missing.find((i) => i > (last ?? -1)) ?? missing[0];
    return { set: set | (1 << added), cursor: added };
  }
  if (key === "ArrowDown" && present.length) return { set: set & ~(1 << last), cursor: null };
  if ((key === "ArrowLeft" || key === "ArrowRight") && present.length && missing.length) {
    const order = key === "ArrowRight" ? missing : [...missing].reverse();
    const beyond = (i) => (key === "ArrowRight" ? i > last : i < last);
    const other = order.find(beyond) ?? order[0];
    return { set: (set & ~(1 << last)) | (1 << other), cursor: other };
  }
  return null;
}

export function createLattice(panel) {
  let cursor = null;
  const frame = h("div", {
    class: "scroll lattice",
    tabindex: "0",
    role: "group",
    "aria-label": t("lattice"),
    "aria-describedby": "lattice-help",
    onkeydown: move,
  });
  const help = h(
    "p",
    { class: "quiet", id: "lattice-help" },
    t("lattice.help"),
  );
  fill(panel, help, legend(), frame);

  const chosenSet = () =>
    state.variables.reduce(
      (set, { id }, i) => (state.chosen.includes(id) ? set | (1 << i) : set),
      0,
    );

  function move(event) {
    const next = neighbour(chosenSet(), state.variables.length, event.key, cursor);
    if (!event.key.startsWith("Arrow")) return;
    event.preventDefault();
    if (!next) return;
    cursor = next.cursor;
    choose(state.variables.filter((_, i) => next.set & (1 << i)).map(({ id }) => id));
  }

  return async function update(signal) {
    const { status } = await get("lattice", {}, signal);
    const k = state.variables.length;
    const { at, width, height, rows } = layout(k);
    const r = k > 6 ? 5 : 7;
    const of = (set) => letters[status[set]];
    const names = (set) => state.variables.filter((_, i) => set & (1 << i)).map(({ name }) => name);
    const here = chosenSet();
    fill(
      frame,
      svg(
        "svg",
        {
          viewBox: `0 0 ${width} ${height}`,
          "aria-hidden": "true",
          class: k > 6 ? "is-wide" : null,
        },
        svg("path", { class: "edges", d: edges(k, at, () => true) }),
        svg("path", {
          class: "edges edges-released",
          d: edges(k, at, (_, upper) => of(upper) === "released"),
        }),
        svg("path", {
          class: "edges edges-chosen",
          d: edges(k, at, (a, b) => a === here || b === here),
        }),
        rows.flat().map((set) => node(set, of(set), at[set], r, names)),
        svg("circle", { class: "chosen-ring", cx: at[here].x, cy: at[here].y, r: r + 5 }),
      ),
    );
  };
}
