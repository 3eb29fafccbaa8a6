// What readers learn, against enumeration of all tables that agree with what they know.
#include "base/error.hpp"
#include "linear/network_flow.hpp"
#include "linear/reader_cases.hpp"

using namespace sdclattice;

namespace {

Pairs pairs_of(const ReaderFindings& found) {
  Pairs out;
  for (const Learned& one : found.learned) out.insert({one.reader, one.target});
  return out;
}

ReaderFindings search(const Case& x, const ReaderSearchLimits& limits, const Tick& tick = {}) {
  return search_readers(x.system, x.readers, x.targets, limits, tick);
}

void check_exact(const Case& x, const Expected& truth, const ReaderSearchLimits& limits) {
  const ReaderFindings found = search(x, limits);
  CHECK(pairs_of(found) == truth.learned);
  CHECK_EQ(found.learned.size(), truth.learned.size());
  CHECK(found.unsure.empty());
  CHECK_EQ(found.n_asked, truth.n_asked);
  bool same = true;
  for (const Learned& one : found.learned) {
    const Ends& ends = truth.ends[one.reader][x.targets[one.target].cell];
    same = same && one.lower == ends.lower() && one.upper == ends.upper();
  }
  CHECK(same);
}

// Nothing is called safe that a reader learns, and nothing learned that she does not.
void check_sound(const Case& x, const Expected& truth, const ReaderFindings& found) {
  const Pairs pairs = pairs_of(found);
  CHECK(std::includes(truth.learned.begin(), truth.learned.end(), pairs.begin(), pairs.end()));
  CHECK(std::all_of(truth.learned.begin(), truth.learned.end(), [&](const auto& pair) {
    return pairs.count(pair) == 1 ||
           std::binary_search(found.unsure.begin(), found.unsure.end(), pair.second);
  }));
  CHECK(std::all_of(found.learned.begin(), found.learned.end(), [&](const Learned& one) {
    const Ends& ends = truth.ends[one.reader][x.targets[one.target].cell];
    return one.lower <= ends.lower() && ends.upper() <= one.upper;
  }));
}

ReaderSearchLimits without_programmes() {
  ReaderSearchLimits out;
  out.max_entries = 2;
  return out;
}

ReaderNeed need_of(const Case& x, std::uint32_t reader, std::uint32_t target) {
  for (const OwnNeed& own : x.targets[target].own)
    if (own.reader == reader) return own.need;
  return x.targets[target].need;
}

// Every component as a large one: presolved, walked in, searched. Readers without a limit in what
// presolving leaves of a part are not asked: they know what everybody knows.
void check_large(const Case& x, const Expected& truth, bool from_truth) {
  ReaderSearchLimits limits;
  limits.dense_cells = 0;
  const ReaderFindings found =
      search_readers(x.system, x.readers, x.targets, limits, {}, from_truth ? x.truth : Whole{});
  CHECK(found.unsure.empty());
  const Pairs pairs = pairs_of(found);
  CHECK(std::includes(truth.learned.begin(), truth.learned.end(), pairs.begin(), pairs.end()));
  CHECK_EQ(found.learned.size(), pairs.size());
  const std::vector<Ends> everybody = whole_ends(x.system);
  CHECK(std::all_of(truth.learned.begin(), truth.learned.end(), [&](const auto& pair) {
    const auto [reader, target] = pair;
    return pairs.count(pair) == 1 ||
           !everybody[x.targets[target].cell].meets(need_of(x, reader, target));
  }));
  CHECK(std::all_of(found.learned.begin(), found.learned.end(), [&](const Learned& one) {
    const Ends& ends = truth.ends[one.reader][x.targets[one.target].cell];
    return one.lower == ends.lower() && one.upper == ends.upper();
  }));
}

}  // namespace

