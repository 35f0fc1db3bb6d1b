/// Files that are there as a whole or not at all, whatever stops the program or the machine.
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

namespace weft {

/// Writes all of it. Throws Refusal that names `file`.
void write_all(int fd, std::span<const std::uint8_t> bytes, const std::string& file);

/// A new version of a file: written next to it under a name of its own (sw/base/part_name.hpp), then put in its place.
/// Each of several writers of one target has its own file; the last commit() stays.
///
///   AtomicFile file("out/checkpoint_5.safetensors");
///   file.write(...);
///   file.commit();  // on disk now; before, nothing of it can be seen
class AtomicFile {
 public:
  /// Throws Refusal, as all of these do; also if something that is no file has the name: a device like /dev/null would
  /// be a file afterwards, for all of the machine.
  explicit AtomicFile(const std::filesystem::path& target);
  /// In the folder of `other`, which both have open.
  AtomicFile(const std::filesystem::path& target, const AtomicFile& other);
  /// Removes what was not committed.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::span<const std::uint8_t> bytes);
  void write(std::string_view text);
  /// At a place of the file, which need not be its end. Thread-safe. What fails gives its room back at once, though the
  /// file lives on.
  void write_at(std::uint64_t offset, std::span<const std::uint8_t> bytes);
  /// The path of the unfinished file, for a library that opens paths and writes into the file that is there.
  std::string part() const;
  /// All is written: fsync, and it is closed. Many files may wait for their commit() so.
  void finish();
  /// finish, rename, fsync of the folder.
  void commit();
  /// Renames alone: whoever reads has it whole, but a machine that loses power may lose it.
  void publish();

 private:
  AtomicFile(const std::filesystem::path& target, std::shared_ptr<const Descriptor> folder);
  [[noreturn]] void give_up(int error);

  std::string path_, name_, part_;            // part_: what it is called until it is committed
  std::shared_ptr<const Descriptor> folder_;  // open from the start: what is written can be put in its place
  Descriptor fd_;
};

/// Removes the files that are being written, if any: for the thread that ends the program at a signal.
void discard_unfinished() noexcept;

/// Whether the file or folder that is open is the one that has the name.
bool has_name(int file, const std::string& name);
inline bool has_name(const Descriptor& file, const std::string& name) { return has_name(file.get(), name); }

/// -1, and errno, if it cannot be opened.
Descriptor open_folder(const std::string& folder);
/// Returns when what was made, renamed or removed in the folder is on disk; `file` is whose error it would be.
void sync_folder(const Descriptor& folder, const std::string& file);

/// What to do about EMFILE and ENFILE.
inline constexpr const char* kMoreFiles = "raise the limit on open files (ulimit -n), or close some";

/// Removes what killed programs left unfinished in `folder`, whose lock the caller holds, and in its `train`.
void remove_unfinished(const std::filesystem::path& folder);

/// All of a file, which has `most` bytes at most. Throws Refusal, also if it is larger, or than memory.
std::vector<std::uint8_t> read_file(const std::string& file, std::uint64_t most = UINT64_MAX);

/// The same as text. Throws Refusal if it cannot be read, is empty, of which `hint` says what to do, or has more than
/// `most` bytes.
std::string read_text(const std::string& path, std::uint64_t most = UINT64_MAX,
                      std::string_view hint = "put the text into it or name another");

/// That there is no memory for `file` and what is made of it: `more` says what, " and ...".
Refusal does_not_fit(const std::string& file, std::uint64_t bytes, std::string_view more = "");

}  // namespace weft
