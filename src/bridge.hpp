// What the bridge files share: the tick that checks for interrupts and moves a progress bar.
#pragma once

#include <Rcpp.h>

#include "core/tick.hpp"

// `progress` is NULL or an R function of the share done. The tick throws on a user interrupt.
inline sdclattice::Tick make_tick(SEXP progress) {
  if (Rf_isNull(progress)) return [](double) { Rcpp::checkUserInterrupt(); };
  Rcpp::Function show(progress);
  return [show](double done) {
    Rcpp::checkUserInterrupt();
    show(done);
  };
}
