// Scene 3: margins released one by one on the lattice of sets of variables.

function marginsScene(data) {
  const { table } = data;
  const { names, levels, counts } = table;
  const dims = levels.map((l) => l.length);
  const all = 2 ** names.length - 1;
  let released = [];
  let before = null;
  let now = release([]);

  const nodes = new Map();
  const lattice = h("div", { class: "lattice", role: "group", "aria-label": "Margins" });
  const place = h("div");
  const { element, say } = section(
    {
      id: "margins",
      title: "Margins released one by one",
      attempt:
        "Release a margin of two variables, then another one that shares a variable with it." +
        " Go on with larger margins, and take one back by its button.",
      see:
        "The interval of each small cell closes with every margin; the pale bar is the interval" +
        " before the last step, and a cell whose interval is one point is disclosed.",
    },
    h("div", { class: "controls" }, button("Take all back", () => change([], "Only the total is known."))),
    h(
      "p",
      { class: "quiet" },
      "Filled: released. Dashed: a part of a released margin. The dark stroke on a line is the" +
        " count; the scale is that of square roots.",
    ),
    lattice,
    place,
  );

  function release(family) {
    try {
      return marginIntervals(dims, counts, family, data.cells);
    } catch (error) {
      if (error instanceof TooLarge) return null;
      throw error;
    }
  }

  const setName = (set) => names.filter((_, k) => set & (1 << k)).join(" \u00d7 ");

  const placesOf = (set) => names.map((_, k) => (set & (1 << k) ? k : "")).join("");

  const isImplied = (set) => released.some((other) => other !== set && (set & other) === set);

  function toggle(set) {
    if (isImplied(set)) return say(`${setName(set)} is a part of a released margin.`);
    const out = released.includes(set);
    const rest = released.filter((other) => other !== set && (other & set) !== other);
    change(out ? rest : [...rest, set], `${setName(set)} is ${out ? "taken back" : "released"}.`);
  }

  function change(family, text) {
    before = now;
    released = family;
    now = release(family);
    draw();
    say(`${text} ${disclosedWords()}`);
  }

  function disclosedWords() {
    if (!now) return "The numbers of this release are too large for this page.";
    const known = count(data.cells.length).filter((i) => now.lower[i] === now.upper[i]).length;
    const width = Math.min(...count(data.cells.length).map((i) => now.upper[i] - now.lower[i]));
    return `Cells known exactly: ${known} of ${data.cells.length}. The narrowest interval has width` +
      ` ${number(width)}.`;
  }

  function makeLattice() {
    const sizes = count(names.length).map((k) => k + 1);
    for (const size of sizes) {
      const sets = count(all + 1)
        .filter((set) => bitsOf(set) === size)
        .sort((a, b) => (placesOf(a) < placesOf(b) ? -1 : 1));
      const row = h("div", { class: "level" });
      for (const set of sets) {
        const short = names.every((name) => name.length === 1);
        const text = short ? setName(set).replaceAll(" \u00d7 ", "") : setName(set);
        const node = button(text, () => toggle(set), { "data-set": set, "aria-label": setName(set) });
        nodes.set(set, node);
        row.append(node);
      }
      lattice.append(h("p", { class: "quiet" }, plural(size, "variable")), row);
    }
    arrowKeys(lattice, names.length);
  }

  function cellWords(cell) {
    let rest = cell;
    return dims.map((n, k) => {
      const level = levels[k][rest % n];
      rest = Math.floor(rest / n);
      return `${names[k]} ${level}`;
    }).join(", ");
  }

  function draw() {
    for (const [set, node] of nodes) {
      const implied = isImplied(set);
      const out = implied || released.includes(set);
      node.setAttribute("aria-pressed", String(out));
      node.className = implied ? "implied" : "";
      node.setAttribute("aria-disabled", String(implied));
    }
    const total = sum(counts);
    place.replaceChildren(
      h("p", {}, released.length
        ? `Released: ${released.map(setName).join("; ")}.`
        : `Released: nothing but the total, ${number(total)}.`),
      now ? h("ul", { class: "intervals" }, data.cells.map((cell, i) => intervalOf(cell, i, total))) : "",
    );
  }

  function intervalOf(cell, i, total) {
    const [low, high] = [now.lower[i], now.upper[i]];
    const sure = now.sharp[i] ? "" : "at least ";
    const width = high === low && !sure ? "known" : `${sure}width ${number(high - low)}`;
    return h(
      "li",
      { class: high === low ? "known" : "" },
      h("span", {}, `${cellWords(cell)}: `),
      h("strong", { "data-cell": cell }, `${number(low)} to ${number(high)}`),
      h("span", { class: "quiet" }, ` (${width}; count ${number(counts[cell])})`),
      line(low, high, before && [before.lower[i], before.upper[i]], counts[cell], total),
    );
  }

  makeLattice();
  draw();
  return { element, interval: () => now };
}

const bitsOf = (set) => (set === 0 ? 0 : (set & 1) + bitsOf(set >> 1));

// A number line on the scale of the square root, so that small counts have room.
function line(low, high, before, truth, total) {
  const at = (x) => 2 + 296 * Math.sqrt(x / Math.max(1, total));
  const bar = ([from, to], type, y, height) =>
    svg("rect", { x: at(from) - 1, width: at(to) - at(from) + 2, y, height, class: type });
  return svg(
    "svg",
    { viewBox: "0 0 300 16", class: "line", "aria-hidden": "true", preserveAspectRatio: "none" },
    svg("line", { x1: 2, x2: 298, y1: 8, y2: 8 }),
    before ? bar(before, "before", 3, 10) : [],
    bar([low, high], "now", 5, 6),
    svg("line", { x1: at(truth), x2: at(truth), y1: 0, y2: 16, class: "truth" }),
  );
}