TEST(random_systems_against_enumeration) {
  PublicRandom random(1);
  std::size_t n_learned = 0, n_safe = 0;
  for (int k = 0; k < 700; ++k) {
    Case x = random_case(random, 2 + random.below(4), 1 + k % 3);
    add_questions(random, x, random.below(7));
    const Expected truth = expect(x, whole_ends);
    check_exact(x, truth, {});
    check_exact(x, truth, without_programmes());
    n_learned += truth.learned.size();
    n_safe += truth.n_asked - truth.learned.size();
  }
  CHECK(n_learned > 500);
  CHECK(n_safe > 400);
}

TEST(two_way_tables_against_enumeration) {
  PublicRandom random(2);
  std::size_t n_learned = 0;
  for (int k = 0; k < 150; ++k) {
    Case x = random_two_way(random, 1 + random.below(3), 2);
    add_questions(random, x, 1 + random.below(8));
    CHECK(FlowNetwork::from(x.system).has_value());
    const Expected truth = expect(x, whole_ends);
    check_exact(x, truth, {});
    check_exact(x, truth, without_programmes());
    // the vertices of a network are whole
    ReaderSearchLimits relaxed;
    relaxed.relaxed = true;
    check_exact(x, truth, relaxed);
    n_learned += truth.learned.size();
  }
  CHECK(n_learned > 50);
}

TEST(large_systems_against_enumeration) {
  PublicRandom random(8);
  std::size_t n_learned = 0;
  for (int k = 0; k < 600; ++k) {
    Case x = k % 3 == 0 ? random_two_way(random, 1 + random.below(3), 2)
                        : random_case(random, 2 + random.below(4), 1 + k % 3);
    add_questions(random, x, random.below(7));
    const Expected truth = expect(x, whole_ends);
    check_large(x, truth, true);
    check_large(x, truth, false);
    n_learned += truth.learned.size();
  }
  CHECK(n_learned > 500);
}

// Slices of one target each, on one thread and on three.
TEST(slices_and_threads_change_nothing) {
  PublicRandom random(12);
  for (int k = 0; k < 200; ++k) {
    Case x = k % 3 == 0 ? random_two_way(random, 1 + random.below(3), 2)
                        : random_case(random, 2 + random.below(4), 1 + k % 3);
    add_questions(random, x, random.below(7));
    const Expected truth = expect(x, whole_ends);
    ReaderSearchLimits limits;
    limits.slice = 1;
    check_exact(x, truth, limits);
    limits.threads = 3;
    check_exact(x, truth, limits);
    limits.dense_cells = 0;
    const ReaderFindings three = search(x, limits);
    limits.threads = 1;
    const ReaderFindings one = search(x, limits);
    CHECK(pairs_of(one) == pairs_of(three));
    CHECK_EQ(one.n_programmes, three.n_programmes);
    CHECK_EQ(one.n_witnesses, three.n_witnesses);
  }
}

// The parity is found by dividing the row: what is left of it fixes the target.
TEST(presolving_that_fixes_a_target_leaves_nothing_to_ask) {
  Case x;
  x.system = system_of(3, 4);
  add_row(x.system, {1, 1, 0}, 4, 4);
  add_row(x.system, {1, -1, 0}, 0, 0);
  add_row(x.system, {0, 1, 1}, 5, 5);
  x.readers = {{{2, 3, 3}}};
  x.targets = {{0, {1, 3}, {}}};
  x.truth = {2, 2, 3};
  ReaderSearchLimits limits;
  limits.dense_cells = 0;
  CHECK(search_readers(x.system, x.readers, x.targets, limits, {}, x.truth).learned.empty());
  x.readers = {{{2, 2, 2}}};
  CHECK_THROWS(InfeasibleError, search(x, limits));
}

