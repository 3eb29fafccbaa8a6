#include "table/project.hpp"

#include <algorithm>

#include "table/cell_order.hpp"
#include "table/dense_cells.hpp"

namespace sdclattice {

namespace {

// Fields that move together from one layout to another: one shift and one mask.
struct Move {
  KeyField from;
  std::size_t word;
  unsigned shift;
};

std::vector<Move> plan_moves(const Layout& from, const Layout& to,
                             const std::vector<VariableSource>& sources) {
  std::vector<Move> moves;
  for (std::size_t v = 0; v < sources.size(); ++v) {
    const KeyField a = from.field(sources[v].variable), b = to.field(v);
    if (a.mask == 0) continue;
    Move* last = moves.empty() ? nullptr : &moves.back();
    const bool joins = last && last->from.word == a.word && last->word == b.word &&
                       a.shift > last->from.shift && a.mask <= b.mask &&
                       a.shift - last->from.shift == b.shift - last->shift &&
                       (last->from.mask >> (a.shift - last->from.shift)) == 0;
    if (joins)
      last->from.mask |= a.mask << (a.shift - last->from.shift);
    else
      moves.push_back({a, b.word, b.shift});
  }
  return moves;
}

Cells move_fields(const Layout& from, const CellsView& cells, const Layout& to,
                  const std::vector<VariableSource>& sources) {
  const std::vector<Move> moves = plan_moves(from, to, sources);
  Cells out(to.n_words());
  out.rows.assign(cells.n * out.stride, 0);
  const std::size_t words = from.n_words();
  for (std::size_t i = 0; i < cells.n; ++i) {
    const std::uint64_t* key = cells.keys + i * words;
    std::uint64_t* row = out.rows.data() + i * out.stride;
    for (const Move& m : moves)
      row[m.word] |= ((key[m.from.word] >> m.from.shift) & m.from.mask) << m.shift;
    row[out.stride - 1] = static_cast<std::uint64_t>(cells.counts[i]);
  }
  return out;
}

Cells map_fields(const Layout& from, const CellsView& cells, const Layout& to,
                 const std::vector<VariableSource>& sources) {
  Cells out(to.n_words());
  std::vector<std::uint64_t> key(to.n_words());
  for (std::size_t i = 0; i < cells.n; ++i) {
    std::fill(key.begin(), key.end(), 0);
    bool kept = true;
    for (std::size_t v = 0; v < sources.size() && kept; ++v) {
      const std::uint32_t level = from.level(cells.keys + i * from.n_words(), sources[v].variable);
      const std::int64_t to_level = sources[v].map ? sources[v].map[level] : std::int64_t{level};
      kept = to_level >= 0;
      if (kept) to.put(key.data(), v, static_cast<std::uint32_t>(to_level));
    }
    if (kept) out.add(key.data(), static_cast<std::uint64_t>(cells.counts[i]));
  }
  return out;
}

Cells project_dense(const Layout& from, const CellsView& cells, const Layout& to,
                    const std::vector<VariableSource>& sources) {
  const std::vector<std::size_t> strides = to.strides();
  std::vector<std::uint64_t> counts(static_cast<std::size_t>(to.n_cells()), 0);
  for (std::size_t i = 0; i < cells.n; ++i) {
    std::size_t at = 0;
    for (std::size_t v = 0; v < sources.size(); ++v)
      at += strides[v] * from.level(cells.keys + i * from.n_words(), sources[v].variable);
    counts[at] += static_cast<std::uint64_t>(cells.counts[i]);
  }
  return gather_cells(to, counts.data(), counts.size());
}

bool has_maps(const std::vector<VariableSource>& sources) {
  return std::any_of(sources.begin(), sources.end(),
                     [](const VariableSource& s) { return s.map != nullptr; });
}

}  // namespace

// Margins into a small array where that is possible, else the fields are moved to their new places
// and equal keys brought together by sorting, which is skipped when they still are in order.
// O(cells variables), or O(cells bits) when sorted. Agrees with apply(x, ..., sum) in the tests.
Cells project(const Layout& from, const CellsView& cells, const Layout& to,
              const std::vector<VariableSource>& sources, const Tick& tick) {
  report(tick, 0);
  const bool mapped = has_maps(sources);
  if (!mapped && is_dense(to, cells.n, 1)) return project_dense(from, cells, to, sources);
  Cells out = mapped ? map_fields(from, cells, to, sources) : move_fields(from, cells, to, sources);
  sort_cells(out);
  merge_neighbours(out);
  return out;
}

void project_in_runs(const Layout& from, const CellsView& cells, const Layout& to,
                     const std::vector<VariableSource>& sources, CellRuns& runs) {
  constexpr std::size_t kBlock = 4096;
  const bool mapped = has_maps(sources);
  for (std::size_t at = 0; at < cells.n; at += kBlock) {
    const CellsView block{cells.keys + at * from.n_words(), cells.counts + at,
                          std::min(kBlock, cells.n - at)};
    const Cells rows =
        mapped ? map_fields(from, block, to, sources) : move_fields(from, block, to, sources);
    runs.add(rows.rows.data(), rows.size());
  }
}

}  // namespace sdclattice
