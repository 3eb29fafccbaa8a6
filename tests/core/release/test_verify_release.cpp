// The checker of certificates: it accepts what all tables offer, and finds whatever is wrong.
#include "cases.hpp"
#include "check.hpp"
#include "release/fibre_certificates.hpp"
#include "release/verify_release.hpp"

using namespace sdclattice;
using namespace cases;
using namespace fibre_certificates;

namespace {

const Tick kQuiet = [](double) {};

}  // namespace

TEST(certificates_of_all_tables_hold_up_to_their_width) {
  PublicRandom random(1);
  int wrong = 0, narrow = 0;
  for (int round = 0; round < 100; ++round) {
    const Certificates c = random_certificates(random);
    for (std::int64_t beta = 0; beta <= c.width() + 2; ++beta) {
      const ReleaseCheck found = c.check(beta);
      std::size_t n_narrow = 0, first = 0;
      for (std::size_t k = c.target.size(); k-- > 0;)
        if (c.width(k) < beta) ++n_narrow, first = k;
      wrong += found.least_width != c.width() || found.n_failed != n_narrow;
      wrong += (found.fault == CertificateFault::none) != (n_narrow == 0);
      if (n_narrow == 0) continue;
      wrong += found.fault != CertificateFault::narrow || found.at != first;
      ++narrow;
    }
  }
  CHECK_EQ(wrong, 0);
  CHECK(narrow > 50);
}

// One entry changed by one: the total no longer agrees, or a count is negative.
TEST(no_entry_can_be_changed) {
  PublicRandom random(2);
  int accepted = 0, negative = 0, margin = 0;
  for (int round = 0; round < 100; ++round) {
    Certificates c = random_certificates(random);
    const std::size_t e = random.below(c.by.size());
    c.by[e] += random.below(2) == 0 ? 1 : -1;
    const ReleaseCheck found = c.check(0);
    accepted += found.fault == CertificateFault::none;
    negative += found.fault == CertificateFault::negative;
    margin += found.fault == CertificateFault::margin;
  }
  CHECK_EQ(accepted, 0);
  CHECK(negative > 5 && margin > 20);
}

// A unit moved between two cells keeps the total: it is found out exactly when some margin of the
// release changes or a count is negative.
TEST(moved_units_are_found_out_by_the_margins) {
  PublicRandom random(3);
  int wrong = 0, kept = 0, found_out = 0;
  for (int round = 0; round < 300; ++round) {
    Certificates c = random_certificates(random);
    const std::size_t table = random.below(c.ends.size());
    const std::size_t from = random.below(c.x.counts.size()), to = random.below(c.x.counts.size());
    // The last table of the list, so that its entries can be added at the end.
    if (table + 1 != c.ends.size() || from == to) {
      --round;
      continue;
    }
    Dense after = c.x;
    after.counts = c.ends[table];
    --after.counts[from];
    ++after.counts[to];
    c.add(from, -1);
    c.add(to, 1);
    c.start.back() += 2;
    bool good = after.counts[from] >= 0;
    for (Mask set : c.sets) good = good && after.margin(set) == c.x.margin(set);
    wrong += (c.check(0).fault == CertificateFault::none) != good;
    ++(good ? kept : found_out);
  }
  CHECK_EQ(wrong, 0);
  CHECK(kept > 20 && found_out > 50);
}

TEST(a_missing_certificate_is_missed) {
  PublicRandom random(4);
  int wrong = 0;
  for (int round = 0; round < 60; ++round) {
    Certificates c = random_certificates(random);
    // The last certificate goes.
    const std::size_t last = c.target.size() - 1;
    c.target.pop_back();
    c.start.resize(c.start.size() - 2);
    c.cell.resize(static_cast<std::size_t>(c.start.back()));
    c.by.resize(c.cell.size());
    const ReleaseCheck found = c.check(0);
    wrong += found.fault != CertificateFault::missing || found.at != last || found.n_failed != 1;
    if (last == 0) wrong += found.least_width != -1;
  }
  CHECK_EQ(wrong, 0);
}

