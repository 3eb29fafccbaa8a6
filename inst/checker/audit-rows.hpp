// Rows of people: who learns that all of them, or all others, are in one category.
#ifndef SDCLATTICE_AUDIT_ROWS_HPP
#define SDCLATTICE_AUDIT_ROWS_HPP

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <ostream>
#include <vector>

#include "audit-case.hpp"
#include "audit-readers.hpp"
#include "audit-search.hpp"

namespace audit {

enum class Found { yes, no, unsure };

class RowAudit {
 public:
  // Is there a table that agrees with the publication and with what a reader knows, in which some
  // leaves have a sum within limits?
  using Finder = std::function<Found(const Reader&, const Leaves&, Whole, Whole)>;

  RowAudit(const Case& now, const Finder& find, bool explain, std::ostream& out)
      : now_(now), find_(find), explain_(explain), out_(out) {}

  // Everybody; and with `insiders` those who are all people of the row outside of a category, about
  // the others. Does anybody learn it?
  Found ask(const Row& row, const std::vector<Reader>& people) {
    Found out = Found::no;
    for (const Reader& reader : people) {
      if (reader.kind != "outsider" && !now_.insiders) continue;
      for (const int category : row.categories) {
        const Found one = learns(row, category, reader);
        if (one == Found::no && !(explain_ && is_so_)) continue;
        out_ << (one == Found::yes  ? "row "
                 : one == Found::no ? "safe row "
                                    : "undecided row ")
             << reader.kind << " " << words_of(now_, reader) << " : " << row.total + 1 << " "
             << category + 1 << "\n";
        if (out != Found::yes && one != Found::no) out = one;
      }
    }
    return out;
  }

 private:
  // How many people a reader has in a category, and in the rest of its row.
  struct Own {
    Whole inside = 0, outside = 0;
  };

  Own own_of(const Reader& reader, const Row& row, int category) const {
    Own out;
    for (const auto& some : reader.members) {
      if (holds(category, some.first))
        out.inside += some.second;
      else if (holds(row.total, some.first))
        out.outside += some.second;
    }
    return out;
  }

  Found learns(const Row& row, int category, const Reader& reader) {
    const Own own = own_of(reader, row, category);
    is_so_ = false;
    if (reader.kind != "outsider" && own.outside == 0) return Found::no;
    const Found told = alike(row, category, own, reader);
    if (told == Found::no || reader.kind == "outsider" || !now_.unsure) return told;
    const Found closed = is_closed(row, category, reader);
    if (closed == Found::no) return told;
    const Found known = alike(row, category, own, not_told(reader, row, category));
    return closed == Found::yes || known != Found::no ? known : Found::unsure;
  }

  // Is there somebody in a row but a reader's own people, and are all of these in one category, in
  // the table and in each that the reader cannot exclude?
  Found alike(const Row& row, int category, const Own& own, const Reader& reader) {
    const Leaves& total = leaves_of(row.total);
    const Leaves& inside = leaves_of(category);
    Leaves rest;
    std::set_difference(total.begin(), total.end(), inside.begin(), inside.end(),
                        std::back_inserter(rest));
    if (sum_of(now_.truth, rest) != own.outside || sum_of(now_.truth, inside) <= own.inside)
      return Found::no;
    is_so_ = true;
    const Found unlike = find_(reader, rest, own.outside + 1, kNone);
    if (unlike == Found::yes) return Found::no;
    const Found nobody = find_(reader, total, 0, own.outside + own.inside);
    if (nobody == Found::yes) return Found::no;
    return unlike == Found::no && nobody == Found::no ? Found::yes : Found::unsure;
  }

  // Does everybody know that nobody of the row is in any category but one and theirs?
  Found is_closed(const Row& row, int category, const Reader& reader) {
    Found out = Found::yes;
    for (const int k : row.categories) {
      const bool theirs = std::any_of(reader.members.begin(), reader.members.end(),
                                      [&](const auto& some) { return holds(k, some.first); });
      if (k == category || theirs) continue;
      const Found some = somebody(k);
      if (some == Found::yes) return Found::no;
      if (some == Found::unsure) out = Found::unsure;
    }
    return out;
  }

  // Can a sum have somebody, as far as everybody knows?
  Found somebody(int sum) {
    const auto known = somebody_.find(sum);
    if (known != somebody_.end()) return known->second;
    return somebody_[sum] = find_(Reader(), leaves_of(sum), 1, kNone);
  }

  // The same people, if they are not told that nobody else of the row is like them.
  Reader not_told(const Reader& reader, const Row& row, int category) const {
    const auto is_like = [&](int leaf) { return holds(row.total, leaf) && !holds(category, leaf); };
    Reader out = reader;
    out.cells.clear();
    out.sums.clear();
    for (int leaf : reader.cells) {
      if (is_like(leaf))
        out.least.emplace_back(leaf, now_.truth[static_cast<std::size_t>(leaf)]);
      else
        out.cells.push_back(leaf);
    }
    for (int k : reader.sums)
      if (std::none_of(leaves_of(k).begin(), leaves_of(k).end(), is_like)) out.sums.push_back(k);
    return out;
  }

  const Leaves& leaves_of(int sum) const { return now_.sums[static_cast<std::size_t>(sum)].leaves; }

  bool holds(int sum, int leaf) const {
    const Leaves& leaves = leaves_of(sum);
    return std::binary_search(leaves.begin(), leaves.end(), leaf);
  }

  const Case& now_;
  Finder find_;
  bool explain_;
  std::ostream& out_;
  bool is_so_ = false;  // are all of the last row alike in the table?
  std::map<int, Found> somebody_;
};

}  // namespace audit

#endif