// Over the real numbers, and never more than over the whole numbers.
TEST(relaxed_against_all_vertices) {
  PublicRandom random(3);
  ReaderSearchLimits limits;
  limits.relaxed = true;
  std::size_t n_less = 0;
  for (int k = 0; k < 900; ++k) {
    Case x = random_case(random, 3, 3);
    add_questions(random, x, random.below(6));
    const Expected truth = expect(x, real_ends);
    check_exact(x, truth, limits);
    const Pairs whole = expect(x, whole_ends).learned;
    CHECK(std::includes(whole.begin(), whole.end(), truth.learned.begin(), truth.learned.end()));
    n_less += whole.size() - truth.learned.size();
  }
  CHECK(n_less > 5);
}

// 2 a + 2 b + c = 5: who knows that c <= 2 knows c = 1 over the whole numbers; not over the real.
TEST(parity_tells_over_whole_numbers_only) {
  Case x;
  x.system = system_of(3, 5);
  add_row(x.system, {2, 2, 1}, 5, 5);
  x.readers = {{{2, 0, 2}}};
  x.targets = {{2, {0, 2}, {}}};
  const ReaderFindings whole = search(x, {});
  CHECK_EQ(whole.learned.size(), 1);
  CHECK_EQ(whole.learned[0].lower, 1);
  CHECK_EQ(whole.learned[0].upper, 1);
  ReaderSearchLimits relaxed;
  relaxed.relaxed = true;
  CHECK(search(x, relaxed).learned.empty());
}

// One cell of a row of two tells the other, of which she needs nothing when she has it herself.
TEST(a_single_row) {
  for (const std::int64_t value : {0, 1, 7}) {
    Case x;
    x.system = system_of(2, 20);
    add_row(x.system, {1, 1}, 7, 7);
    x.readers = {{{0, value, value}}, {{1, 7 - value, kNoLimit}}, {}};
    x.targets = {{1, {6 - value, 8 - value}, {{1, {0, 0}, false}}}};
    const ReaderFindings found = search(x, {});
    CHECK_EQ(found.learned.size(), 1);
    CHECK_EQ(found.learned[0].reader, 0);
    CHECK_EQ(found.learned[0].lower, 7 - value);
    CHECK_EQ(found.learned[0].upper, 7 - value);
    CHECK_EQ(found.n_asked, 1);
  }
}

TEST(no_readers_no_targets_no_cells) {
  Case x;
  CHECK(search(x, {}).learned.empty());
  x.system = system_of(2, 4);
  add_row(x.system, {1, 1}, 4, 4);
  x.targets = {{0, {1, 3}, {}}};
  CHECK(search(x, {}).learned.empty() && search(x, {}).unsure.empty());
  CHECK_EQ(search(x, {}).n_programmes, 0);
  x.targets.clear();
  x.readers = {{{0, 2, 2}}, {}};
  CHECK(search(x, {}).learned.empty() && search(x, {}).unsure.empty());
}

// No value is as high as kNoLimit, also where a cell has no upper limit.
TEST(a_need_without_limit_is_never_met) {
  for (const bool programme : {false, true})
    for (const ReaderSearchLimits& limits : {ReaderSearchLimits{}, without_programmes()}) {
      Case x;
      x.system = system_of(3, kNoLimit);
      add_row(x.system, programme ? Whole{1, -2, 0} : Whole{1, -1, 0}, 0, kNoLimit);
      add_row(x.system, {1, 1, 1}, 3, kNoLimit);
      x.readers = {{{0, 4, kNoLimit}}};
      x.targets = {{0, {3, kNoLimit}, {}}};
      const ReaderFindings found = search(x, limits);
      CHECK(found.learned.size() == 1 || found.unsure.size() == 1);
      if (limits.max_entries > 2) {
        CHECK_EQ(found.learned.size(), 1);
        CHECK(found.learned.size() == 1 && found.learned[0].lower == 4);
        CHECK(found.learned.size() == 1 && found.learned[0].upper == kNoLimit);
        x.targets = {{0, {3, 1000000}, {}}};
        CHECK(search(x, limits).learned.empty() && search(x, limits).unsure.empty());
      }
    }
}

