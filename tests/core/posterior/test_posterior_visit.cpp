// Components on several threads against one: the same numbers, bit by bit, and the same errors.
#include <algorithm>
#include <cmath>
#include <random>
#include <thread>

#include "base/error.hpp"
#include "check.hpp"
#include "cycle/cycle.hpp"
#include "posterior/posterior.hpp"

using namespace sdclattice;

namespace {

std::vector<std::int32_t> along(std::size_t n) {
  std::vector<std::int32_t> out(n);
  for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<std::int32_t>(i);
  return out;
}

struct Design {
  Lines lines;
  Groups groups;
};

// Bands of two lines, or triads.
Design make_design(std::size_t n_rows, std::size_t n_columns, bool triads, bool open,
                   std::mt19937& source) {
  Design out{{n_rows, n_columns, false}, {}};
  out.groups.triads = triads;
  out.groups.open = open;
  const std::size_t size = triads ? 3 : 2;
  for (std::size_t row = 0; row < n_rows; row += size) {
    std::vector<std::int32_t> lines;
    for (std::size_t k = 0; k < size; ++k) lines.push_back(static_cast<std::int32_t>(row + k));
    out.groups.lines.push_back(lines);
    out.groups.rings.push_back(along(n_columns));
    std::shuffle(out.groups.rings.back().begin(), out.groups.rings.back().end(), source);
  }
  return out;
}

struct Case {
  Design design;
  bool by_rule = false, uneven = false;
  std::vector<double> published;

  std::vector<Publication> sources() const {
    Publication out;
    const CycleSet set = cycles_banded(design.lines, design.groups);
    out.mechanism.sequence = set.cover.empty() ? along(set.size()) : set.cover;
    out.mechanism.alpha = out.mechanism.beta = {.25};
    // components of different forms
    if (uneven) {
      out.mechanism.alpha.assign(set.size(), .1);
      for (std::size_t c = 0; c < set.size(); c += 7) out.mechanism.alpha[c] = .3;
      out.mechanism.beta.assign(set.size(), .25);
    }
    out.published = published.data();
    if (by_rule)
      out.bands = bands_of(design.lines, design.groups);
    else
      out.cycles = set;
    std::vector<Publication> all;
    all.push_back(std::move(out));
    return all;
  }
};

std::vector<double> poisson(std::size_t n, double mean, std::mt19937& source) {
  std::poisson_distribution<int> draw(mean);
  std::vector<double> out(n);
  for (double& x : out) x = draw(source);
  return out;
}

struct Answer {
  std::vector<double> laws;
  double log_evidence = 0;
};

Answer ask(const Case& c, const Prior& prior, std::size_t threads) {
  PosteriorModel model(c.sources(), Inference::automatic, 100000);
  Answer out;
  out.laws.assign(model.n_laws() * static_cast<std::size_t>(model.width()), 0);
  out.log_evidence = model.infer(prior, out.laws.data(), {}, threads);
  CHECK_EQ(model.log_evidence(prior, {}, threads), out.log_evidence);
  return out;
}

Prior poisson_prior(const std::vector<double>& mean) {
  Prior out;
  PriorFactor factor{};
  factor.kind = PriorFactor::Kind::poisson;
  factor.value = {mean.data(), mean.size()};
  out.factors.push_back(factor);
  return out;
}

}  // namespace

TEST(threads_do_not_matter) {
  std::mt19937 source(3);
  for (int kind = 0; kind < check::cases(4, 8); ++kind) {
    const bool triads = kind % 2 == 1, uneven = kind / 2 % 2 == 1;
    const bool with_prior = (triads != uneven) != (kind >= 4);
    const std::size_t n_rows = 36, n_columns = 44;
    const Case c{make_design(n_rows, n_columns, triads, triads, source), !triads, uneven,
                 poisson(n_rows * n_columns, 3, source)};
    const std::vector<double> mean(n_rows * n_columns, 3.5);
    const Prior prior = with_prior ? poisson_prior(mean) : Prior();
    const Answer one = ask(c, prior, 1);
    for (const std::size_t threads : {3u, 7u}) {
      const Answer found = ask(c, prior, threads);
      CHECK(found.laws == one.laws);
      CHECK_EQ(found.log_evidence, one.log_evidence);
    }
  }
}

// The rule of a set and its entries are the same set.
TEST(rules_and_entries) {
  std::mt19937 source(4);
  for (int round = 0; round < 20; ++round) {
    const std::size_t n_rows = 2 * (1 + source() % 4), n_columns = 2 + source() % 6;
    Case c{make_design(n_rows, n_columns, false, source() % 2 == 0, source), true,
           source() % 2 == 0, poisson(n_rows * n_columns, 2, source)};
    const Answer ruled = ask(c, {}, 2);
    c.by_rule = false;
    const Answer listed = ask(c, {}, 1);
    CHECK(ruled.laws == listed.laws);
    CHECK_EQ(ruled.log_evidence, listed.log_evidence);
  }
}

TEST(ticks_come_from_the_caller_and_stop_the_work) {
  std::mt19937 source(5);
  const Case c{make_design(40, 60, false, false, source), true, false, poisson(40 * 60, 3, source)};
  struct Stopped {};
  for (const std::size_t threads : {1u, 3u}) {
    PosteriorModel model(c.sources(), Inference::automatic, 100000);
    const auto caller = std::this_thread::get_id();
    double last = 0;
    bool others = false, back = false;
    model.log_evidence(
        {},
        [&](double share) {
          others = others || std::this_thread::get_id() != caller;
          back = back || share > 1;
          last = share;
        },
        threads);
    CHECK(!others);
    CHECK(!back);
    CHECK_EQ(last, 1.0);
    int left = 1;
    const Tick stop = [&](double) {
      if (left-- == 0) throw Stopped();
    };
    CHECK_THROWS(Stopped, model.log_evidence({}, stop, threads));
  }
}

TEST(impossible_is_impossible) {
  std::mt19937 source(6);
  const Case c{make_design(36, 90, false, false, source), true, false, poisson(36 * 90, 3, source)};
  std::vector<double> known(36 * 90, std::nan(""));
  known[17 * 90 + 5] = c.published[17 * 90 + 5] + 50;
  Prior prior;
  PriorFactor factor{};
  factor.kind = PriorFactor::Kind::known;
  factor.value = {known.data(), known.size()};
  prior.factors.push_back(factor);
  for (const std::size_t threads : {1u, 2u, 7u}) {
    PosteriorModel model(c.sources(), Inference::automatic, 100000);
    CHECK_THROWS(InfeasibleError, model.log_evidence(prior, {}, threads));
  }
}
