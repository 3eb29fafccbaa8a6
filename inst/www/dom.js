// Elements are made here and nowhere else. Text reaches the page as text nodes only, so that no
// name or label that the server sends can become markup.

import { timeText } from "./i18n.js";

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

export const unseen = (text) => h("span", { class: "unseen" }, text);

export const time = (at) => h("time", { datetime: at }, timeText(at));

// A table or picture that may be wider than the page scrolls by itself, by the keyboard too.
export const scroller = (label, ...children) =>
  h("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": label }, children);

// What opens and closes; `load` runs each time it opens.
export function drawer(id, title, content, load = () => {}) {
  const node = h("details", { id }, h("summary", {}, h("h2", {}, title)), content);
  node.addEventListener("toggle", () => node.open && load());
  return node;
}

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
