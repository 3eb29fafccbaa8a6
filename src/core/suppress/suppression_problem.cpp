#include "suppress/suppression_problem.hpp"

#include <algorithm>

#include "base/wide_int.hpp"

namespace sdclattice {

namespace {

// The change of a cell, 0 where the certificate does not have it.
std::int64_t change_of(const Certificate& certificate, std::uint32_t cell) {
  const auto at = std::lower_bound(certificate.cell.begin(), certificate.cell.end(), cell);
  if (at == certificate.cell.end() || *at != cell) return 0;
  return certificate.change[static_cast<std::size_t>(at - certificate.cell.begin())];
}

// Cells in ascending order, each with a change that is not 0.
bool is_well_formed(const SuppressionProblem& problem, const Certificate& certificate) {
  if (certificate.cell.size() != certificate.change.size() || certificate.cell.empty())
    return false;
  for (std::size_t i = 0; i < certificate.cell.size(); ++i) {
    if (certificate.cell[i] >= problem.n_cells() || certificate.change[i] == 0) return false;
    if (i > 0 && certificate.cell[i] <= certificate.cell[i - 1]) return false;
  }
  return true;
}

bool keeps_row(const LinearSystem& system, std::size_t row, const Certificate& certificate) {
  WideInt sum = 0;
  for (std::size_t e = system.start[row]; e < system.start[row + 1]; ++e)
    sum += wide_product(system.coefficient[e], change_of(certificate, system.cell[e]));
  return sum == 0;
}

// What tables attain: the table itself, and those of some certificates.
struct Attained {
  std::int64_t most = 0, least = 0;
  void add(std::int64_t change) {
    most = std::max(most, change);
    least = std::min(least, change);
  }
  bool meets(const Demand& demand) const {
    return most >= demand.up && -least >= demand.down && most - least >= demand.slide;
  }
};

// The certificates that change a demand's cell, and by how much.
struct Serving {
  std::uint32_t certificate;
  std::int64_t change;
};

class DemandCheck {
 public:
  DemandCheck(const SuppressionProblem& problem, const std::vector<Certificate>& certificates)
      : problem_(problem), knowers_of_(problem.n_cells()), is_touched_(problem.knowers.size(), 0) {
    for (std::uint32_t k = 0; k < problem.knowers.size(); ++k)
      for (std::uint32_t cell : problem.knowers[k]) knowers_of_[cell].push_back(k);
    find_serving(certificates);
    find_touched(certificates);
  }

  void check(std::uint32_t number, std::vector<OpenDemand>& open) {
    const Demand& demand = problem_.demands[number];
    const std::vector<Serving>& serving = serving_[number];
    Attained all;
    for (const Serving& by : serving) all.add(by.change);
    if (!all.meets(demand)) {
      open.push_back({number, OpenDemand::kNobody, false});
      return;
    }
    // who touches none of these certificates is like the outsider
    for (std::uint32_t knower : touching(serving)) {
      if (!concerns(problem_, demand, knower) || is_met(demand, serving, knower)) continue;
      open.push_back({number, knower, false});
    }
  }

 private:
  void find_serving(const std::vector<Certificate>& certificates) {
    std::vector<std::vector<std::uint32_t>> demands_of(problem_.n_cells());
    for (std::uint32_t p = 0; p < problem_.demands.size(); ++p)
      demands_of[problem_.demands[p].cell].push_back(p);
    serving_.resize(problem_.demands.size());
    for (std::uint32_t c = 0; c < certificates.size(); ++c)
      for (std::size_t i = 0; i < certificates[c].cell.size(); ++i)
        for (std::uint32_t p : demands_of[certificates[c].cell[i]])
          serving_[p].push_back({c, certificates[c].change[i]});
  }

