#include "host/swarmx/auth/key_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <string_view>

#include "sw/base/descriptor.hpp"
#include "sw/base/refusal.hpp"

namespace weft {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& problem, const std::string& hint) {
  throw Refusal(file.string(), problem, hint);
}

std::string make_one(const std::filesystem::path& file) {
  return fmt::format("make one: (umask 077; openssl rand -hex 32 > {})", file.string());
}

/// A file that cannot be read, by errno: another key helps only where there is none.
[[noreturn]] void refuse_unreadable(const std::filesystem::path& file, int error) {
  const bool absent = error == ENOENT || error == ENOTDIR || error == ELOOP;
  refuse(file, std::strerror(error),
         absent ? make_one(file)
         : error == EACCES || error == EPERM
             ? fmt::format("let its owner give it to user {}: chown {} {}", ::geteuid(), ::geteuid(), file.string())
         : error == EMFILE || error == ENFILE ? "raise the limit on open files (ulimit -n), or close some"
                                              : "check the disk it is on");
}

}  // namespace

std::vector<std::uint8_t> read_key_file(const std::filesystem::path& file) {
  const Descriptor opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));  // a pipe would wait
  if (opened.get() < 0) refuse_unreadable(file, errno);
  // Of what was opened, not of what has the name by now.
  struct stat about {};
  if (::fstat(opened.get(), &about) != 0) refuse_unreadable(file, errno);
  if (!S_ISREG(about.st_mode)) refuse(file, "is not a regular file", make_one(file));
  if (about.st_uid != ::geteuid()) {
    refuse(file, fmt::format("belongs to user {}, and we are user {}", about.st_uid, ::geteuid()),
           fmt::format("chown {} {}, if the key is known to nobody else", ::geteuid(), file.string()));
  }
  if ((about.st_mode & 07077) != 0) {
    refuse(file, fmt::format("has mode {:04o}: others may know the key", about.st_mode & 07777),
           fmt::format("chmod 600 {}; if others could read it, make another key", file.string()));
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
    refuse(file, fmt::format("has a key of {} bytes; it must have at least {}", size, kLeastKey), make_one(file));
  }
  key.resize(size);
  return key;
}

}  // namespace weft
