#include "table/row_source.hpp"

#include <algorithm>
#include <utility>

namespace sdclattice {

namespace {

constexpr std::size_t kRowBlock = 1024;  // rows of a node

// ---- leaves -------------------------------------------------------------------------------------

class ViewRows : public RowSource {
 public:
  ViewRows(const CellsView& cells, std::size_t n_words)
      : cells_(cells), n_words_(n_words), block_(kRowBlock * (n_words + 1)) {}

  Block next() override {
    const std::size_t n = std::min(kRowBlock, cells_.n - at_);
    with_width(n_words_, [&](auto width) {
      const std::uint64_t* key = cells_.keys + at_ * width;
      std::uint64_t* row = block_.data();
      for (std::size_t i = 0; i < n; ++i, key += width, row += width + 1) {
        std::copy_n(key, std::size_t{width}, row);
        row[width] = static_cast<std::uint64_t>(cells_.counts[at_ + i]);
      }
    });
    at_ += n;
    return {block_.data(), n};
  }
  void rewind() override { at_ = 0; }

 private:
  CellsView cells_;
  std::size_t n_words_, at_ = 0;
  std::vector<std::uint64_t> block_;
};

class CellsRows : public RowSource {
 public:
  explicit CellsRows(const Cells& cells) : cells_(cells) {}

  Block next() override {
    const bool first = !std::exchange(given_, true);
    return first ? Block{cells_.rows.data(), cells_.size()} : Block{};
  }
  void rewind() override { given_ = false; }

 private:
  const Cells& cells_;
  bool given_ = false;
};

class RunRows : public RowSource {
 public:
  RunRows(RunStore& store, const Run& run, std::size_t n_words, std::size_t block)
      : store_(store), run_(run), stride_(n_words + 1), block_(block * stride_) {}

  Block next() override {
    const auto n =
        static_cast<std::size_t>(std::min<std::uint64_t>(block_.size() / stride_, run_.n - done_));
    if (n > 0) store_.read(run_.at + done_ * stride_, block_.data(), n * stride_);
    done_ += n;
    return {block_.data(), n};
  }
  void rewind() override { done_ = 0; }

 private:
  RunStore& store_;
  Run run_;
  std::size_t stride_;
  std::uint64_t done_ = 0;
  std::vector<std::uint64_t> block_;
};

// ---- nodes --------------------------------------------------------------------------------------

// All ones when true, so that a number counts or does not without a branch.
std::uint64_t mask(bool is) {
  return -static_cast<std::uint64_t>(is);
}

template <class Width>
bool is_at_most(const std::uint64_t* a, const std::uint64_t* b, Width width) {
  for (std::size_t w = width; w-- > 0;)
    if (a[w] != b[w]) return a[w] < b[w];
  return true;
}

class MergedRows : public RowSource {
 public:
  MergedRows(std::unique_ptr<RowSource> a, std::unique_ptr<RowSource> b, std::size_t n_words)
      : sources_{std::move(a), std::move(b)},
        n_words_(n_words),
        block_(kRowBlock * (n_words + 1)) {}

  Block next() override {
    std::size_t n = 0;
    while (n < kRowBlock) {
      for (std::size_t s = 0; s < 2; ++s)
        if (left_[s].n == 0 && !ended_[s]) {
          left_[s] = sources_[s]->next();
          ended_[s] = left_[s].n == 0;
        }
      if (ended_[0] || ended_[1]) break;
      with_width(n_words_, [&](auto width) { n += merge(width, n); });
    }
    if (n > 0 || (ended_[0] && ended_[1])) return {block_.data(), n};
    return std::exchange(left_[ended_[0] ? 1 : 0], Block{});
  }
  void rewind() override {
    for (std::size_t s = 0; s < 2; ++s) {
      sources_[s]->rewind();
      left_[s] = {};
      ended_[s] = false;
    }
  }

 private:
  // As many steps as cannot use up what is there.
  template <class Width>
  std::size_t merge(Width width, std::size_t n) {
    const std::size_t stride = width + 1;
    const std::size_t steps = std::min({left_[0].n, left_[1].n, kRowBlock - n});
    const std::uint64_t *a = left_[0].rows, *b = left_[1].rows;
    std::uint64_t* out = block_.data() + n * stride;
    std::size_t from_a = 0, from_b = 0;
    for (std::size_t i = 0; i < steps; ++i, out += stride) {
      const bool is_a = is_at_most(a, b, width), is_b = is_at_most(b, a, width);
      for (std::size_t w = 0; w < width; ++w) out[w] = (a[w] & mask(is_a)) | (b[w] & mask(is_b));
      out[width] = (a[width] & mask(is_a)) + (b[width] & mask(is_b));
      from_a += is_a;
      from_b += is_b;
      a += stride & mask(is_a);
      b += stride & mask(is_b);
    }
    left_[0] = {a, left_[0].n - from_a};
    left_[1] = {b, left_[1].n - from_b};
    return steps;
  }

  std::unique_ptr<RowSource> sources_[2];
  Block left_[2];
  bool ended_[2] = {false, false};
  std::size_t n_words_;
  std::vector<std::uint64_t> block_;
};

}  // namespace

std::unique_ptr<RowSource> rows_of(const CellsView& cells, std::size_t n_words) {
  return std::make_unique<ViewRows>(cells, n_words);
}

std::unique_ptr<RowSource> rows_of(const Cells& cells) {
  return std::make_unique<CellsRows>(cells);
}

std::unique_ptr<RowSource> rows_of(RunStore& store, const Run& run, std::size_t n_words,
                                   std::size_t block) {
  return std::make_unique<RunRows>(store, run, n_words, block);
}

// Neighbours first, so that the tree is as low as can be.
std::unique_ptr<RowSource> merged_rows(RowSources sources, std::size_t n_words) {
  if (sources.empty()) return rows_of(CellsView{}, n_words);
  while (sources.size() > 1) {
    RowSources half;
    for (std::size_t s = 0; s + 1 < sources.size(); s += 2)
      half.push_back(
          std::make_unique<MergedRows>(std::move(sources[s]), std::move(sources[s + 1]), n_words));
    if (sources.size() % 2 == 1) half.push_back(std::move(sources.back()));
    sources = std::move(half);
  }
  return std::move(sources[0]);
}

std::size_t count_rows(RowSource& source) {
  std::size_t n = 0;
  for (std::size_t more = 1; more > 0; n += more) more = source.next().n;
  source.rewind();
  return n;
}

}  // namespace sdclattice
