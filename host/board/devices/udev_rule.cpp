#include "host/board/devices/udev_rule.hpp"

#include "sw/base/shell_word.hpp"

namespace weft::board {
namespace fs = std::filesystem;
namespace {

constexpr const char* kRule = "70-weft-boards.rules";

/// The rule supplied with this program: from the source tree if the program is in its build folder, otherwise from the
/// installation.
fs::path rule_file() {
  std::error_code error;
  const fs::path base = fs::read_symlink("/proc/self/exe", error).parent_path().parent_path();
  for (const fs::path& folder : {base / "fpga", base / "lib/udev/rules.d"})
    if (fs::exists(folder / kRule, error)) return folder / kRule;
  return fs::path("fpga") / kRule;
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// True if `file` equals our rule; empty files and older versions do not count. Without a rule to compare with, any
/// nonempty file counts.
bool is_rule(const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return false;
  const fs::path own = rule_file();
  const std::string there = text_of(file), ours = own.is_absolute() ? text_of(own) : "";
  return ours.empty() ? !there.empty() : there == ours;
}

}  // namespace

bool udev_rule_is_installed(const SystemFolders& system) {
  for (const char* folder : {"etc/udev/rules.d", "run/udev/rules.d", "usr/local/lib/udev/rules.d",
                             "usr/lib/udev/rules.d", "lib/udev/rules.d"})
    if (is_rule(system.root / folder / kRule)) return true;
  return false;
}

std::string udev_rule_commands() {
  return "sudo cp " + shell_word(rule_file().string()) +
         " /etc/udev/rules.d/ && sudo udevadm control --reload && sudo udevadm trigger";
}

}  // namespace weft::board
