#include "release/admissible_cover.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include "table/part_table.hpp"

namespace sdclattice {

namespace {

// On which variables the stored cells agree with one of them, and how many records do.
struct Agreement {
  std::vector<std::pair<SubTable, double>> sets;  // each once
};

// Largest first, equal ones by number.
struct Larger {
  bool operator()(SubTable a, SubTable b) const {
    return set_size(a) != set_size(b) ? set_size(a) > set_size(b) : a < b;
  }
};

class Cover {
 public:
  Cover(const RiskCells& cells, std::int64_t beta, const std::vector<SubTable>& forbidden,
        double max_looks, const Tick& tick)
      : cells_(cells),
        beta_(static_cast<double>(beta)),
        forbidden_(forbidden),
        looks_left_(max_looks),
        tick_(tick) {}

  AdmissibleCover run() {
    if (static_cast<double>(cells_.total()) >= beta_) open_.insert(cells_.all_variables());
    for (std::size_t at : rarest()) known_.push_back(agreement(at));
    while (!open_.empty() && looks_left_ > 0) {
      report(tick_, 0);
      const SubTable set = *open_.begin();
      const std::vector<SubTable> parts = split(set);
      open_.erase(open_.begin());
      if (parts.empty()) {
        if (set != 0) settled_.push_back(set);
        continue;
      }
      for (SubTable part : parts) add(part);
    }
    AdmissibleCover out;
    out.complete = open_.empty();
    out.sets = settled_;
    out.sets.insert(out.sets.end(), open_.begin(), open_.end());
    std::sort(out.sets.begin(), out.sets.end(), Larger());
    return out;
  }

 private:
  void add(SubTable set) {
    looks_left_ -= static_cast<double>(settled_.size() + open_.size());
    const auto within = [set](SubTable other) { return holds(other, set); };
    // Sets are split from the largest down, so that none at hand lies inside a new one.
    if (std::any_of(settled_.begin(), settled_.end(), within)) return;
    if (std::any_of(open_.begin(), open_.end(), within)) return;
    for (auto at = open_.begin(); at != open_.end();)
      at = holds(set, *at) ? open_.erase(at) : std::next(at);
    open_.insert(set);
  }

  // Sets that cover what is admissible inside one that is not; none when it is.
  std::vector<SubTable> split(SubTable set) {
    for (SubTable f : forbidden_)
      if (holds(set, f)) return without_each(set, f);
    for (const Agreement& at_risk : known_)
      if (is_small(at_risk, set)) return shared(at_risk, set);
    looks_left_ -= 10.0 * static_cast<double>(cells_.cells().n);
    const std::vector<std::int64_t> margin = cells_.margin(set);
    const auto least = std::min_element(margin.begin(), margin.end());
    if (least == margin.end() || static_cast<double>(*least) >= beta_) return {};
    if (known_.size() == kMostKnown) known_.pop_back();
    known_.push_back(agreement(static_cast<std::size_t>(least - margin.begin())));
    return shared(known_.back(), set);
  }

  // The cells at risk whose levels are rarest: others agree with them on few variables.
  std::vector<std::size_t> rarest() {
    std::vector<double> share(cells_.size(), 0);
    for (std::size_t v = 0; v < cells_.n_variables(); ++v) {
      looks_left_ -= 10.0 * static_cast<double>(cells_.cells().n);
      const std::vector<std::int64_t> margin = cells_.margin(SubTable{1} << v);
      for (std::size_t i = 0; i < share.size(); ++i)
        share[i] += std::log(static_cast<double>(margin[i]));
    }
    std::vector<std::size_t> out(share.size());
    std::iota(out.begin(), out.end(), std::size_t{0});
    const std::size_t n = std::min(kMostRare, out.size());
    std::partial_sort(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(n), out.end(),
                      [&](std::size_t a, std::size_t b) {
                        return share[a] != share[b] ? share[a] < share[b] : a < b;
                      });
    out.resize(n);
    return out;
  }

  static std::vector<SubTable> without_each(SubTable set, SubTable part) {
    std::vector<SubTable> out;
    for (SubTable left = part; left != 0; left &= left - 1) out.push_back(set & ~(left & -left));
    return out;
  }

