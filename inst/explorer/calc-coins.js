// The coins of a mechanism, forwards and backwards, on a table as a list of counts. A cycle is a
// list of pairs: the number of a cell, and what the cycle adds to it.

const moved = (table, cycle, sign) => {
  const after = [...table];
  for (const [cell, coefficient] of cycle) after[cell] += sign * coefficient;
  return after;
};

const fits = (table, cycle, sign) =>
  cycle.every(([cell, coefficient]) => table[cell] + sign * coefficient >= 0);

// The cells because of which a step is skipped.
function blockers(table, cycle, sign, rule) {
  if (sign === 0 || rule === "none") return [];
  const blocks = {
    blocked: ([cell, coefficient]) => table[cell] < Math.abs(coefficient),
    nonnegative: ([cell, coefficient]) => table[cell] + sign * coefficient < 0,
  }[rule];
  return cycle.filter(blocks).map(([cell]) => cell);
}

// The ways in which a step can have led to `table`: the table before it, and which of alpha (0),
// beta (1) or 1 - alpha - beta (2) is the probability; null stands for 1.
function waysBack(table, cycle, rule) {
  const ways = [];
  for (const sign of [1, -1]) {
    const before = moved(table, cycle, -sign);
    const possible =
      rule === "none" ||
      (fits(before, cycle, 0) && (rule === "roehrig" || !blockers(before, cycle, sign, rule).length));
    if (possible) ways.push([before, sign > 0 ? 0 : 1]);
  }
  const open = {
    none: () => true,
    nonnegative: () => true,
    blocked: () => blockers(table, cycle, 1, "blocked").length === 0,
    roehrig: () => cycle.every(([cell]) => table[cell] >= 1),
  }[rule]();
  ways.push([table, open ? 2 : null]);
  if (rule === "nonnegative") {
    if (!fits(table, cycle, 1)) ways.push([table, 0]);
    if (!fits(table, cycle, -1)) ways.push([table, 1]);
  }
  return ways;
}

// For each cell, a map from each possible original count to its polynomial: a map from the three
// exponents (100 to the power of their number) to a whole number.
function posteriorTerms(published, cycles, order, rule) {
  const cells = published.map(() => new Map());
  const collect = (table, key) => {
    if (table.some((count) => count < 0)) return;
    table.forEach((count, cell) => {
      if (!cells[cell].has(count)) cells[cell].set(count, new Map());
      const terms = cells[cell].get(count);
      terms.set(key, (terms.get(key) ?? 0) + 1);
    });
  };
  const back = (table, step, key) => {
    if (step < 0) return collect(table, key);
    for (const [before, which] of waysBack(table, cycles[order[step]], rule)) {
      back(before, step - 1, which === null ? key : key + 100 ** which);
    }
  };
  back(published, order.length - 1, 0);
  return cells;
}

const stayProbability = (alpha, beta) => (alpha + beta >= 1 ? 0 : 1 - alpha - beta);

function evaluate(terms, probabilities) {
  let sum = 0;
  for (const [key, count] of terms) {
    const exponents = [key % 100, Math.floor(key / 100) % 100, Math.floor(key / 10000)];
    sum += exponents.reduce((product, e, k) => product * probabilities[k] ** e, count);
  }
  return sum;
}

// For each cell the pairs [count, probability], in ascending order, and the evidence: the sum over
// all originals of the probability that they lead to the published table.
function posteriorOf(cells, alpha, beta) {
  const probabilities = [alpha, beta, stayProbability(alpha, beta)];
  const weights = cells.map((values) =>
    [...values]
      .map(([count, terms]) => [count, evaluate(terms, probabilities)])
      .filter(([, weight]) => weight > 0)
      .sort(([a], [b]) => a - b),
  );
  const total = (law) => law.reduce((sum, [, weight]) => sum + weight, 0);
  return {
    evidence: weights.length ? total(weights[0]) : 0,
    laws: weights.map((law) => law.map(([count, weight]) => [count, weight / total(law)])),
  };
}