// y <= x and 2 x - y <= 5 limit both to 5 at most, which narrowing by single rows does not see.
TEST(a_limit_that_only_the_programme_sees_is_never_overlooked) {
  for (const ReaderSearchLimits& limits : {ReaderSearchLimits{}, without_programmes()}) {
    Case x;
    x.system = system_of(2, kNoLimit);
    add_row(x.system, {1, -1}, 0, kNoLimit);
    add_row(x.system, {2, -1}, -kNoLimit, 5);
    x.readers = {{{1, 1, kNoLimit}}};
    x.targets = {{0, {-1, 6}, {}}};
    const ReaderFindings found = search(x, limits);
    CHECK(found.learned.size() == 1 || found.unsure.size() == 1);
  }
}

TEST(contradictions_are_found) {
  for (const ReaderSearchLimits& limits : {ReaderSearchLimits{}, without_programmes()})
    for (const bool programme : {false, true}) {
      Case x;
      x.system = system_of(3, 9);
      add_row(x.system, {1, 1, 0}, 4, 4);
      add_row(x.system, programme ? Whole{2, 1, 1} : Whole{1, 0, 1}, 6, 6);
      x.targets = {{1, {1, 3}, {}}};
      x.readers = {{{0, 1, 1}}, {{0, 5, 9}}};  // beyond what the sums leave
      CHECK_THROWS(InfeasibleError, search(x, limits));
      x.readers = {{{0, 1, 2}, {0, 3, 4}}};
      CHECK_THROWS(InfeasibleError, search(x, limits));
      x.readers = {{{0, 0, 0}, {1, 0, 3}}};  // each by itself agrees
      CHECK_THROWS(InfeasibleError, search(x, limits));
      add_row(x.system, {1, 0, 0}, 7, 9);
      x.readers = {{{0, 1, 1}}};
      CHECK_THROWS(InfeasibleError, search(x, limits));
    }
}

TEST(without_time_every_open_target_is_unsure) {
  PublicRandom random(4);
  ReaderSearchLimits limits;
  limits.seconds = 0;
  for (int k = 0; k < 100; ++k) {
    Case x = k % 2 == 0 ? random_case(random, 4, 2) : random_two_way(random, 2, 3);
    add_questions(random, x, 4);
    const ReaderFindings found = search(x, limits);
    CHECK(found.learned.empty());
    CHECK_EQ(found.unsure, expect(x, whole_ends).open);
  }
}

// Wherever the time ends.
TEST(what_is_stopped_says_nothing_wrong) {
  PublicRandom random(5);
  for (int k = 0; k < 120; ++k) {
    Case x = k % 2 == 0 ? random_case(random, 5, 3) : random_two_way(random, 3, 2);
    add_questions(random, x, 8);
    const Expected truth = expect(x, whole_ends);
    for (ReaderSearchLimits limits : {ReaderSearchLimits{}, without_programmes()})
      for (limits.seconds = 2e-6; limits.seconds < 1e-3; limits.seconds *= 3)
        check_sound(x, truth, search(x, limits));
  }
}

TEST(the_same_questions_have_the_same_answers) {
  PublicRandom random(6);
  for (int k = 0; k < 30; ++k) {
    Case x = random_case(random, 5, 3);
    add_questions(random, x, 6);
    const ReaderFindings a = search(x, {}), b = search(x, {});
    CHECK(pairs_of(a) == pairs_of(b));
    CHECK_EQ(a.n_programmes, b.n_programmes);
    CHECK_EQ(a.n_witnesses, b.n_witnesses);
  }
}

TEST(work_can_be_interrupted) {
  struct Stop {};
  PublicRandom random(7);
  Case x = random_two_way(random, 12, 12);
  add_questions(random, x, 60);
  int calls = 0;
  const Tick stop = [&](double done) {
    CHECK(done >= 0 && done <= 1);
    if (++calls > 1) throw Stop();
  };
  CHECK_THROWS(Stop, search(x, {}, stop));
}
