/// Folders in which the system lists devices and processes. Tests use another root with the same tree.
#pragma once

#include <filesystem>

namespace weft::board {

struct SystemFolders {
  std::filesystem::path root = "/";

  std::filesystem::path sys() const { return root / "sys"; }
  std::filesystem::path dev() const { return root / "dev"; }
  std::filesystem::path proc() const { return root / "proc"; }
};

}  // namespace weft::board
