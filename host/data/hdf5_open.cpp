#include "host/data/hdf5_open.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <vector>

#include "host/checkpoint/file.hpp"
#include "sw/base/descriptor.hpp"
#include "sw/base/known_format.hpp"
#include "sw/base/refusal.hpp"
#include "sw/base/shell_word.hpp"

namespace weft::data {
namespace {

constexpr auto kAnotherCopy = "write or fetch the file again";

/// Messages of the library's error stack, the innermost first.
std::vector<std::string> error_stack() {
  std::vector<std::string> all;
  const auto add = [](unsigned, const H5E_error2_t* error, void* to) -> herr_t {
    if (error->desc != nullptr) static_cast<std::vector<std::string>*>(to)->emplace_back(error->desc);
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, add, &all);
  return all;
}

/// The message that contains `part`; empty if there is none.
std::string find(const std::vector<std::string>& stack, std::string_view part) {
  for (const std::string& message : stack)
    if (message.find(part) != std::string::npos) return message;
  return {};
}

/// The errno in "unable to lock file, errno = 11, error message = ..."; 0 if there is none.
int errno_in(const std::string& message) {
  constexpr std::string_view kErrno = "errno = ";
  const std::size_t at = message.find(kErrno);
  return at == std::string::npos ? 0 : std::atoi(message.c_str() + at + kErrno.size());
}

std::string text_of(int error) { return std::generic_category().message(error); }

/// Opens the file without the library, because only the system reports why a file cannot be read.
void check_readable(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));  // opening a pipe would block
  const int error = errno;
  if (file.get() < 0)
    throw Refusal(
        path, "cannot be read: " + text_of(error),
        error == EMFILE || error == ENFILE ? checkpoint::kMoreFiles : "name an existing file that you may read")
        .caused_by(error);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode))
    throw Refusal(path, "is not a regular file", "name a file of HDF5");
}

hid_t open_with(const std::string& path, bool locks) {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  if (!locks) H5Pset_file_locking(access, false, true);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access);
  if (file >= 0) H5Pclose(access);  // on failure it stays open: closing it would clear the error stack
  return file;
}

/// The length a file should have, from "truncated file: eof = 5, sblock->base_addr = 0, stored_eof = 9".
std::string length_in(const std::string& message, std::string_view key) {
  const std::size_t at = message.find(key);
  if (at == std::string::npos) return "?";
  const std::size_t begin = at + key.size();
  return message.substr(begin, message.find_first_not_of("0123456789", begin) - begin);
}

[[noreturn]] void refuse(const std::string& path, const std::vector<std::string>& stack) {
  if (const std::string cut = find(stack, "truncated file"); !cut.empty())
    throw Refusal(
        path,
        fmt::format("is cut short: it has {} bytes of {}", length_in(cut, " eof = "), length_in(cut, "stored_eof = ")),
        kAnotherCopy);
  if (!find(stack, "already open for").empty())
    throw Refusal(path, "is marked as open for writing: a program is writing the file, or was killed meanwhile",
                  fmt::format("wait for that program; if there is none: h5clear -s {}", shell_word(path)));
  if (!find(stack, "signature not found").empty() || !find(stack, "not an HDF5 file").empty()) {
    check_format(first_bytes(path), Expected::Hdf5, path);
    throw Refusal(path, "is not an HDF5 file: it does not begin with the signature of HDF5", kAnotherCopy);
  }
  if (const int error = errno_in(find(stack, "errno = ")); error != 0)
    throw Refusal(path, "cannot be read: " + text_of(error), "check the disk it is on").caused_by(error);
  const std::string why = stack.empty() ? "no cause" : stack.front();
  check_hdf5_version(path, why);
  throw Refusal(path, "cannot be opened by the HDF5 library: " + one_line(why, 200), kAnotherCopy);
}

}  // namespace

std::mutex& hdf5_mutex() {
  static std::mutex mutex;
  return mutex;
}

hid_t open_hdf5(const std::string& path) {
  check_readable(path);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // errors are reported by this program instead
  hid_t file = open_with(path, true);
  if (file >= 0) return file;
  std::vector<std::string> stack = error_stack();
  if (const std::string lock = find(stack, "lock file"); !lock.empty()) {
    const int error = errno_in(lock);
    if (error == EAGAIN || error == EWOULDBLOCK || error == EACCES)
      throw Refusal(path, "is open for writing in another program", "wait until that program has closed it");
    file = open_with(path, false);  // the file system has no locks
    if (file >= 0) return file;
    stack = error_stack();
  }
  refuse(path, stack);
}

void check_hdf5_version(const std::string& path, const std::string& why) {
  if (why.find(" version") == std::string::npos) return;  // does not match "conversion"
  throw Refusal(path,
                fmt::format("was written by a newer HDF5 than {}.{}.{}, which this program uses: {}", H5_VERS_MAJOR,
                            H5_VERS_MINOR, H5_VERS_RELEASE, one_line(why, 200)),
                fmt::format("convert it where it was written: h5repack --high=V18 {} OUT", shell_word(path)));
}

std::string hdf5_cause() {
  const std::vector<std::string> stack = error_stack();
  return stack.empty() ? "" : one_line(stack.front(), 200);
}

void check_filters(const std::string& path, hid_t data) {
  const hid_t plan = H5Dget_create_plist(data);
  const int count = H5Pget_nfilters(plan);
  for (int n = 0; n < count; ++n) {
    std::array<char, 80> name{};
    unsigned flags = 0, config = 0;
    std::size_t values = 0;
    const H5Z_filter_t filter =
        H5Pget_filter2(plan, static_cast<unsigned>(n), &flags, &values, nullptr, name.size() - 1, name.data(), &config);
    if (filter < 0 || H5Zfilter_avail(filter) > 0) continue;
    H5Pclose(plan);
    constexpr H5Z_filter_t kLzf = 32000;
    const std::string called = name[0] == '\0' ? "" : fmt::format(", {},", one_line(name.data(), 60));
    const std::string problem =
        fmt::format("is packed by HDF5's filter {}{} which is not installed here", filter, called);
    if (filter == kLzf)  // hdf5plugin and h5repack lack LZF
      throw Refusal(path, problem, "read it with Python's h5py, which has LZF, and write it with compression=\"gzip\"");
    throw Refusal(path, problem,
                  fmt::format("set HDF5_PLUGIN_PATH to the folder of that filter (hdf5plugin.PLUGIN_PATH of Python's "
                              "hdf5plugin), or pack it by gzip where the filter is: h5repack -f GZIP=4 {} OUT",
                              shell_word(path)));
  }
  H5Pclose(plan);
}

}  // namespace weft::data
