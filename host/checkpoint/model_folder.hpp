/// The folder of a run: its checkpoints, and the lock that prevents a second run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "host/checkpoint/file.hpp"
#include "host/checkpoint/lock_folder.hpp"
#include "host/checkpoint/provisional.hpp"

namespace weft::checkpoint {

/// A file named checkpoint_<step>.safetensors.
struct CheckpointFile {
  std::uint64_t step = 0;
  std::string file;
};

class ModelFolder {
 public:
  /// Changes of the folder since it was locked.
  enum class Fate : std::uint8_t { Ours, Moved, Deleted };

  /// Creates the folder, locks it for the life of this object, removes unfinished files of killed runs, and checks that
  /// it is writable and has room for `bytes` more. Throws Refusal. Files and folders created here are removed with the
  /// object, unless the run calls `keep`. Lines about the lock are passed to `say`.
  ModelFolder(const std::filesystem::path& folder, std::uint64_t bytes, const SayOfLock& say = {});
  ModelFolder(const ModelFolder&) = delete;
  ModelFolder& operator=(const ModelFolder&) = delete;

  /// Throws Refusal if there is no longer room for `bytes`, e.g. after another file was created on the same disk.
  void check_room() const;
  /// True if the disk has room for that many checkpoints.
  bool has_room(std::uint64_t checkpoints) const;
  /// Announces a file that the run will create: it is removed like the others, unless it exists already.
  void will_make(const std::filesystem::path& name);
  /// Makes all files permanent, because the run has begun.
  void keep() { made_.keep(); }

  /// Checks that the folder still has its name and that `.lock` in it is still this run's lock, at the cost of two
  /// system calls. If only `.lock` or the folder is gone, it is created and locked again. Throws FolderTaken if another
  /// run has taken the folder, and changes nothing in it. Deleted: `path` is a new, empty folder, named NAME.lost1 if
  /// the old name is taken. Moved: `path` is the folder's new place.
  Fate check();
  /// Current path of the folder.
  const std::filesystem::path& path() const { return folder_; }
  /// Writes the run's identity into `.lock`, after the process, for messages of other processes and for people.
  void sign(const std::string& run);

  std::string checkpoint_file(std::uint64_t step) const;
  /// All checkpoints, the newest first.
  std::vector<CheckpointFile> checkpoints() const { return checkpoints_in(folder_); }
  /// As above, for any folder, which may be missing.
  static std::vector<CheckpointFile> checkpoints_in(const std::filesystem::path& folder);
  /// Deletes the checkpoints of steps `first` to `newest` except the newest `keep`; 0: keeps all. (A checkpoint of a
  /// later step is damaged, because otherwise the run would have continued from it.) The checkpoint of step `good` is
  /// always kept; those of steps `uncounted` are neither counted nor deleted.
  void prune(std::uint64_t first, std::uint64_t newest, int keep, std::optional<std::uint64_t> good = {},
             const std::set<std::uint64_t>& uncounted = {}) const;

 private:
  void try_to_write() const;

  std::optional<std::filesystem::path> moved_to() const;
  void lock_at(const std::filesystem::path& folder);
  void lock_beside();

  std::filesystem::path folder_, absolute_;
  std::uint64_t bytes_;  // size of a checkpoint
  std::string run_;
  FolderLock lock_;
  Descriptor open_;   // the folder, independent of its name
  Provisional made_;  // after the lock, which is thus held while the files are removed
};

}  // namespace weft::checkpoint
