#include "suppress/implied_sums.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/deadline.hpp"

namespace sdclattice {

namespace {

constexpr std::uint64_t kPrime = 2147483647;
constexpr std::int64_t kLargestTimes = 1000;

std::uint64_t inverse(std::uint64_t x) {
  std::uint64_t out = 1;
  for (std::uint64_t power = kPrime - 2; power > 0; power >>= 1) {
    if ((power & 1) != 0) out = out * x % kPrime;
    x = x * x % kPrime;
  }
  return out;
}

struct Entry {
  std::uint32_t column;
  std::uint64_t value;  // from 1 to kPrime - 1
};
using Row = std::vector<Entry>;  // by column

// row + times * other
Row sum_of(const Row& row, std::uint64_t times, const Row& other) {
  Row out;
  out.reserve(row.size() + other.size());
  std::size_t i = 0;
  for (const Entry& entry : other) {
    while (i < row.size() && row[i].column < entry.column) out.push_back(row[i++]);
    std::uint64_t value = times * entry.value % kPrime;
    if (i < row.size() && row[i].column == entry.column) value += row[i++].value;
    if (value % kPrime != 0) out.push_back({entry.column, value % kPrime});
  }
  out.insert(out.end(), row.begin() + static_cast<std::ptrdiff_t>(i), row.end());
  return out;
}

// The leaves that are in the same published cells; in the order of columns, those of large counts
// come first.
struct Atoms {
  std::vector<std::vector<std::uint32_t>> leaves;
  std::vector<std::int64_t> count;
  std::uint32_t n_large = 0;
};

Atoms make_atoms(const ShownSums& published, const std::vector<char>& is_zero, std::int64_t most) {
  std::map<std::vector<std::uint32_t>, std::size_t> of;
  Atoms all;
  for (std::uint32_t leaf = 0; leaf < published.count.size(); ++leaf) {
    poll_at(leaf);
    if (is_zero[leaf] || published.start[leaf] == published.start[leaf + 1]) continue;
    const auto first = published.shown.begin();
    const auto at = of.try_emplace({first + static_cast<std::ptrdiff_t>(published.start[leaf]),
                                    first + static_cast<std::ptrdiff_t>(published.start[leaf + 1])},
                                   all.count.size());
    if (at.second) {
      all.leaves.emplace_back();
      all.count.push_back(0);
    }
    all.leaves[at.first->second].push_back(leaf);
    all.count[at.first->second] += published.count[leaf];
  }
  Atoms out;
  for (const bool large : {true, false}) {
    for (std::size_t a = 0; a < all.count.size(); ++a) {
      if ((all.count[a] > most) != large) continue;
      out.leaves.push_back(std::move(all.leaves[a]));
      out.count.push_back(all.count[a]);
    }
    if (large) out.n_large = static_cast<std::uint32_t>(out.count.size());
  }
  return out;
}

class SumSearch {
 public:
  SumSearch(const ShownSums& published, const Atoms& atoms, std::int64_t most,
            std::uint64_t max_steps)
      : published_(published), atoms_(atoms), most_(most), steps_(max_steps) {}

  // The atoms of each sum that follows, of at most `most`.
  std::vector<std::vector<std::uint32_t>> run() {
    if (!eliminate()) return {};
    reduce();
    for (const std::vector<std::uint32_t>& part : parts()) search(part);
    return std::move(found_);
  }

  bool complete() const { return complete_; }
  std::uint64_t steps() const { return steps_; }

  // The sum in leaves, with what it is made of.
  ImpliedSum named(const std::vector<std::uint32_t>& atoms) const {
    ImpliedSum out;
    for (const std::uint32_t atom : atoms)
      out.leaves.insert(out.leaves.end(), atoms_.leaves[atom].begin(), atoms_.leaves[atom].end());
    std::sort(out.leaves.begin(), out.leaves.end());
    Row sum;
    for (const Row& row : basis_)
      if (std::binary_search(atoms.begin(), atoms.end(), row.front().column))
        sum = sum_of(sum, 1, row);
    for (const Entry& entry : sum) {
      if (entry.column < n_atoms()) continue;
      std::int64_t times = static_cast<std::int64_t>(entry.value);
      if (entry.value > kPrime / 2) times -= static_cast<std::int64_t>(kPrime);
      out.term.push_back(static_cast<std::uint32_t>(entry.column - n_atoms()));
      out.times.push_back(times);
    }
    if (!is_combination(out, atoms)) {
      out.term.clear();
      out.times.clear();
    }
    return out;
  }

