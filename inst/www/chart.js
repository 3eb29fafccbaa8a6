// A picture of the shown table: bars, or a pyramid where two columns stand side by side. The table
// beside it says the same in numbers; the picture has a title and a description of its own.

import { fill, h, svg } from "./dom.js";
import { count, listed, t } from "./i18n.js";

const mostRows = 30;
const mostSeries = 6;
const bar = 16;
const gap = 10;

// At most `most` letters; the whole label is in the table.
const short = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

const nameOf = ({ levels }, row) => row.key.map((level, k) => levels[k][level]).join(", ");

// The columns that are drawn: all but the total, or the total alone where there are too many.
function seriesOf({ columns, across }) {
  const last = columns.length - 1;
  if (across === null) return [0];
  return last <= mostSeries ? columns.slice(0, last).map((_, k) => k) : [last];
}

const text = (x, y, words, anchor = "start", kind = "label") =>
  svg("text", { x, y, class: `chart-${kind}`, "text-anchor": anchor }, words);

// The room for names on the left depends on the longest; about 7 px a letter.
function room(names, width) {
  const letters = Math.min(26, Math.max(4, ...names.map((name) => name.length)));
  const left = Math.min(letters * 7 + 8, width * 0.42);
  return { left, letters: Math.floor((left - 8) / 7) };
}

function bars(layout, rows, series, width) {
  const names = rows.map((row) => nameOf(layout, row));
  const { left, letters } = room(names, width);
  const most = Math.max(1, ...rows.flatMap((row) => series.map((k) => row.counts[k])));
  const numbers = count(most).length * 7 + 10;
  const scale = Math.max(20, width - left - numbers) / most;
  const block = series.length * bar + gap;
  const parts = rows.map((row, i) => {
    const top = i * block + gap / 2;
    return [
      text(left - 6, top + (series.length * bar) / 2 + 4, short(names[i], letters), "end"),
      series.map((k, s) => {
        const y = top + s * bar;
        const length = Math.max(row.counts[k] * scale, row.counts[k] > 0 ? 1 : 0);
        return [
          svg("rect", { class: `series series-${s}`, x: left, y, width: length, height: bar - 2 }),
          text(left + length + 4, y + bar - 5, count(row.counts[k]), "start", "number"),
        ];
      }),
    ];
  });
  return { parts, height: rows.length * block + gap };
}

// The first column to the left, the second to the right, the first row at the foot.
function pyramid(layout, rows, series, width) {
  const names = rows.map((row) => nameOf(layout, row));
  const middle = Math.min(room(names, width).left + 8, width * 0.42);
  const most = Math.max(1, ...rows.flatMap((row) => series.map((k) => row.counts[k])));
  const numbers = count(most).length * 7 + 6;
  const side = (width - middle) / 2;
  const scale = Math.max(10, side - numbers) / most;
  const step = bar + 8;
  const parts = [...rows].reverse().map((row, i) => {
    const y = i * step + gap / 2;
    const [a, b] = series.map((k) => row.counts[k] * scale);
    const right = side + middle;
    const name = names[names.length - 1 - i];
    return [
      svg("rect", { class: "series series-0", x: side - a, y, width: a, height: bar }),
      svg("rect", { class: "series series-1", x: right, y, width: b, height: bar }),
      text(width / 2, y + bar - 4, short(name, Math.floor(middle / 7)), "middle"),
      text(side - a - 3, y + bar - 4, count(row.counts[series[0]]), "end", "number"),
      text(right + b + 3, y + bar - 4, count(row.counts[series[1]]), "start", "number"),
    ];
  });
  return { parts, height: rows.length * step + gap };
}

const legend = ({ columns, across }, series) =>
  h(
    "ul",
    { class: "legend", "aria-label": across },
    series.map((k, s) =>
      h(
        "li",
        {},
        svg(
          "svg",
          { class: "sample", viewBox: "0 0 16 16", "aria-hidden": "true" },
          svg("rect", { class: `series series-${s}`, width: 16, height: 16, rx: 2 }),
        ),
        columns[k],
      ),
    ),
  );

const canBePyramid = (layout) => layout.across !== null && layout.columns.length === 3;

export function createChart(place) {
  const options = { bars: t("chart.bars"), pyramid: t("chart.pyramid"), none: t("chart.none") };
  const select = h(
    "select",
    { id: "chart", onchange: () => redraw() },
    Object.entries(options).map(([value, label]) => h("option", { value }, label)),
  );
  const control = h("label", { for: "chart", class: "choice" }, t("chart"), select);
  let last = null;

  function redraw() {
    if (!last) return;
    const { layout, names } = last;
    const [, pyramidOption] = select.options;
    pyramidOption.hidden = pyramidOption.disabled = !canBePyramid(layout);
    const kind = select.value === "pyramid" && !canBePyramid(layout) ? "bars" : select.value;
    place.hidden = kind === "none" || layout.rows.length === 0 || layout.keys.length === 0;
    if (place.hidden) return fill(place);
    const rows = layout.rows.slice(0, mostRows);
    const series = seriesOf(layout);
    const width = Math.round(Math.min(Math.max(place.clientWidth || 480, 260), 620));
    const drawing = (kind === "pyramid" ? pyramid : bars)(layout, rows, series, width);
    const title = t(kind === "pyramid" ? "chart.pyramid_of" : "chart.bars_of", {
      variables: listed(names),
    });
    const first = rows.length < layout.rows.length ? ` ${t("chart.first", { n: count(mostRows) })}` : "";
    const picture = svg(
      "svg",
      {
        class: "chart",
        role: "img",
        "aria-labelledby": "chart-title chart-desc",
        viewBox: `0 0 ${width} ${drawing.height}`,
        width,
        height: drawing.height,
      },
      svg("title", { id: "chart-title" }, title),
      svg("desc", { id: "chart-desc" }, `${t("chart.desc")}${first}`),
      drawing.parts,
    );
    return fill(
      place,
      h("h3", {}, title),
      layout.across !== null && series.length > 1 && legend(layout, series),
      picture,
      first && h("p", { class: "quiet" }, first),
    );
  }

  // The width of the place changes with the window.
  let timer = null;
  addEventListener("resize", () => {
    clearTimeout(timer);
    timer = setTimeout(() => place.isConnected && redraw(), 150);
  });

  function draw(layout, names) {
    last = { layout, names };
    redraw();
  }
  return { control, draw };
}
