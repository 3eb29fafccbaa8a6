// The questions of an audit of perturbed counts: can the publication come from the table, and how
// many small counts are known on average to everybody, or to those who know another count.
#ifndef SDCLATTICE_AUDIT_PERTURBATION_HPP
#define SDCLATTICE_AUDIT_PERTURBATION_HPP

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "audit-case.hpp"
#include "audit-mechanism.hpp"
#include "audit-programme.hpp"

namespace audit {

class PerturbationAudit {
 public:
  PerturbationAudit(const Case& now, bool explain, std::ostream& out)
      : now_(now), design_(now.design), explain_(explain), out_(out) {
    for (std::size_t k = 0; k < now.truth.size(); ++k)
      if (now.truth[k] >= 1 && now.truth[k] <= now.small) small_.push_back(k);
  }

  Verdict run() {
    if (design_.of == 0 || design_.steps.empty() || design_.published.empty()) {
      out_ << "wrong - the case has no mechanism, or no published counts\n";
      return Verdict::wrong;
    }
    try {
      return ask(Mechanism(design_, now_.truth, now_.limit));
    } catch (const TooManyTables& error) {
      out_ << "undecided all - : " << error.what() << "\n";
      return Verdict::undecided;
    }
  }

 private:
  // A share of the small counts, over a denominator of its own.
  struct Share {
    Wide part = 0;
    Wide whole = 1;
  };

  Verdict ask(const Mechanism& mechanism) {
    const std::size_t published = mechanism.place_of(design_.published);
    const Law origins = published < mechanism.n_tables() ? mechanism.origins(published) : Law();
    const auto is_truth = [&](const auto& one) { return one.first == mechanism.truth(); };
    if (std::none_of(origins.begin(), origins.end(), is_truth)) {
      out_ << "wrong - the table does not lead to what is published\n";
      return Verdict::wrong;
    }
    out_ << "tables " << origins.size() << "\n";
    const Law left = told(mechanism, origins);
    for (std::size_t cell : small_)
      if (is_certain(mechanism, left, cell)) out_ << "certain " << cell + 1 << "\n";
    return compare(figures(mechanism));
  }

  // With what is claimed, and what is promised.
  Verdict compare(const std::map<std::string, Share>& figures) {
    bool wrong = false;
    bool open = false;
    for (const auto& figure : figures) {
      const auto claim = design_.claims.find(figure.first);
      const auto limit = design_.limits.find(figure.first);
      const bool differs =
          claim != design_.claims.end() && !is_claimed(figure.second, claim->second);
      const bool above =
          limit != design_.limits.end() &&
          times(figure.second.part, 1000000) > times(figure.second.whole, limit->second);
      wrong = wrong || differs;
      open = open || above;
      if (differs) out_ << "wrong claim " << figure.first << " is " << words(figure.second) << "\n";
      if (above || explain_)
        out_ << (above ? "open " : "safe ") << figure.first << " " << words(figure.second) << "\n";
    }
    return wrong ? Verdict::wrong : open ? Verdict::open : Verdict::safe;
  }

  // A claim has six decimals.
  static bool is_claimed(const Share& share, Whole millionths) {
    const Wide off = minus(times(share.part, 1000000), times(share.whole, millionths));
    return absolute_of(off) <= share.whole;
  }

  static Wide absolute_of(Wide x) { return x < 0 ? -x : x; }

  static std::string words(const Share& share) {
    char out[32];
    std::snprintf(out, sizeof out, "%.6f",
                  static_cast<double>(static_cast<long double>(share.part) /
                                      static_cast<long double>(share.whole)));
    return out;
  }

  // Tables that have the counts which readers were told.
  Law told(const Mechanism& mechanism, const Law& law) const {
    Law out;
    for (const auto& one : law) {
      const bool agrees = std::all_of(design_.told.begin(), design_.told.end(), [&](int leaf) {
        const auto at = static_cast<std::size_t>(leaf);
        return mechanism.table(one.first)[at] == now_.truth[at];
      });
      if (agrees) out.push_back(one);
    }
    return out;
  }

  bool is_certain(const Mechanism& mechanism, const Law& law, std::size_t cell) const {
    return std::all_of(law.begin(), law.end(), [&](const auto& one) {
      return mechanism.table(one.first)[cell] == now_.truth[cell];
    });
  }

  // Averages over all that may be published.
  std::map<std::string, Share> figures(const Mechanism& mechanism) const {
    std::map<std::string, Share> out;
    if (small_.empty()) return {{"certain_small", {}}, {"given_small", {}}, {"insider_cell", {}}};
    const Wide all = static_cast<Whole>(small_.size());
    Share certain{0, times(mechanism.denominator(), all)};
    Share insider = certain;
    const bool asks_insider =
        design_.claims.count("insider_cell") + design_.limits.count("insider_cell") > 0;
    for (const auto& publication : mechanism.publications()) {
      const Law left = told(mechanism, mechanism.origins(publication.first));
      Whole known = 0;
      Whole given = 0;
      for (std::size_t cell : small_) {
        known += is_certain(mechanism, left, cell) ? 1 : 0;
        if (asks_insider) given += is_given(mechanism, left, cell) ? 1 : 0;
      }
      certain.part = minus(certain.part, -times(publication.second, known));
      insider.part = minus(insider.part, -times(publication.second, given));
    }
    out["certain_small"] = certain;
    if (asks_insider) out["insider_cell"] = insider;
    Share tied{0, all};
    for (std::size_t cell : small_) tied.part += is_tied(cell) ? 1 : 0;
    out["given_small"] = tied;
    return out;
  }

  // Does the count have a probability of at least the level for everybody, or for somebody who
  // knows one other count? All tables were equally likely at first.
  bool is_given(const Mechanism& mechanism, const Law& law, std::size_t cell) const {
    for (std::size_t other = 0; other < now_.truth.size(); ++other) {
      Wide right = 0;
      Wide all = 0;
      for (const auto& one : law) {
        const Table& table = mechanism.table(one.first);
        if (other != cell && table[other] != now_.truth[other]) continue;
        all = minus(all, -one.second);
        if (table[cell] == now_.truth[cell]) right = minus(right, -one.second);
      }
      if (times(right, 1000000) >= times(all, design_.level)) return true;
    }
    return false;
  }

  // Does the count change in all moves as another one does, or against it?
  bool is_tied(std::size_t cell) const {
    for (std::size_t other = 0; other < now_.truth.size(); ++other) {
      if (other == cell) continue;
      bool moves = false;
      bool with = true;
      bool against = true;
      for (const std::vector<Whole>& move : design_.moves) {
        moves = moves || move[cell] != 0;
        with = with && move[cell] == move[other];
        against = against && move[cell] == -move[other];
      }
      if (moves && (with || against)) return true;
    }
    return false;
  }

  const Case& now_;
  const Design& design_;
  bool explain_;
  std::ostream& out_;
  std::vector<std::size_t> small_;
};

}  // namespace audit

#endif
