#include "posterior/shape.hpp"

#include <algorithm>
#include <tuple>

namespace sdclattice {
namespace {

// Sums up entries of one state that differ in nothing but the weight.
void merge_entries(std::vector<Kernel::Entry>& entries, std::size_t from) {
  const auto before = [](const Kernel::Entry& a, const Kernel::Entry& b) {
    return std::tie(a.to, a.code) < std::tie(b.to, b.code);
  };
  std::sort(entries.begin() + static_cast<std::ptrdiff_t>(from), entries.end(), before);
  std::size_t kept = from;
  for (std::size_t i = from; i < entries.size(); ++i) {
    if (kept > from && !before(entries[kept - 1], entries[i]))
      entries[kept - 1].weight += entries[i].weight;
    else
      entries[kept++] = entries[i];
  }
  entries.resize(kept);
}

}  // namespace

// Tries every state of the cycles on the front with every outcome of the coins that enter.
class Shape::Maker {
 public:
  Maker(const Shape& shape, const std::vector<Problem::Values>& values)
      : shape_(shape), values_(values), change_(shape.laws_.size()) {
    std::size_t n_digits = 0;
    for (std::size_t v = 0; v < shape.variables_.size(); ++v) {
      const CoinStates& states = *shape.variables_[v].states;
      start_.push_back(n_digits);
      n_digits += static_cast<std::size_t>(states.applications());
      if (v < shape.n_touched_) out_.n_from *= static_cast<std::uint32_t>(states.size());
      if (v >= shape.n_touched_) n_fresh_ *= states.fresh().size();
      if (!shape.variables_[v].leaves) out_.n_to *= static_cast<std::uint32_t>(states.size());
    }
    before_.resize(n_digits);
    out_.n_laws = static_cast<std::uint32_t>(shape.laws_.size());
  }

  Kernel run() {
    for (std::uint32_t from = 0; from < out_.n_from; ++from) {
      const std::size_t first = out_.entries.size();
      set_touched(from);
      for (std::size_t fresh = 0; fresh < n_fresh_; ++fresh) {
        set_fresh(fresh);
        add_entry();
      }
      merge_entries(out_.entries, first);
      out_.first.push_back(static_cast<std::uint32_t>(out_.entries.size()));
    }
    codes_.write(out_);
    return std::move(out_);
  }

 private:
  const CoinStates& states(std::size_t v) const { return *shape_.variables_[v].states; }
  void set(std::size_t v, int state) {
    for (int t = 0; t < states(v).applications(); ++t)
      before_[start_[v] + static_cast<std::size_t>(t)] =
          static_cast<std::int8_t>(states(v).digit(state, t));
  }
  void set_touched(std::size_t from) {
    for (std::size_t v = 0; v < shape_.n_touched_; ++v) {
      const auto size = static_cast<std::size_t>(states(v).size());
      set(v, static_cast<int>(from % size));
      from /= size;
    }
  }
  void set_fresh(std::size_t number) {
    for (std::size_t v = shape_.n_touched_; v < shape_.variables_.size(); ++v) {
      const std::vector<std::int32_t>& fresh = states(v).fresh();
      set(v, fresh[number % fresh.size()]);
      number /= fresh.size();
    }
  }

  void add_entry() {
    after_ = before_;
    for (std::size_t k = 0; k < shape_.laws_.size(); ++k)
      if (!apply(k)) return;
    double weight = 1;
    std::uint32_t to = 0, stride = 1;
    for (std::size_t v = 0; v < shape_.variables_.size(); ++v) {
      const Variable& variable = shape_.variables_[v];
      const std::int8_t* digits = after_.data() + start_[v];
      if (variable.leaves) {
        weight *= variable.states->weight(digits, variable.alpha, variable.beta);
      } else {
        to += stride * static_cast<std::uint32_t>(variable.states->encode(digits));
        stride *= static_cast<std::uint32_t>(variable.states->size());
      }
    }
    if (weight == 0) return;
    out_.entries.push_back({to, codes_.get(change_), weight});
  }

  // Whether law k allows the coins, which it flags. All sources must come from the same original.
  bool apply(std::size_t k) {
    const Law& law = shape_.laws_[k];
    std::size_t next = 0;
    int change = 0;
    for (int source = 0; source < shape_.n_sources_; ++source) {
      std::size_t end = next;
      int moved = 0;
      for (; end < law.size() && law[end].source == source; ++end)
        moved += law[end].coef * CoinStates::sign(digit(law[end]));
      const Problem::Values& values =
          values_[k * static_cast<std::size_t>(shape_.n_sources_) + source];
      if (source == 0) change = moved;
      if (source > 0 && moved - change != values.offset) return false;
      int up = values.up - moved, down = values.down + moved;
      if (up < 0 || down < 0) return false;  // the original would be negative
      for (; next < end; ++next) {
        const Variable& variable = shape_.variables_[law[next].variable];
        const int seen =
            see_step(variable.states->rule(), digit(law[next]), law[next].coef, up, down);
        if (seen < 0) return false;
        digit(law[next]) = static_cast<std::int8_t>(seen);
      }
    }
    change_[k] = static_cast<std::int8_t>(change);
    return true;
  }
  std::int8_t& digit(const Application& a) { return after_[start_[a.variable] + a.time]; }

  const Shape& shape_;
  const std::vector<Problem::Values>& values_;
  std::vector<std::size_t> start_;
  std::size_t n_fresh_ = 1;
  std::vector<std::int8_t> before_, after_, change_;
  Codes codes_;
  Kernel out_;
};

std::shared_ptr<const Kernel> Shape::kernel(const std::vector<Problem::Values>& values) const {
  std::u32string key;
  for (const Problem::Values& v : values) {
    key.push_back(static_cast<char32_t>(v.up));
    key.push_back(static_cast<char32_t>(v.down));
    if (n_sources_ > 1) key.push_back(static_cast<char32_t>(v.offset));
  }
  Kernels::Slot* slot = nullptr;
  {
    const std::lock_guard<std::mutex> lock(kernels_->mutex);
    slot = &kernels_->slots[key];
  }
  std::call_once(slot->once, [&] {
    slot->kernel = std::make_shared<const Kernel>(Maker(*this, values).run());
  });
  return slot->kernel;
}

}  // namespace sdclattice
