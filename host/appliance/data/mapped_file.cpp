#include "host/appliance/data/mapped_file.hpp"

#include <boost/interprocess/file_mapping.hpp>
#include <boost/interprocess/mapped_region.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "sw/base/refusal.hpp"

namespace weft {

MappedFile map_file(const std::string& path) {
  namespace ip = boost::interprocess;
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw Refusal(path, "does not exist", "check the path");
  if (!std::filesystem::is_regular_file(status)) throw Refusal(path, "is not a file", "name a file");
  errno = 0;
  if (!std::ifstream(path)) {
    throw Refusal(path, std::string("cannot be read: ") + std::strerror(errno), "check its permissions");
  }
  if (std::filesystem::file_size(path, error) == 0) return {};
  try {
    const ip::file_mapping file(path.c_str(), ip::read_only);
    auto region = std::make_shared<ip::mapped_region>(file, ip::read_only);
    return {{static_cast<const std::byte*>(region->get_address()), region->get_size()}, region};
  } catch (const ip::interprocess_exception& e) {
    throw Refusal(path, std::string("cannot be mapped: ") + e.what(), "use a file on an ordinary file system");
  }
}

}  // namespace weft
