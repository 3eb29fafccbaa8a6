#include "base_vectors.h"
#include "table/text_reader.hpp"

using namespace sdclattice;

namespace {

std::string_view bytes_of(const Rcpp::RawVector& bytes) {
  return {reinterpret_cast<const char*>(RAW(bytes)), static_cast<std::size_t>(bytes.size())};
}

}  // namespace

// See class TextReader.
// [[Rcpp::export]]
SEXP cpp_open_text(const std::string& separator, double n_columns) {
  return Rcpp::XPtr<TextReader>(
      new TextReader(separator.at(0), static_cast<std::size_t>(n_columns)));
}

// `fields` has for each column the 1-based number of its field.
// [[Rcpp::export]]
void cpp_begin_text(SEXP reader, double n_fields, const Rcpp::IntegerVector& fields,
                    bool has_header) {
  std::vector<std::size_t> at;
  for (int field : fields) at.push_back(static_cast<std::size_t>(field - 1));
  Rcpp::XPtr<TextReader>(reader)->begin(static_cast<std::size_t>(n_fields), at, has_header);
}

// The codes of the records that end in this block, a vector for each column, and their number.
// [[Rcpp::export]]
Rcpp::List cpp_read_text(SEXP reader, const Rcpp::RawVector& bytes, bool ends, int n_columns) {
  Rcpp::XPtr<TextReader> text(reader);
  text->clear_codes();
  text->read(bytes_of(bytes).data(), bytes_of(bytes).size());
  if (ends) text->end();
  Rcpp::List codes(n_columns);
  for (R_xlen_t c = 0; c < n_columns; ++c) {
    const std::vector<std::int32_t>& some = text->codes(static_cast<std::size_t>(c));
    codes[c] = Rcpp::IntegerVector(some.begin(), some.end());
  }
  return Rcpp::List::create(Rcpp::_["codes"] = codes,
                            Rcpp::_["n"] = static_cast<double>(text->n_records()));
}

// The texts of a column (1-based) with codes above `known`, as bytes in the encoding of the file.
// [[Rcpp::export]]
Rcpp::CharacterVector cpp_texts(SEXP reader, int column, double known) {
  const TextNumbers& texts =
      Rcpp::XPtr<TextReader>(reader)->texts(static_cast<std::size_t>(column - 1));
  const auto from = static_cast<std::size_t>(known);
  Rcpp::CharacterVector out(static_cast<R_xlen_t>(texts.size() - from));
  for (std::size_t t = from; t < texts.size(); ++t) {
    const std::string_view text = texts.text(t);
    out[static_cast<R_xlen_t>(t - from)] =
        Rf_mkCharLenCE(text.data(), static_cast<int>(text.size()), CE_NATIVE);
  }
  return out;
}

// The fields of the first record; none when it does not end in these bytes and more may come.
// [[Rcpp::export]]
Rcpp::CharacterVector cpp_first_record(const std::string& separator, const Rcpp::RawVector& bytes,
                                       bool is_all) {
  return Rcpp::wrap(first_record(separator.at(0), bytes_of(bytes), is_all));
}
