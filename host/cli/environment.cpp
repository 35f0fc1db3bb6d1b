#include "host/cli/environment.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace weft::cli {

std::filesystem::path program_sibling(const char* name) {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / name;
}

bool shows_progress() {
  const char* terminal = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) != 0 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

bool shows_colors() {
  const char* none = std::getenv("NO_COLOR");
  return ::isatty(STDOUT_FILENO) != 0 && (none == nullptr || *none == '\0');
}

void open_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) < 0) ::open("/", O_RDONLY | O_DIRECTORY);  // open takes the lowest free descriptor
  }
}

void raise_file_limit() {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);  // on failure, the current limit must do
}

}  // namespace weft::cli
