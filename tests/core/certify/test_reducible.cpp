// Certified releases by components: their pairs of tables hold, and the checker takes nothing for
// granted.
#include "base/error.hpp"
#include "certify/checked_pairs.hpp"
#include "certify/random_risks.hpp"
#include "certify/reducible.hpp"
#include "check.hpp"
#include "release/admissible.hpp"

using namespace sdclattice;
using namespace random_risks;

namespace {

ReducibleOptions quick_options(std::int64_t beta, std::vector<std::size_t> sizes) {
  ReducibleOptions out;
  out.beta = beta;
  out.sizes = std::move(sizes);
  out.effort = 0.002;
  out.seconds = [] { return 0.0; };
  return out;
}

}  // namespace

TEST(pairs_of_tables_hold_for_random_tables) {
  PublicRandom random(21);
  std::size_t n_found = 0;
  for (int round = 0; round < 24; ++round) {
    const std::vector<std::uint32_t> levels = round % 2 == 0
                                                  ? std::vector<std::uint32_t>{2, 3, 2, 2, 2}
                                                  : std::vector<std::uint32_t>{3, 2, 3, 2};
    const Case x = random_case(random, levels, round % 3 == 0 ? 4 : 12);
    if (x.at_risk.empty()) continue;
    const RiskCells risk(x.layout, x.view(), x.at_risk);
    const std::int64_t beta = 1 + round % 4;
    const std::vector<SubTable> admissible = admissible_sets(risk, beta, 10000);
    if (admissible.size() < levels.size()) continue;
    ReducibleOptions options = quick_options(beta, {2, 3, levels.size()});
    options.seed = static_cast<std::uint64_t>(round);
    try {
      const ReducibleRelease found = find_reducible(risk, admissible, options, {});
      ++n_found;
      const ReleaseCheck check = check_pairs(x, found.frontier, beta, found.certificates);
      CHECK(check.fault == CertificateFault::none);
      CHECK(check.least_width >= beta);
      CHECK(found.n_sets <= admissible.size());
      const ReducibleRelease again = find_reducible(risk, admissible, options, {});
      CHECK(again.frontier == found.frontier);
      CHECK(again.certificates.by == found.certificates.by);
      // What is released besides breaks some certificate: the whole table.
      std::vector<SubTable> more = found.frontier;
      more.push_back(risk.all_variables());
      CHECK(check_pairs(x, more, beta, found.certificates).fault == CertificateFault::margin);
    } catch (const InfeasibleError&) {
    }
  }
  CHECK(n_found > 8);
}

// From a decomposable release on: never less than that, nor less with more work.
TEST(what_the_search_begins_with_is_kept) {
  PublicRandom random(22);
  std::size_t n_found = 0, n_more = 0;
  for (int round = 0; round < 20; ++round) {
    const Case x = random_case(random, {2, 3, 2, 2, 2}, 12);
    if (x.at_risk.empty()) continue;
    const RiskCells risk(x.layout, x.view(), x.at_risk);
    const std::vector<SubTable> admissible = admissible_sets(risk, 2, 10000);
    ReducibleOptions options = quick_options(2, {2, 3});
    options.start = {3, 6, 12, 24};
    bool safe = true;
    for (SubTable s : options.start)
      safe = safe && std::binary_search(admissible.begin(), admissible.end(), s);
    if (!safe) continue;
    try {
      options.time_limit_s = 0;
      std::size_t before = 0;
      for (double limit : {0.0, 1.0}) {
        options.time_limit_s = limit;
        const ReducibleRelease found = find_reducible(risk, admissible, options, {});
        CHECK(found.n_sets >= 9 && found.n_sets >= before);
        CHECK_EQ(found.stopped, limit == 0);
        CHECK(check_pairs(x, found.frontier, 2, found.certificates).fault ==
              CertificateFault::none);
        n_more += limit > 0 && found.n_sets > before;
        before = found.n_sets;
      }
      ++n_found;
    } catch (const InfeasibleError&) {
    }
  }
  CHECK(n_found > 5 && n_more > 3);
}

// With work counted in cells looked at the course is the same for any number of threads, and a
// longer one never ends with less.
TEST(threads_change_nothing_and_more_looks_never_give_less) {
  PublicRandom random(23);
  std::size_t n_more = 0, n_cut = 0;
  for (int round = 0; round < 6; ++round) {
    const Case x = random_case(random, {3, 2, 3, 2, 3}, 14);
    const RiskCells risk(x.layout, x.view(), x.at_risk);
    const std::vector<SubTable> admissible = admissible_sets(risk, 2, 10000);
    ReducibleOptions options = quick_options(2, {2, 3, 4});
    options.start = {3, 6, 12, 24};
    std::size_t before = 0;
    for (std::size_t looks : {0, 1000, 5000, 30000, 200000, 1000000000}) {
      options.max_looks = looks;
      options.n_threads = 1;
      try {
        const ReducibleRelease one = find_reducible(risk, admissible, options, {});
        CHECK(one.n_sets >= before);
        n_more += before > 0 && one.n_sets > before;
        n_cut += one.stopped;
        before = one.n_sets;
        for (options.n_threads = 2; options.n_threads < 4; ++options.n_threads) {
          const ReducibleRelease more = find_reducible(risk, admissible, options, {});
          CHECK(more.frontier == one.frontier && more.n_sets == one.n_sets);
          CHECK(more.certificates.by == one.certificates.by);
          CHECK(more.certificates.cell == one.certificates.cell);
          CHECK_EQ(more.log.back().n_looks, one.log.back().n_looks);
        }
      } catch (const InfeasibleError&) {
      }
    }
  }
  CHECK(n_more > 3 && n_cut > 6);
}

TEST(checker_takes_nothing_for_granted) {
  PublicRandom random(3);
  Case x = random_case(random, {3, 3, 3}, 9);
  const RiskCells risk(x.layout, x.view(), x.at_risk);
  const std::vector<SubTable> admissible = admissible_sets(risk, 1, 1000);
  const ReducibleRelease found = find_reducible(risk, admissible, quick_options(1, {3}), {});
  const PairCertificates good = found.certificates;
  const auto fault = [&](const PairCertificates& c) {
    return check_pairs(x, found.frontier, 1, c).fault;
  };
  CHECK(fault(good) == CertificateFault::none);
  for (std::size_t e = 0; e < good.by.size(); ++e) {
    PairCertificates bad = good;
    ++bad.by[e];
    CHECK(fault(bad) != CertificateFault::none);
  }
  PairCertificates bad = good;
  bad.cell[0] = 100000;
  CHECK(fault(bad) == CertificateFault::damaged);
  bad = good;
  bad.start.pop_back();
  CHECK(fault(bad) == CertificateFault::damaged);
  bad = good;
  bad.keys[0] = ~std::uint64_t{0};
  CHECK(fault(bad) == CertificateFault::damaged);
  bad = good;
  bad.keys[0] = bad.keys[1];
  CHECK(fault(bad) == CertificateFault::damaged);
  bad = good;
  bad.by.assign(bad.by.size(), 0);
  CHECK(fault(bad) == CertificateFault::narrow);
  bad = PairCertificates();
  CHECK(fault(bad) == CertificateFault::missing);
}
