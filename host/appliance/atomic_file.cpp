#include "host/appliance/atomic_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>

namespace weft {
namespace {

/// Closes and, unless it was kept, removes.
class Temporary {
 public:
  explicit Temporary(std::string path)
      : path_(std::move(path)), file_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
    if (file_ < 0) fail();
  }
  ~Temporary() {
    if (file_ >= 0) ::close(file_);
    if (!kept_) ::unlink(path_.c_str());
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  void write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::write(file_, bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) fail();
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    if (::fsync(file_) != 0) fail();
  }
  void become(const std::string& path) {
    if (::rename(path_.c_str(), path.c_str()) != 0) fail();
    kept_ = true;
  }

 private:
  [[noreturn]] void fail() const { throw std::runtime_error(path_ + " cannot be written: " + std::strerror(errno)); }
  std::string path_;
  int file_;
  bool kept_ = false;
};

void sync_folder(const std::filesystem::path& folder) {
  const int handle = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (handle < 0) return;  // a folder that may be written but not read
  ::fsync(handle);
  ::close(handle);
}

}  // namespace

void replace_file(const std::string& path, std::string_view bytes) {
  Temporary file(path + ".tmp");
  file.write(bytes);
  file.become(path);
  sync_folder(std::filesystem::path(path).parent_path());
}

}  // namespace weft
