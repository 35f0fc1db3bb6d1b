/// A temporary folder for files that belong together: they are moved into place when all of them are complete.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace weft::trace {

/// Private to one writer: the folder has a new name (sw/base/part_name.hpp), is created next to the files' destination,
/// and no symbolic link is followed. It exists until the files are moved into place, or at most as long as this object;
/// a folder left by a killed program is removed by the next writer.
class PartFolder {
 public:
  /// For files in `folder`; `name` is the file named in error messages. Throws Refusal.
  PartFolder(std::filesystem::path folder, const std::string& name);
  ~PartFolder();
  PartFolder(const PartFolder&) = delete;
  PartFolder& operator=(const PartFolder&) = delete;

  /// The temporary path of the file `name`.
  std::filesystem::path at(const std::string& name) const { return part_ / name; }

  /// Moves files into place, the last one last: a set without it is incomplete. Removes the files `old`, which an
  /// earlier set may have left. Sets of several writers do not mix. Throws Refusal.
  void publish(const std::vector<std::string>& names, const std::vector<std::string>& old) const;

 private:
  std::filesystem::path folder_, part_;
};

}  // namespace weft::trace
