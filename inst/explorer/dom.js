// Small helpers for the scenes. Texts of users enter the page as text only, never as markup.

function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  element.append(...children.flat(Infinity).filter((child) => child !== null));
  return element;
}

const svgSpace = (() => {
  const template = document.createElement("template");
  template.innerHTML = "<svg></svg>";
  return template.content.firstChild.namespaceURI;
})();

function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(svgSpace, tag);
  setAttributes(element, attributes);
  element.append(...children.flat());
  return element;
}

function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null) element.setAttribute(name, value);
  }
}

const button = (text, onclick, attributes = {}) =>
  h("button", { type: "button", onclick, ...attributes }, text);

const group = (label, ...buttons) =>
  h("div", { class: "group", role: "group", "aria-label": label }, buttons);

const plural = (n, noun) => `${number(n)} ${noun}${n === 1 ? "" : "s"}`;

const number = (x) => x.toLocaleString("en", { maximumFractionDigits: 6 });

const signed = (x) => (x > 0 ? `+${number(x)}` : x < 0 ? `\u2212${number(-x)}` : "0");

const count = (n) => Array.from({ length: n }, (_, i) => i);

const sum = (values) => values.reduce((total, value) => total + value, 0);

// A list of choices of which one holds.
function choice(label, options, chosen, onchange) {
  const select = h(
    "select",
    { onchange: () => onchange(select.value) },
    options.map(([value, text]) => h("option", { value, selected: value === chosen }, text)),
  );
  return h("label", { class: "field" }, label, " ", select);
}

// The arrow keys go from button to button; the tabulator enters the group once.
function arrowKeys(container, columns) {
  const stops = () => [...container.querySelectorAll("button")];
  const enter = (stop) => {
    for (const other of stops()) other.tabIndex = other === stop ? 0 : -1;
  };
  enter(container.querySelector("button[aria-pressed='true']") ?? stops()[0]);
  container.addEventListener("focusin", (event) => {
    if (event.target.matches("button")) enter(event.target);
  });
  container.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[event.key];
    const next = step && stops()[stops().indexOf(event.target) + step];
    if (!step) return;
    event.preventDefault();
    if (next) next.focus();
  });
}

// A scene: what to try, what to see, and a line that says what has changed.
function section({ id, title, attempt, see }, ...content) {
  const said = h("p", { class: "said", role: "status", "aria-live": "polite" });
  const element = h(
    "section",
    { id, "aria-labelledby": `${id}-title`, tabindex: "-1" },
    h("h2", { id: `${id}-title` }, title),
    h("p", {}, h("strong", {}, "Try: "), attempt),
    h("p", {}, h("strong", {}, "See: "), see),
    content,
    said,
  );
  return { element, say: (text) => (said.textContent = text) };
}

// ---- two-way tables -----------------------------------------------------------------------------

const cellName = ({ names, levels }, cell) => {
  const [r, c] = [cell % levels[0].length, Math.floor(cell / levels[0].length)];
  return `${names[0]} ${levels[0][r]}, ${names[1]} ${levels[1][c]}`;
};

// A table with a header for each level; `cellOf` fills the cells, `totals` adds totals.
function twoWay({ names, levels }, cellOf, totals = null) {
  const [rows, columns] = levels.map((l) => l.length);
  const corner = h("th", { scope: "col" }, `${names[0]} \\ ${names[1]}`);
  const head = h("tr", {}, corner, levels[1].map((l) => h("th", { scope: "col" }, l)));
  const body = count(rows).map((r) => {
    const cells = count(columns).map((c) => cellOf(r + rows * c));
    return h("tr", {}, h("th", { scope: "row" }, levels[0][r]), cells);
  });
  if (totals) addTotals(head, body, totals, rows, columns);
  return h("div", { class: "wide" }, h("table", {}, h("thead", {}, head), h("tbody", {}, body)));
}

function addTotals(head, body, totals, rows, columns) {
  const total = (cells) => h("td", { class: "total" }, totals(cells));
  head.append(h("th", { scope: "col" }, "Total"));
  body.forEach((line, r) => line.append(total(count(columns).map((c) => r + rows * c))));
  body.push(
    h(
      "tr",
      {},
      h("th", { scope: "row" }, "Total"),
      count(columns).map((c) => total(count(rows).map((r) => r + rows * c))),
      total(count(rows * columns)),
    ),
  );
}