 private:
  std::size_t n_atoms() const { return atoms_.count.size(); }

  bool spend(std::size_t steps) {
    poll();
    complete_ = complete_ && steps <= steps_;
    steps_ -= std::min<std::uint64_t>(steps, steps_);
    return complete_;
  }

  // A row for each published cell: its atoms, and after these the cell itself, which is carried
  // along and says in the end what a row is made of. Small cells first.
  std::vector<Row> rows() const {
    std::vector<Row> out(published_.n_shown);
    for (std::uint32_t atom = 0; atom < n_atoms(); ++atom) {
      const std::uint32_t leaf = atoms_.leaves[atom].front();
      for (std::size_t e = published_.start[leaf]; e < published_.start[leaf + 1]; ++e)
        out[published_.shown[e]].push_back({atom, 1});
    }
    for (std::uint32_t r = 0; r < out.size(); ++r)
      out[r].push_back({static_cast<std::uint32_t>(n_atoms() + r), 1});
    std::stable_sort(out.begin(), out.end(),
                     [](const Row& a, const Row& b) { return a.size() < b.size(); });
    return out;
  }

  // Rows in echelon form; of these the ones without large atoms.
  bool eliminate() {
    std::vector<Row> pivot(n_atoms());
    for (Row& row : rows()) {
      while (row.front().column < n_atoms() && !pivot[row.front().column].empty()) {
        const Row& by = pivot[row.front().column];
        if (!spend(row.size() + by.size())) return false;
        row = sum_of(row, kPrime - row.front().value, by);
      }
      if (row.front().column >= n_atoms()) continue;
      const std::uint64_t scale = inverse(row.front().value);
      for (Entry& entry : row) entry.value = entry.value * scale % kPrime;
      pivot[row.front().column] = std::move(row);
    }
    for (std::size_t a = atoms_.n_large; a < n_atoms(); ++a)
      if (!pivot[a].empty()) basis_.push_back(std::move(pivot[a]));
    return true;
  }

  // No row has the leading atom of another one.
  void reduce() {
    std::vector<std::size_t> lead(n_atoms(), basis_.size());
    for (std::size_t r = basis_.size(); r-- > 0;) {
      Row& row = basis_[r];
      for (std::size_t e = 1; e < row.size() && row[e].column < n_atoms();) {
        const std::size_t by = lead[row[e].column];
        if (by == basis_.size()) {
          ++e;
          continue;
        }
        if (!spend(row.size() + basis_[by].size())) return;
        row = sum_of(row, kPrime - row[e].value, basis_[by]);
      }
      lead[row.front().column] = r;
    }
  }

  // Rows that share atoms, with one another or by others.
  std::vector<std::vector<std::uint32_t>> parts() {
    if (!complete_) return {};
    std::vector<std::uint32_t> label(basis_.size());
    for (std::uint32_t r = 0; r < label.size(); ++r) label[r] = r;
    const auto root = [&](std::uint32_t r) {
      while (label[r] != r) r = label[r] = label[label[r]];
      return r;
    };
    std::vector<std::uint32_t> first(n_atoms(), UINT32_MAX);
    for (std::uint32_t r = 0; r < basis_.size(); ++r) {
      for (const Entry& entry : basis_[r]) {
        if (entry.column >= n_atoms()) break;
        std::uint32_t& own = first[entry.column];
        if (own == UINT32_MAX) own = r;
        label[root(r)] = root(own);
      }
    }
    std::map<std::uint32_t, std::vector<std::uint32_t>> by_root;
    for (std::uint32_t r = 0; r < basis_.size(); ++r) by_root[root(r)].push_back(r);
    std::vector<std::vector<std::uint32_t>> out;
    for (auto& part : by_root) out.push_back(std::move(part.second));
    return out;
  }

  // All choices of rows of a part that count each atom never or once. An atom is settled when the
  // last row that has it is.
  void search(const std::vector<std::uint32_t>& part) {
    // first those of one row, which the steps may not reach otherwise
    if (part.size() > 1)
      for (const std::uint32_t r : part) search({r});
    std::vector<std::uint32_t> atom;
    for (const std::uint32_t r : part)
      for (const Entry& entry : basis_[r])
        if (entry.column < n_atoms()) atom.push_back(entry.column);
    std::sort(atom.begin(), atom.end());
    atom.erase(std::unique(atom.begin(), atom.end()), atom.end());
    std::vector<std::size_t> last(atom.size(), 0);
    for (std::size_t k = 0; k < part.size(); ++k)
      for (const Entry& entry : basis_[part[k]])
        if (entry.column < n_atoms()) last[place(atom, entry.column)] = k;
    choose(part, 0, atom, last, std::vector<std::uint64_t>(atom.size(), 0));
  }