  Agreement agreement(std::size_t at) {
    const std::size_t n = cells_.n_variables();
    const CellsView& stored = cells_.cells();
    const Layout& layout = cells_.layout();
    looks_left_ -= static_cast<double>(n * stored.n);
    std::vector<std::pair<SubTable, double>> all;
    all.reserve(stored.n);
    for (std::size_t i = 0; i < stored.n; ++i) {
      const std::uint64_t* key = stored.keys + i * layout.n_words();
      SubTable same = 0;
      for (std::size_t v = 0; v < n; ++v)
        if (layout.level(key, v) == cells_.level(at, v)) same |= SubTable{1} << v;
      all.emplace_back(same, stored.counts[i]);
    }
    std::sort(all.begin(), all.end());
    Agreement out;
    for (const auto& [same, count] : all) {
      if (out.sets.empty() || out.sets.back().first != same) out.sets.emplace_back(same, 0);
      out.sets.back().second += count;
    }
    return out;
  }

  bool is_small(const Agreement& at_risk, SubTable set) {
    looks_left_ -= static_cast<double>(at_risk.sets.size());
    double count = 0;
    for (const auto& [same, n] : at_risk.sets)
      if (holds(same, set) && (count += n) >= beta_) return false;
    return true;
  }

  // Those cells that agree on all of the set are too few: another one must agree on what is left.
  std::vector<SubTable> shared(const Agreement& at_risk, SubTable set) {
    std::vector<SubTable> parts{0};
    for (const auto& s : at_risk.sets)
      if (!holds(s.first, set)) parts.push_back(s.first & set);
    std::sort(parts.begin(), parts.end(), Larger());
    parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
    std::vector<SubTable> out;
    for (SubTable part : parts) {
      looks_left_ -= static_cast<double>(out.size());
      if (std::none_of(out.begin(), out.end(), [part](SubTable o) { return holds(o, part); }))
        out.push_back(part);
    }
    return out;
  }

  static constexpr std::size_t kMostRare = 16, kMostKnown = 32;

  const RiskCells& cells_;
  double beta_;
  const std::vector<SubTable>& forbidden_;
  double looks_left_;
  const Tick& tick_;
  std::set<SubTable, Larger> open_;
  std::vector<SubTable> settled_;
  std::vector<Agreement> known_;  // of cells at risk that have made sets inadmissible
};

double power(std::size_t n) {
  return std::ldexp(1.0, static_cast<int>(n));
}

// With s_v variables in the largest set that holds v: the clique Q that is eliminated last has q
// variables, all with s_v >= q, and each other variable brings at most 2^(min(s_v, q) - 1).
double limit_by_size(const std::vector<std::size_t>& size) {
  double limit = -1;
  for (std::size_t q = 1; q <= 64; ++q) {
    const auto enough = static_cast<std::size_t>(
        std::count_if(size.begin(), size.end(), [q](std::size_t s) { return s >= q; }));
    if (enough < q) break;
    double sum = power(q) - 1 + static_cast<double>(enough - q) * power(q - 1);
    for (std::size_t s : size)
      if (s < q) sum += power(s - 1);
    limit = std::max(limit, sum);
  }
  return limit;
}

}  // namespace

AdmissibleCover cover_admissible(const RiskCells& cells, std::int64_t beta,
                                 const std::vector<SubTable>& forbidden, double max_looks,
                                 const Tick& tick) {
  return Cover(cells, beta, forbidden, max_looks, tick).run();
}

// Each variable is eliminated with later neighbours that lie with it inside a set of the cover, and
// gains no more there than beside the whole set.
double covered_limit(std::size_t n_variables, const std::vector<SubTable>& cover,
                     const AdditiveUtility& utility) {
  std::vector<double> gain(n_variables, -1);
  std::vector<std::size_t> size(n_variables, 0);
  for (SubTable set : cover)
    for (std::size_t v = 0; v < n_variables; ++v) {
      if (!has_variable(set, v)) continue;
      size[v] = std::max(size[v], set_size(set));
      gain[v] = std::max(gain[v], utility.gain(v, set & ~(SubTable{1} << v)));
    }
  double sum = 0;
  for (double g : gain) {
    if (g < 0) return -1;
    sum += g;
  }
  return utility.counts_sub_tables() ? std::min(sum, limit_by_size(size)) : sum;
}

}  // namespace sdclattice
