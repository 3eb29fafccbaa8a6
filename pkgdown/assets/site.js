// Search and the table of contents of the site. search-index.js, which tools/site.R makes, holds the
// index, so that both work from files too.
(function () {
  "use strict";
  const root = document.currentScript.dataset.root || "";
  const most = 12;

  // The pages whose words hold all words asked for; those with a word in their heading first.
  function search(question) {
    const words = question.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return [];
    const found = [];
    for (const entry of window.searchIndex || []) {
      const head = entry.head.toLowerCase();
      const all = head + " " + entry.text.toLowerCase();
      if (!words.every((word) => all.includes(word))) continue;
      found.push({ entry, score: words.filter((word) => head.includes(word)).length });
    }
    return found.sort((a, b) => b.score - a.score).slice(0, most).map((f) => f.entry);
  }

  function show(list, entries) {
    list.replaceChildren(...entries.map((entry) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      const page = document.createElement("small");
      link.href = root + entry.path;
      link.textContent = entry.head;
      page.textContent = entry.page;
      link.append(page);
      item.append(link);
      return item;
    }));
  }

  function startSearch() {
    const field = document.getElementById("search-input");
    if (!field) return;
    const list = document.createElement("ul");
    list.id = "search-found";
    list.setAttribute("aria-label", "Pages found");
    field.setAttribute("aria-label", "Search");
    field.after(list);
    field.form.addEventListener("submit", (event) => {
      event.preventDefault();
      const first = list.querySelector("a");
      if (first) first.click();
    });
    field.addEventListener("input", () => show(list, search(field.value)));
    field.form.addEventListener("keydown", (event) => {
      if (event.key === "Escape") { field.value = ""; show(list, []); field.focus(); }
    });
  }

  function startContents() {
    const place = document.getElementById("toc");
    if (!place) return;
    const list = document.createElement("ul");
    list.id = "toc-list";
    for (const heading of document.querySelectorAll("main h2, main h3")) {
      const target = heading.id || (heading.closest("[id]") || {}).id;
      if (!target || target === "main" || place.contains(heading)) continue;
      const item = document.createElement("li");
      const link = document.createElement("a");
      item.className = "toc-" + heading.tagName.toLowerCase();
      link.href = "#" + target;
      link.textContent = heading.textContent;
      item.append(link);
      list.append(item);
    }
    place.append(list);
  }

  startSearch();
  startContents();
})();
