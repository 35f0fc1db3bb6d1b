#include "sw/base/named_text.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iostream>
#include <system_error>

#include "sw/base/descriptor.hpp"
#include "sw/base/refusal.hpp"

namespace weft {
namespace {

constexpr std::size_t kAtOnce = 64 << 10;  // bytes
constexpr int kPatience = 2000;            // ms

[[noreturn]] void unreadable() { throw std::system_error(errno, std::generic_category()); }

/// Reads the first `most` bytes of `file`, which was opened from `path`.
std::string text_of(int file, const std::string& path, std::size_t most) {
  std::string text;
  for (bool said = false; text.size() < most;) {
    wait_to_read(file, path, said);
    const std::size_t before = text.size(), piece = std::min(kAtOnce, most - before);
    text.resize(before + piece);
    const ssize_t count = ::read(file, text.data() + before, piece);
    const int error = errno;
    text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    if (count == 0) break;
    if (count > 0 || error == EAGAIN || error == EINTR) continue;
    errno = error;
    unreadable();
  }
  return text;
}

}  // namespace

void wait_to_read(int file, const std::string& path, bool& said) {
  pollfd ready{.fd = file, .events = POLLIN, .revents = 0};
  while (::poll(&ready, 1, said ? -1 : kPatience) == 0) {
    said = true;
    std::cerr << one_line(path)
              << (::isatty(file) != 0 ? ": waits for typed input. HINT: Ctrl-D ends the input.\n"
                                      : ": waits for a program that writes to this pipe. HINT: start that program, or "
                                        "end this program with Ctrl-C.\n")
              << std::flush;
  }
}

std::string named_text(const std::string& path, std::size_t most) {
  // O_NONBLOCK: opening a pipe that has no writer yet must not block.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (file.get() < 0) unreadable();
  return text_of(file.get(), path, most);
}

std::string whole_text(const std::string& path, std::size_t most, std::string_view hint) {
  const bool typed = path == "-";
  std::string text;
  try {
    text = typed ? text_of(STDIN_FILENO, "standard input", most + 1) : named_text(path, most + 1);
  } catch (const std::system_error& error) {
    throw Refusal(path, "cannot be read: " + error.code().message(), hint).caused_by(error.code().value());
  }
  if (text.size() > most) throw Refusal(path, "is longer than " + std::to_string(most >> 20) + " MiB", hint);
  return text;
}

}  // namespace weft
