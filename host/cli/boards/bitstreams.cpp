#include "host/cli/boards/bitstreams.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <memory>

#include "host/board/devices/usb_cables.hpp"
#include "host/config/file/shared_files.hpp"
#include "sw/base/shell_word.hpp"

namespace weft::cli {
namespace fs = std::filesystem;
namespace {

std::optional<std::uint64_t> build_of(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, 16);
  if (error != std::errc() || end != text.data() + text.size() || text.size() != 16) return {};
  return number;
}

/// True for a valid folder name of fpga/boards: no characters that are special in a shell or path.
bool is_board_name(std::string_view name) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  return !name.empty() && name.front() != '-' && name.find_first_not_of(kPlain) == std::string_view::npos;
}

}  // namespace

std::vector<Bitstream> find_bitstreams(const fs::path& folder) {
  std::vector<Bitstream> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    std::ifstream in(entry.path() / "weft.build");
    Bitstream bitstream{.folder = entry.path()};
    bool whole = false;
    for (std::string line; std::getline(in, line);) {
      const std::size_t equals = line.find(" = ");
      if (equals == std::string::npos) continue;
      const std::string key = line.substr(0, equals), value = line.substr(equals + 3);
      if (key == "board") bitstream.board = value;
      if (key == "ip") bitstream.ip = value;
      if (const auto number = build_of(value); key == "build" && number) {
        bitstream.build = *number;
        whole = true;
      }
    }
    if (whole && !bitstream.board.empty()) found.push_back(std::move(bitstream));
  }
  std::ranges::sort(found, {}, &Bitstream::folder);
  return found;
}

std::vector<fs::path> bitstream_folders() {
  std::error_code error;
  std::vector<fs::path> folders = {fs::read_symlink("/proc/self/exe", error).parent_path() / "fpga"};
  if (const fs::path shared = config::shared_folder("boards"); !shared.empty()) folders.push_back(shared);
  return folders;
}

std::optional<std::uint64_t> number_of_sources(const fs::path& tree, const board::DeviceInfo& info) {
  const fs::path script = tree / "fpga/build_number.sh";
  std::error_code error;
  if (!is_board_name(info.name) || !fs::exists(script, error)) return {};
  if (!fs::exists(tree / "fpga/boards" / info.name / "board", error)) return {};
  const std::string command =
      fmt::format("{} {} {} rows={} cols={} sram_kib={} debug={} tally={} clock={} 2>/dev/null",
                  shell_word(script.string()), shell_word((tree / "build").string()), info.name, info.rows, info.cols,
                  info.sram_kib, info.debug ? 1 : 0, info.tally, info.khz);
  const auto close = [](FILE* file) { ::pclose(file); };
  const std::unique_ptr<FILE, decltype(close)> out(::popen(command.c_str(), "r"), close);
  std::string text(16, '\0');
  if (!out || std::fread(text.data(), 1, text.size(), out.get()) != text.size()) return {};
  return build_of(text);
}

std::string load_command(const fs::path& tree, const std::string& board) {
  std::error_code error;
  const std::string name = board.empty() ? "ulx3s" : board;
  const std::string other = board.empty() ? " (or the name of your board)" : "";
  const fs::path bit = config::shared_folder("boards") / name / "weft.bit";
  // matches by prefix, since ulx3s_45f has the adapter of ulx3s
  const auto cable =
      std::ranges::find_if(board::known_cables(), [&](const auto& known) { return name.starts_with(known.board); });
  const bool sources = fs::exists(tree / "fpga/flash.py", error);
  if (!sources && fs::exists(bit, error) && cable != board::known_cables().end())
    return fmt::format("openFPGALoader {} {}{}", cable->loader, shell_word(bit.string()), other);
  return fmt::format("{}make flash BOARD={}{}", sources ? "" : "in a source tree of Weft, ", name, other);
}

BuildVerdict judge_build(const board::DeviceInfo& info, std::optional<std::uint64_t> of_sources,
                         const std::vector<Bitstream>& here, const std::string& load) {
  using Kind = BuildVerdict::Kind;
  const std::string build = fmt::format("build {:016x}", info.build);
  if (of_sources && *of_sources == info.build) return {Kind::Same, build + " is that of the sources here", ""};
  const auto same =
      std::ranges::find_if(here, [&](const Bitstream& b) { return b.build == info.build && b.board == info.name; });
  const std::string from = same == here.end() ? "" : fmt::format(", that of {}", same->folder.string());
  const std::string protocol = fmt::format("the link's protocol is the same (version {})", board::kLinkVersion);
  if (of_sources)
    return {Kind::Older,
            fmt::format("{}{} differs from that of the sources here ({:016x}), so the bitstream is older; {}", build,
                        from, *of_sources, protocol),
            fmt::format("to use the RTL of these sources: make fpga BOARD={}, then {}", info.name, load)};
  if (same != here.end()) return {Kind::Same, build + from, ""};
  const auto other = std::ranges::find(here, info.name, &Bitstream::board);
  if (other != here.end())
    return {
        Kind::Older,
        fmt::format("{} differs from that of {} ({:016x}); {}", build, other->folder.string(), other->build, protocol),
        "to use that bitstream: " + load};
  return {Kind::Unknown, fmt::format("{}: no build number is available for comparison; {}", build, protocol),
          "a source tree (fpga/) or a release's share/weft/boards next to this program has build numbers"};
}

}  // namespace weft::cli
