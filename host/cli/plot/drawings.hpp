/// Draws loss curves as text and as SVG.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "host/cli/plot/curves.hpp"

namespace weft::cli {

/// Lines of at most `columns` characters: a frame of `rows` lines with the curves, and the steps and names below. The
/// first curve is a line, in braille patterns if `unicode`; others are letters.
std::string as_text(const std::vector<Curve>& curves, std::size_t columns, std::size_t rows, bool unicode);

inline constexpr const char* kSvgStart = "<svg xmlns=";  ///< start of each picture
/// A picture with axes and a legend. `title`: any UTF-8.
std::string as_svg(const std::vector<Curve>& curves, const std::string& title);

}  // namespace weft::cli
