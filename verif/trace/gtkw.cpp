#include "verif/trace/gtkw.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <ostream>

namespace weft::trace {
namespace {

// Flags of a row in GTKWave's encoding.
constexpr std::uint64_t kHex = 0x2, kDecimal = 0x4, kAscii = 0x800, kRight = 0x20, kBlank = 0x200, kFilter = 0x2000,
                        kBegin = 0x800000, kEnd = 0x1000000, kClosed = 0x400000, kEnum = 0x100000000, kBinary = 0x8;

class Writer {
 public:
  Writer(const GtkwView& view, std::ostream& out) : view_(view), out_(out) {}

  void group(const RowGroup& g, bool closed) {
    if (g.rows.empty() && g.groups.empty()) return;
    out_ << fmt::format("@{:x}\n-{}\n", kBegin | kBlank | (closed ? kClosed : 0), g.name);
    for (const Row& r : g.rows) row(r);
    for (const RowGroup& inner : g.groups) group(inner, false);
    out_ << fmt::format("@{:x}\n-{}\n", kEnd | kBlank, g.name);
  }

  void row(Row r) {
    const auto words = view_.words.find(r.kind);
    const bool filtered = words != view_.words.end();
    if (!filtered && !r.words.empty()) r = {r.words, RowKind::Text, r.hue, r.label};
    out_ << fmt::format("@{:x}\n", kRight | format(r.kind) | (filtered ? kFilter : 0));
    if (filtered) out_ << fmt::format("^{} {}\n", std::distance(view_.words.begin(), words) + 1, words->second);
    if (r.hue > 0) out_ << fmt::format("[color] {}\n", r.hue);
    out_ << (r.label.empty() ? "" : fmt::format("+{{{}}} ", r.label)) << r.signal << "\n";
  }

 private:
  static std::uint64_t format(RowKind kind) {
    switch (kind) {
      case RowKind::Named:
        return kEnum | kBinary;
      case RowKind::Number:
        return kDecimal;
      case RowKind::Text:
        return kAscii;
      default:
        return kHex;
    }
  }
  const GtkwView& view_;
  std::ostream& out_;
};

/// Returns the zoom of GTKWave that shows `cycles` cycles in a window of about a thousand pixels.
double zoom(std::uint64_t cycles) { return -std::log2(static_cast<double>(std::max<std::uint64_t>(cycles, 8)) / 5.9); }

constexpr std::uint64_t kCyclesShown = 96;  // enough room to read the texts

}  // namespace

void write_gtkw(const GtkwView& view, const std::string& name, std::ostream& out) {
  out << fmt::format("[*] Weft\n[dumpfile] \"{}\"\n[savefile] \"{}\"\n", view.trace, name);
  out << fmt::format("[timestart] {}\n[size] 1800 1000\n[pos] -1 -1\n", view.first);
  out << fmt::format("*{:.6f} {}", zoom(std::min(view.last - view.first, kCyclesShown)), view.first);
  for (std::size_t m = 0; m < 26; ++m)
    out << ' ' << (m < view.markers.size() ? static_cast<long long>(view.markers[m].first) : -1LL);
  out << '\n';
  for (std::size_t m = 0; m < std::min<std::size_t>(26, view.markers.size()); ++m)
    out << fmt::format("[markername] {}{}\n", static_cast<char>('A' + m), view.markers[m].second);
  out << "[sst_width] 220\n[signals_width] 260\n[sst_expanded] 0\n[sst_vpaned_height] 300\n";
  Writer writer(view, out);
  writer.row({"phase", RowKind::Text, 0, ""});
  for (const RowGroup& group : view.groups) writer.group(group, false);
}

}  // namespace weft::trace
