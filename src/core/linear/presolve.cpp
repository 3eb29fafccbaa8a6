#include "linear/presolve.hpp"

#include <algorithm>
#include <numeric>

#include "base/deadline.hpp"
#include "base/disjoint_sets.hpp"
#include "base/error.hpp"
#include "linear/implied_rows.hpp"
#include "linear/presolve_rows.hpp"

namespace sdclattice {

namespace {

constexpr std::uint32_t kNoPart = UINT32_MAX;

// The number that is `rest` modulo the prime, where the limits of the cells leave one at most.
enum class Lift { one, none, many };
Lift lift(std::uint64_t rest, WideInt least, WideInt most, std::int64_t& out) {
  const WideInt prime = static_cast<WideInt>(Modulo::kPrime);
  if (most - least >= prime) return Lift::many;
  WideInt up = (static_cast<WideInt>(rest) - least) % prime;
  if (up < 0) up += prime;
  if (least + up > most) return Lift::none;
  out = static_cast<std::int64_t>(least + up);
  return Lift::one;
}

// Takes what is left of the system apart.
class Parts {
 public:
  explicit Parts(PresolveRows& rows) : rows_(rows), number_(rows.n_unknowns(), kNoPart) {
    for (std::uint32_t u = 0; u < rows.n_unknowns(); ++u)
      if (rows.stands(u)) {
        number_[u] = static_cast<std::uint32_t>(unknown_.size());
        unknown_.push_back(u);
      }
    for (std::uint32_t r = 0; r < rows.n_rows(); ++r)
      if (rows.is_alive(r)) (rows.is_equation(r) ? equation_ : range_).push_back(r);
  }

  std::vector<PresolvedPart> take() {
    read_equations();
    Combinations combinations(equations_, unknown_.size());
    combinations.find();
    join_rows(combinations);
    cut_implied(combinations);
    return build(combinations);
  }
  std::uint32_t part_of(std::uint32_t unknown) const { return part_[number_[unknown]]; }
  std::uint32_t place_of(std::uint32_t unknown) const { return place_[number_[unknown]]; }

 private:
  using Entry = Combinations::Entry;
  struct Piece {
    std::size_t first, end;  // of entries
    std::int64_t sum;
  };

  void read_equations();
  void join_rows(const Combinations& combinations);
  void join(std::uint32_t row);
  void cut_implied(Combinations& combinations);
  void cut(std::size_t k, Combinations& combinations);
  Lift sum_of(const std::vector<Entry>& piece, Combinations& combinations, std::int64_t& out) const;
  void number_parts();
  std::vector<PresolvedPart> build(const Combinations& combinations);
  void add_row(LinearSystem& to, std::uint32_t row) const;
  void add_piece(LinearSystem& to, const Piece& piece) const;

