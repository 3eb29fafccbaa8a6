#include "table_runs.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/error.hpp"
#include "bridge.h"

using namespace sdclattice;

namespace {

std::string megabytes(double bytes) {
  char text[40];
  std::snprintf(text, sizeof text, bytes < 1e8 ? "%.1f MB" : "%.0f MB", bytes / 1e6);
  return text;
}

// R jumps when it has no memory for a vector: not past objects that own a file.
SEXP safe_vector(unsigned type, std::size_t n) {
  return Rcpp::unwindProtect([&] { return Rf_allocVector(type, static_cast<R_xlen_t>(n)); });
}

constexpr auto kMode = std::ios::in | std::ios::out | std::ios::binary | std::ios::trunc;

}  // namespace

FileTape::FileTape(std::string path) : path_(std::move(path)) {}

FileTape::~FileTape() {
  if (!file_.is_open()) return;
  file_.close();
  std::remove(path_.c_str());
}

void FileTape::open() {
  errno = 0;
  file_.open(path_, kMode);
  if (!file_)
    throw InputError("The scratch file " + path_ + " cannot be made: " + std::strerror(errno) +
                     ". options(sdcLattice.scratch) names another folder.");
  std::remove(path_.c_str());
}

std::uint64_t FileTape::append(const std::uint64_t* words, std::size_t n) {
  if (!file_.is_open()) open();
  errno = 0;
  file_.seekp(static_cast<std::streamoff>(8 * size_));
  file_.write(reinterpret_cast<const char*>(words), static_cast<std::streamsize>(8 * n));
  file_.flush();
  if (!file_)
    throw TooLargeError("The scratch folder has no room for " +
                        megabytes(8 * static_cast<double>(size_ + n)) + " of sorted cells (" +
                        path_ + "): " + std::strerror(errno) +
                        ". options(sdcLattice.scratch) names another folder.");
  size_ += n;
  return size_ - n;
}

void FileTape::read(std::uint64_t at, std::uint64_t* words, std::size_t n) {
  file_.seekg(static_cast<std::streamoff>(8 * at));
  file_.read(reinterpret_cast<char*>(words), static_cast<std::streamsize>(8 * n));
  if (!file_) throw InputError("The scratch file " + path_ + " cannot be read again.");
}

MemoryPlan::MemoryPlan(SEXP plan) : most_bytes(R_PosInf) {
  if (Rf_isNull(plan)) return;
  const Rcpp::List parts(plan);
  tape = std::make_unique<FileTape>(Rcpp::as<std::string>(parts["path"]));
  spill = {tape.get(), as_size(Rcpp::as<double>(parts["bytes"]))};
  most_bytes = Rcpp::as<double>(parts["most"]);
}

CellRoom HeldCells::open(std::size_t n) {
  keys_ = safe_vector(RAWSXP, 8 * n_words_ * n);
  counts_ = safe_vector(REALSXP, n);
  return {reinterpret_cast<std::uint64_t*>(RAW(keys_)), REAL(counts_)};
}

Rcpp::List HeldCells::list() const {
  return Rcpp::List::create(Rcpp::_["keys"] = keys_, Rcpp::_["counts"] = counts_);
}

Rcpp::List as_list(RowSource& source, std::size_t n_words, const MemoryPlan& plan) {
  const std::size_t n = count_rows(source);
  const double bytes = 8.0 * static_cast<double>(n_words + 1) * static_cast<double>(n);
  if (bytes > plan.most_bytes)
    throw TooLargeError("The table has cells of " + megabytes(bytes) + "; there is room for " +
                        megabytes(plan.most_bytes) +
                        ". Take fewer variables or levels, or allow more by "
                        "options(sdcLattice.memory).");
  HeldCells held(n_words);
  const CellRoom room = held.open(n);
  std::uint64_t* key = room.keys;
  double* count = room.counts;
  std::size_t done = 0;
  for (RowSource::Block block = source.next(); block.n > 0; block = source.next()) {
    if (done >> 17 != (done + block.n) >> 17) Rcpp::checkUserInterrupt();
    done += block.n;
    const std::uint64_t* row = block.rows;
    with_width(n_words, [&](auto width) {
      for (std::size_t i = 0; i < block.n; ++i, row += width + 1) {
        key = std::copy_n(row, std::size_t{width}, key);
        *count++ = static_cast<double>(row[width]);
      }
    });
  }
  return held.list();
}

// The cells of several tables of one shape; a cell of several tables has the sum of its counts.
// [[Rcpp::export]]
Rcpp::List cpp_merge_tables(const Rcpp::IntegerVector& dim, const Rcpp::List& keys,
                            const Rcpp::List& counts, SEXP plan) {
  const Layout layout = as_layout(dim);
  RowSources sources;
  for (R_xlen_t t = 0; t < keys.size(); ++t)
    sources.push_back(rows_of(as_view(layout, keys[t], counts[t]), layout.n_words()));
  return as_list(*merged_rows(std::move(sources), layout.n_words()), layout.n_words(),
                 MemoryPlan(plan));
}
