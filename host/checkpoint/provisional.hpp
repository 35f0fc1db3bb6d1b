/// What a run makes before it is sure to be one.
#pragma once

#include <filesystem>
#include <mutex>
#include <string>
#include <system_error>
#include <vector>

#include "host/checkpoint/file.hpp"

namespace weft {

/// Held while something is made and its name kept: who ends the program at a signal takes it for good, so that nothing
/// appears behind his back.
std::recursive_mutex& making();

/// Files and folders that go again, the last one first, unless they are kept: when this goes, or when the thread
/// that ends the program at a signal calls `discard_provisional`. A folder goes only if nothing is in it.
class Provisional {
 public:
  Provisional() = default;
  ~Provisional();
  Provisional(const Provisional&) = delete;
  Provisional& operator=(const Provisional&) = delete;

  /// `path` was not there before; whether it is by now does not matter.
  void add(const std::filesystem::path& path);
  /// Makes a folder and those that it is in, and adds what was missing. Returns what went wrong. What it made is on
  /// disk: else Refusal.
  std::error_code make_folders(const std::filesystem::path& folder);
  /// Nothing of it goes any more if `file`, which must outlive this, has lost its name `path`: then somebody else may
  /// have made files of the same names.
  void only_while(const Descriptor& file, const std::filesystem::path& path);
  /// From now on all of it stays.
  void keep();

 private:
  void enter(const std::string& name);

  std::vector<std::string> names_;
  int guard_ = -1;  // a descriptor
  std::string guard_path_;
};

/// Removes all of it: for the thread that ends the program at a signal.
void discard_provisional() noexcept;

}  // namespace weft