  PresolveRows& rows_;
  std::vector<std::uint32_t> number_, unknown_;  // of unknowns that stand, and back
  std::vector<std::uint32_t> equation_, range_;  // rows
  Equations equations_;
  DisjointSets sets_{0};
  std::vector<char> is_back_;  // of an equation that is implied, and kept
  std::vector<Entry> entries_;
  std::vector<Piece> pieces_;  // of implied equations
  std::vector<std::uint32_t> part_, place_;
  std::vector<std::uint32_t> size_;  // of a part
};

void Parts::read_equations() {
  for (const std::uint32_t r : equation_) {
    for (std::size_t k = 0; k < rows_.length(r); ++k) {
      equations_.unknown.push_back(number_[rows_.unknowns(r)[k]]);
      equations_.coefficient.push_back(rows_.coefficients(r)[k]);
    }
    equations_.start.push_back(equations_.unknown.size());
    equations_.sum.push_back(rows_.row_lower(r));
  }
  is_back_.assign(equation_.size(), false);
}

void Parts::join(std::uint32_t row) {
  const std::uint32_t* of = rows_.unknowns(row);
  for (std::size_t k = 1; k < rows_.length(row); ++k) sets_.join(number_[of[k]], number_[of[0]]);
}

void Parts::join_rows(const Combinations& combinations) {
  sets_ = DisjointSets(unknown_.size());
  for (std::size_t k = 0; k < equation_.size(); ++k)
    if (!combinations.is_implied(k)) join(equation_[k]);
  for (const std::uint32_t r : range_) join(r);
}

// An implied row over several parts follows in each part on its own: a piece of it for each.
void Parts::cut_implied(Combinations& combinations) {
  for (std::size_t k = 0; k < equation_.size(); ++k)
    if (combinations.is_implied(k)) cut(k, combinations);
}

void Parts::cut(std::size_t k, Combinations& combinations) {
  std::vector<std::pair<std::size_t, std::size_t>> by_part;
  for (std::size_t e = equations_.start[k]; e < equations_.start[k + 1]; ++e)
    by_part.emplace_back(sets_.root(equations_.unknown[e]), e);
  std::sort(by_part.begin(), by_part.end());
  const std::size_t n_pieces = pieces_.size(), n_entries = entries_.size();
  for (std::size_t at = 0; at < by_part.size();) {
    std::vector<Entry> piece;
    for (const std::size_t root = by_part[at].first;
         at < by_part.size() && by_part[at].first == root; ++at)
      piece.push_back(
          {equations_.unknown[by_part[at].second], equations_.coefficient[by_part[at].second]});
    std::int64_t sum = equations_.sum[k];
    if (piece.size() < by_part.size() && sum_of(piece, combinations, sum) == Lift::many) {
      pieces_.resize(n_pieces);
      entries_.resize(n_entries);
      is_back_[k] = true;
      join(equation_[k]);
      return;
    }
    pieces_.push_back({entries_.size(), entries_.size() + piece.size(), sum});
    entries_.insert(entries_.end(), piece.begin(), piece.end());
  }
}

Lift Parts::sum_of(const std::vector<Entry>& piece, Combinations& combinations,
                   std::int64_t& out) const {
  WideInt least = 0, most = 0;
  for (const Entry& entry : piece) {
    const std::uint32_t u = unknown_[entry.unknown];
    if (rows_.upper(u) >= kNoLimit) return Lift::many;
    const WideInt low = wide_product(entry.coefficient, rows_.lower(u)),
                  high = wide_product(entry.coefficient, rows_.upper(u));
    least += std::min(low, high);
    most += std::max(low, high);
  }
  const Lift how = lift(combinations.sum_of(piece), least, most, out);
  if (how == Lift::none)
    throw InfeasibleError("No table of whole numbers satisfies all constraints.");
  return how;
}

// Parts in the order of their first unknowns.
void Parts::number_parts() {
  std::vector<std::uint32_t> part_of_root(unknown_.size(), kNoPart);
  part_.resize(unknown_.size());
  place_.resize(unknown_.size());
  for (std::uint32_t u = 0; u < unknown_.size(); ++u) {
    std::uint32_t& part = part_of_root[sets_.root(u)];
    if (part == kNoPart) {
      part = static_cast<std::uint32_t>(size_.size());
      size_.push_back(0);
    }
    part_[u] = part;
    place_[u] = size_[part]++;
  }
}

void Parts::add_row(LinearSystem& to, std::uint32_t row) const {
  for (std::size_t k = 0; k < rows_.length(row); ++k) {
    to.cell.push_back(place_of(rows_.unknowns(row)[k]));
    to.coefficient.push_back(rows_.coefficients(row)[k]);
  }
  to.start.push_back(to.cell.size());
  to.row_lower.push_back(rows_.row_lower(row));
  to.row_upper.push_back(rows_.row_upper(row));
}

void Parts::add_piece(LinearSystem& to, const Piece& piece) const {
  for (std::size_t e = piece.first; e < piece.end; ++e) {
    to.cell.push_back(place_[entries_[e].unknown]);
    to.coefficient.push_back(entries_[e].coefficient);
  }
  to.start.push_back(to.cell.size());
  to.row_lower.push_back(piece.sum);
  to.row_upper.push_back(piece.sum);
}

std::vector<PresolvedPart> Parts::build(const Combinations& combinations) {
  number_parts();
  std::vector<PresolvedPart> out(size_.size());
  for (std::size_t p = 0; p < out.size(); ++p) {
    out[p].system.lower.reserve(size_[p]);
    out[p].system.upper.reserve(size_[p]);
  }
  for (std::size_t u = 0; u < unknown_.size(); ++u) {
    out[part_[u]].system.lower.push_back(rows_.lower(unknown_[u]));
    out[part_[u]].system.upper.push_back(rows_.upper(unknown_[u]));
  }
  for (PresolvedPart& part : out) {
    part.implied.lower = part.system.lower;
    part.implied.upper = part.system.upper;
  }
  for (std::size_t k = 0; k < equation_.size(); ++k)
    if (!combinations.is_implied(k) || is_back_[k])
      add_row(out[part_of(rows_.unknowns(equation_[k])[0])].system, equation_[k]);
  for (const std::uint32_t r : range_) add_row(out[part_of(rows_.unknowns(r)[0])].system, r);
  for (const Piece& piece : pieces_)
    add_piece(out[part_[entries_[piece.first].unknown]].implied, piece);
  return out;
}

}  // namespace

Presolved presolve(const LinearSystem& system, const Tick& tick) {
  PresolveRows rows(system);
  do rows.settle(tick);
  while (rows.drop_equal_rows());
  Parts parts(rows);
  Presolved out;
  out.parts = parts.take();
  out.home.resize(system.n_cells());
  for (std::size_t i = 0; i < system.n_cells(); ++i) {
    poll_at(i);
    const PresolveRows::Image image = rows.image(system, i);
    CellHome& home = out.home[i];
    home.shift = image.shift;
    home.sign = image.sign;
    if (image.sign == 0) continue;
    home.part = parts.part_of(image.unknown);
    home.place = parts.place_of(image.unknown);
  }
  return out;
}

}  // namespace sdclattice
