#include "suppress/vertex_pool.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace sdclattice {

DemandIndex::DemandIndex(const SuppressionProblem& of)
    : problem(of), demands(of.n_cells()), knowers(of.n_cells()) {
  for (std::uint32_t k = 0; k < of.demands.size(); ++k) demands[of.demands[k].cell].push_back(k);
  for (std::uint32_t k = 0; k < of.knowers.size(); ++k)
    for (const std::uint32_t i : of.knowers[k]) knowers[i].push_back(k);
}

bool DemandIndex::concerns(std::uint32_t demand, std::uint32_t knower) const {
  return sdclattice::concerns(problem, problem.demands[demand], knower);
}

VertexPool::VertexPool(const DemandIndex& index, const std::vector<char>& kept)
    : index_(&index),
      kept_(kept),
      service_(index.problem.demands.size()),
      uses_(index.problem.n_cells(), 0) {
  kept_.resize(index.problem.n_cells(), 0);
  for (std::uint32_t i = 0; i < kept_.size(); ++i) {
    kept_[i] = kept_[i] && problem().role[i] == CellRole::candidate;
    if (kept_[i]) cost_ += problem().cost[i];
  }
}

bool VertexPool::is_hidden(std::uint32_t cell) const {
  return problem().role[cell] == CellRole::primary || kept_[cell] ||
         (problem().role[cell] == CellRole::candidate && uses_[cell] > 0);
}

void VertexPool::count(std::uint32_t cell, int by) {
  if (problem().role[cell] != CellRole::candidate || kept_[cell]) {
    uses_[cell] += static_cast<std::uint32_t>(by);
    return;
  }
  if (by > 0 && uses_[cell] == 0) cost_ += problem().cost[cell];
  uses_[cell] += static_cast<std::uint32_t>(by);
  if (by < 0 && uses_[cell] == 0) cost_ -= problem().cost[cell];
}

void VertexPool::insert(const Certificate& certificate, std::int64_t times) {
  auto entry = std::make_shared<Entry>();
  entry->change = certificate;
  entry->blocked.assign(problem().knowers.size() / 64 + 1, 0);
  for (std::size_t k = 0; k < certificate.cell.size(); ++k) {
    const std::uint32_t i = certificate.cell[k];
    entry->change.change[k] *= times;
    count(i, 1);
    for (const std::uint32_t who : index_->knowers[i])
      entry->blocked[who / 64] |= std::uint64_t{1} << (who % 64);
  }
  for (std::size_t k = 0; k < certificate.cell.size(); ++k)
    for (const std::uint32_t d : index_->demands[certificate.cell[k]])
      service_[d].push_back({entry, entry->change.change[k]});
  entries_.push_back(std::move(entry));
}

void VertexPool::take_out(std::size_t k) {
  const std::shared_ptr<const Entry> entry = entries_[k];
  entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(k));
  for (const std::uint32_t i : entry->change.cell) {
    count(i, -1);
    for (const std::uint32_t d : index_->demands[i]) {
      std::vector<Service>& own = service_[d];
      own.erase(
          std::remove_if(own.begin(), own.end(), [&](const Service& s) { return s.by == entry; }),
          own.end());
    }
  }
}

