/// A folder that is written atomically.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "host/checkpoint/provisional.hpp"

namespace weft::formats {

/// A new folder, created next to the target under a temporary name, and then renamed to the target. An existing target
/// is replaced if it is empty or was written by Weft.
///
///   WholeFolder folder("out/hf", kFiles, is_ours);
///   write(folder.file("config.json"));
///   folder.commit();  // now in place; not visible before
class WholeFolder {
 public:
  using Ours = std::function<bool(const std::filesystem::path&)>;

  /// `files`: all names that the folder may contain. An existing folder may be replaced if it is empty, or contains
  /// only these and is_ours(folder). Throws Refusal, as all functions do.
  WholeFolder(const std::filesystem::path& target, std::span<const std::string_view> files, const Ours& is_ours);

  /// The path at which to write a file of the folder.
  std::string file(std::string_view name);
  /// The temporary path until the commit.
  std::string part() const { return part_.string(); }
  void commit();

 private:
  std::filesystem::path change_places();
  std::filesystem::path empty_and_replace();

  std::filesystem::path target_, part_;
  std::filesystem::path aside_, copy_;  // temporary paths of the old folder, and of a copy of it
  checkpoint::Provisional made_;        // removed unless committed, also on a signal
  bool replaces_ = false;
};

}  // namespace weft::formats
