#include "linear/sparse_team.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace sdclattice {

namespace {

// Ends of each search between two meetings: at first, and most.
struct BatchSize {
  std::size_t first, most;
};

BatchSize batch_size(SearchLevel level) {
  switch (level) {
    case SearchLevel::walks:
      return {8, 256};
    case SearchLevel::near:
    case SearchLevel::wide:
      return {4, 32};
    default:
      return {2, 4};
  }
}

}  // namespace

bool wants(const Knowledge& known, const CellEnd& end, std::int64_t enough) {
  const std::uint32_t i = end.cell;
  if (!known.open(i, end.sign) || (end.sign > 0 && known.endless[i])) return false;
  if (enough >= kNoLimit) return true;
  const bool wide = known.n_witnesses > 0 && known.most[i] - known.least[i] >= enough;
  return !wide && known.upper[i] - known.lower[i] >= enough;
}

struct SparseTeam::Member {
  // `end`: nullptr for the only search, which goes by the clock of the whole.
  Member(const LinearSystem& part, const LinearSystem& implied, const Knowledge& all,
         WorkClock& whole, const SharedEnd* end)
      : known(all),
        clock(end == nullptr ? nullptr : std::make_unique<SharedClock>(whole, *end)),
        search(part, implied, known, effort, clock ? clock->watch() : whole) {}

  Knowledge known;
  Effort effort;
  std::unique_ptr<SharedClock> clock;
  SparseSearch search;
};

SparseTeam::SparseTeam(const LinearSystem& part, const LinearSystem& implied,
                       std::size_t n_searches, Knowledge& known, Effort& effort, WorkClock& watch,
                       BoundsCrew crew)
    : known_(known), effort_(effort), watch_(watch), crew_(crew) {
  assert(n_searches == 1 || (crew.pool != nullptr && crew.end != nullptr));
  for (std::size_t m = 0; m < n_searches; ++m)
    members_.push_back(std::make_unique<Member>(part, implied, known, watch,
                                                n_searches == 1 ? nullptr : crew.end));
}

SparseTeam::~SparseTeam() = default;

bool SparseTeam::start(const std::vector<std::int64_t>& truth, SearchLevel level) {
  Member& first = *members_[0];
  try {
    first.search.start(truth, level);
  } catch (...) {
    meet();
    throw;
  }
  for (std::size_t m = 1; m < members_.size(); ++m)
    for (std::size_t k = 0; k < first.search.tables().size(); ++k)
      members_[m]->search.take(first.search.tables()[k]);
  meet();
  return first.search.has_table();
}

void SparseTeam::want(const std::vector<std::uint32_t>& cells) {
  for (const std::unique_ptr<Member>& member : members_) member->search.want(cells);
}

void SparseTeam::close(const std::vector<CellEnd>& ends, std::int64_t enough, SearchLevel level,
                       std::size_t round) {
  BatchSize size = batch_size(level);
  if (members_.size() == 1) size.first = ends.size();
  for (std::size_t at = 0; at < ends.size(); size.first = std::min(2 * size.first, size.most)) {
    const std::vector<CellEnd> dealt = next(ends, enough, size.first * members_.size(), at);
    try {
      work(dealt, enough, level, round);
    } catch (...) {
      meet();
      throw;
    }
    meet();
  }
}

// Of the ends from `at` on the first ones that are wanted.
std::vector<CellEnd> SparseTeam::next(const std::vector<CellEnd>& ends, std::int64_t enough,
                                      std::size_t most, std::size_t& at) const {
  std::vector<CellEnd> out;
  for (; at < ends.size() && out.size() < most; ++at)
    if (wants(known_, ends[at], enough)) out.push_back(ends[at]);
  return out;
}

void SparseTeam::work(const std::vector<CellEnd>& dealt, std::int64_t enough, SearchLevel level,
                      std::size_t round) {
  const std::size_t n = members_.size();
  const auto one = [&](std::size_t m) {
    Member& own = *members_[m];
    for (std::size_t k = m; k < dealt.size(); k += n) {
      const CellEnd& end = dealt[k];
      if (!wants(own.known, end, enough)) continue;
      if (level == SearchLevel::complete)
        own.search.close_in_round(end.cell, end.sign, round);
      else
        own.search.close(end.cell, end.sign, level);
    }
  };
  if (n == 1) return one(0);
  crew_.end->run(*crew_.pool, std::min(n, dealt.size()), one,
                 [this] { report(watch_.tick(), watch_.done); });
}

// All hear of what all have found.
void SparseTeam::meet() {
  const Knowledge before = known_;
  for (const std::unique_ptr<Member>& member : members_) {
    known_.join(member->known, before);
    effort_.programmes += std::exchange(member->effort.programmes, 0);
    effort_.branches += std::exchange(member->effort.branches, 0);
  }
  if (members_.size() == 1) return;
  tell_tables(before);
  for (const std::unique_ptr<Member>& member : members_) member->search.learn(known_);
}

// Of the tables those that go beyond what was known before and what others have told already.
void SparseTeam::tell_tables(Knowledge heard) {
  for (const std::unique_ptr<Member>& member : members_)
    for (const std::vector<std::int64_t>& table : member->search.give_news()) {
      bool is_news = false;
      for (std::size_t i = 0; i < table.size(); ++i) is_news = heard.attain(i, table[i]) || is_news;
      if (!is_news) continue;
      for (const std::unique_ptr<Member>& other : members_)
        if (other != member) other->search.take(table);
    }
}

}  // namespace sdclattice
