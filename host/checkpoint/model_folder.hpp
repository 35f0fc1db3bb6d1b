/// The folder of a run: its checkpoints, and the lock that keeps a second run out.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "host/checkpoint/file.hpp"

namespace weft {

/// checkpoint_<step>.safetensors
struct CheckpointFile {
  std::uint64_t step = 0;
  std::string file;
};

class ModelFolder {
 public:
  /// Makes the folder, locks it for as long as this lives, removes what killed runs left unfinished, and tries to
  /// write: there must be room for `bytes` more. Throws CheckpointError.
  ModelFolder(const std::filesystem::path& folder, std::uint64_t bytes);
  ModelFolder(const ModelFolder&) = delete;
  ModelFolder& operator=(const ModelFolder&) = delete;

  std::string checkpoint_file(std::uint64_t step) const;
  /// The newest first.
  std::vector<CheckpointFile> checkpoints() const { return checkpoints_in(folder_); }
  /// The same of a folder that need not be one's own, or be there.
  static std::vector<CheckpointFile> checkpoints_in(const std::filesystem::path& folder);
  /// Of the checkpoints up to step `newest`, deletes all but the newest `keep`; 0: keeps all. (One of a later step is
  /// not whole: the run would have gone on from it.)
  void prune(std::uint64_t newest, int keep) const;

 private:
  /// The folder; in the end, removes one that it made and that nobody used.
  struct Made {
    explicit Made(std::filesystem::path path);
    ~Made();
    std::filesystem::path path;
    bool is_new;
  };

  void lock();
  void try_to_write(std::uint64_t bytes) const;

  std::filesystem::path folder_;
  Descriptor lock_;
  Made made_;  // after the lock: nobody else has the folder while it goes
};

}  // namespace weft
