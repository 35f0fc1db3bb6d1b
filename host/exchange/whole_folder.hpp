/// A folder that is there as a whole or not at all.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "host/checkpoint/provisional.hpp"

namespace weft {

/// Made beside its place under another name, then put there, for what is there already if that is empty or our own.
///
///   WholeFolder folder("out/hf", kFiles, is_ours);
///   write(folder.file("config.json"));
///   folder.commit();  // there now; before, nothing of it could be seen
class WholeFolder {
 public:
  using Ours = std::function<bool(const std::filesystem::path&)>;

  /// `files`: all names that it may have. A folder of that name may be replaced if it is empty, or has none but these
  /// and is_ours(folder). Throws Refusal, as all of these do.
  WholeFolder(const std::filesystem::path& target, std::span<const std::string_view> files, const Ours& is_ours);

  /// Where to write a file of it.
  std::string file(std::string_view name);
  /// What it is called until it is committed.
  std::string part() const { return part_.string(); }
  void commit();

 private:
  std::filesystem::path change_places();
  std::filesystem::path empty_and_replace();

  std::filesystem::path target_, part_;
  std::filesystem::path aside_, copy_;  // places of the old folder, and of a copy of it, for a moment
  Provisional made_;                    // goes again unless committed, also at a signal
  bool replaces_ = false;
};

}  // namespace weft
