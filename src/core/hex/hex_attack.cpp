#include "hex/hex_attack.hpp"

#include "base/error.hpp"
#include "hex/hex_outliers.hpp"

namespace sdclattice {
namespace {

class OriginalSearch {
 public:
  OriginalSearch(const HexMap& published, std::int64_t t, bool no_outliers, const HexFill& fill,
                 std::size_t most, const Tick& tick)
      : published_(published),
        original_(published),
        t_(t),
        no_outliers_(no_outliers),
        fill_(fill),
        most_(most),
        tick_(tick),
        is_sensitive_(published.size(), false) {}

  std::vector<std::int64_t> run() {
    choose_sensitive(0, 0);
    return std::move(found_);
  }

 private:
  // Each cell that shows t in turn: not sensitive, or sensitive with 1, ..., t - 1.
  void choose_sensitive(std::size_t i, std::int64_t deficit) {
    if (i == published_.size()) {
      give_back(0, deficit);
      return;
    }
    choose_sensitive(i + 1, deficit);
    if (published_.count[i] != t_) return;
    is_sensitive_[i] = true;
    for (std::int64_t c = 1; c < t_; ++c) {
      original_.count[i] = c;
      choose_sensitive(i + 1, deficit + t_ - c);
    }
    original_.count[i] = t_;
    is_sensitive_[i] = false;
  }

  // What the sensitive cells received, back to the others in every possible way.
  void give_back(std::size_t i, std::int64_t left) {
    while (i < published_.size() && is_sensitive_[i]) ++i;
    if (left == 0) {
      try_original();
      return;
    }
    // another candidate, or a dead end, which counts alike
    if (i == published_.size()) {
      count_one();
      return;
    }
    for (std::int64_t more = 0; more <= left; ++more) {
      original_.count[i] = published_.count[i] + more;
      give_back(i + 1, left - more);
    }
    original_.count[i] = published_.count[i];
  }

  void count_one() {
    if (++tried_ > most_) throw TooLargeError("There are too many possible originals.");
    if (tried_ % 256 == 0) report(tick_, 0);
  }

  void try_original() {
    count_one();
    if (no_outliers_ && !find_outliers(original_, t_).empty()) return;
    HexMap filled = original_;
    fill_(filled);
    if (filled.count == published_.count)
      found_.insert(found_.end(), original_.count.begin(), original_.count.end());
  }

  const HexMap& published_;
  HexMap original_;
  std::int64_t t_;
  bool no_outliers_;
  const HexFill& fill_;
  std::size_t most_;
  const Tick& tick_;
  std::vector<bool> is_sensitive_;
  std::size_t tried_ = 0;
  std::vector<std::int64_t> found_;
};

}  // namespace

std::vector<std::int64_t> find_hex_originals(const HexMap& published, std::int64_t t,
                                             bool no_outliers, const HexFill& fill,
                                             std::size_t most, const Tick& tick) {
  return OriginalSearch(published, t, no_outliers, fill, most, tick).run();
}

}  // namespace sdclattice
