#include "linear/reader_parts.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "linear/presolve.hpp"
#include "linear/reader_questions.hpp"

namespace sdclattice {

namespace {

// Where a cell went: to an unknown of a part, or to none when it is fixed.
constexpr std::uint32_t kNowhere = UINT32_MAX;

struct Home {
  std::uint32_t part = kNowhere, place = 0;
  std::int32_t sign = 1;
  std::int64_t shift = 0;

  // A limit of the cell as one of the unknown.
  std::int64_t below(std::int64_t limit) const { return sign > 0 ? limit - shift : shift - limit; }
  ReaderLimit moved(const ReaderLimit& limit) const {
    const bool open = limit.upper >= kNoLimit;
    if (sign > 0) return {place, limit.lower - shift, open ? kNoLimit : limit.upper - shift};
    return {place, open ? -kNoLimit : shift - limit.upper, shift - limit.lower};
  }
  ReaderNeed moved(const ReaderNeed& need) const {
    const std::int64_t low = need.low <= -kNoLimit ? -kNoLimit : need.low;
    if (sign > 0)
      return {low <= -kNoLimit ? low : low - shift,
              need.high >= kNoLimit ? kNoLimit : need.high - shift};
    return {need.high >= kNoLimit ? -kNoLimit : shift - need.high,
            low <= -kNoLimit ? kNoLimit : shift - low};
  }
};

ReaderTarget moved(const ReaderTarget& target, const Home& home) {
  ReaderTarget out{home.place, home.moved(target.need), target.own};
  for (OwnNeed& own : out.own) own.need = home.moved(own.need);
  return out;
}

// The parts that cells went to, filled with what is asked and known of these cells.
class Filling {
 public:
  Filling(std::vector<Home> home, std::vector<ReaderPart> parts)
      : home_(std::move(home)), parts_(std::move(parts)) {}

  void add_target(std::uint32_t cell, const PartTarget& target) {
    const Home& home = home_[cell];
    if (home.part == kNowhere) return;
    PartTarget out{target.place, moved(target.target, home), home.sign * target.sign,
                   target.shift + target.sign * home.shift};
    parts_[home.part].targets.push_back(std::move(out));
  }
  // Readers in ascending order.
  void add_limit(std::uint32_t reader, const ReaderLimit& limit) {
    const Home& home = home_[limit.cell];
    if (home.part == kNowhere) {
      if (home.sign == 0 && (home.shift < limit.lower || home.shift > limit.upper))
        throw_contradiction();
      return;
    }
    ReaderPart& part = parts_[home.part];
    const ReaderLimit own = home.moved(limit);
    if (own.lower <= part.system.lower[own.cell] && own.upper >= part.system.upper[own.cell])
      return;
    if (part.readers.empty() || part.readers.back().reader != reader)
      part.readers.push_back({reader, {}});
    part.readers.back().limits.push_back(own);
  }
  void add_truth(const std::vector<std::int64_t>& truth) {
    if (truth.empty()) return;
    for (ReaderPart& part : parts_) part.truth.assign(part.system.n_cells(), 0);
    for (std::size_t i = 0; i < home_.size(); ++i)
      if (home_[i].part != kNowhere)
        parts_[home_[i].part].truth[home_[i].place] = home_[i].below(truth[i]);
    for (ReaderPart& part : parts_)
      if (!satisfies(part.system, part.truth) || !satisfies(part.implied, part.truth))
        part.truth.clear();
  }
  std::vector<ReaderPart>& parts() { return parts_; }

 private:
  std::vector<Home> home_;
  std::vector<ReaderPart> parts_;
};

Filling components_of(const LinearSystem& narrowed) {
  const auto groups = components(narrowed);
  std::vector<LinearSystem> systems = split(narrowed, groups);
  std::vector<Home> home(narrowed.n_cells());
  std::vector<ReaderPart> parts(groups.size());
  for (std::uint32_t g = 0; g < groups.size(); ++g) {
    parts[g].system = std::move(systems[g]);
    parts[g].implied.lower = parts[g].system.lower;
    parts[g].implied.upper = parts[g].system.upper;
    for (std::uint32_t k = 0; k < groups[g].size(); ++k) home[groups[g][k]] = {g, k, 1, 0};
  }
  return {std::move(home), std::move(parts)};
}

Filling presolved_parts(const LinearSystem& system, const Tick& tick) {
  Presolved found = presolve(system, tick);
  std::vector<Home> home;
  for (const CellHome& one : found.home)
    home.push_back({one.sign == 0 ? kNowhere : one.part, one.place, one.sign, one.shift});
  std::vector<ReaderPart> parts(found.parts.size());
  for (std::size_t p = 0; p < parts.size(); ++p) {
    parts[p].system = std::move(found.parts[p].system);
    parts[p].implied = std::move(found.parts[p].implied);
  }
  return {std::move(home), std::move(parts)};
}

// The parts of a component that is too large for the exact programme.
Filling divided(const ReaderPart& whole, const Tick& tick) {
  Filling out = presolved_parts(whole.system, tick);
  for (const PartTarget& target : whole.targets) out.add_target(target.target.cell, target);
  for (const PartReader& reader : whole.readers)
    for (const ReaderLimit& limit : reader.limits) out.add_limit(reader.reader, limit);
  out.add_truth(whole.truth);
  return out;
}

}  // namespace

Learned PartTarget::in_system(std::uint32_t reader, std::int64_t lower, std::int64_t upper) const {
  const bool open = upper >= kNoLimit;
  if (sign > 0) return {reader, place, shift + lower, open ? kNoLimit : shift + upper};
  return {reader, place, open ? 0 : shift - upper, shift - lower};
}

std::vector<ReaderPart> reader_parts(const LinearSystem& system,
                                     const std::vector<std::vector<ReaderLimit>>& readers,
                                     const std::vector<ReaderTarget>& targets,
                                     const std::vector<std::int64_t>& truth, std::size_t most_cells,
                                     const Tick& tick) {
  LinearSystem narrowed = system;
  if (!tighten(narrowed, tick)) throw InfeasibleError("No table satisfies all constraints.");
  Filling filling = components_of(narrowed);
  for (std::uint32_t t = 0; t < targets.size(); ++t)
    filling.add_target(targets[t].cell, {t, targets[t], 1, 0});
  for (std::uint32_t r = 0; r < readers.size(); ++r)
    for (const ReaderLimit& limit : readers[r]) filling.add_limit(r, limit);
  if (truth.size() == system.n_cells()) filling.add_truth(truth);
  std::vector<ReaderPart> out;
  const auto add = [&](ReaderPart& part) {
    if (!part.targets.empty()) out.push_back(std::move(part));
  };
  for (ReaderPart& part : filling.parts()) {
    if (part.targets.empty() || part.system.n_cells() <= most_cells) {
      add(part);
      continue;
    }
    Filling inner = divided(part, tick);
    for (ReaderPart& small : inner.parts()) add(small);
  }
  return out;
}

}  // namespace sdclattice
