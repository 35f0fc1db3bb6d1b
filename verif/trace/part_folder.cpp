#include "verif/trace/part_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <system_error>

#include "sw/base/descriptor.hpp"
#include "sw/base/part_name.hpp"
#include "sw/base/refusal.hpp"

namespace weft::trace {
namespace {

namespace fs = std::filesystem;

Refusal cannot_write(const fs::path& file, int error) {
  return Refusal(file.string(), "cannot be written: " + std::generic_category().message(error),
                 "make room, or name a place on another disk")
      .caused_by(error);
}

/// Lock held while a set of files is moved into place. On file systems without locks, writers of one set must not
/// overlap.
Descriptor lock(const fs::path& folder) {
  Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  while (opened.get() >= 0 && ::flock(opened.get(), LOCK_EX) != 0 && errno == EINTR) {
  }
  return opened;
}

}  // namespace

PartFolder::PartFolder(fs::path folder, const std::string& name)
    : folder_(folder.empty() ? fs::path(".") : std::move(folder)) {
  remove_left_parts(folder_);
  part_ = folder_ / part_name(name);
  if (::mkdir(part_.c_str(), 0777) != 0) throw cannot_write(folder_ / name, errno);  // fails if the name exists
}

PartFolder::~PartFolder() {
  std::error_code ignored;
  fs::remove_all(part_, ignored);
}

void PartFolder::publish(const std::vector<std::string>& names, const std::vector<std::string>& old) const {
  const Descriptor locked = lock(folder_);
  std::error_code ignored, error;
  fs::remove(folder_ / names.back(), ignored);  // so that it never appears together with files of another set
  for (const std::string& name : old) fs::remove(folder_ / name, ignored);
  for (const std::string& name : names) {
    fs::rename(part_ / name, folder_ / name, error);
    if (error) throw cannot_write(folder_ / name, error.value());
  }
  fs::remove_all(part_, ignored);
}

}  // namespace weft::trace
