// Certified releases by components: their pairs of tables hold, and the checker takes nothing for
// granted.
#include "base/error.hpp"
#include "certify/random_risks.hpp"
#include "certify/reducible.hpp"
#include "check.hpp"
#include "release/admissible.hpp"
#include "release/verify_release.hpp"

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

std::vector<std::vector<std::uint32_t>> as_lists(const std::vector<SubTable>& sets) {
  std::vector<std::vector<std::uint32_t>> out;
  for (SubTable set : sets) {
    out.emplace_back();
    for (std::uint32_t v = 0; v < 64; ++v)
      if (set >> v & 1) out.back().push_back(v);
  }
  return out;
}

// The certificates as the checker reads them.
struct Listed {
  std::vector<std::int32_t> target, cell;
  std::vector<double> start;
  CertificateList list;
  Listed(const PairCertificates& x, std::size_t n_words)
      : target(x.target.begin(), x.target.end()),
        cell(x.cell.begin(), x.cell.end()),
        start(x.start.begin(), x.start.end()) {
    list.keys = x.keys.data();
    list.n_keys = x.keys.size() / n_words;
    list.target = target.data();
    list.n = target.size();
    list.start = start.data();
    list.n_start = start.size();
    list.cell = cell.data();
    list.by = x.by.data();
    list.n_entries = cell.size();
  }
};

ReleaseCheck check_pairs(const Case& x, const std::vector<SubTable>& frontier, std::int64_t beta,
                         const PairCertificates& certificates) {
  const Listed listed(certificates, x.layout.n_words());
  return check_certificates(x.layout, x.view(), x.at_risk, as_lists(frontier), beta, listed.list,
                            {});
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
