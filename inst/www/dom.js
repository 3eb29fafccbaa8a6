// Elements are made here and nowhere else. Text reaches the page as text nodes only, so that no
// name or label that the server sends can become markup.

const SVG = "http://www.w3.org/2000/svg";

function build(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(
    ...children
      .flat(Infinity)
      .filter((child) => child || child === 0)
      .map(asNode),
  );
  return node;
}

const asNode = (child) => (child instanceof Node ? child : document.createTextNode(child));

export const h = (tag, attributes, ...children) =>
  build(document.createElement(tag), attributes, children);

export const svg = (tag, attributes, ...children) =>
  build(document.createElementNS(SVG, tag), attributes, children);

export const byId = (id) => document.getElementById(id);

export const fill = (node, ...children) => {
  node.replaceChildren();
  return build(node, {}, children);
};

// Beyond 10^15 the digits of a number say less than its size.
const whole = new Intl.NumberFormat("en");
const raised = (n) => String(n).replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]);
const power = (n) => {
  const [head, tail] = n.toExponential(1).split("e+");
  return `about ${head} × 10${raised(tail)}`;
};
export const count = (n) => (n < 1e15 ? whole.format(n) : power(n));

export const plural = (n, one, many = `${one}s`) => `${count(n)} ${n === 1 ? one : many}`;

// "A", "A and B", "A, B and C".
export const listed = (names) =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

export const crossed = (names) => (names.length ? names.join(" × ") : "Grand total");

export const unseen = (text) => h("span", { class: "unseen" }, text);

// A status is told by a word and a shape; colour only repeats it.
const shapes = {
  released: () => [
    svg("circle", { cx: 8, cy: 8, r: 7 }),
    svg("path", { d: "M4.5 8.3 7 10.8 11.6 5.6" }),
  ],
  open: () => [svg("circle", { cx: 8, cy: 8, r: 6 })],
  closed: () => [
    svg("rect", { x: 2, y: 2, width: 12, height: 12, rx: 2 }),
    svg("path", { d: "M5 8h6" }),
  ],
  refused: () => [
    svg("path", { d: "M8 1 15 8 8 15 1 8z" }),
    svg("path", { d: "M6 6l4 4M10 6l-4 4" }),
  ],
};

const words = {
  released: "Released",
  open: "May be requested",
  closed: "Cannot be requested now",
  refused: "Refused",
};

export const statusWord = (status) => words[status] ?? status;

export const statusIcon = (status) =>
  svg(
    "svg",
    { class: `icon icon-${status}`, viewBox: "0 0 16 16", "aria-hidden": "true" },
    (shapes[status] ?? shapes.closed)(),
  );

// A sentence for people who do not see the page change.
export function announce(text) {
  byId("announcer").textContent = text;
}

// What a button shows while it waits; it stays focusable, so that nobody loses the place.
export function setInert(button, inert) {
  if (inert) button.setAttribute("aria-disabled", "true");
  else button.removeAttribute("aria-disabled");
}

export const isInert = (button) => button.getAttribute("aria-disabled") === "true";
