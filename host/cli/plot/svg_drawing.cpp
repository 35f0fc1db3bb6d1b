#include <fmt/format.h>

#include "host/cli/plot/drawings.hpp"

namespace weft::cli {
namespace {

constexpr double kWidth = 720, kHeight = 400, kLeft = 60, kRight = 700, kTop = 40, kBottom = 350;
constexpr std::string_view kColors[] = {"#1f77b4", "#d62728", "#2ca02c", "#9467bd"};

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '<') result += "&lt;";
    if (c == '&') result += "&amp;";
    if (c != '<' && c != '&') result += c >= 0 && c < ' ' ? ' ' : c;
  }
  return result;
}

std::string text_at(double x, double y, std::string_view anchor, std::string_view text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor, escaped(text));
}

}  // namespace

std::string as_svg(const std::vector<Curve>& curves, const std::string& title) {
  const Range range = range_of(curves);
  const auto x_of = [&](double step) { return kLeft + (step - range.left) / range.width() * (kRight - kLeft); };
  const auto y_of = [&](double loss) { return kTop + (range.top - loss) / range.height() * (kBottom - kTop); };
  std::string svg = fmt::format(
      "{}\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" "
      "font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      kSvgStart, kWidth, kHeight, kWidth, kHeight);
  svg += text_at(kLeft, 22, "start", title);
  for (const double loss : ticks(range.bottom, range.top, 6)) {
    svg += fmt::format("<path d=\"M{} {:.1f}H{}\" stroke=\"#ddd\"/>\n", kLeft, y_of(loss), kRight);
    svg += text_at(kLeft - 6, y_of(loss) + 4, "end", fmt::format("{:.4g}", loss));
  }
  for (const double step : ticks(range.left, range.right, 8))
    svg += text_at(x_of(step), kBottom + 18, "middle", fmt::format("{:.6g}", step));
  svg += text_at((kLeft + kRight) / 2, kBottom + 38, "middle", "step");
  svg += fmt::format("<path d=\"M{} {}V{}H{}\" fill=\"none\" stroke=\"black\"/>\n", kLeft, kTop, kBottom, kRight);
  for (std::size_t n = 0; n < curves.size(); ++n) {
    const std::string_view color = kColors[n % std::size(kColors)];
    const Curve curve = thinned(curves[n], 2000);
    svg += fmt::format("<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\" points=\"", color);
    for (const auto& [step, loss] : curve.points) svg += fmt::format("{:.1f},{:.1f} ", x_of(step), y_of(loss));
    svg += "\"/>\n";
    const double y = kTop + 14 + 18 * static_cast<double>(n);
    svg += fmt::format("<path d=\"M{} {}h24\" stroke=\"{}\" stroke-width=\"2\"/>\n", kRight - 110, y, color);
    svg += text_at(kRight - 80, y + 4, "start", curve.name);
  }
  return svg + "</svg>\n";
}

}  // namespace weft::cli
