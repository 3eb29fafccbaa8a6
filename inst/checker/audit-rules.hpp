// What the rules for magnitudes say of a sum of leaves: is it sensitive, and between which totals
// must others be possible? Whole numbers throughout.
#ifndef SDCLATTICE_AUDIT_RULES_HPP
#define SDCLATTICE_AUDIT_RULES_HPP

#include <algorithm>
#include <cstddef>
#include <map>
#include <vector>

#include "audit-case.hpp"
#include "audit-programme.hpp"

namespace audit {

constexpr Wide kHundred = 100 * Wide{kPercent};

inline Wide absolute(Wide x) {
  return x < 0 ? -x : x;
}

inline Wide ratio_up(Wide a, Wide by) {
  return a <= 0 ? a / by : (a + by - 1) / by;
}

// What one contributor has in a sum; rules look at its absolute value.
struct Held {
  Wide value = 0;
  Wide size = 0;
  Wide weight = 1;
};

using Holders = std::map<Whole, Held>;

struct Judged {
  Wide total = 0;
  Wide largest = 0;
  Wide second = 0;
  Wide up = 0;     // where absolute values are in question no rule fires from here on
  Wide level = 0;  // up, less the absolute total
  Wide reach = 0;  // how far the largest must be missed
  std::vector<bool> fired;
  bool sensitive = false;
};

class Judge {
 public:
  explicit Judge(const Holdings& of) : of_(of), percent_(of.percent) {
    Whole strictest = 0;
    for (const Rule& rule : of.rules)
      if (rule.kind == Rule::Kind::p_percent) strictest = std::max(strictest, rule.percent);
    if (strictest > 0) percent_ = strictest;
  }

  // Contributors to leaves that are counted some times each.
  Holders holders(const std::vector<Whole>& times) const {
    Holders out;
    for (const Part& part : of_.parts) {
      const Whole by = times[static_cast<std::size_t>(part.leaf)];
      if (by == 0) continue;
      Held& held = out[part.who];
      held.value += Wide{by} * part.value;
      held.size = absolute(held.value);
      held.weight = part.weight;
    }
    return out;
  }

  Judged judge(const Holders& holders) const {
    Judged out;
    std::vector<Held> by_size;
    Wide sizes = 0;
    for (const auto& one : holders) {
      out.total += one.second.value;
      sizes += one.second.size;
      by_size.push_back(one.second);
    }
    std::stable_sort(by_size.begin(), by_size.end(), [](const Held& a, const Held& b) {
      return a.size * b.weight > b.size * a.weight;
    });
    const Wide x1 = largest(by_size, 1);
    const Wide x2 = largest(by_size, 2) - x1;
    out.largest = with_sign(by_size, 0, x1);
    out.second = with_sign(by_size, 1, x2);
    out.reach = ratio_up(percent_ * x1, kHundred);
    for (const Rule& rule : of_.rules) {
      const bool fires = !holders.empty() && fires_on(rule, by_size, sizes);
      out.fired.push_back(fires);
      out.sensitive = out.sensitive || fires;
      if (fires) out.up = std::max(out.up, up_of(rule, by_size, sizes, out.reach));
    }
    for (const Rule& rule : of_.rules)
      if (rule.kind != Rule::Kind::threshold)
        out.up = std::max(out.up, up_of(rule, by_size, sizes, out.reach));
    out.level = std::max<Wide>(0, out.up - sizes);
    return out;
  }

  // The total that somebody with `own` in a sum must reckon with, where `other` is the largest
  // value of anybody else. `marked`: not by the rules, but by the word of who promises.
  Wide needed(const Judged& judged, bool marked, Wide own, Wide other) const {
    const Wide few = judged.total + ratio_up(percent_ * other, kHundred);
    Wide out = marked ? few : 0;
    for (std::size_t r = 0; r < of_.rules.size(); ++r) {
      const Rule& rule = of_.rules[r];
      if (!judged.fired[r]) continue;
      if (rule.kind == Rule::Kind::threshold) out = std::max(out, few);
      if (rule.kind == Rule::Kind::nk)
        out = std::max(out, own + ratio_up(kHundred * other, rule.percent));
      if (rule.kind == Rule::Kind::p_percent)
        out = std::max(out, own + other + ratio_up(rule.percent * other, kHundred));
    }
    return out;
  }

 private:
  // The sum of the n largest; of a sample those that the largest stand for.
  Wide largest(const std::vector<Held>& by_size, Whole n) const {
    Wide out = 0;
    Wide room = Wide{n} * (of_.whole > 0 ? of_.whole : 1);
    for (const Held& held : by_size) {
      const Wide taken = std::min(room, held.weight);
      out += held.size / held.weight * taken;
      room -= taken;
    }
    return out;
  }

  Wide with_sign(const std::vector<Held>& by_size, std::size_t k, Wide size) const {
    const bool below = of_.whole == 0 && k < by_size.size() && by_size[k].value < 0;
    return below ? -size : size;
  }

  bool fires_on(const Rule& rule, const std::vector<Held>& by_size, Wide sizes) const {
    if (rule.kind == Rule::Kind::threshold) return Wide(by_size.size()) < rule.n;
    if (rule.kind == Rule::Kind::nk)
      return kHundred * largest(by_size, rule.n) > rule.percent * sizes;
    return kHundred * (sizes - largest(by_size, 2)) < rule.percent * largest(by_size, 1);
  }

  Wide up_of(const Rule& rule, const std::vector<Held>& by_size, Wide sizes, Wide reach) const {
    if (rule.kind == Rule::Kind::threshold) return sizes + reach;
    if (rule.kind == Rule::Kind::nk)
      return ratio_up(kHundred * largest(by_size, rule.n), rule.percent);
    return largest(by_size, 2) + ratio_up(rule.percent * largest(by_size, 1), kHundred);
  }

  const Holdings& of_;
  Wide percent_;
};

}  // namespace audit

#endif