TEST(numbers_that_lead_nowhere_are_damage) {
  PublicRandom random(5);
  const auto damaged = [&](const auto& damage) {
    for (int round = 0; round < 10; ++round) {
      Certificates c = random_certificates(random);
      damage(c);
      const ReleaseCheck found = c.check(0);
      if (found.fault != CertificateFault::damaged) return false;
      if (found.n_failed != c.stored.at_risk.size() || found.least_width != -1) return false;
    }
    return true;
  };
  CHECK(damaged([](Certificates& c) { c.target[0] = -1; }));
  CHECK(damaged([](Certificates& c) { c.target[0] = static_cast<std::int32_t>(c.keys.size()); }));
  CHECK(damaged([](Certificates& c) { c.cell[0] = -1; }));
  CHECK(damaged([](Certificates& c) { c.cell.back() = INT32_MAX; }));
  CHECK(damaged([](Certificates& c) { c.start[0] = 1; }));
  CHECK(damaged([](Certificates& c) { c.start.back() += 1; }));
  CHECK(damaged([](Certificates& c) { c.start.back() = NAN; }));
  CHECK(damaged([](Certificates& c) { c.start[1] = 1e18; }));
  CHECK(damaged([](Certificates& c) { c.start.pop_back(); }));
  CHECK(damaged([](Certificates& c) { c.keys.back() = c.keys.front(); }));  // a cell twice
  CHECK(damaged([](Certificates& c) { c.keys.back() |= std::uint64_t{1} << 60; }));
}

TEST(keys_of_several_words) {
  PublicRandom random(6);
  int wrong = 0;
  for (int round = 0; round < 30; ++round) {
    Certificates c = random_certificates(random);
    // The same table and certificates with keys of two words.
    c.stored = Stored(c.x, 2, Levels(3, 4000000000u));
    c.keys.clear();
    std::vector<std::uint64_t> key(c.stored.layout.n_words(), 0);
    for (std::size_t cell = 0; cell < c.x.counts.size(); ++cell) {
      for (std::size_t v = 0; v < 3; ++v) c.stored.layout.put(key.data(), v, c.x.level(cell, v));
      c.keys.insert(c.keys.end(), key.begin(), key.end());
    }
    const ReleaseCheck found = c.check(c.width());
    wrong += found.fault != CertificateFault::none || found.least_width != c.width();
    c.by[0] += 1;
    wrong += c.check(0).fault == CertificateFault::none;
  }
  CHECK_EQ(wrong, 0);
}

TEST(nothing_at_risk_needs_no_certificate) {
  const Certificates c({{2, 2}, {5, 6, 7, 8}}, {1, 2});
  const ReleaseCheck found = c.check(100);
  CHECK(found.fault == CertificateFault::none);
  CHECK_EQ(found.least_width, -1);
}

// Each cell is at risk many times, so that there are several parts of work; faults are drawn into
// some certificates.
TEST(threads_find_the_same) {
  PublicRandom random(7);
  int differ = 0, failed = 0;
  for (int round = 0; round < 20; ++round) {
    Certificates c = random_certificates(random);
    const std::vector<std::uint32_t> once = c.stored.at_risk;
    while (c.stored.at_risk.size() < 1500)
      c.stored.at_risk.push_back(once[random.below(once.size())]);
    if (round % 3 > 0) c.by[random.below(c.by.size())] += 1;
    const ReleaseCheck one = c.check(c.width() + round % 2);
    failed += one.n_failed > 0;
    for (std::size_t threads : {2, 3}) {
      const ReleaseCheck found = c.check(c.width() + round % 2, threads);
      differ += found.fault != one.fault || found.at != one.at || found.margin != one.margin;
      differ += found.n_failed != one.n_failed || found.least_width != one.least_width;
    }
  }
  CHECK_EQ(differ, 0);
  CHECK(failed > 10 && failed < 20);
}

TEST(the_narrowest_margin_is_that_of_dense_sums) {
  PublicRandom random(8);
  int wrong = 0;
  for (int round = 0; round < 50; ++round) {
    const Certificates c = random_certificates(random);
    std::int64_t least = INT64_MAX;
    for (Mask set : c.sets)
      for (std::size_t k = 0; k < c.target.size(); ++k) {
        std::int64_t sum = 0;
        for (std::size_t cell = 0; cell < c.x.counts.size(); ++cell) {
          bool same = true;
          for (std::size_t v = 0; v < c.x.n_variables(); ++v)
            same = same && (!in(set, static_cast<std::uint32_t>(v)) ||
                            c.x.level(cell, v) == c.x.level(c.stored.risk_cell(k), v));
          if (same) sum += c.x.counts[cell];
        }
        least = std::min(least, sum);
      }
    for (std::size_t threads : {1, 2, 3})
      wrong += narrowest_margin(c.stored.layout, c.stored.view(), c.stored.at_risk, c.margins(),
                                kQuiet, threads) != least;
  }
  CHECK_EQ(wrong, 0);
}
