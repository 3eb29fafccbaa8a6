// Files of small certified releases, and a slow judgement of them over all cells.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "release/certificate_file.hpp"
#include "release/fibre_certificates.hpp"
#include "store/ledger.hpp"

namespace certificate_files {

using namespace fibre_certificates;

// Levels have odd labels, and the last one of each variable is that of missing values.
inline CertificateFile file_of(const Certificates& c, std::int64_t beta, bool names_cells = false) {
  CertificateFile file;
  file.beta = beta;
  file.names_cells = names_cells;
  if (!names_cells) file.risk = {1, 2};
  for (std::size_t v = 0; v < c.x.n_variables(); ++v) {
    file.variables.push_back({"v " + std::string(v, '\n') + "\\", {}});
    for (std::uint32_t l = 1; l < c.x.levels[v]; ++l)
      file.variables[v].levels.emplace_back(std::string(l, '\\') + "n, \"" + std::to_string(l));
    file.variables[v].levels.emplace_back();
  }
  file.tables = c.margins();
  put_certificates(file, c.stored.view(), c.stored.at_risk, c.list());
  return file;
}

// With the checksum of what stands in it now.
inline std::string sealed(const std::string& text) {
  Sha256 sum;
  sum.update(text);
  return text + "sha256 " + lower_hex(sum.finish()) + "\n";
}
inline std::string unsealed(const std::string& text) {
  return text.substr(0, text.rfind("sha256 "));
}

inline Dense dense_of(const CertificateFile& file) {
  const Layout layout = file.layout();
  Dense out{layout.levels(), {}};
  out.counts.assign(number_of_cells(out.levels), 0);
  return out;
}

inline std::size_t place(const CertificateFile& file, std::size_t cell) {
  const Layout layout = file.layout();
  std::size_t out = 0, step = 1;
  for (std::size_t v = 0; v < layout.n_variables(); step *= layout.n_levels(v++))
    out += step * layout.level(&file.keys[cell * layout.n_words()], v);
  return out;
}

inline Mask mask_of(const std::vector<std::uint32_t>& set) {
  Mask out = 0;
  for (std::uint32_t v : set) out |= Mask{1} << v;
  return out;
}

// Does all hold that the file says has to be checked?
inline bool is_safe(const CertificateFile& file) {
  Dense x = dense_of(file);
  for (std::size_t i = 0; i < file.counts.size(); ++i)
    x.counts[place(file, i)] = static_cast<std::int64_t>(file.counts[i]);
  std::multiset<std::size_t> at_risk, certified;
  for (std::size_t c = 0; c < x.counts.size(); ++c)
    if (!file.names_cells && x.counts[c] > 0 &&
        std::count(file.risk.begin(), file.risk.end(), static_cast<std::uint64_t>(x.counts[c])) > 0)
      at_risk.insert(c);
  if (file.names_cells)
    for (std::uint64_t cell : file.risk) at_risk.insert(place(file, cell));
  bool good = true;
  for (std::size_t c = 0; c < file.target.size(); ++c) {
    const std::size_t at = place(file, static_cast<std::size_t>(file.target[c]));
    certified.insert(at);
    Dense pair[2] = {x, x};
    for (std::size_t side = 0; side < 2; ++side) {
      Dense& table = pair[side];
      const auto last = static_cast<std::size_t>(file.start[2 * c + side + 1]);
      for (auto e = static_cast<std::size_t>(file.start[2 * c + side]); e < last; ++e)
        table.counts[place(file, static_cast<std::size_t>(file.cell[e]))] += file.by[e];
      good = good && *std::min_element(table.counts.begin(), table.counts.end()) >= 0 &&
             table.margin(0) == x.margin(0);
      for (const auto& set : file.tables)
        good = good && table.margin(mask_of(set)) == x.margin(mask_of(set));
    }
    good = good && std::abs(pair[0].counts[at] - pair[1].counts[at]) >= file.beta;
  }
  return good && at_risk == certified;
}

}  // namespace certificate_files
