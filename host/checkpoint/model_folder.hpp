/// The folder of a run: its checkpoints, and the lock that keeps a second run out.
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

namespace weft {

/// checkpoint_<step>.safetensors
struct CheckpointFile {
  std::uint64_t step = 0;
  std::string file;
};

class ModelFolder {
 public:
  /// What has become of the folder since it was locked.
  enum class Fate : std::uint8_t { Ours, Moved, Deleted };

  /// Makes the folder, locks it for as long as this lives, removes what killed runs left unfinished, and tries to
  /// write: there must be room for `bytes` more. Throws Refusal. What it made goes again with it, unless a run
  /// calls `keep`. Lines about the lock go to `say`.
  ModelFolder(const std::filesystem::path& folder, std::uint64_t bytes, const SayOfLock& say = {});
  ModelFolder(const ModelFolder&) = delete;
  ModelFolder& operator=(const ModelFolder&) = delete;

  /// Throws Refusal if there is no room for the `bytes` any more, as when a file was made on the same disk since.
  void check_room() const;
  /// True if the disk has room for so many checkpoints.
  bool has_room(std::uint64_t checkpoints) const;
  /// The run will make this, if it is not there: the same holds for it.
  void will_make(const std::filesystem::path& name);
  /// From now on there is a run: all stays.
  void keep() { made_.keep(); }

  /// Looks whether the name is still this folder's and `.lock` in it still this run's lock, which costs two system
  /// calls. If only `.lock` is gone, or the folder is, it is made and locked again. If another run has taken it:
  /// FolderTaken, and nothing in it is touched. Deleted: `path` is a new, empty folder, called NAME.lost1 if the name
  /// is somebody else's now. Moved: `path` is where it is now.
  Fate look();
  /// Where it is.
  const std::filesystem::path& path() const { return folder_; }
  /// Writes whose folder it is into `.lock`, after the process: for who is refused, and for who looks.
  void sign(const std::string& run);

  std::string checkpoint_file(std::uint64_t step) const;
  /// The newest first.
  std::vector<CheckpointFile> checkpoints() const { return checkpoints_in(folder_); }
  /// The same of a folder that need not be one's own, or be there.
  static std::vector<CheckpointFile> checkpoints_in(const std::filesystem::path& folder);
  /// Of the checkpoints of steps `first` to `newest`, deletes all but the newest `keep`; 0: keeps all. (One of a later
  /// step is not whole: the run would have gone on from it.) That of step `good` stays in any case; those of steps
  /// `uncounted` are neither counted nor deleted.
  void prune(std::uint64_t first, std::uint64_t newest, int keep, std::optional<std::uint64_t> good = {},
             const std::set<std::uint64_t>& uncounted = {}) const;

 private:
  void try_to_write() const;

  std::optional<std::filesystem::path> moved_to() const;
  void lock_at(const std::filesystem::path& folder);
  void lock_beside();

  std::filesystem::path folder_, absolute_;
  std::uint64_t bytes_;  // of a checkpoint
  std::string run_;
  FolderLock lock_;
  Descriptor open_;   // the folder, whatever it is called
  Provisional made_;  // after the lock: nobody else has the folder while this goes
};

}  // namespace weft
