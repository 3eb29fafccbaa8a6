// Sharp intervals over whole numbers: the least and the largest count that each cell has in any
// table with the given sums. The simplex method works in whole numbers over a common denominator,
// without any tolerance; branch and bound takes over where a solution is fractional.

const largestNumber = 2 ** 52;

class TooLarge extends Error {}

// Rows are lists of pairs [column, coefficient]. The last entry of each row is its right-hand side.
function makeTableau(rows, sums, width) {
  const dense = rows.map((row, i) => {
    const line = new Float64Array(width + 1);
    for (const [column, coefficient] of row) line[column] += coefficient;
    line[width] = sums[i];
    return line;
  });
  return { width, rows: dense, basis: rows.map(() => -1), d: 1, goal: new Float64Array(width + 1) };
}

// Pivoting in whole numbers: all entries stay subdeterminants, and each division is exact.
function eliminate(line, top, p, column, d) {
  const q = line[column];
  if (q === 0 && p === d) return;
  for (let k = 0; k < line.length; k++) {
    const value = line[k] * p - q * top[k];
    if (Math.abs(line[k] * p) > largestNumber || Math.abs(value) > largestNumber) {
      throw new TooLarge();
    }
    line[k] = value / d;
  }
}

function pivot(t, row, column) {
  const top = t.rows[row];
  if (top[column] < 0) for (let k = 0; k < top.length; k++) top[k] = -top[k];
  const p = top[column];
  t.rows.forEach((line, i) => i !== row && eliminate(line, top, p, column, t.d));
  eliminate(t.goal, top, p, column, t.d);
  t.d = p;
  t.basis[row] = column;
}

// The row that limits how far the variable of a column can grow; ties go to the first variable.
function leavingRow(t, column) {
  let best = -1;
  t.rows.forEach((line, i) => {
    if (line[column] <= 0) return;
    const difference =
      best < 0 ? -1 : line[t.width] * t.rows[best][column] - t.rows[best][t.width] * line[column];
    if (difference < 0 || (difference === 0 && t.basis[i] < t.basis[best])) best = i;
  });
  return best;
}

// The first column that helps where steps stand still, as Bland proposed; else the best one.
function enteringColumn(t, sign, careful) {
  let best = -1;
  for (let k = 0; k < t.width; k++) {
    const gain = sign * t.goal[k];
    if (gain > 0 && (best < 0 || gain > sign * t.goal[best])) {
      best = k;
      if (careful) return k;
    }
  }
  return best;
}

// The value is (last entry - sum of goal[k] x[k]) / d; sign 1 lowers it, -1 raises it.
function optimise(t, sign) {
  let still = 0;
  for (;;) {
    const column = enteringColumn(t, sign, still > 20);
    if (column < 0) return true;
    const row = leavingRow(t, column);
    if (row < 0) return false;
    still = t.rows[row][t.width] === 0 ? still + 1 : 0;
    pivot(t, row, column);
  }
}

// A first solution, by way of one artificial variable for each row; null where there is none.
function solve(rows, sums, width) {
  const t = makeTableau(rows, sums, width);
  for (const line of t.rows) for (let k = 0; k <= width; k++) t.goal[k] += line[k];
  optimise(t, 1);
  if (t.goal[width] > 0) return null;
  for (let i = t.rows.length - 1; i >= 0; i--) {
    if (t.basis[i] >= 0) continue;
    const column = t.rows[i].findIndex((entry, k) => k < width && entry !== 0);
    if (column >= 0) pivot(t, i, column);
    else {
      t.rows.splice(i, 1);
      t.basis.splice(i, 1);
    }
  }
  return t;
}

function aimAt(t, cell) {
  const row = t.basis.indexOf(cell);
  if (row >= 0) t.goal = Float64Array.from(t.rows[row]);
  else t.goal.fill(0);
  t.goal[cell] = row >= 0 ? 0 : -t.d;
}

// The counts of the first n columns, over the common denominator.
function solution(t, n) {
  const x = new Array(n).fill(0);
  t.basis.forEach((column, i) => {
    if (column < n) x[column] = t.rows[i][t.width];
  });
  return x;
}

// The linear limit of a cell, rounded inward, and a solution that attains the limit.
function linearEnd(t, cell, up, n) {
  aimAt(t, cell);
  if (!optimise(t, up ? -1 : 1)) return { limit: Infinity };
  const value = t.goal[t.width];
  const rest = value % t.d;
  const x = solution(t, n);
  return {
    limit: (value - rest) / t.d + (up || rest === 0 ? 0 : 1),
    split: x.findIndex((entry) => entry % t.d !== 0),
    below: (cell) => (x[cell] - (x[cell] % t.d)) / t.d,
    table: () => x.map((entry) => entry / t.d),
  };
}

