// Scene 1: the coins of cycles, one step after the other.

function coinsScene(data) {
  const { table, cycles, order, alpha, beta, drawn } = data;
  const start = table.counts;
  // Steps that were taken, and those that were taken back: { cycle, coin, applied, counts }.
  const taken = [];
  const undone = [];
  let rule = data.rule;
  let chosen = null;

  const counts = () => taken.at(-1)?.counts ?? start;
  const current = () => chosen ?? order[taken.length % order.length];
  const cyclesAt = group("Cycle", cycles.map((_, i) => button(`${i + 1}`, () => pick(i))));
  const place = h("div");
  const { element, say } = section(
    {
      id: "coins",
      title: "The coins of a cycle",
      attempt:
        "Choose a cycle, and add it to the table or take it away. Go on until a cell on a cycle" +
        " is zero, and then try that cycle again.",
      see: "Every row total and column total stays as it was, and a zero blocks its cycles.",
    },
    h("div", { class: "controls" }, h("span", { class: "field" }, "Cycle"), cyclesAt),
    h(
      "div",
      { class: "controls" },
      group(
        "Coin",
        button("Add (+1)", () => toss(1), { "data-coin": "1" }),
        button("Leave (0)", () => toss(0), { "data-coin": "0" }),
        button("Take away (\u22121)", () => toss(-1), { "data-coin": "-1" }),
        button("Flip the coin", () => toss(flipped())),
      ),
      group(
        "Steps",
        button("Step back", stepBack),
        button(drawn ? "Step forward, as drawn" : "Step forward", stepForward),
        button("Reset", reset),
      ),
    ),
    choice("Zero rule", coinRules, rule, (value) => {
      rule = value;
      say(`The zero rule is "${value}" from now on.`);
      draw();
    }),
    place,
  );
  arrowKeys(cyclesAt, 1);

  function pick(i) {
    chosen = i;
    say(`Cycle ${i + 1} is chosen. ${hindrance(i)}`);
    draw();
  }

  function hindrance(i) {
    const up = blockers(counts(), cycles[i], 1, rule);
    const down = blockers(counts(), cycles[i], -1, rule);
    if (up.length && down.length) return `It is blocked by ${cellName(table, up[0])}.`;
    return up.length ? "It cannot be added." : down.length ? "It cannot be taken away." : "It is free.";
  }

  const flipped = () => {
    const u = Math.random();
    return u < alpha ? 1 : u < alpha + beta ? -1 : 0;
  };

  function toss(coin) {
    const cycle = current();
    const stops = blockers(counts(), cycles[cycle], coin, rule);
    const applied = stops.length ? 0 : coin;
    undone.length = 0;
    taken.push({ cycle, applied, counts: moved(counts(), cycles[cycle], applied) });
    chosen = null;
    say(`Step ${taken.length}: ${stepWords(taken.at(-1), stops)} ${totalsWords()}`);
    draw();
  }

  function stepWords({ cycle, applied }, stops) {
    if (stops.length) return `cycle ${cycle + 1} is blocked by ${cellName(table, stops[0])}.`;
    const did = { 1: "was added", 0: "was left out", "-1": "was taken away" }[applied];
    return `cycle ${cycle + 1} ${did}.`;
  }

  function totalsWords() {
    const same = lines(table).every(
      (cells) => sum(cells.map((i) => counts()[i])) === sum(cells.map((i) => start[i])),
    );
    return same ? "All totals are unchanged." : "Some totals have changed.";
  }

  function stepBack() {
    if (!taken.length) return say("There is no step to take back.");
    undone.push(taken.pop());
    chosen = null;
    say(`Step ${taken.length + 1} is taken back. ${totalsWords()}`);
    draw();
  }

  // Repeats a step that was taken back; else the next coin of the perturbation, or of chance.
  function stepForward() {
    if (!undone.length && drawn && taken.length >= drawn.length) {
      return say("All coins that were drawn are used.");
    }
    const again = undone.pop();
    if (again) {
      taken.push(again);
      say(`Step ${taken.length}: ${stepWords(again, [])} ${totalsWords()}`);
      chosen = null;
      return draw();
    }
    chosen = null;
    toss(drawn ? drawn[taken.length] : flipped());
  }

  function reset() {
    taken.length = 0;
    undone.length = 0;
    chosen = null;
    say("The table is as it was at the start.");
    draw();
  }

  function cellOf(cell) {
    const part = cycles[current()].find(([c]) => c === cell);
    const blocking = [1, -1].some((s) => blockers(counts(), cycles[current()], s, rule).includes(cell));
    const before = start[cell];
    const value = counts()[cell];
    return h(
      "td",
      { class: `${part ? (part[1] > 0 ? "plus" : "minus") : ""}${blocking ? " blocking" : ""}` },
      h("span", { class: "value" }, number(value)),
      h("span", { class: "mark" }, part ? signed(part[1]) : "\u00a0", blocking ? " blocks" : ""),
      h("span", { class: "mark" }, value === before ? "\u00a0" : `was ${number(before)}`),
    );
  }

  function draw() {
    const total = (cells) => {
      const now = sum(cells.map((i) => counts()[i]));
      return `${number(now)}${now === sum(cells.map((i) => start[i])) ? " =" : " \u2260"}`;
    };
    place.replaceChildren(
      h("p", { class: "quiet" }, `${plural(taken.length, "step")} taken. Marks show cycle ` +
        `${current() + 1}; "=" marks a total that is as it was at the start.`),
      twoWay(table, cellOf, total),
    );
    [...cyclesAt.children].forEach((b, i) => b.setAttribute("aria-pressed", String(i === current())));
  }

  draw();
  return { element, counts };
}

const coinRules = [
  ["blocked", "blocked: no move touches a zero"],
  ["nonnegative", "nonnegative: no count falls below zero"],
];

// The cells of each row and of each column.
function lines({ levels }) {
  const [rows, columns] = levels.map((l) => l.length);
  return [
    ...count(rows).map((r) => count(columns).map((c) => r + rows * c)),
    ...count(columns).map((c) => count(rows).map((r) => r + rows * c)),
  ];
}
