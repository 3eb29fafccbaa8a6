// Scene 2: the exact posterior of each cell of a published table.

function posteriorScene(data, coins) {
  const { table, cycles, order } = data;
  let { alpha, beta, rule } = data;
  let published = table.counts;
  let chosen = 0;
  let terms = null;
  let found = null;

  const place = h("div");
  const detail = h("div");
  const sliders = { alpha: slider("alpha", alpha), beta: slider("beta", beta) };
  const take = button("Use the table of the first scene", () => {
    published = [...coins.counts()];
    renew("The published table is now the table of the first scene.");
  });
  const { element, say } = section(
    {
      id: "posterior",
      title: "What a reader infers",
      attempt:
        "Move alpha, the probability of adding a cycle, and beta, the probability of taking it" +
        " away. Then choose a cell, and read its probabilities below the table.",
      see:
        "The bars are the exact posterior of the original count under a uniform prior: they" +
        " spread as alpha and beta grow from 0, and cells that share a cycle with a zero stay" +
        " easier to guess.",
    },
    h("div", { class: "controls" }, sliders.alpha.field, sliders.beta.field),
    h(
      "div",
      { class: "controls" },
      choice("Zero rule", posteriorRules, rule, (value) => {
        rule = value;
        renew(`The zero rule is "${value}".`);
      }),
      coins ? take : null,
    ),
    place,
    detail,
  );

  function slider(name, value) {
    const shown = h("output", {}, value.toFixed(3));
    const input = h("input", {
      type: "range", min: 0, max: 1, step: "any", value, id: `posterior-${name}`,
      oninput: () => move(name, Number(input.value)),
      onkeydown: (event) => {
        const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
        if (!step) return;
        event.preventDefault();
        move(name, Math.min(1, Math.max(0, Math.round(100 * Number(input.value) + step) / 100)));
      },
    });
    return { field: h("label", { class: "field" }, `${name} `, input, " ", shown), input, shown };
  }

  // The sum of both is at most 1: the other one gives way.
  function move(name, value) {
    if (name === "alpha") [alpha, beta] = [value, Math.min(beta, 1 - value)];
    else [alpha, beta] = [Math.min(alpha, 1 - value), value];
    for (const [each, now] of Object.entries({ alpha, beta })) {
      sliders[each].input.value = now;
      sliders[each].shown.textContent = now.toFixed(3);
    }
    update("");
  }

  function renew(text) {
    terms = posteriorTerms(published, cycles, order, rule);
    update(text);
  }

  function update(text) {
    found = posteriorOf(terms, alpha, beta);
    draw();
    say(`${text} ${guess()}`.trim());
  }

  function guess() {
    if (found.evidence === 0) return "No original table agrees with these probabilities.";
    const same = probabilityOf(found.laws[chosen], published[chosen]);
    return `${cellName(table, chosen)}: the original is the published ${number(published[chosen])}` +
      ` with probability ${same.toFixed(4)}.`;
  }

  function cellOf(cell) {
    const law = found.laws[cell];
    const pick = button("", () => {
      chosen = cell;
      draw();
      place.querySelector(`[data-cell="${cell}"]`).focus();
      say(guess());
    }, {
      "data-cell": cell,
      "aria-pressed": String(cell === chosen),
      "aria-label": `${cellName(table, cell)}: published ${number(published[cell])}`,
    });
    pick.append(h("span", { class: "value" }, number(published[cell])), bars(law, published[cell]));
    return h("td", { class: "law" }, pick);
  }

  function draw() {
    place.replaceChildren(twoWay(table, cellOf));
    place.querySelectorAll("button").forEach((b) => {
      b.tabIndex = Number(b.dataset.cell) === chosen ? 0 : -1;
    });
    detail.replaceChildren(lawTable());
  }

  function lawTable() {
    if (found.evidence === 0) return h("p", {}, guess());
    const row = ([value, p]) =>
      h(
        "tr",
        { class: value === published[chosen] ? "own" : "" },
        h("th", { scope: "row" }, number(value)),
        h("td", {}, p.toFixed(6)),
      );
    return h(
      "table",
      { class: "probabilities" },
      h("caption", {}, cellName(table, chosen)),
      h(
        "thead",
        {},
        h("tr", {}, h("th", { scope: "col" }, "Original"), h("th", { scope: "col" }, "Probability")),
      ),
      h("tbody", {}, found.laws[chosen].map(row)),
    );
  }

  renew("");
  arrowKeys(place, table.levels[1].length);
  return { element, laws: () => found };
}

const posteriorRules = [
  ["blocked", "blocked"],
  ["nonnegative", "nonnegative"],
  ["roehrig", "roehrig: of the slides, no probability model"],
];

const probabilityOf = (law, value) => law.find(([v]) => v === value)?.[1] ?? 0;

// One bar for each possible count; that of the published one is filled, the others are hollow.
function bars(law, published) {
  const reach = Math.max(2, ...law.map(([value]) => Math.abs(value - published)));
  const width = 60 / (2 * reach + 1);
  return svg(
    "svg",
    { viewBox: "0 0 60 30", class: "bars", "aria-hidden": "true" },
    law.map(([value, p]) =>
      svg("rect", {
        x: (value - published + reach) * width + 0.5, width: width - 1,
        y: 29 - 28 * p, height: Math.max(0.5, 28 * p),
        class: value === published ? "own" : "other",
      }),
    ),
    svg("line", { x1: 0, x2: 60, y1: 29.5, y2: 29.5 }),
  );
}
