#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "host/cli/plot/drawings.hpp"

namespace weft::cli {
namespace {

/// Cells of 2 x 4 dots, each a Unicode braille pattern, or 1 x 1 dot; a cell may have a letter instead.
class Canvas {
 public:
  Canvas(std::size_t columns, std::size_t rows, bool braille)
      : columns_(columns), rows_(rows), braille_(braille), dots_(columns * rows), letters_(columns * rows) {}

  std::size_t width() const { return columns_ * (braille_ ? 2 : 1); }
  std::size_t height() const { return rows_ * (braille_ ? 4 : 1); }

  /// Counted from the left, and from the top.
  void dot(std::size_t x, std::size_t y) {
    constexpr std::array<std::array<std::uint8_t, 2>, 4> kBits = {
        {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}};
    if (!braille_) return letter(x, y, '*');
    dots_[y / 4 * columns_ + x / 2] |= kBits[y % 4][x % 2];
  }
  void letter(std::size_t x, std::size_t y, char letter) {
    letters_[y / (braille_ ? 4 : 1) * columns_ + x / (braille_ ? 2 : 1)] = letter;
  }
  std::string row(std::size_t y) const {
    std::string text;
    for (std::size_t at = y * columns_; at < (y + 1) * columns_; ++at) {
      if (letters_[at] != 0 || dots_[at] == 0) {
        text += letters_[at] == 0 ? ' ' : letters_[at];
      } else {  // U+2800 and the dots, in UTF-8
        text += '\xe2';
        text += static_cast<char>(0xa0 | dots_[at] >> 6);
        text += static_cast<char>(0x80 | (dots_[at] & 0x3f));
      }
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
  }

 private:
  std::size_t columns_, rows_;
  bool braille_;
  std::vector<std::uint8_t> dots_;
  std::vector<char> letters_;
};

/// Draws lines between neighbouring points.
void draw_line(const Curve& curve, const Range& range, Canvas& canvas) {
  const double right = static_cast<double>(canvas.width() - 1), down = static_cast<double>(canvas.height() - 1);
  double last_x = -1, last_y = -1;
  for (const auto& [step, loss] : curve.points) {
    const double x = (step - range.left) / range.width() * right, y = (range.top - loss) / range.height() * down;
    if (last_x < 0) last_x = x, last_y = y;
    const double far = std::max(1.0, std::ceil(std::max(std::abs(x - last_x), std::abs(y - last_y))));
    for (double n = 0; n <= far; ++n)
      canvas.dot(static_cast<std::size_t>(std::lround(last_x + (x - last_x) * n / far)),
                 static_cast<std::size_t>(std::lround(last_y + (y - last_y) * n / far)));
    last_x = x, last_y = y;
  }
}

void draw_letters(const Curve& curve, const Range& range, char letter, Canvas& canvas) {
  for (const auto& [step, loss] : curve.points)
    canvas.letter(static_cast<std::size_t>(
                      std::lround((step - range.left) / range.width() * static_cast<double>(canvas.width() - 1))),
                  static_cast<std::size_t>(
                      std::lround((range.top - loss) / range.height() * static_cast<double>(canvas.height() - 1))),
                  letter);
}

}  // namespace

std::string as_text(const std::vector<Curve>& curves, std::size_t columns, std::size_t rows, bool unicode) {
  constexpr std::string_view kLetters = "oxv+";
  constexpr std::size_t kMargin = 9;  // "  4.5239 |"
  const std::size_t width = std::max<std::size_t>(columns, 30) - kMargin - 1;
  const Range range = range_of(curves);
  Canvas canvas(width, rows, unicode);
  draw_line(thinned(curves.front(), canvas.width()), range, canvas);
  std::string legend = fmt::format("{:>{}} {} {}", "", kMargin, unicode ? "\u2500" : "*", curves.front().name);
  for (std::size_t n = 1; n < curves.size(); ++n) {
    const char letter = kLetters[(n - 1) % kLetters.size()];
    draw_letters(curves[n], range, letter, canvas);
    legend += fmt::format("   {} {}", letter, curves[n].name);
  }
  std::string text;
  for (std::size_t y = 0; y < rows; ++y) {
    const bool marked = y % 4 == 0 || y + 1 == rows;
    const double loss =
        range.top - range.height() * static_cast<double>(y) / static_cast<double>(std::max<std::size_t>(rows, 2) - 1);
    text += fmt::format("{:>{}}{}{}\n", marked ? fmt::format("{:.4f} ", loss) : "", kMargin, unicode ? "\u2502" : "|",
                        canvas.row(y));
  }
  text += fmt::format("{:>{}}{}", "", kMargin, unicode ? "\u2514" : "+");
  for (std::size_t x = 0; x < width; ++x) text += unicode ? "\u2500" : "-";
  const std::string first = fmt::format("{:.0f}", range.left), last = fmt::format("{:.0f} steps", range.right);
  return text + fmt::format("\n{:>{}} {}{:>{}}\n{}\n", "", kMargin, first, last, width - first.size(), legend);
}

}  // namespace weft::cli