// Branches [cell, limit, sign]: sign 1 for at most the limit, -1 for at least.
function branched(system, branches) {
  const n = system.n;
  const extra = branches.map(([cell, , sign], k) => [[cell, 1], [n + k, sign]]);
  const sums = [...system.sums, ...branches.map(([, limit]) => limit)];
  return solve([...system.rows, ...extra], sums, n + branches.length);
}

const mostNodes = 200;

// `found.best` is attained by a table; nodes that cannot be better are left.
function searchEnd(system, root, cell, up, found) {
  const better = (limit) => (up ? limit > found.best : limit < found.best);
  const open = [[]];
  for (let nodes = 0; open.length; nodes++) {
    if (nodes > mostNodes) return false;
    const branches = open.pop();
    const t = branches.length ? branched(system, branches) : root;
    if (!t) continue;
    const end = linearEnd(t, cell, up, system.n);
    if (!better(end.limit)) continue;
    if (end.limit === Infinity || end.split < 0) {
      found.best = end.limit;
      if (end.table) found.keep(end.table());
      continue;
    }
    const below = end.below(end.split);
    open.push([...branches, [end.split, below, 1]], [...branches, [end.split, below + 1, -1]]);
  }
  return true;
}

// The intervals of some cells over all tables with the sums of the system; `known` is one of these.
// Where a search takes too long, `sharp` is false, and the interval is what was found until then.
function intervals(system, known, cells = known.map((_, cell) => cell)) {
  const lower = [...known];
  const upper = [...known];
  const sharp = known.map(() => true);
  const keep = (table) =>
    table.forEach((count, cell) => {
      lower[cell] = Math.min(lower[cell], count);
      upper[cell] = Math.max(upper[cell], count);
    });
  const most = new Array(system.n).fill(Infinity);
  system.rows.forEach((row, i) =>
    row.forEach(([cell]) => (most[cell] = Math.min(most[cell], system.sums[i]))),
  );
  const root = solve(system.rows, system.sums, system.n);
  for (const cell of cells) {
    for (const up of [false, true]) {
      if (up ? upper[cell] === most[cell] : lower[cell] === 0) continue;
      const found = { best: up ? upper[cell] : lower[cell], keep };
      if (!searchEnd(system, root, cell, up, found)) sharp[cell] = false;
      if (up) upper[cell] = found.best;
      else lower[cell] = found.best;
    }
  }
  const asked = (values) => cells.map((cell) => values[cell]);
  return { lower: asked(lower), upper: asked(upper), sharp: asked(sharp) };
}

// ---- releases of margins ------------------------------------------------------------------------

// A set of variables is a number with a bit for each. The sets of a family that lie in no other.
const maximalSets = (family) =>
  family.filter((set) => !family.some((other) => other !== set && (set & other) === set));

// The number of the cell of a margin in which each cell of the table lies.
function marginCells(dims, set) {
  const cells = dims.reduce((product, n) => product * n, 1);
  return Array.from({ length: cells }, (_, cell) => {
    let [rest, place, stride] = [cell, 0, 1];
    dims.forEach((n, k) => {
      if (set & (1 << k)) {
        place += stride * (rest % n);
        stride *= n;
      }
      rest = Math.floor(rest / n);
    });
    return place;
  });
}

// The total is always known.
function marginSystem(dims, counts, family) {
  const rows = [];
  const sums = [];
  for (const set of maximalSets(family.length ? family : [0])) {
    const first = rows.length;
    marginCells(dims, set).forEach((place, cell) => {
      rows[first + place] ??= [];
      rows[first + place].push([cell, 1]);
      sums[first + place] = (sums[first + place] ?? 0) + counts[cell];
    });
  }
  return { n: counts.length, rows, sums };
}

const marginIntervals = (dims, counts, family, cells) =>
  intervals(marginSystem(dims, counts, family), counts, cells);

// ---- suppressed cells ---------------------------------------------------------------------------

// The first variable of a table runs fastest. All totals are published, and the cells that are not hidden.
function hiddenSystem(dims, counts, hidden) {
  const cells = counts.map((_, cell) => cell).filter((cell) => hidden[cell]);
  const lines = new Map();
  cells.forEach((cell, k) => {
    for (const line of [`row ${cell % dims[0]}`, `column ${Math.floor(cell / dims[0])}`]) {
      if (!lines.has(line)) lines.set(line, { row: [], sum: 0 });
      lines.get(line).row.push([k, 1]);
      lines.get(line).sum += counts[cell];
    }
  });
  const all = [...lines.values()];
  const system = { n: cells.length, rows: all.map((l) => l.row), sums: all.map((l) => l.sum) };
  return { cells, system };
}

function hiddenIntervals(dims, counts, hidden) {
  const { cells, system } = hiddenSystem(dims, counts, hidden);
  return { cells, ...intervals(system, cells.map((cell) => counts[cell])) };
}
