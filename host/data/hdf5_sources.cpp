#include "host/data/hdf5_sources.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <vector>

#include "host/data/hdf5_handle.hpp"
#include "host/data/hdf5_open.hpp"
#include "sw/base/refusal.hpp"

namespace weft::data {
namespace {

namespace fs = std::filesystem;

/// Checks both places in which the library searches: the working folder, and the folder of the file that names `named`.
void check_named(const std::string& path, const fs::path& named) {
  for (const fs::path& at : {named, fs::path(path).parent_path() / named}) {
    std::error_code error;
    const fs::file_status status = fs::status(at, error);
    if (!fs::exists(status) || fs::is_regular_file(status)) continue;
    throw Refusal(path, fmt::format("has its data in {}, which is not a regular file", one_line(at.string(), 200)),
                  "write the samples into the file itself, as a data set \"data\"");
  }
}

}  // namespace

void check_hdf5_link(hid_t file, const std::string& path, const char* name) {
  H5L_info_t link;
  if (H5Lget_info(file, name, &link, H5P_DEFAULT) < 0 || link.type != H5L_TYPE_EXTERNAL) return;
  std::vector<char> value(link.u.val_size);
  const char *named = nullptr, *object = nullptr;
  unsigned flags = 0;
  if (H5Lget_val(file, name, value.data(), value.size(), H5P_DEFAULT) >= 0 &&
      H5Lunpack_elink_val(value.data(), value.size(), &flags, &named, &object) >= 0)
    check_named(path, named);
}

namespace {

/// The name of a data set at the root of its file.
std::string name_of(hid_t data) {
  std::array<char, 64> name{};
  H5Iget_name(data, name.data(), name.size());
  return name[0] == '/' ? name.data() + 1 : name.data();
}

std::vector<hsize_t> shape_of(hid_t space) {
  std::vector<hsize_t> shape(static_cast<std::size_t>(std::max(H5Sget_simple_extent_ndims(space), 0)));
  if (!shape.empty()) H5Sget_simple_extent_dims(space, shape.data(), nullptr);
  return shape;
}

/// Checks external raw files: past their ends, the library reads zeros.
void check_external(const std::string& path, hid_t data, hid_t how) {
  const Hdf5Handle space(H5Dget_space(data), H5Sclose), type(H5Dget_type(data), H5Tclose);
  std::uint64_t left = static_cast<std::uint64_t>(H5Sget_simple_extent_npoints(space.get())) * H5Tget_size(type.get());
  std::array<char, 4096> name{};
  const int count = H5Pget_external_count(how);
  for (int n = 0; n < count; ++n) {
    off_t offset = 0;
    hsize_t size = 0;
    if (H5Pget_external(how, static_cast<unsigned>(n), name.size() - 1, name.data(), &offset, &size) < 0) continue;
    check_named(path, name.data());
    const std::uint64_t taken = std::min<std::uint64_t>(left, size);
    left -= taken;
    std::error_code error;
    const std::uint64_t there = fs::file_size(name.data(), error), need = static_cast<std::uint64_t>(offset) + taken;
    if (!error && there < need)
      throw Refusal(path,
                    fmt::format("has its data in {}, which is cut short: it has {} bytes of {}",
                                one_line(name.data(), 200), there, need),
                    "write or fetch that file again");
  }
}

/// Path at which the library finds a source of a virtual data set in the file `holder`; empty if there is none.
std::string find_source(const fs::path& holder, const fs::path& named) {
  std::vector<fs::path> places = {named, holder.parent_path() / named, holder.parent_path() / named.filename(),
                                  named.filename()};
  if (const char* prefix = std::getenv("HDF5_VDS_PREFIX"); prefix != nullptr) {
    std::string folder = prefix;
    constexpr std::string_view kOrigin = "${ORIGIN}";
    if (folder.starts_with(kOrigin)) folder.replace(0, kOrigin.size(), holder.parent_path().string());
    places.push_back(fs::path(folder) / named);
  }
  std::error_code ignored;
  for (const fs::path& place : places)
    if (fs::exists(place, ignored)) return place.string();
  return {};
}

/// Checks one source of a virtual data set: for missing data, the library silently reads the fill value.
void check_source(const std::string& path, hid_t data, const std::string& named, const std::string& object,
                  hid_t wanted, hssize_t points) {
  const auto refuse = [&](const std::string& problem) {
    throw Refusal(path, fmt::format("has its data in {}, {}", named == "." ? "itself" : one_line(named, 200), problem),
                  "put that file where it was when this one was written, or write the data into one file");
  };
  if (named.find('%') != named.npos || object.find('%') != object.npos) return;  // a printf-style series of names
  const Hdf5Handle holder(H5Iget_file_id(data), H5Fclose);
  std::array<char, 4096> holder_name{};
  H5Fget_name(holder.get(), holder_name.data(), holder_name.size());
  std::string found = holder_name.data();
  if (named != ".") {
    check_named(path, named);
    found = find_source(holder_name.data(), named);
    if (found.empty()) refuse("which does not exist");
  }
  const Hdf5Handle file(open_hdf5(found), H5Fclose);
  const Hdf5Handle source(H5Dopen2(file.get(), object.c_str(), H5P_DEFAULT), H5Dclose);
  if (source.get() < 0) refuse(fmt::format("which has no data set {}", one_line(object, 80)));
  const Hdf5Handle space(H5Dget_space(source.get()), H5Sclose);
  const std::vector<hsize_t> there = shape_of(space.get()), need = shape_of(wanted);
  if (need.empty()) {  // the whole source
    if (const hssize_t all = H5Sget_simple_extent_npoints(space.get()); points > all)
      refuse(fmt::format("whose data set {} has {} numbers, not {}", one_line(object, 80), all, points));
    return;
  }
  bool less = there.size() != need.size();
  for (std::size_t n = 0; !less && n < need.size(); ++n) less = there[n] < need[n] && need[n] != H5S_UNLIMITED;
  if (less)
    refuse(fmt::format("whose data set {} has the shape [{}], not [{}]", one_line(object, 80), fmt::join(there, ", "),
                       fmt::join(need, ", ")));
}

void check_virtual(const std::string& path, hid_t data, hid_t how) {
  std::array<char, 4096> file{}, object{};
  std::size_t parts = 0;
  if (H5Pget_virtual_count(how, &parts) < 0) return;
  hssize_t mapped = 0;
  bool known = true;
  for (std::size_t n = 0; n < parts; ++n) {
    if (H5Pget_virtual_filename(how, n, file.data(), file.size()) <= 0 ||
        H5Pget_virtual_dsetname(how, n, object.data(), object.size()) <= 0)
      continue;
    const Hdf5Handle wanted(H5Pget_virtual_srcspace(how, n), H5Sclose), here(H5Pget_virtual_vspace(how, n), H5Sclose);
    const hssize_t points = H5Sget_select_npoints(here.get());
    check_source(path, data, file.data(), object.data(), wanted.get(), points);
    known &= points >= 0;
    mapped += points;
  }
  const Hdf5Handle space(H5Dget_space(data), H5Sclose);
  const hssize_t all = H5Sget_simple_extent_npoints(space.get());
  if (known && mapped < all)
    throw Refusal(path, fmt::format("has no file for {} of the {} numbers of \"{}\"", all - mapped, all, name_of(data)),
                  "write the file again with all of the data");
}

/// Checks that the data stored in the file itself was written: for missing data, the library silently reads the fill
/// value.
void check_written(const std::string& path, hid_t data, hid_t how) {
  const Hdf5Handle space(H5Dget_space(data), H5Sclose);
  const std::vector<hsize_t> shape = shape_of(space.get());
  if (H5Sget_simple_extent_npoints(space.get()) <= 0) return;
  std::uint64_t all = 1;
  hsize_t there = 0;
  if (H5Pget_layout(how) == H5D_CHUNKED) {
    std::vector<hsize_t> chunk(shape.size());
    H5Pget_chunk(how, static_cast<int>(chunk.size()), chunk.data());
    for (std::size_t n = 0; n < shape.size(); ++n) all *= (shape[n] + chunk[n] - 1) / chunk[n];
    if (H5Dget_num_chunks(data, space.get(), &there) < 0) return;
  } else if (H5Pget_layout(how) == H5D_CONTIGUOUS && H5Pget_external_count(how) == 0) {
    there = H5Dget_storage_size(data) > 0 ? 1 : 0;
  } else {
    return;
  }
  if (there < all)
    throw Refusal(path,
                  fmt::format("has {} of {} parts of \"{}\": the others were never written", there, all, name_of(data)),
                  "let the program that writes it end, or write the file again");
}

}  // namespace

hid_t open_hdf5_data(hid_t file, const std::string& path, const char* name) {
  check_hdf5_link(file, path, name);
  const Hdf5Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  H5Pset_chunk_cache(access.get(), 0, 0, 0);
  return H5Dopen2(file, name, access.get());
}

void check_hdf5_storage(hid_t data, const std::string& path) {
  const Hdf5Handle how(H5Dget_create_plist(data), H5Pclose);
  if (how.get() < 0) return;
  check_external(path, data, how.get());
  if (H5Pget_layout(how.get()) == H5D_VIRTUAL) check_virtual(path, data, how.get());
  check_written(path, data, how.get());
}

}  // namespace weft::data
