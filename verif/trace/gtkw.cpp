#include "verif/trace/gtkw.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <ostream>

namespace weft {
namespace {

// Flags of a row, as GTKWave counts them.
constexpr std::uint64_t kHex = 0x2, kDecimal = 0x4, kAscii = 0x800, kRight = 0x20, kBlank = 0x200, kFilter = 0x4000,
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
    if (!filters_ && !r.words.empty()) r = {r.words, RowKind::Text, r.hue, r.label};
    const std::string kind = filter(r.kind);
    const std::uint64_t flags = kRight | format(r.kind) | (kind.empty() ? 0 : kFilter);
    out_ << fmt::format("@{:x}\n", flags);
    if (!kind.empty()) out_ << fmt::format("^>{} {}\n", number(kind), kind);
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
  std::string filter(RowKind kind) const {
    if (!filters_) return "";
    const auto call = [&](const char* mode) {
      return fmt::format("{} {} {}", view_.words.string(), mode, view_.names.string());
    };
    switch (kind) {
      case RowKind::Message:
        return call("message");
      case RowKind::Bf16:
        return call("bf16");
      case RowKind::Fp32:
        return call("fp32");
      case RowKind::Flags:
        return call("flags");
      default:
        return "";
    }
  }
  std::size_t number(const std::string& command) {
    return numbers_.try_emplace(command, numbers_.size() + 1).first->second;
  }

  static bool cut(const std::filesystem::path& path) { return path.string().find(' ') != std::string::npos; }

  const GtkwView& view_;
  const bool filters_ = !view_.words.empty() && !cut(view_.words) && !cut(view_.names);
  std::ostream& out_;
  std::map<std::string, std::size_t> numbers_;
};

/// GTKWave's zoom for so many cycles in a window of about a thousand pixels.
double zoom(std::uint64_t cycles) { return -std::log2(static_cast<double>(std::max<std::uint64_t>(cycles, 8)) / 5.9); }

constexpr std::uint64_t kCyclesShown = 96;  // words can be read

}  // namespace

void write_gtkw(const GtkwView& view, std::ostream& out) {
  out << fmt::format("[*] Weft\n[dumpfile] \"{}\"\n[timestart] {}\n[size] 1800 1000\n[pos] -1 -1\n",
                     std::filesystem::absolute(view.trace).string(), view.first);
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

}  // namespace weft
