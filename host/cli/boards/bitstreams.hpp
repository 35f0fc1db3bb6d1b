/// Build numbers of the bitstreams on this machine, and of the sources.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "host/board/link/device_info.hpp"

namespace weft::cli {

/// A file weft.build, which fpga/make_board.sh writes next to weft.bit.
struct Bitstream {
  std::filesystem::path folder;
  std::string board = {};   ///< same as the name in ABOUT
  std::uint64_t build = 0;  ///< same as the build number in ABOUT
  std::string ip = {};      ///< for a board on the network
};

/// Bitstreams described by `folder`/NAME/weft.build; empty if the folder does not exist.
std::vector<Bitstream> find_bitstreams(const std::filesystem::path& folder);

/// Folders of bitstreams: this program's build folder (build/fpga) and its installation (share/weft/boards).
std::vector<std::filesystem::path> bitstream_folders();

/// Build number that the sources in `tree` give a board like this one (fpga/build_number.sh); nullopt if there are no
/// sources, or none for such a board.
std::optional<std::uint64_t> number_of_sources(const std::filesystem::path& tree, const board::DeviceInfo& info);

/// Command that loads a bitstream of `board` (empty: unknown name): make flash if `tree` contains sources, otherwise
/// openFPGALoader with the released bitstream, otherwise a text that says where to run make flash.
std::string load_command(const std::filesystem::path& tree, const std::string& board);

/// Comparison of a board's build number with those on this machine.
struct BuildVerdict {
  enum class Kind : std::uint8_t { Same, Older, Unknown } kind = Kind::Unknown;
  std::string text, hint;
};

/// `load`: load_command of the board.
BuildVerdict judge_build(const board::DeviceInfo& info, std::optional<std::uint64_t> of_sources,
                         const std::vector<Bitstream>& here, const std::string& load);

}  // namespace weft::cli
