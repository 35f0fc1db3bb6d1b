#include "host/memoryx/pages/scratch_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "sw/base/refusal.hpp"

namespace weft::memoryx {
namespace {

constexpr const char* kKey = "set memoryx.flash_dir to a folder on a local disk that you may write to";

Refusal refused(const std::string& name, const std::string& problem, const char* hint = kKey) {
  return {name, problem, hint};
}

/// Opens a file without a name, or unlinks its name at once.
int open_unnamed(const std::string& folder, int more) {
  const int flags = O_RDWR | O_CLOEXEC | more;
  const int file = ::open(folder.c_str(), O_TMPFILE | flags, 0600);
  if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT)) return file;
  std::string name = folder + "/.memoryx-XXXXXX.weft-part";
  const int named = ::mkostemps(name.data(), 10, O_CLOEXEC | more);
  if (named >= 0) ::unlink(name.c_str());
  return named;
}

}  // namespace

std::string scratch_name(const std::string& folder) { return folder + "/(memoryx)"; }

ScratchFile make_scratch_file(const std::string& folder, std::uint64_t bytes) {
  ScratchFile scratch{.file = Descriptor(open_unnamed(folder, O_DIRECT)), .name = scratch_name(folder)};
  if (scratch.file.get() < 0 && errno == EINVAL) {
    scratch.file = Descriptor(open_unnamed(folder, 0));
    scratch.direct = false;
  }
  const int error = errno;
  if (scratch.file.get() < 0)
    throw refused(folder, "cannot be written to: " + std::generic_category().message(error)).caused_by(error);
  const int full = ::fallocate(scratch.file.get(), 0, 0, static_cast<off_t>(bytes)) == 0 ? 0 : errno;
  if (full == ENOSPC || full == EDQUOT || full == EFBIG) {
    throw refused(folder,
                  "has no room for the " + std::to_string(bytes) +
                      " bytes of parameters, moments and sums: " + std::generic_category().message(full),
                  full == EFBIG
                      ? "raise the limit on the size of a file (ulimit -f), or leave memoryx.dram_gib out"
                      : "make room, set memoryx.flash_dir to a folder on another disk, or leave memoryx.dram_gib out")
        .caused_by(full);
  }
  if (full != 0 && ::ftruncate(scratch.file.get(), static_cast<off_t>(bytes)) != 0)
    throw refused(folder, "cannot be written to: " + std::generic_category().message(errno)).caused_by(errno);
  return scratch;
}

}  // namespace weft::memoryx