  void find_touched(const std::vector<Certificate>& certificates) {
    touched_.resize(certificates.size());
    for (std::size_t c = 0; c < certificates.size(); ++c) {
      for (std::uint32_t cell : certificates[c].cell)
        touched_[c].insert(touched_[c].end(), knowers_of_[cell].begin(), knowers_of_[cell].end());
      std::sort(touched_[c].begin(), touched_[c].end());
      touched_[c].erase(std::unique(touched_[c].begin(), touched_[c].end()), touched_[c].end());
    }
  }

  std::vector<std::uint32_t> touching(const std::vector<Serving>& serving) {
    std::vector<std::uint32_t> out;
    for (const Serving& by : serving) {
      for (std::uint32_t knower : touched_[by.certificate]) {
        if (is_touched_[knower]) continue;
        is_touched_[knower] = 1;
        out.push_back(knower);
      }
    }
    for (std::uint32_t knower : out) is_touched_[knower] = 0;
    std::sort(out.begin(), out.end());
    return out;
  }

  bool is_met(const Demand& demand, const std::vector<Serving>& serving,
              std::uint32_t knower) const {
    Attained left;
    for (const Serving& by : serving) {
      const std::vector<std::uint32_t>& touched = touched_[by.certificate];
      if (!std::binary_search(touched.begin(), touched.end(), knower)) left.add(by.change);
    }
    return left.meets(demand);
  }

  const SuppressionProblem& problem_;
  std::vector<std::vector<std::uint32_t>> knowers_of_;  // of each cell
  std::vector<char> is_touched_;
  std::vector<std::vector<Serving>> serving_;        // of each demand
  std::vector<std::vector<std::uint32_t>> touched_;  // the knowers of each certificate
};

}  // namespace

bool concerns(const SuppressionProblem& problem, const Demand& demand, std::uint32_t knower) {
  const std::vector<std::uint32_t>& known = problem.knowers[knower];
  if (std::binary_search(known.begin(), known.end(), demand.cell)) return false;
  if (demand.circle == Demand::kEverybody) return true;
  const std::vector<std::uint32_t>& circle = problem.circles[demand.circle];
  return std::binary_search(circle.begin(), circle.end(), knower) != demand.outside;
}

const std::vector<std::uint32_t>& included(const SuppressionProblem& problem,
                                           std::uint32_t knower) {
  static const std::vector<std::uint32_t> none;
  return knower < problem.within.size() ? problem.within[knower] : none;
}

bool certifies(const SuppressionProblem& problem, const std::vector<char>& hidden,
               const Certificate& certificate) {
  return certifies(problem, RowsByCell(problem.system), hidden, certificate);
}

bool certifies(const SuppressionProblem& problem, const RowsByCell& rows,
               const std::vector<char>& hidden, const Certificate& certificate) {
  if (!is_well_formed(problem, certificate)) return false;
  std::vector<std::uint32_t> touched;
  for (std::size_t i = 0; i < certificate.cell.size(); ++i) {
    const std::uint32_t cell = certificate.cell[i];
    if (!hidden[cell] && problem.role[cell] != CellRole::unseen) return false;
    const WideInt changed = WideInt(problem.value[cell]) + certificate.change[i];
    if (changed < problem.system.lower[cell] || changed > problem.system.upper[cell]) return false;
    touched.insert(touched.end(), rows.row.begin() + static_cast<std::ptrdiff_t>(rows.at[cell]),
                   rows.row.begin() + static_cast<std::ptrdiff_t>(rows.at[cell + 1]));
  }
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  return std::all_of(touched.begin(), touched.end(), [&](std::uint32_t row) {
    return keeps_row(problem.system, row, certificate);
  });
}

std::vector<OpenDemand> open_demands(const SuppressionProblem& problem,
                                     const std::vector<Certificate>& certificates) {
  DemandCheck check(problem, certificates);
  std::vector<OpenDemand> out;
  for (std::uint32_t p = 0; p < problem.demands.size(); ++p) check.check(p, out);
  return out;
}

}  // namespace sdclattice
