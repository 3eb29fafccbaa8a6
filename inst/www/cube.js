// A released table as rows and columns: read from JSON-stat, cut to the chosen categories, laid out
// long or wide. Everything here is a function of released counts.

// JSON-stat 2.0: the values in row-major order of the dimensions, the last one running fastest.
export function readCube({ id, size, dimension, value }) {
  const dims = id.map((key) => {
    const { label, category } = dimension[key];
    const index = category.index ?? Object.keys(category.label);
    const codes = Array.isArray(index)
      ? index
      : Object.keys(index).sort((a, b) => index[a] - index[b]);
    return { key, name: label ?? key, levels: codes.map((code) => category.label?.[code] ?? code) };
  });
  const cells = size.reduce((product, n) => product * n, 1);
  return { dims, size, values: Array.from({ length: cells }, (_, i) => value[i] ?? 0) };
}

// The level numbers of each cell.
function positions(size) {
  const strides = size.map((_, k) => size.slice(k + 1).reduce((product, n) => product * n, 1));
  return (cell) => size.map((n, k) => Math.floor(cell / strides[k]) % n);
}

// The table of some categories: `kept` has, for each dimension, the numbers of those that stay.
export function cut({ dims, size, values }, kept) {
  const at = positions(size);
  const places = kept.map((levels) => new Set(levels));
  return {
    dims: dims.map((dim, k) => ({ ...dim, levels: kept[k].map((level) => dim.levels[level]) })),
    size: kept.map((levels) => levels.length),
    values: values.filter((_, i) => at(i).every((level, k) => places[k].has(level))),
  };
}

// One column of counts, one row a cell.
export function long({ dims, size, values }, words) {
  const at = positions(size);
  return {
    keys: dims.map(({ name }) => name),
    levels: dims.map(({ levels }) => levels),
    across: null,
    columns: [words.count],
    rows: values.map((value, i) => ({ key: at(i), counts: [value] })),
  };
}

// One column a level of the variable `c`, one row a combination of the others, and row totals.
export function wide({ dims, size, values }, c, words) {
  const others = dims.map((_, k) => k).filter((k) => k !== c);
  const at = positions(size);
  const rows = new Map();
  values.forEach((value, i) => {
    const levels = at(i);
    const key = others.map((k) => levels[k]);
    const row = rows.get(key.join()) ?? { key, counts: Array(size[c] + 1).fill(0) };
    row.counts[levels[c]] = value;
    row.counts[size[c]] += value;
    rows.set(key.join(), row);
  });
  return {
    keys: others.map((k) => dims[k].name),
    levels: others.map((k) => dims[k].levels),
    across: dims[c].name,
    columns: [...dims[c].levels, words.total],
    rows: [...rows.values()],
  };
}

export const totals = ({ columns, rows }) =>
  columns.map((_, k) => rows.reduce((sum, row) => sum + row.counts[k], 0));

// What a cell is a share of: the last column is the total of its row, unless there is only one.
export function baseOf(shares, layout, sums) {
  const last = layout.columns.length - 1;
  if (shares === "row") return (counts) => counts[last];
  if (shares === "column") return (_, k) => sums[k];
  return () => sums[last];
}

// By a key in the order of its levels, by a count in that of numbers; ties as the table has them.
export function sorted({ rows }, { column, isKey, up }, value) {
  const what = (row) => (isKey ? row.key[column] : value(row, column));
  return column === null ? rows : [...rows].sort((a, b) => (up ? 1 : -1) * (what(a) - what(b)));
}
