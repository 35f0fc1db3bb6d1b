/// A new folder in which files that belong together are written, until all of them are whole and take their places.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace weft {

/// No other writer has this folder: its name is new (sw/base/part_name.hpp), made next to the files' places, and no
/// symbolic link is followed. It is there until the files take their places, and as long as this lives at most; a
/// killed program's goes with the next one.
class PartFolder {
 public:
  /// For files in `folder`; `name` is the one of them that messages name. Throws Refusal.
  PartFolder(std::filesystem::path folder, const std::string& name);
  ~PartFolder();
  PartFolder(const PartFolder&) = delete;
  PartFolder& operator=(const PartFolder&) = delete;

  /// The path at which to write the file that is to be `name`.
  std::filesystem::path at(const std::string& name) const { return part_ / name; }

  /// Moves files to their places, the last one last: a set without it is not whole. Removes `old` ones there, which an
  /// earlier set may have. Sets of several writers do not mix. Throws Refusal.
  void publish(const std::vector<std::string>& names, const std::vector<std::string>& old) const;

 private:
  std::filesystem::path folder_, part_;
};

}  // namespace weft
