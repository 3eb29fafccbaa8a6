// Which categories of the shown table stay: a drawer with check boxes for each variable.

import { fill, h } from "./dom.js";
import { count, t } from "./i18n.js";

function group({ name, levels }, onchange) {
  const boxes = levels.map(() => h("input", { type: "checkbox", checked: true, onchange }));
  const all = h(
    "button",
    {
      type: "button",
      class: "link",
      "aria-label": t("filters.all_of", { variable: name }),
      onclick: () => {
        boxes.forEach((box) => (box.checked = true));
        onchange();
      },
    },
    t("filters.all"),
  );
  const node = h(
    "fieldset",
    { class: "filter" },
    h("legend", {}, name),
    levels.map((level, k) => h("label", { class: "filter-item" }, boxes[k], h("span", {}, level))),
    all,
  );
  // none at all would be an empty table: then all stay
  const kept = () => {
    const some = levels.map((_, k) => k).filter((k) => boxes[k].checked);
    return some.length ? some : levels.map((_, k) => k);
  };
  return { node, kept, size: levels.length };
}

export function createFilters({ dims, size }, onchange) {
  const groups = dims.map((dim) => group(dim, changed));
  const found = h("span", { class: "quiet" });
  const cells = size.reduce((product, n) => product * n, 1);
  const kept = () => groups.map((one) => one.kept());
  const any = () => groups.some((one) => one.kept().length < one.size);

  function changed() {
    const n = kept().reduce((product, levels) => product * levels.length, 1);
    fill(found, any() && ` ${t("filters.shown", { n: count(n), all: count(cells) })}`);
    onchange();
  }

  const node =
    dims.length > 0 &&
    h(
      "details",
      { class: "filters" },
      h("summary", {}, t("filters"), found),
      h("div", { class: "filter-groups" }, groups.map((one) => one.node)),
    );
  return { node, kept, any };
}
