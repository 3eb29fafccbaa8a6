// Who reads a publication, and what they know besides.
#ifndef SDCLATTICE_AUDIT_READERS_HPP
#define SDCLATTICE_AUDIT_READERS_HPP

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "audit-case.hpp"
#include "audit-search.hpp"
#include "audit-zeros.hpp"

namespace audit {

inline bool is_shown(const Case& now, int leaf) {
  return std::any_of(now.sums.begin(), now.sums.end(),
                     [&](const Sum& sum) { return sum.shown && sum.leaves == Leaves{leaf}; });
}

inline bool knows(const Reader& reader, std::size_t sum) {
  return std::binary_search(reader.sums.begin(), reader.sums.end(), static_cast<int>(sum));
}

inline Whole at(const Table& table, int leaf) {
  return table[static_cast<std::size_t>(leaf)];
}

// Does a table agree with what a reader knows besides the publication?
inline bool is_possible(const Case& now, const Table& table, const Reader& reader) {
  return std::all_of(reader.cells.begin(), reader.cells.end(),
                     [&](int leaf) { return at(table, leaf) == at(now.truth, leaf); }) &&
         std::all_of(reader.least.begin(), reader.least.end(),
                     [&](const auto& some) { return at(table, some.first) >= some.second; }) &&
         std::all_of(reader.sums.begin(), reader.sums.end(), [&](int k) {
           const Leaves& leaves = now.sums[static_cast<std::size_t>(k)].leaves;
           return sum_of(table, leaves) == sum_of(now.truth, leaves);
         });
}

// `5,6*2`: all people of leaf 5, and two of those of leaf 6.
inline std::string words_of(const Case& now, const Reader& reader) {
  std::string out;
  for (const auto& some : reader.members) {
    out += (out.empty() ? "" : ",") + std::to_string(some.first + 1);
    if (some.second < at(now.truth, some.first)) out += "*" + std::to_string(some.second);
  }
  return out.empty() ? "-" : out;
}

// Sets of people who act together, of each leaf some number: everybody who is alone, and, with the
// reader `coalition`, all sets of as many people as are asked for.
class People {
 public:
  explicit People(const Case& now) : now_(now), zeros_(now), given_(zeros_.rows_of_zeros()) {
    if (now.readers.count("contributor") > 0) room_ = 1;
    if (now.readers.count("coalition") > 0) room_ = std::max<Whole>(2, now.together);
    for (int leaf = 0; leaf < static_cast<int>(now.truth.size()); ++leaf) add_choices(leaf);
  }

  // Everybody, and these sets: small ones first, and not more than `most` of them.
  std::vector<Reader> readers(std::size_t most) const {
    std::vector<Reader> out = {Reader()};
    out[0].kind = "outsider";
    for (Whole n = 1; n <= room_; ++n) add_sets(n, 0, Members(), most + 1, out);
    return out;
  }

  // How many sets there are, with the outsider.
  double number() const {
    std::vector<double> ways(static_cast<std::size_t>(room_) + 1, 0.0);
    ways[0] = 1;
    for (const Choices& of : choices_) {
      for (std::size_t n = ways.size(); n-- > 0;)
        for (Whole m : of.numbers)
          if (m <= static_cast<Whole>(n)) ways[n] += ways[n - static_cast<std::size_t>(m)];
    }
    double out = 0;
    for (double x : ways) out += x;
    return out;
  }

 private:
  struct Choices {
    int leaf = 0;
    std::vector<Whole> numbers;
  };

  Whole people_of(int sum) const { return sum_of(now_.truth, leaves_of(sum)); }
  const Leaves& leaves_of(int sum) const { return now_.sums[static_cast<std::size_t>(sum)].leaves; }

  // All people of a leaf, or some, where that tells them more than everybody knows.
  void add_choices(int leaf) {
    const Whole count = now_.truth[static_cast<std::size_t>(leaf)];
    const bool shown = is_shown(now_, leaf);
    Whole least = 0;
    for (const Sum& sum : now_.sums)
      if (sum.leaves == Leaves{leaf}) least = std::max(least, sum.low);
    Choices out;
    out.leaf = leaf;
    if (!shown && now_.together > 0)
      for (Whole m = least + 1; m < std::min(count, room_ + 1); ++m) out.numbers.push_back(m);
    if (count >= 1 && count <= room_ && (!shown || matters(leaf))) out.numbers.push_back(count);
    if (!out.numbers.empty()) choices_.push_back(out);
  }

