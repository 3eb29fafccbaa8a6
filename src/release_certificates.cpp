// Bridge of the file of a certified release.
#include "bridge.h"
#include "release/certificate_file.hpp"
#include "release_held.h"

using namespace sdclattice;

namespace {

std::vector<CertificateFile::Variable> as_variables(const Rcpp::List& dimnames) {
  const Rcpp::CharacterVector names = dimnames.names();
  std::vector<CertificateFile::Variable> out;
  for (R_xlen_t v = 0; v < dimnames.size(); ++v) {
    out.push_back({Rf_translateCharUTF8(names[v]), {}});
    const Rcpp::CharacterVector levels = dimnames[v];
    for (const auto& level : levels)
      if (Rcpp::CharacterVector::is_na(level))
        out.back().levels.emplace_back();
      else
        out.back().levels.emplace_back(Rf_translateCharUTF8(level));
  }
  return out;
}

SEXP as_utf8(const std::string& text) {
  return Rf_mkCharLenCE(text.data(), static_cast<int>(text.size()), CE_UTF8);
}

Rcpp::List from_variables(const std::vector<CertificateFile::Variable>& variables) {
  Rcpp::List out(static_cast<R_xlen_t>(variables.size()));
  Rcpp::CharacterVector names(out.size());
  for (R_xlen_t v = 0; v < out.size(); ++v) {
    const auto& variable = variables[static_cast<std::size_t>(v)];
    names[v] = as_utf8(variable.name);
    Rcpp::CharacterVector levels(static_cast<R_xlen_t>(variable.levels.size()));
    for (R_xlen_t l = 0; l < levels.size(); ++l) {
      const auto& level = variable.levels[static_cast<std::size_t>(l)];
      levels[l] = level ? as_utf8(*level) : NA_STRING;
    }
    out[v] = levels;
  }
  out.names() = names;
  return out;
}

std::vector<CertificateFile::Coarser> as_coarser(const Rcpp::List& coarser) {
  std::vector<CertificateFile::Coarser> out;
  for (R_xlen_t v = 0; v < coarser.size(); ++v) {
    if (Rf_isNull(coarser[v])) continue;
    out.push_back({static_cast<std::uint32_t>(v), {}});
    for (int level : Rcpp::as<Rcpp::IntegerVector>(coarser[v]))
      out.back().level_of.push_back(static_cast<std::uint32_t>(level - 1));
  }
  return out;
}

Rcpp::List from_coarser(const CertificateFile& file) {
  Rcpp::List out(static_cast<R_xlen_t>(file.variables.size()));
  for (const auto& coarser : file.coarser) {
    Rcpp::IntegerVector levels;
    for (std::uint32_t level : coarser.level_of) levels.push_back(static_cast<int>(level) + 1);
    out[static_cast<R_xlen_t>(coarser.variable)] = levels;
  }
  return out;
}

// The table alone: the cells with a count.
Rcpp::List from_counted(const CertificateFile& file) {
  const std::size_t n_words = file.layout().n_words();
  std::vector<std::uint64_t> keys;
  std::vector<double> counts;
  for (std::size_t i = 0; i < file.counts.size(); ++i) {
    if (file.counts[i] == 0) continue;
    const auto first = file.keys.begin() + static_cast<std::ptrdiff_t>(i * n_words);
    keys.insert(keys.end(), first, first + static_cast<std::ptrdiff_t>(n_words));
    counts.push_back(file.counts[i]);
  }
  return Rcpp::List::create(Rcpp::_["keys"] = from_keys(keys), Rcpp::_["counts"] = counts);
}

// The levels of the cells that the rule names, a row for each.
Rcpp::IntegerMatrix named_cells(const CertificateFile& file) {
  const Layout layout = file.layout();
  Rcpp::IntegerMatrix out(static_cast<int>(file.risk.size()),
                          static_cast<int>(layout.n_variables()));
  for (int i = 0; i < out.nrow(); ++i)
    for (int v = 0; v < out.ncol(); ++v)
      out(i, v) =
          static_cast<int>(layout.level(&file.keys[file.risk[i] * layout.n_words()], v)) + 1;
  return out;
}

}  // namespace

// `coarser`: NULL for a variable, or, where it is the next one at a coarser level, its own for each
// level of that. `counts_at_risk`: of the rule; none where it names cells. The certificates have
// been verified.
// [[Rcpp::export]]
Rcpp::RawVector cpp_write_certificates(const Rcpp::List& dimnames, const Rcpp::List& coarser,
                                       const Rcpp::RawVector& keys,
                                       const Rcpp::NumericVector& counts,
                                       const Rcpp::IntegerVector& at_risk, const Rcpp::List& sets,
                                       double beta, const Rcpp::NumericVector& counts_at_risk,
                                       const Rcpp::List& certificates) {
  CertificateFile file;
  file.beta = static_cast<std::int64_t>(beta);
  file.variables = as_variables(dimnames);
  file.coarser = as_coarser(coarser);
  for (double count : counts_at_risk) file.risk.push_back(static_cast<std::uint64_t>(count));
  file.names_cells = file.risk.empty();
  file.tables = as_variable_sets(sets);
  const Layout layout = file.layout();
  const HeldCertificates held(certificates, layout.n_words());
  put_certificates(file, as_view(layout, keys, counts), as_positions(at_risk), held.list);
  const std::string text = write_certificate_file(file);
  return Rcpp::RawVector(text.begin(), text.end());
}

// Keys from the 1-based levels of each variable.
// [[Rcpp::export]]
Rcpp::RawVector cpp_pack_keys(const Rcpp::IntegerVector& dim, const Rcpp::List& codes) {
  const Layout layout = as_layout(dim);
  const Rcpp::IntegerVector first = codes[0];
  std::vector<std::uint64_t> keys(layout.n_words() * static_cast<std::size_t>(first.size()), 0);
  for (std::size_t v = 0; v < layout.n_variables(); ++v) {
    const Rcpp::IntegerVector levels = codes[static_cast<R_xlen_t>(v)];
    for (R_xlen_t i = 0; i < levels.size(); ++i)
      layout.put(&keys[static_cast<std::size_t>(i) * layout.n_words()], v,
                 static_cast<std::uint32_t>(levels[i] - 1));
  }
  return from_keys(keys);
}

// [[Rcpp::export]]
Rcpp::List cpp_read_certificates(const Rcpp::RawVector& text) {
  const CertificateFile file = read_certificate_file(
      {reinterpret_cast<const char*>(RAW(text)), static_cast<std::size_t>(text.size())});
  Rcpp::List certificates = Rcpp::List::create(
      Rcpp::_["keys"] = from_keys(file.keys), Rcpp::_["target"] = Rcpp::wrap(file.target),
      Rcpp::_["start"] = Rcpp::wrap(file.start), Rcpp::_["cell"] = Rcpp::wrap(file.cell),
      Rcpp::_["by"] = Rcpp::wrap(file.by));
  Rcpp::List out = Rcpp::List::create(
      Rcpp::_["dimnames"] = from_variables(file.variables), Rcpp::_["coarser"] = from_coarser(file),
      Rcpp::_["cells"] = from_counted(file), Rcpp::_["sets"] = from_variable_sets(file.tables),
      Rcpp::_["beta"] = static_cast<double>(file.beta), Rcpp::_["certificates"] = certificates);
  if (file.names_cells)
    out["at_cells"] = named_cells(file);
  else
    out["at_risk"] = std::vector<double>(file.risk.begin(), file.risk.end());
  return out;
}
