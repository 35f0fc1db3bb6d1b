#include "host/config/file/shared_files.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <system_error>

namespace weft::config {
namespace fs = std::filesystem;

namespace {

/// The program, or the shared library, that has this code; empty if it cannot be found.
fs::path own_file() {
  std::error_code error;
  Dl_info info{};
  link_map* library = nullptr;
  const auto* const here = reinterpret_cast<const void*>(&shared_folder);
  if (::dladdr1(here, &info, reinterpret_cast<void**>(&library), RTLD_DL_LINKMAP) != 0 && library != nullptr &&
      library->l_name != nullptr && *library->l_name != '\0')  // the program itself has no name there
    return fs::canonical(library->l_name, error);
  return fs::read_symlink("/proc/self/exe", error);
}

}  // namespace

fs::path shared_folder(const char* name) {
  const fs::path folder = own_file().parent_path(), above = folder.parent_path();
  if (folder.empty()) return {};
  std::error_code error;
  for (const fs::path& there : {above / "share" / "weft" / name, above.parent_path() / "share" / "weft" / name,
                                folder / "share" / "weft" / name, above / name})
    if (fs::is_directory(there, error)) return there;
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
