// Patterns that are chosen without a look at counts, and the first of them that suffices.
//
// What is computed. The cells are chosen by product moves (move_pattern.hpp) in a table in which
// every stored cell has the same large count: the choice depends on which cells are stored, which
// are primary, what they cost, and on the seed, and on nothing else. There is a level for each
// question that may be asked of such a table (BlindAsk), each asking more. A level suffices for a
// table when tables of the same status, found from what it publishes alone, support each other
// (status_class.hpp); those for which a level before suffices are left out first.
// What it guarantees. Where a level suffices, each of the tables found for it has the same
// publication at this level, and no level before suffices for it. The tables that are found from it
// are the same; so this level suffices for it, too.
// What it costs. A choice for each level, and the work of StatusClass for each publication that is
// met, of these tables at the levels before, too. The limits are of work, not of time: which level
// suffices must not depend on a clock.
// Agrees with the same on all tables that were found (tests).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "base/tick.hpp"
#include "base/work_clock.hpp"
#include "suppress/status_class.hpp"
#include "suppress/stored_cells.hpp"
#include "suppress/suppression_problem.hpp"

namespace sdclattice {

// What is asked of the cells: that no primary cell is exact for readers; nor for whoever might be
// alone in an inner cell that is primary or unseen; nor for whoever knows all primary cells of the
// other half of two, where the primary cells are halved once, twice, or until any two of them are
// apart; nor for whoever knows all others.
enum class BlindAsk : std::uint8_t { readers, alone, halved, halved_twice, halves, apart };

// The problem in which the cells are chosen.
SuppressionProblem blind_problem(const StoredCells& cells, const SuppressionProblem& problem,
                                 BlindAsk ask);

// Of the candidates among the hidden cells.
std::int64_t cost_of_hidden(const SuppressionProblem& problem, const std::vector<char>& hidden);

struct BlindLimits {
  std::uint64_t seed = 1;
  std::size_t idle_sweeps = 6;  // of the choice, without a gain
  bool people = true;           // must those who are alone in a cell be kept from others?
  // A level is left out that costs more than this share of what BlindAsk::alone costs, and more
  // than so much above it, with all that ask for more; 0: none is.
  double most_price = 0;
  std::int64_t few = 0;
  ClassLimits of_class;  // its work is that of one publication, with all that it leads to
};

struct BlindLevel {
  BlindAsk ask = BlindAsk::readers;
  std::vector<char> hidden;
  std::int64_t cost = 0;
  bool stopped = false;  // by the time
};

class BlindLevels {
 public:
  static constexpr std::size_t kNone = SIZE_MAX;
  // Of tables with more the class has no room for an answer within seconds, or none suffices.
  static constexpr std::size_t kMostCells = 300;

  // Keeps references to all of these. `problem`: of the cells, with rows.
  BlindLevels(const StoredCells& cells, const SuppressionProblem& problem,
              const StatusLimits& status, const BlindLimits& limits, WorkClock& clock);

  // All but usual() throw WorkTimeUp when the time is over, and TooLargeError for a tableau that is
  // too large. The first level that suffices for a table; kNone where no level before `below` does.
  std::size_t first_level(const WholeTable& table, std::size_t below = kNone);
  // Tables with the publication of this one that support each other.
  const std::vector<WholeTable>& tables(const WholeTable& table, std::size_t level);
  // Is there such a level? Those that hide the same cells are one, and what is dear is left out.
  bool has_level(std::size_t level);
  const BlindLevel& level(std::size_t level) const { return levels_[level]; }
  // The first that was left out for its price, or null; where first_level() is kNone.
  const BlindLevel* dear() const { return dear_; }
  // The cells for readers and those who might be alone.
  const BlindLevel& usual() { return choose(BlindAsk::alone); }

 private:
  struct Found {
    std::vector<WholeTable> tables;
    double work = 0;
  };

  const BlindLevel& choose(BlindAsk ask);
  bool is_dear(const BlindLevel& level);
  StatusClass class_of(const WholeTable& table, std::size_t level);
  std::size_t first_level(const WholeTable& table, std::size_t below, double& work);
  const Found& find(const WholeTable& table, std::size_t level);
  Found find_anew(const WholeTable& table, std::size_t level);

  const StoredCells& cells_;
  const SuppressionProblem& problem_;
  const StatusLimits& status_;
  const BlindLimits& limits_;
  WorkClock& clock_;
  std::map<BlindAsk, BlindLevel> chosen_;
  std::vector<BlindLevel> levels_;
  std::size_t next_ = 0;  // question
  const BlindLevel* dear_ = nullptr;
  std::vector<std::map<WholeTable, Found>> found_;  // of each level, by what is published
};

}  // namespace sdclattice