  static std::size_t place(const std::vector<std::uint32_t>& atom, std::uint32_t column) {
    return static_cast<std::size_t>(std::lower_bound(atom.begin(), atom.end(), column) -
                                    atom.begin());
  }

  void choose(const std::vector<std::uint32_t>& part, std::size_t k,
              const std::vector<std::uint32_t>& atom, const std::vector<std::size_t>& last,
              const std::vector<std::uint64_t>& times) {
    if (!spend(atom.size())) return;
    if (k == part.size()) {
      std::vector<std::uint32_t> sum;
      for (std::size_t i = 0; i < atom.size(); ++i)
        if (times[i] == 1) sum.push_back(atom[i]);
      if (!sum.empty()) found_.push_back(std::move(sum));
      return;
    }
    for (const bool take : {false, true}) {
      std::vector<std::uint64_t> next = times;
      if (take)
        for (const Entry& entry : basis_[part[k]])
          if (entry.column < n_atoms()) {
            std::uint64_t& value = next[place(atom, entry.column)];
            value = (value + entry.value) % kPrime;
          }
      std::int64_t count = 0;
      bool fits = true;
      for (std::size_t i = 0; i < atom.size() && fits; ++i) {
        if (last[i] > k) continue;
        fits = next[i] <= 1;
        if (next[i] == 1) count += atoms_.count[atom[i]];
      }
      if (fits && count <= most_) choose(part, k + 1, atom, last, next);
    }
  }

  bool is_combination(const ImpliedSum& sum, const std::vector<std::uint32_t>& atoms) const {
    std::map<std::uint32_t, std::int64_t> times;
    for (std::size_t t = 0; t < sum.term.size(); ++t) {
      if (std::abs(sum.times[t]) > kLargestTimes) return false;
      times[sum.term[t]] = sum.times[t];
    }
    for (std::uint32_t atom = 0; atom < n_atoms(); ++atom) {
      const std::uint32_t leaf = atoms_.leaves[atom].front();
      std::int64_t n = 0;
      for (std::size_t e = published_.start[leaf]; e < published_.start[leaf + 1]; ++e) {
        const auto at = times.find(published_.shown[e]);
        if (at != times.end()) n += at->second;
      }
      if (n != (std::binary_search(atoms.begin(), atoms.end(), atom) ? 1 : 0)) return false;
    }
    return true;
  }

  const ShownSums& published_;
  const Atoms& atoms_;
  const std::int64_t most_;
  std::uint64_t steps_;
  bool complete_ = true;
  std::vector<Row> basis_;
  std::vector<std::vector<std::uint32_t>> found_;
};

// Sums that hold no other one, short ones first.
void keep_least(std::vector<std::vector<std::uint32_t>>& sums) {
  std::sort(sums.begin(), sums.end(), [](const auto& a, const auto& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  });
  std::vector<std::vector<std::uint32_t>> kept;
  for (const auto& sum : sums) {
    const bool has_less = std::any_of(kept.begin(), kept.end(), [&](const auto& less) {
      return std::includes(sum.begin(), sum.end(), less.begin(), less.end());
    });
    if (!has_less) kept.push_back(sum);
  }
  sums = std::move(kept);
}

}  // namespace

ImpliedSums implied_sums(const ShownSums& published, std::int64_t least, std::int64_t most,
                         std::uint64_t max_steps) {
  ImpliedSums out;
  std::vector<char> is_zero(published.count.size(), 0);
  for (bool again = true; again;) {
    again = false;
    const Atoms atoms = make_atoms(published, is_zero, most);
    SumSearch search(published, atoms, most, max_steps);
    std::vector<std::vector<std::uint32_t>> small;
    for (std::vector<std::uint32_t>& sum : search.run()) {
      std::int64_t count = 0;
      for (const std::uint32_t atom : sum) count += atoms.count[atom];
      if (count >= least) {
        small.push_back(std::move(sum));
        continue;
      }
      again = true;
      for (const std::uint32_t atom : sum)
        for (const std::uint32_t leaf : atoms.leaves[atom]) is_zero[leaf] = 1;
    }
    max_steps = search.steps();
    out.complete = search.complete();
    again = again && out.complete;
    if (again) continue;
    keep_least(small);
    for (const auto& sum : small) out.sums.push_back(search.named(sum));
  }
  return out;
}

}  // namespace sdclattice
