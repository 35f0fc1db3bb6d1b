#include "host/data/open_files.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "host/checkpoint/file.hpp"
#include "sw/base/refusal.hpp"

namespace weft::data {
namespace {

std::size_t some_of_those_allowed() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 1;
  return std::clamp<rlim_t>(limit.rlim_cur / 8, 1, 1024);
}

}  // namespace

Descriptor open_to_read(const std::string& path) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));  // a pipe would block
  const int error = errno;
  if (file.get() < 0) {
    throw Refusal(
        path, "cannot be opened: " + std::generic_category().message(error),
        error == EMFILE || error == ENFILE ? checkpoint::kMoreFiles : "check that it exists and that you may read it")
        .caused_by(error);
  }
  struct stat status {};
  if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode))
    throw Refusal(path, "is not a file", "name a file");
  return file;
}

OpenFiles::OpenFiles(std::size_t most) : most_(most > 0 ? most : some_of_those_allowed()) {}

std::shared_ptr<const Descriptor> OpenFiles::get(const std::string& path) {
  const std::scoped_lock lock(mutex_);
  const auto at = std::ranges::find(open_, path, &Open::path);
  if (at != open_.end()) {
    open_.splice(open_.begin(), open_, at);
  } else {
    if (open_.size() >= most_) open_.pop_back();
    open_.push_front({path, std::make_shared<const Descriptor>(open_to_read(path))});
  }
  return open_.front().file;
}

}  // namespace weft::data
