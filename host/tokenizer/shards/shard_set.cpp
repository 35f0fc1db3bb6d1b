#include "host/tokenizer/shards/shard_set.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "host/checkpoint/file.hpp"
#include "sw/base/refusal.hpp"

namespace weft::tokenizer {
namespace {

constexpr std::string_view kShard = ".bin", kMark = ".incomplete";
constexpr std::size_t kDigits = 6;  // minimum number of digits

std::filesystem::path folder_of(const std::string& path) {
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  return parent.empty() ? "." : parent;
}

}  // namespace

std::string shard_stem(const std::string& path) {
  return path.ends_with(kShard) ? path.substr(0, path.size() - kShard.size()) : path;
}

std::string shard_path(const std::string& stem, std::uint64_t number) {
  return fmt::format("{}_{:06}{}", stem, number, kShard);
}

void check_whole_set(const std::string& path) {
  const std::string name = shard_stem(path);
  const std::size_t line = name.find_last_not_of("0123456789");
  if (name.size() == path.size() || line == std::string::npos || name[line] != '_' || name.size() - line - 1 < kDigits)
    return;
  const std::string mark = name.substr(0, line) + std::string(kMark);
  std::error_code error;
  if (!std::filesystem::exists(mark, error)) return;
  throw Refusal(path, fmt::format("belongs to an incomplete set of shards: {} exists", mark),
                "wait for weft tokenize to end, or start it again if it was stopped");
}

IncompleteMark::IncompleteMark(const std::string& stem) : path_(stem + std::string(kMark)) {
  do {  // repeated if another program removed the file meanwhile
    file_ = Descriptor(::open(path_.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666));
    if (const int error = errno; file_.get() < 0)
      throw Refusal(path_, "cannot be written: " + std::generic_category().message(error),
                    "name a file in a folder that you may write to")
          .caused_by(error);
    if (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
      throw Refusal(path_, "is in use by another program, which writes shards of the same name",
                    "wait for its end, or name others: --out");
  } while (!checkpoint::has_name(file_, path_));
  constexpr std::string_view kText = "weft tokenize is moving shards to their places; the set is still incomplete.\n";
  [[maybe_unused]] const ssize_t count =
      ::pwrite(file_.get(), kText.data(), kText.size(), 0);  // the text is informational
  checkpoint::sync_folder(checkpoint::open_folder(folder_of(path_).string()), path_);
}

void IncompleteMark::finish() {
  const Descriptor folder = checkpoint::open_folder(folder_of(path_).string());
  checkpoint::sync_folder(folder, path_);  // the shards' names must be on disk before the mark is removed
  ::unlink(path_.c_str());
  checkpoint::sync_folder(folder, path_);
}

}  // namespace weft::tokenizer
