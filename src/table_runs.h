// What keeps tables within a limit of memory: a tape in a file, and cells that come block by block
// into R's vectors.
#pragma once

#include <fstream>
#include <memory>
#include <string>

#include "base_vectors.h"
#include "table/cell_sink.hpp"
#include "table/row_source.hpp"

// A tape in a file of its own, which goes with it. Where the system lets an open file be removed,
// nothing is left even if the process is killed. TooLargeError when the file cannot be written.
class FileTape : public sdclattice::RunStore {
 public:
  explicit FileTape(std::string path);
  ~FileTape() override;
  FileTape(const FileTape&) = delete;
  FileTape& operator=(const FileTape&) = delete;

  std::uint64_t append(const std::uint64_t* words, std::size_t n) override;
  void read(std::uint64_t at, std::uint64_t* words, std::size_t n) override;

 private:
  void open();

  std::string path_;
  std::fstream file_;
  std::uint64_t size_ = 0;  // in words
};

// What memory_plan() of R says: NULL for no limit, or the bytes that work may take, the bytes that
// a table may have, and the path of a file for the rest. The file is made when it is needed.
struct MemoryPlan {
  std::unique_ptr<FileTape> tape;
  sdclattice::Spill spill;
  double most_bytes;

  explicit MemoryPlan(SEXP plan);
};

// R's vectors for the cells of a table, which are made when it is known how many there are.
class HeldCells {
 public:
  explicit HeldCells(std::size_t n_words) : n_words_(n_words) {}

  sdclattice::CellRoom open(std::size_t n);
  sdclattice::CellSink sink() {
    return [this](std::size_t n) { return open(n); };
  }
  Rcpp::List list() const;

 private:
  std::size_t n_words_;
  Rcpp::RawVector keys_;
  Rcpp::NumericVector counts_;
};

// The keys and counts of a table. TooLargeError, before memory is taken, when the plan does not
// have room for them.
Rcpp::List as_list(sdclattice::RowSource& source, std::size_t n_words, const MemoryPlan& plan);
