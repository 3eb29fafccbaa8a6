// Puts the scenes together for which the page has data.

const data = JSON.parse(document.getElementById("data").textContent);
const scenes = {};

const banners = {
  private:
    "PRIVATE: this page was made from confidential data and shows original counts. Keep it inside.",
  public: "Public: this page holds only what is published.",
  examples: "Examples of the package: nothing here is confidential.",
};

function build() {
  const make = {
    coins: coinsScene,
    posterior: (part) => posteriorScene(part, scenes.coins),
    margins: marginsScene,
    suppress: suppressScene,
    map: mapScene,
  };
  const banner = document.getElementById("banner");
  banner.textContent = banners[data.kind];
  banner.className = data.kind;
  for (const [id, scene] of Object.entries(make)) {
    if (!data.scenes[id]) continue;
    scenes[id] = scene(data.scenes[id]);
    document.getElementById("scenes").append(scenes[id].element);
    const title = scenes[id].element.querySelector("h2").textContent;
    document.getElementById("contents").append(h("a", { href: `#${id}` }, title));
  }
  const why = Object.values(data.left_out);
  if (why.length) {
    document.getElementById("left-out").append(
      h("h2", {}, "Scenes that are left out"),
      h("ul", {}, why.map((reason) => h("li", {}, reason))),
    );
  }
}

build();
if (location.hash.length > 1) document.getElementById(location.hash.slice(1))?.scrollIntoView();
