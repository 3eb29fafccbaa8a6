// Which cells are in which sums, and back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sdclattice {

// List i is item[start[i]], ..., item[start[i + 1] - 1].
struct Lists {
  std::vector<std::size_t> start{0};
  std::vector<std::uint32_t> item;

  std::size_t n() const { return start.size() - 1; }
  std::size_t size(std::size_t i) const { return start[i + 1] - start[i]; }
  const std::uint32_t* begin(std::size_t i) const { return item.data() + start[i]; }
  const std::uint32_t* end(std::size_t i) const { return item.data() + start[i + 1]; }
  void close() { start.push_back(item.size()); }
};

// For each of n items the lists that hold it, ascending.
inline Lists transposed(const std::vector<std::size_t>& start,
                        const std::vector<std::uint32_t>& item, std::size_t n) {
  Lists out;
  out.start.assign(n + 1, 0);
  for (std::uint32_t i : item) ++out.start[i + 1];
  for (std::size_t i = 0; i < n; ++i) out.start[i + 1] += out.start[i];
  out.item.resize(item.size());
  std::vector<std::size_t> next(out.start.begin(), out.start.end() - 1);
  for (std::size_t l = 0; l + 1 < start.size(); ++l)
    for (std::size_t e = start[l]; e < start[l + 1]; ++e)
      out.item[next[item[e]]++] = static_cast<std::uint32_t>(l);
  return out;
}

}  // namespace sdclattice
