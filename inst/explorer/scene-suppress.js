// Scene 4: suppressed cells of a two-way table, and the intervals of an attacker.

function suppressScene(data) {
  const { table } = data;
  const { levels, counts } = table;
  const dims = levels.map((l) => l.length);
  const hidden = counts.map(() => false);
  let found = attack();
  let maxN = 2;

  const place = h("div");
  const limit = h("input", {
    type: "number", min: 0, max: 1000000, value: maxN, id: "suppress-limit",
    onchange: () => (maxN = Math.max(0, Number(limit.value) || 0)),
  });
  const { element, say } = section(
    {
      id: "suppress",
      title: "Suppressed cells and the attacker",
      attempt:
        "Suppress one cell, and then a second one in its row. Add cells until the attacker has an" +
        " interval for every one of them.",
      see:
        "All totals are published, so the attacker subtracts: a cell that is alone in its row or" +
        " column is known, and four corners of a rectangle can protect each other.",
    },
    h(
      "div",
      { class: "controls" },
      h("label", { class: "field" }, "Small counts: at most ", limit),
      button("Suppress small counts", suppressSmall),
      button("Show all cells", () => {
        hidden.fill(false);
        renew("All cells are published.");
      }),
    ),
    place,
  );

  function attack() {
    const { cells, lower, upper, sharp } = hiddenIntervals(dims, counts, hidden);
    return new Map(cells.map((cell, k) => [cell, [lower[k], upper[k], sharp[k]]]));
  }

  function suppressSmall() {
    counts.forEach((n, cell) => {
      if (n > 0 && n <= maxN) hidden[cell] = true;
    });
    renew(`Counts from 1 to ${number(maxN)} are suppressed.`);
  }

  function toggle(cell) {
    hidden[cell] = !hidden[cell];
    renew(`${cellName(table, cell)} is ${hidden[cell] ? "suppressed" : "published"}.`);
    place.querySelector(`[data-cell="${cell}"]`).focus();
  }

  function renew(text) {
    found = attack();
    draw();
    const known = [...found.values()].filter(([low, high]) => low === high).length;
    say(`${text} ${plural(found.size, "cell")} suppressed, of which the attacker knows ${known} exactly.`);
  }

  function cellWords(cell) {
    if (!hidden[cell]) return [number(counts[cell]), "published"];
    const [low, high] = found.get(cell);
    return low === high
      ? [`= ${number(low)}`, "known"]
      : [`${number(low)} to ${number(high)}`, "hidden"];
  }

  function cellOf(cell) {
    const [text, state] = cellWords(cell);
    const mark = { published: "\u00a0", known: "known!", hidden: `was ${number(counts[cell])}` }[state];
    const node = button("", () => toggle(cell), {
      "data-cell": cell,
      "aria-pressed": String(hidden[cell]),
      "aria-label": `${cellName(table, cell)}: ${text}, ${state}`,
    });
    node.append(h("span", { class: "value" }, text), h("span", { class: "mark" }, mark));
    return h("td", { class: state }, node);
  }

  function draw() {
    const focus = document.activeElement?.dataset?.cell ?? "0";
    place.replaceChildren(
      twoWay(table, cellOf, (cells) => number(sum(cells.map((i) => counts[i])))),
    );
    place.querySelectorAll("button").forEach((b) => (b.tabIndex = b.dataset.cell === focus ? 0 : -1));
    if (!place.querySelector("button[tabindex='0']")) place.querySelector("button").tabIndex = 0;
  }

  draw();
  arrowKeys(place, dims[1]);
  return { element, found: () => found };
}
