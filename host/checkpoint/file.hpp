/// Files that are written atomically: a crash of the program or the machine leaves the whole file or none.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/checkpoint/error.hpp"
#include "sw/base/descriptor.hpp"

namespace weft::checkpoint {

/// Writes all bytes. Throws Refusal that names `file`.
void write_all(int fd, std::span<const std::uint8_t> bytes, const std::string& file);

/// A new version of a file: written next to the target under a temporary name (sw/base/part_name.hpp), then renamed to
/// the target. Each of several writers of one target has its own temporary file; the last commit() wins.
///
///   AtomicFile file("out/checkpoint_5.safetensors");
///   file.write(...);
///   file.commit();  // now on disk; not visible before
class AtomicFile {
 public:
  /// Throws Refusal, as all functions do; also if the target is not a regular file, since a device such as /dev/null
  /// would be replaced by a file for the whole machine.
  explicit AtomicFile(const std::filesystem::path& target);
  /// Creates a file in the folder of `other`, sharing its descriptor.
  AtomicFile(const std::filesystem::path& target, const AtomicFile& other);
  /// Removes the file unless it was committed.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::span<const std::uint8_t> bytes);
  void write(std::string_view text);
  /// Writes at any offset of the file. Thread-safe. On failure the file is truncated at once, so that its space is free
  /// before it is removed.
  void write_at(std::uint64_t offset, std::span<const std::uint8_t> bytes);
  /// The path of the unfinished file, for libraries that open a path and write into the existing file.
  std::string part() const;
  /// Syncs and closes the completely written file. Many files may wait for their commit() in this state.
  void finish();
  /// Calls finish(), renames the file, and syncs the folder.
  void commit();
  /// Only renames the file: readers see the whole file, but a power failure may lose it.
  void publish();

 private:
  AtomicFile(const std::filesystem::path& target, std::shared_ptr<const Descriptor> folder);
  [[noreturn]] void give_up(int error);

  std::string path_, name_, part_;            // part_: temporary name until the commit
  std::shared_ptr<const Descriptor> folder_;  // opened at construction, so that the rename cannot fail to open it
  Descriptor fd_;
};

/// Removes the unfinished files, if any: for the thread that ends the program on a signal.
void discard_unfinished() noexcept;

/// True if the open file or folder is the one that has this name.
bool has_name(int file, const std::string& name);
inline bool has_name(const Descriptor& file, const std::string& name) { return has_name(file.get(), name); }

/// Returns descriptor -1, with errno set, if the folder cannot be opened.
Descriptor open_folder(const std::string& folder);
/// Returns when all creations, renames and removals in the folder are on disk; errors name `file`.
void sync_folder(const Descriptor& folder, const std::string& file);

/// Hint for EMFILE and ENFILE.
inline constexpr const char* kMoreFiles = "raise the limit on open files (ulimit -n), or close some";

/// Removes unfinished files of killed programs in `folder`, whose lock the caller must hold, and in its `train`.
void remove_unfinished(const std::filesystem::path& folder);

/// Reads a whole file of at most `most` bytes. Throws Refusal, also if the file is larger than `most` or than memory.
std::vector<std::uint8_t> read_file(const std::string& file, std::uint64_t most = UINT64_MAX);

/// As above, as text. Throws Refusal if the file cannot be read, is empty (with `hint` as the hint), or has more than
/// `most` bytes.
std::string read_text(const std::string& path, std::uint64_t most = UINT64_MAX,
                      std::string_view hint = "put the text into the file or name another");

/// The error that there is too little memory for `file` and data made from it, which `more` describes: " and ...".
Refusal does_not_fit(const std::string& file, std::uint64_t bytes, std::string_view more = "");

}  // namespace weft::checkpoint
