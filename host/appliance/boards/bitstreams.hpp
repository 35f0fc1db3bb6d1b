/// Build numbers of bitstreams on this machine, and the number that the sources on this machine give.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "host/board/about.hpp"

namespace weft {

/// A weft.build, as fpga/make_board.sh writes it next to weft.bit.
struct Bitstream {
  std::filesystem::path folder;
  std::string board = {};   ///< as ABOUT's name
  std::uint64_t build = 0;  ///< as ABOUT's build
  std::string ip = {};      ///< of a board on the network
};

/// Those in `folder`/NAME/weft.build; none if there is no such folder.
std::vector<Bitstream> find_bitstreams(const std::filesystem::path& folder);

/// Folders of bitstreams: this program's build folder (build/fpga) and its installation (share/weft/boards).
std::vector<std::filesystem::path> bitstream_folders();

/// The number that the sources in `tree` give a board like this one (fpga/build_number.sh); nothing if there are no
/// sources, or none of such a board.
std::optional<std::uint64_t> number_of_sources(const std::filesystem::path& tree, const board::About& about);

/// The command that loads a bitstream of `board` (empty: its name is not known): make flash where there are sources in
/// `tree`, else openFPGALoader with that of the release; without a release it says where make flash can be called.
std::string load_command(const std::filesystem::path& tree, const std::string& board);

/// Result of comparing a board's build number with those on this machine.
struct BuildVerdict {
  enum class Kind : std::uint8_t { Same, Older, Unknown } kind = Kind::Unknown;
  std::string text, hint;
};

/// `load`: load_command of the board.
BuildVerdict judge_build(const board::About& about, std::optional<std::uint64_t> of_sources,
                         const std::vector<Bitstream>& here, const std::string& load);

}  // namespace weft