  // Of a leaf that is published: is it part of a total that few people are in, or of a row?
  bool matters(int leaf) const {
    const auto holds = [&](const Leaves& leaves) {
      return std::binary_search(leaves.begin(), leaves.end(), leaf);
    };
    return std::any_of(now_.sums.begin(), now_.sums.end(),
                       [&](const Sum& sum) {
                         return sum.hidden && sum_of(now_.truth, sum.leaves) <= room_ &&
                                holds(sum.leaves);
                       }) ||
           (now_.insiders && std::any_of(now_.rows.begin(), now_.rows.end(), [&](const Row& row) {
              return holds(leaves_of(row.total));
            }));
  }

  void add_sets(Whole n, std::size_t from, const Members& members, std::size_t most,
                std::vector<Reader>& out) const {
    if (n == 0 && out.size() < most) out.push_back(reader_of(members));
    if (n == 0) return;
    for (std::size_t k = from; k < choices_.size() && out.size() < most; ++k) {
      for (Whole m : choices_[k].numbers) {
        if (m > n) continue;
        Members more = members;
        more[choices_[k].leaf] = m;
        add_sets(n - m, k + 1, more, most, out);
      }
    }
  }

  Reader reader_of(const Members& members) const {
    Reader out;
    Whole n = 0;
    out.members = members;
    for (const auto& some : members) {
      n += some.second;
      if (some.second == now_.truth[static_cast<std::size_t>(some.first)])
        out.cells.push_back(some.first);
      else
        out.least.push_back(some);
    }
    out.kind = n == 1 ? "contributor" : "coalition";
    out.sums = own_sums(members);
    return out;
  }

  bool are_all_of(const Members& members, int sum) const {
    Whole own = 0;
    for (int leaf : leaves_of(sum)) {
      const auto found = members.find(leaf);
      if (found != members.end()) own += found->second;
    }
    return own > 0 && own == people_of(sum);
  }

  // The hidden sums that nobody else is in, unless that would tell zeros: those are theirs where
  // they can tell that nobody else is in any row that allows them.
  std::vector<int> own_sums(const Members& members) const {
    std::set<int> out;
    for (const auto& of : given_)
      if (std::all_of(of.second.begin(), of.second.end(),
                      [&](int row) { return are_all_of(members, row); }))
        out.insert(of.first);
    for (bool less = true; less;) {
      const auto open = std::find_if(out.begin(), out.end(), [&](int zero) {
        const std::vector<int>& rows = given_.at(zero);
        return std::any_of(rows.begin(), rows.end(), [&](int row) { return is_unsure(row, out); });
      });
      less = open != out.end();
      if (less) out.erase(open);
    }
    const std::set<int> zeros = out;
    for (int k = 0; k < static_cast<int>(now_.sums.size()); ++k)
      if (now_.sums[static_cast<std::size_t>(k)].hidden && are_all_of(members, k) &&
          !is_unsure(k, zeros))
        out.insert(k);
    return {out.begin(), out.end()};
  }

  // Is a secret zero part of the sum, but for these?
  bool is_unsure(int sum, const std::set<int>& zeros) const {
    return std::any_of(leaves_of(sum).begin(), leaves_of(sum).end(), [&](int leaf) {
      return is_secret_zero(leaf) && std::none_of(zeros.begin(), zeros.end(), [&](int zero) {
               return std::binary_search(leaves_of(zero).begin(), leaves_of(zero).end(), leaf);
             });
    });
  }

  // A zero that is not published, and that people cannot tell: zeros are secret, or the leaf is
  // part of a zero that a row allows.
  bool is_secret_zero(int leaf) const {
    if (now_.truth[static_cast<std::size_t>(leaf)] > 0) return false;
    const auto holds = [&](const Leaves& leaves) {
      return std::binary_search(leaves.begin(), leaves.end(), leaf);
    };
    const bool published = std::any_of(now_.sums.begin(), now_.sums.end(), [&](const Sum& sum) {
      return sum.shown && sum.low == 0 && holds(sum.leaves);
    });
    if (published) return false;
    return !now_.zeros_shown || std::any_of(given_.begin(), given_.end(), [&](const auto& of) {
      return holds(leaves_of(of.first));
    });
  }

  const Case& now_;
  Zeros zeros_;
  std::map<int, std::vector<int>> given_;
  Whole room_ = 0;
  std::vector<Choices> choices_;
};

}  // namespace audit

#endif
