// Least and largest value of cells over the whole-number solutions of one part of a system, where
// an exact tableau would be too large.
//
// Two sides close on each end of a cell. From outside: the rows around the cell, then more of them,
// then all, as a linear programme whose multipliers are rounded to whole numbers, so that the bound
// holds whatever floating point did (safe_bound.hpp). From inside: whole tables, found by walking
// from known ones (repair_walk.hpp), from whole vertices, and by dives (dive.hpp). Each table
// counts for all cells, and each bound is carried through the rows, so that most ends need no
// programme.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "base/wide_int.hpp"
#include "base/work_clock.hpp"
#include "linear/bounds_knowledge.hpp"
#include "linear/linear.hpp"
#include "linear/neighbourhood.hpp"
#include "linear/repair_walk.hpp"
#include "linear/shared_dive.hpp"
#include "linear/sparse_simplex.hpp"
#include "linear/table_pool.hpp"

namespace sdclattice {

// How much is done for one end, each level after all that stand before it. At the last one a search
// ends with a proof only, or with the time.
enum class SearchLevel { walks, near, wide, whole, dives, complete };

enum class Reach { yes, no, unsure };

class SparseSearch {
 public:
  // `implied`: rows that follow from those of the part, against which each table is checked all the
  // same. Keeps references to both, to what is known and to the clock.
  SparseSearch(const LinearSystem& part, const LinearSystem& implied, Knowledge& known,
               Effort& effort, WorkClock& watch);

  // A first whole table: `truth`, where one is given and meets all rows, or one that is searched
  // for with the effort of a level. False when none was found; InfeasibleError when it is proved
  // that there is none.
  bool start(const std::vector<std::int64_t>& truth, SearchLevel level);
  bool has_table() const { return pool_.size() > 0; }
  const TablePool& tables() const { return pool_; }

  // Of searches that share their work: what all of them know, and a table that another one found.
  void learn(const Knowledge& all);
  void take(const std::vector<std::int64_t>& table) { pool_.add(table); }
  // The last tables, at most a few, that went beyond what was known before; they are forgotten.
  std::vector<std::vector<std::int64_t>> give_news();
  // Cells whose ends are all wanted: a table that is sought for one of them may as well attain the
  // ends of others.
  void want(std::vector<std::uint32_t> cells) { wanted_ = std::move(cells); }
  // Works on an end of a cell that is open, by the methods of one level.
  void close(std::uint32_t cell, int sign, SearchLevel level);
  // One round of the last level. Each round begins anew, by other random numbers, and dives twice
  // as deep, so that a few ends that need long searches do not keep others waiting.
  static constexpr std::size_t kRounds = 50;
  void close_in_round(std::uint32_t cell, int sign, std::size_t round);
  // Does sign * x[cell] reach sign * target in some whole table? Levels up to `last` are tried.
  Reach reaches(std::uint32_t cell, int sign, std::int64_t target, SearchLevel last);

 private:
  // What is asked of a cell: the end itself, or whether it reaches a value.
  struct Question {
    std::uint32_t cell;
    int sign;
    std::int64_t target;  // in the direction of sign; kNoLimit for the end
  };

  std::int64_t proved(const Question& q) const;
  std::int64_t attained(const Question& q) const;
  bool settled(const Question& q) const;
  std::int64_t aim(const Question& q) const;

  std::vector<Wish> wishes(PublicRandom& random) const;
  void work(const Question& q, SearchLevel level);
  void dive_anew(const Question& q, std::size_t round);
  void walk(const Question& q, std::size_t tries, PublicRandom& random);
  void bound_near(const Question& q, std::size_t most_rows);
  bool is_ahead(const Question& q);
  void bound_whole(const Question& q, PublicRandom& random);
  void dive_for(const Question& q, std::size_t nodes, PublicRandom& random);
  bool first_table(SearchLevel level);
  bool dive_for_table(std::size_t nodes, PublicRandom& random);
  bool table_from_point(PublicRandom& random);
  bool table_from_vertices(PublicRandom& random);
  bool round_and_repair(const std::vector<double>& point, PublicRandom& random);

  void narrow(const Question& q, std::int64_t bound);
  bool record(const std::vector<std::int64_t>& x);
  bool record_changes(const std::vector<std::int64_t>& x);
  void add_table(const std::vector<std::int64_t>& x, bool is_news);
  bool meets_implied(const std::vector<std::int64_t>& x, std::uint32_t cell) const;
  SparseSimplex& programme();
  void refresh_limits();
  PublicRandom stream(const Question& q);

  LinearSystem system_;  // its limits are those that are proved
  const LinearSystem& implied_;
  Knowledge& known_;
  Effort& effort_;
  WorkClock& watch_;
  RowsByCell rows_, implied_rows_;
  Neighbourhoods neighbourhoods_;
  RepairWalk walk_;
  TablePool pool_;
  std::unique_ptr<SparseSimplex> programme_;
  std::unique_ptr<SharedDive> shared_;
  std::vector<std::uint32_t> wanted_;
  std::deque<std::vector<std::int64_t>> news_;
  std::vector<std::uint32_t> narrowed_;  // cells whose limits the programme has not been told
};

}  // namespace sdclattice
