// Files that the compiler leaves in folders where others may write, too (/tmp): always new ones,
// never through a link that somebody has put there.
#pragma once

#include <string>
#include <string_view>

namespace hetjit {

/// Writes a file of that name, in place of an older one. False: it cannot be written.
bool write_new_file(const std::string& path, std::string_view text);

/// The same under a name that nobody can foresee: "folder/name-XXXXXX.txt", whose Xs are replaced.
bool write_unforeseen_file(std::string& path, std::string_view text);

}  // namespace hetjit
