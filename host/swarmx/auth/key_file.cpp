#include "host/swarmx/auth/key_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <string_view>
#include <system_error>

#include "sw/base/descriptor.hpp"
#include "sw/base/refusal.hpp"
#include "sw/base/shell_word.hpp"

namespace weft::swarmx {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& problem, const std::string& hint) {
  throw Refusal(file.string(), problem, hint);
}

/// Returns the command that makes a key, and its folder if that is missing.
std::string make_one(const std::filesystem::path& file) {
  std::error_code error;
  const std::filesystem::path folder = file.parent_path();
  const bool there = folder.empty() || std::filesystem::exists(folder, error);
  return fmt::format("make one: (umask 077; {}openssl rand -hex 32 > {})",
                     there ? "" : fmt::format("mkdir -p {}; ", shell_word(folder.string())), shell_word(file.string()));
}

/// Rejects a file that cannot be read, by errno: another key helps only if there is none.
[[noreturn]] void refuse_unreadable(const std::filesystem::path& file, int error) {
  const auto hint = [&]() -> std::string {
    switch (error) {
      case ENOENT:
        return make_one(file);
      case EACCES:
      case EPERM:
        return fmt::format(
            "let its owner give it to user {0}: chown {0} {1}; user {0} must be able to enter its folder", ::geteuid(),
            shell_word(file.string()));
      case EMFILE:
      case ENFILE:
        return "raise the limit on open files (ulimit -n), or close some";
      case ENOTDIR:
      case ELOOP:
      case ENAMETOOLONG:
      case ENXIO:  // a socket
        return "name a file that only you can read";
      default:
        return "check the disk it is on";
    }
  };
  throw Refusal(file.string(), std::generic_category().message(error), hint()).caused_by(error);
}

/// Rejects a pipe, a folder or a device: a command that writes to that name would block, or fail.
[[noreturn]] void refuse_other(const std::filesystem::path& file, mode_t mode) {
  const std::string name = file.has_filename() ? file.filename().string() : "swarm";
  refuse(file, "is not a regular file",
         "name another, and " + make_one(S_ISDIR(mode) ? file / "key" : file.parent_path() / (name + ".key")));
}

}  // namespace

std::vector<std::uint8_t> read_key_file(const std::filesystem::path& file) {
  const Descriptor opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));  // a pipe would block
  if (opened.get() < 0) refuse_unreadable(file, errno);
  // Checks the file that was opened, not one that has the name by now.
  struct stat about {};
  if (::fstat(opened.get(), &about) != 0) refuse_unreadable(file, errno);
  if (!S_ISREG(about.st_mode)) refuse_other(file, about.st_mode);
  if (about.st_uid != ::geteuid()) {
    refuse(file, fmt::format("belongs to user {}, but this process runs as user {}", about.st_uid, ::geteuid()),
           fmt::format("chown {} {}, if no other user knows the key", ::geteuid(), shell_word(file.string())));
  }
  if ((about.st_mode & 07077) != 0) {
    refuse(file, fmt::format("has mode {:04o}, so other users may know the key", about.st_mode & 07777),
           fmt::format("chmod 600 {}; if other users could read the key, make another one", shell_word(file.string())));
  }
  std::vector<std::uint8_t> key(kMostKey + 1);
  std::size_t size = 0;
  while (size < key.size()) {
    const ssize_t got = ::read(opened.get(), key.data() + size, key.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse_unreadable(file, errno);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  if (size > kMostKey) refuse(file, fmt::format("has more than {} bytes", kMostKey), make_one(file));
  constexpr std::string_view kWhite = " \t\r\n";
  while (size > 0 && kWhite.find(static_cast<char>(key[size - 1])) != std::string_view::npos) --size;
  if (size < kLeastKey) {
    refuse(file, fmt::format("has a key of {} bytes, fewer than the required {}", size, kLeastKey), make_one(file));
  }
  key.resize(size);
  return key;
}

}  // namespace weft::swarmx