std::vector<std::uint32_t> VertexPool::close(std::uint32_t cell) {
  std::vector<std::uint32_t> out;
  for (std::size_t k = entries_.size(); k-- > 0;) {
    const std::vector<std::uint32_t>& cells = entries_[k]->change.cell;
    if (!std::binary_search(cells.begin(), cells.end(), cell)) continue;
    for (const std::uint32_t i : cells)
      out.insert(out.end(), index_->demands[i].begin(), index_->demands[i].end());
    take_out(k);
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

// How often it can be added, or taken away, within the limits of all cells.
std::int64_t VertexPool::most_times(const Certificate& certificate, int sign) const {
  std::int64_t out = kNoLimit;
  for (std::size_t k = 0; k < certificate.cell.size(); ++k) {
    const std::uint32_t i = certificate.cell[k];
    const std::int64_t by = sign * certificate.change[k], y = problem().value[i];
    if (by < 0)
      out = std::min(out, (y - problem().system.lower[i]) / -by);
    else if (problem().system.upper[i] < kNoLimit)
      out = std::min(out, (problem().system.upper[i] - y) / by);
  }
  return out;
}

// The multiple that its demands may ask for.
std::int64_t VertexPool::wanted_times(const Certificate& certificate) const {
  std::int64_t out = 0;
  for (std::size_t k = 0; k < certificate.cell.size(); ++k) {
    const std::int64_t own = std::abs(certificate.change[k]);
    for (const std::uint32_t d : index_->demands[certificate.cell[k]]) {
      const Demand& demand = problem().demands[d];
      if (demand.up <= 0 && demand.down <= 0 && demand.slide <= own) continue;
      if (open_readers(d).empty()) continue;
      out = std::max(out, (std::max({demand.up, demand.down, demand.slide}) + own - 1) / own);
    }
  }
  return out;
}

void VertexPool::add(const Certificate& certificate) {
  insert(certificate, 1);
  for (const int sign : {-1, 1}) {
    const std::int64_t wanted = wanted_times(certificate);
    if (wanted == 0) return;
    const std::int64_t times = std::min(wanted, most_times(certificate, sign));
    if (times >= (sign > 0 ? 2 : 1)) insert(certificate, sign * times);
  }
}

VertexReach VertexPool::reach(std::uint32_t demand, std::uint32_t knower) const {
  VertexReach out;
  for (const Service& s : service_[demand]) {
    if (knower != OpenDemand::kNobody && s.by->blocks(knower)) continue;
    out.up = std::max(out.up, s.change);
    out.down = std::max(out.down, -s.change);
  }
  return out;
}

// Knowers of a cell of one or two certificates that meet the demand for the outsider. All others
// see the same as she does.
std::vector<std::uint32_t> VertexPool::core_knowers(std::uint32_t demand) const {
  const Demand& wanted = problem().demands[demand];
  const auto n_blocked = [](const Service& s) {
    std::size_t n = 0;
    for (const std::uint64_t word : s.by->blocked)
      for (std::uint64_t bits = word; bits != 0; bits &= bits - 1) ++n;
    return n;
  };
  const Service *alone = nullptr, *up = nullptr, *down = nullptr;
  std::size_t fewest = SIZE_MAX;
  for (const Service& s : service_[demand]) {
    if (up == nullptr || s.change > up->change) up = &s;
    if (down == nullptr || s.change < down->change) down = &s;
    const VertexReach own{std::max<std::int64_t>(s.change, 0),
                          std::max<std::int64_t>(-s.change, 0)};
    if (!own.meets(wanted)) continue;
    const std::size_t n = n_blocked(s);
    if (n < fewest) alone = &s, fewest = n;
  }
  if (alone != nullptr) up = down = alone;
  std::vector<std::uint32_t> out;
  if (up == nullptr) return out;
  for (std::size_t w = 0; w < up->by->blocked.size(); ++w)
    for (std::uint64_t bits = up->by->blocked[w] | down->by->blocked[w], b = 0; bits != 0;
         bits >>= 1, ++b)
      if ((bits & 1) != 0) out.push_back(static_cast<std::uint32_t>(64 * w + b));
  return out;
}

std::vector<std::uint32_t> VertexPool::open_readers(std::uint32_t demand) const {
  const Demand& wanted = problem().demands[demand];
  if (!reach(demand, OpenDemand::kNobody).meets(wanted)) return {OpenDemand::kNobody};
  std::vector<std::uint32_t> out;
  for (const std::uint32_t who : core_knowers(demand))
    if (index_->concerns(demand, who) && !reach(demand, who).meets(wanted)) out.push_back(who);
  return out;
}

std::size_t VertexPool::n_open() const {
  std::size_t out = 0;
  for (std::uint32_t d = 0; d < service_.size(); ++d)
    for (const std::uint32_t who : open_readers(d))
      out += who == OpenDemand::kNobody ? problem().knowers.size() + 1 : 1;
  return out;
}

// ---- what is left over -------------------------------------------------------------------------

// Takes the certificate out, and puts it back when some demand misses it.
bool VertexPool::is_needed(std::size_t k) {
  const std::shared_ptr<const Entry> entry = entries_[k];
  std::vector<std::uint32_t> demands;
  std::vector<std::size_t> n_open;
  for (const std::uint32_t i : entry->change.cell)
    for (const std::uint32_t d : index_->demands[i]) {
      demands.push_back(d);
      const std::vector<std::uint32_t> open = open_readers(d);
      n_open.push_back(!open.empty() && open[0] == OpenDemand::kNobody ? SIZE_MAX : open.size());
    }
  take_out(k);
  for (std::size_t j = 0; j < demands.size(); ++j) {
    const std::vector<std::uint32_t> open = open_readers(demands[j]);
    const std::size_t now =
        !open.empty() && open[0] == OpenDemand::kNobody ? SIZE_MAX : open.size();
    if (now <= n_open[j]) continue;
    insert(entry->change, 1);
    return true;
  }
  return false;
}

void VertexPool::thin_out() {
  const auto size = [](const std::shared_ptr<const Entry>& e) {
    std::int64_t out = 0;
    for (const std::int64_t by : e->change.change) out += std::abs(by);
    return out;
  };
  std::stable_sort(entries_.begin(), entries_.end(),
                   [&](const auto& a, const auto& b) { return size(a) < size(b); });
  // One that is needed goes to the end.
  for (std::size_t k = entries_.size(); k-- > 0;) is_needed(k);
}

// ---- what the caller gets ----------------------------------------------------------------------

std::vector<std::uint32_t> VertexPool::secondary() const {
  std::vector<std::uint32_t> out;
  for (std::uint32_t i = 0; i < uses_.size(); ++i)
    if (uses_[i] > 0 && !kept_[i] && problem().role[i] == CellRole::candidate) out.push_back(i);
  return out;
}

std::vector<char> VertexPool::hidden() const {
  std::vector<char> out;
  for (std::uint32_t i = 0; i < uses_.size(); ++i) out.push_back(is_hidden(i));
  return out;
}

std::int64_t VertexPool::added_cost(const Certificate& certificate) const {
  std::int64_t out = 0;
  for (const std::uint32_t i : certificate.cell)
    if (problem().role[i] == CellRole::candidate && !is_hidden(i)) out += problem().cost[i];
  return out;
}

SuppressionPattern VertexPool::pattern() const {
  SuppressionPattern out;
  out.hidden = hidden();
  for (const auto& entry : entries_) out.certificates.push_back(entry->change);
  out.lacking = open_demands(problem(), out.certificates);
  out.cost = cost_;
  return out;
}

}  // namespace sdclattice
