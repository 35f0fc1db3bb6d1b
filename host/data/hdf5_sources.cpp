#include "host/data/hdf5_sources.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <vector>

#include "sw/base/refusal.hpp"

namespace weft {
namespace {

namespace fs = std::filesystem;

/// Checks both places in which the library searches: the working folder, and the folder of the file with the name.
void check_named(const std::string& path, const fs::path& named) {
  for (const fs::path& at : {named, fs::path(path).parent_path() / named}) {
    std::error_code error;
    const fs::file_status status = fs::status(at, error);
    if (!fs::exists(status) || fs::is_regular_file(status)) continue;
    throw Refusal(path, fmt::format("has its data in {}, which is no regular file", one_line(at.string(), 200)),
                  "write the samples into the file itself, as a data set \"data\"");
  }
}

}  // namespace

void check_hdf5_link(hid_t file, const std::string& path) {
  H5L_info_t link;
  if (H5Lget_info(file, "data", &link, H5P_DEFAULT) < 0 || link.type != H5L_TYPE_EXTERNAL) return;
  std::vector<char> value(link.u.val_size);
  const char *named = nullptr, *object = nullptr;
  unsigned flags = 0;
  if (H5Lget_val(file, "data", value.data(), value.size(), H5P_DEFAULT) >= 0 &&
      H5Lunpack_elink_val(value.data(), value.size(), &flags, &named, &object) >= 0)
    check_named(path, named);
}

void check_hdf5_storage(hid_t data, const std::string& path) {
  const hid_t how = H5Dget_create_plist(data);
  if (how < 0) return;
  std::vector<std::string> files;
  std::array<char, 4096> name{};
  const int external = H5Pget_external_count(how);
  for (int n = 0; n < external; ++n) {
    off_t offset = 0;
    hsize_t size = 0;
    if (H5Pget_external(how, static_cast<unsigned>(n), name.size() - 1, name.data(), &offset, &size) >= 0)
      files.emplace_back(name.data());
  }
  std::size_t parts = 0;
  if (H5Pget_layout(how) == H5D_VIRTUAL && H5Pget_virtual_count(how, &parts) >= 0) {
    for (std::size_t n = 0; n < parts; ++n)
      if (H5Pget_virtual_filename(how, n, name.data(), name.size()) > 0) files.emplace_back(name.data());
  }
  H5Pclose(how);
  for (const std::string& file : files) check_named(path, file);
}

}  // namespace weft
