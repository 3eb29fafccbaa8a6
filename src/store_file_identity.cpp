#include "store_file_identity.h"

#ifdef _WIN32
#include <fstream>
#else
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace sdclattice {

#ifdef _WIN32

std::string file_identity(const std::string& path) {
  return std::ifstream(path).good() ? "there" : "";
}

bool holds_open(const std::string& identity) {
  return !identity.empty();
}

#else

namespace {

std::string identity_of(const struct stat& file) {
  return std::to_string(file.st_dev) + ":" + std::to_string(file.st_ino);
}

// Descriptors that are looked at; R and its databases need some dozens.
constexpr long kMostDescriptors = 65536;

}  // namespace

std::string file_identity(const std::string& path) {
  struct stat file;
  return stat(path.c_str(), &file) == 0 ? identity_of(file) : std::string();
}

bool holds_open(const std::string& identity) {
  const long limit = sysconf(_SC_OPEN_MAX);
  const long most = limit < 0 || limit > kMostDescriptors ? kMostDescriptors : limit;
  struct stat file;
  for (long descriptor = 0; descriptor < most; ++descriptor)
    if (fstat(static_cast<int>(descriptor), &file) == 0 && identity_of(file) == identity)
      return true;
  return false;
}

#endif

}  // namespace sdclattice
