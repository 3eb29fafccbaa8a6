// Audits publications from outside: knows nothing of the package, and shares no code with it.
//   sdclattice-audit [--explain] FILE
// FILE has one case after the other: the table, what was published of it, and the promise.
// README.md beside this file describes it. For each case the program says who learns what, and a
// verdict. Exit codes: 0 all cases are safe, 1 some are not, or are undecided, 2 FILE cannot be
// read. What it prints is confidential: it names cells and counts.
#include <array>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>

#include "audit-answers.hpp"
#include "audit-case.hpp"
#include "audit-magnitude.hpp"
#include "audit-perturbation.hpp"
#include "audit-reading.hpp"

namespace {

audit::Verdict ask(const audit::Case& now, bool explain) {
  if (!now.damage.empty()) {
    std::cout << "unreadable " << now.damage << "\n";
    return audit::Verdict::unreadable;
  }
  if (now.kind == "counts" || now.kind == "rounding")
    return audit::Audit(now, explain, std::cout).run();
  if (now.kind == "magnitude") return audit::MagnitudeAudit(now, explain, std::cout).run();
  if (now.kind == "perturbation") return audit::PerturbationAudit(now, explain, std::cout).run();
  std::cout << "refused kind " << now.kind << " is not audited\n";
  return audit::Verdict::refused;
}

audit::Verdict judge(const audit::Case& now, bool explain) {
  std::cout << "case " << now.name << "\n";
  audit::Verdict found = audit::Verdict::undecided;
  try {
    found = ask(now, explain);
  } catch (const std::overflow_error& error) {
    std::cout << "undecided all - : " << error.what() << "\n";
  }
  std::cout << "verdict " << audit::word(found) << "\n";
  return found;
}

}  // namespace

int main(int argc, char** argv) {
  bool explain = false;
  std::string path;
  for (int k = 1; k < argc; ++k) {
    const std::string word = argv[k];
    if (word == "--explain") {
      explain = true;
    } else if (path.empty()) {
      path = word;
    } else {
      path.clear();
      break;
    }
  }
  std::ifstream in(path);
  if (path.empty() || !in) {
    std::cerr << "usage: sdclattice-audit [--explain] FILE\n";
    return 2;
  }
  std::cout << "CONFIDENTIAL: do not publish what this program prints.\n";
  std::array<std::size_t, 6> verdicts{};
  try {
    audit::Case now;
    for (std::size_t line = 0; audit::next_case(in, line, now);)
      ++verdicts[static_cast<std::size_t>(judge(now, explain))];
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 2;
  }
  std::cout << "summary";
  std::size_t n = 0;
  for (std::size_t k = 0; k < verdicts.size(); ++k) {
    n += verdicts[k];
    std::cout << " " << audit::word(static_cast<audit::Verdict>(k)) << " " << verdicts[k];
  }
  std::cout << "\n";
  return verdicts[0] == n ? 0 : 1;
}
