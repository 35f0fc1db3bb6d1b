#include "host/config/file/shared_files.hpp"

#include <algorithm>
#include <system_error>

namespace weft::config {
namespace fs = std::filesystem;

fs::path shared_folder(const char* name) {
  std::error_code error;
  const fs::path beside = fs::read_symlink("/proc/self/exe", error).parent_path().parent_path();
  if (error) return {};
  for (const fs::path& folder : {beside / "share" / "weft" / name, beside / name})
    if (fs::is_directory(folder, error)) return folder;
  return {};
}

fs::path parameter_file(const fs::path& file) {
  std::error_code error;
  if (file.empty() || file.is_absolute() || fs::exists(file, error)) return file;
  const fs::path configs = shared_folder("configs");
  const fs::path name = *file.begin() == "configs" ? file.lexically_relative("configs") : file;
  const bool inside = std::ranges::find(name, fs::path("..")) == name.end();
  return !configs.empty() && inside && fs::is_regular_file(configs / name, error) ? configs / name : file;
}

}  // namespace weft::config
