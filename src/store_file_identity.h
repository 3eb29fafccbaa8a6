// Which file a path leads to: its device and its number there.
#pragma once

#include <string>

namespace sdclattice {

// "device:inode" of the file at `path`, empty where there is none. On Windows, where an open file
// of a database cannot be moved or removed, only whether there is one.
std::string file_identity(const std::string& path);

// Does this process hold the file of that identity open?
bool holds_open(const std::string& identity);

}  // namespace sdclattice
