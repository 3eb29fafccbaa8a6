// Scene 5: counts that move on a map of hexagons, one move after the other.

function mapScene(data) {
  const { q, r, counts, threshold, methods } = data;
  let method = 0;
  let done = 0;

  const moves = () => methods[method].moves;
  const place = h("div");
  const slider = h("input", {
    type: "range", min: 0, max: moves().length, value: 0, step: 1, id: "map-step",
    oninput: () => go(Number(slider.value)),
  });
  const { element, say } = section(
    {
      id: "map",
      title: "Counts that move on a map",
      attempt:
        "Move one group of counts after the other, and watch the distance add up. " +
        (methods.length > 1
          ? "Then compare the methods: each reaches a map without small counts by other moves."
          : "Then go back and forth with the slider."),
      see:
        `At the end no hexagon is left with a count below ${number(threshold)}` +
        (methods.length > 1 ? ", and no method needs less distance than the optimal one." : "."),
    },
    h(
      "div",
      { class: "controls" },
      choice("Method", methods.map(({ name }, i) => [String(i), name]), "0", (value) => {
        method = Number(value);
        slider.max = moves().length;
        go(0);
      }),
      group(
        "Moves",
        button("Back", () => go(done - 1)),
        button("Next move", () => go(done + 1)),
        button("Before", () => go(0)),
        button("After", () => go(Infinity)),
      ),
      h("label", { class: "field" }, "Move ", slider),
    ),
    place,
  );

  function countsAfter(steps) {
    const now = [...counts];
    for (const [from, to, n] of moves().slice(0, steps)) {
      now[from] -= n;
      if (to >= 0) now[to] += n;
    }
    return now;
  }

  const distance = () => sum(moves().slice(0, done).map(([, , n, d]) => n * d));

  function go(step) {
    done = Math.min(moves().length, Math.max(0, step));
    slider.value = done;
    draw();
    say(words());
  }

  function words() {
    const small = countsAfter(done).filter((n) => n > 0 && n < threshold).length;
    const last = moves()[done - 1];
    const text = last && last[1] < 0
      ? `Move ${done} of ${moves().length}: the outlier at ${spot(last[0])} is suppressed.`
      : last
      ? `Move ${done} of ${moves().length}: ${plural(last[2], "count")} from ${spot(last[0])} to ` +
        `${spot(last[1])}, ${plural(last[3], "step")} away.`
      : "The map before any move.";
    return `${text} Distance so far ${number(distance())} of ${number(methods[method].mu)};` +
      ` ${plural(small, "hexagon")} below ${number(threshold)};` +
      ` total ${number(sum(countsAfter(done)))}.`;
  }

  const spot = (i) => `(${number(q[i])}, ${number(r[i])})`;
  const x = q.map((_, i) => Math.sqrt(3) * (q[i] + r[i] / 2));
  const y = r.map((row) => -1.5 * row);

  const textSize = (n) => Math.min(0.72, 2.4 / number(n).length);

  function hexagon(i, now) {
    const corners = count(6).map((k) => {
      const angle = Math.PI * (k / 3 + 1 / 6);
      return `${(x[i] + 0.96 * Math.cos(angle)).toFixed(3)},${(y[i] + 0.96 * Math.sin(angle)).toFixed(3)}`;
    });
    const last = moves()[done - 1] ?? [];
    const small = now[i] > 0 && now[i] < threshold;
    const shade = Math.round((70 * Math.sqrt(now[i])) / Math.sqrt(Math.max(...counts, 1)));
    return svg(
      "g",
      { class: `${small ? "small" : ""}${last[0] === i ? " from" : ""}${last[1] === i ? " to" : ""}` },
      svg("polygon", { points: corners.join(" "), style: `--shade: ${Math.min(70, shade)}%` }),
      svg("text", { x: x[i], y: y[i] + 0.28, style: `font-size: ${textSize(now[i])}px` }, [number(now[i])]),
    );
  }

  function arrow() {
    const last = moves()[done - 1];
    if (!last || last[1] < 0) return [];
    const [a, b] = last;
    const far = Math.hypot(x[b] - x[a], y[b] - y[a]);
    const at = (part) => [x[a] + (x[b] - x[a]) * part, y[a] + (y[b] - y[a]) * part];
    const [from, to] = [at(0.45 / far), at(1 - 0.5 / far)];
    const head = (turn) => {
      const angle = Math.atan2(y[b] - y[a], x[b] - x[a]) + turn;
      return [to[0] - 0.4 * Math.cos(angle), to[1] - 0.4 * Math.sin(angle)];
    };
    const path = [[from, to], [head(0.5), to], [head(-0.5), to]];
    const draw = ([[ax, ay], [bx, by]]) => `M${ax.toFixed(3)} ${ay.toFixed(3)}L${bx.toFixed(3)} ${by.toFixed(3)}`;
    return svg("path", { d: path.map(draw).join(""), class: "arrow" });
  }

  function draw() {
    const now = countsAfter(done);
    const [left, top] = [Math.min(...x) - 1.1, Math.min(...y) - 1.1];
    const box = [left, top, Math.max(...x) + 1.1 - left, Math.max(...y) + 1.1 - top];
    const label = `Map of ${plural(now.length, "hexagon")} after ${plural(done, "move")}: ` +
      now.map((n, i) => `${spot(i)} ${number(n)}`).join(", ");
    place.replaceChildren(
      h("p", { class: "quiet" },
        `Dashed hexagons are below ${number(threshold)}. Distance so far: `,
        h("strong", { "data-distance": distance() }, number(distance())), "."),
      svg("svg", { viewBox: box.join(" "), class: "map", role: "img", "aria-label": label },
        now.map((_, i) => hexagon(i, now)), arrow()),
    );
  }

  draw();
  return { element, countsAfter };
}
