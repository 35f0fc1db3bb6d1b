/// Files and folders that a run creates before it is certain to begin.
#pragma once

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "sw/base/descriptor.hpp"

namespace weft::checkpoint {

/// Files and folders that are removed again, the last one first, unless they are kept: when this object is destroyed,
/// or when the thread that ends the program on a signal calls `discard_provisional`. A folder is removed only if it is
/// empty.
class Provisional {
 public:
  Provisional() = default;
  ~Provisional();
  Provisional(const Provisional&) = delete;
  Provisional& operator=(const Provisional&) = delete;

  /// Adds `path`, which did not exist before; it may have been created meanwhile.
  void add(const std::filesystem::path& path);
  /// Creates a folder with its parents, and adds those that were missing. Returns the error, if any. The created
  /// folders are on disk afterwards; otherwise throws Refusal.
  std::error_code make_folders(const std::filesystem::path& folder);
  /// Disables all removals if `file`, which must outlive this, no longer has the name `path`: files of these names may
  /// then belong to another process.
  void only_while(const Descriptor& file, const std::filesystem::path& path);
  /// Keeps all of the files and folders.
  void keep();

 private:
  void record(const std::string& name);

  std::vector<std::string> names_;
  int guard_ = -1;  // a file descriptor
  std::string guard_path_;
};

/// Removes all provisional files: for the thread that ends the program on a signal.
void discard_provisional() noexcept;

}  // namespace weft::checkpoint
