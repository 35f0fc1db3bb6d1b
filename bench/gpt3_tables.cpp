#include <fmt/format.h>

#include <algorithm>

#include "bench/gpt.hpp"
#include "bench/gpt3.hpp"
#include "host/config/plural.hpp"

namespace weft::bench {
namespace {

/// Clock that converts work per cycle, of the CS-2 and of Weft, to work per second.
constexpr double kTextClock = 5.8e15 / (2 * 3.4e6);  // 5.8 PFLOP/s from 3.4 million multiply-adders
constexpr double kBytesOfMessage = 4, kBytesOfParameter = 20;

double multiply_adds(const Gpt3Line& line) {
  return model_multiply_adds(line.model) * line.model.micro_batch * line.model.seq;
}

/// Utilization: multiply-adds that the model requires, over those that the lanes could do.
double used(const Gpt3Line& line) {
  const WaferShape& w = line.wafer;
  return multiply_adds(line) / (line.cycles * w.rows * w.cols * w.lanes);
}

std::string a_second(double each, const char* unit) {
  constexpr const char* kPrefixes[] = {"", "k", "M", "G", "T", "P", "E"};
  std::size_t prefix = 0;
  for (; each >= 1000 && prefix + 1 < std::size(kPrefixes); each /= 1000) ++prefix;
  return fmt::format("{:.3g} {}{}/s", each, kPrefixes[prefix], unit);
}

}  // namespace

std::string gpt3_table(const std::vector<Gpt3Line>& lines) {
  const WaferShape& w = lines.front().wafer;
  std::string text = fmt::format(
      "{} x {} tiles of {} lanes and {} KiB, a valve a row; blocks computed again. A micro-batch is as many sequences "
      "of {} as "
      "columns hold.\n\n"
      "| | layers x hidden | parameters | MemoryX | columns a sequence | cycles of a micro-batch | bound by | of the "
      "lanes | "
      "streamed, back |\n|---|---:|---:|---:|---:|---:|---|---:|---:|\n",
      w.rows, w.cols, w.lanes, w.sram_kib, lines.front().model.seq);
  std::string notes;
  for (const Gpt3Line& line : lines) {
    text += fmt::format("| {} | {} x {} | {:.4g} G | {} | ", line.name, line.model.layers, line.model.hidden,
                        static_cast<double>(line.parameters) / 1e9,
                        counted_bytes(kBytesOfParameter * static_cast<double>(line.parameters)));
    if (line.cycles > 0)
      text += fmt::format("{}{} | {:.4g} M | {} | {:.3f} | {}, {} |\n", line.wafer.sequence_columns,
                          line.misfit.empty() ? "" : ", does not fit", line.cycles / 1e6, line.bound, used(line),
                          counted_bytes(kBytesOfMessage * line.sent), counted_bytes(kBytesOfMessage * line.returned));
    else
      text += "does not fit | | | | |\n";
    if (!line.misfit.empty()) notes += fmt::format("- {}: {}\n", line.name, line.misfit);
  }
  if (notes.empty()) return text;
  return text +
         "\nWhat does not fit, and by how much (cycles are then those of two layers, each layer counted as often as "
         "there are "
         "layers):\n\n" +
         notes;
}

double clock_of_the_text() { return kTextClock; }
WaferShape wafer_of_the_text() { return {.rows = 850, .cols = 1000, .sram_kib = 128, .valves = 850}; }

std::string projection_table(const WaferShape& w, const Gpt3Line& line) {
  const double tiles = static_cast<double>(w.rows) * w.cols, word = 2.0 * w.lanes;
  const int default_kib = WaferShape{}.sram_kib;
  std::string text = fmt::format(
      "{:.0f} tiles, at {:.3g} GHz, which the text's 5.8 PFLOP/s of 3.4 million units come to; no tile of Weft has "
      "been built that fast "
      "([fpga.md](fpga.md) has what has been built).\n\n"
      "| | a tile | {:.0f} tiles | the text |\n|---|---|---:|---:|\n",
      tiles, kTextClock / 1e9, tiles);
  const auto row = [&](const std::string& what, const std::string& tile, const std::string& all, const char* said) {
    text += fmt::format("| {} | {} | {} | {} |\n", what, tile, all, said);
  };
  row("multiply-adds", fmt::format("{} a cycle", w.lanes), a_second(2 * w.lanes * tiles * kTextClock, "FLOP"),
      "5.8 PFLOP/s");
  row("the same with 90 % zeros, a tenth of the weights sent", "ten times the work a cycle, at most",
      a_second(20 * w.lanes * tiles * kTextClock, "FLOP"), "58 PFLOP/s");
  row("memory", fmt::format("{} KiB, at most {}", default_kib, w.sram_kib),
      fmt::format("{}, at most {}", counted_bytes(1024.0 * default_kib * tiles),
                  counted_bytes(1024.0 * w.sram_kib * tiles)),
      "40 GB");
  row("its bandwidth", fmt::format("two words of {:.0f} bytes read and one written a cycle", word),
      a_second(3 * word * tiles * kTextClock, "B"), "20 PB/s");
  row("links", "four in and four out, a message of 38 bits a cycle each",
      a_second(8 * 38.0 / 8 * tiles * kTextClock, "B"), "28 PB/s");
  row("stream", fmt::format("{} valves, a message a cycle", w.valves),
      a_second(kBytesOfMessage * w.valves * kTextClock, "B"), "");
  if (line.cycles > 0) {
    const double seconds = line.cycles / kTextClock;
    row(fmt::format("training {}, as compile_only expects it", line.name),
        fmt::format("{:.3f} of its lanes", used(line)), a_second(2 * multiply_adds(line) / seconds, "FLOP"), "");
    row("weights to stream for it", "", a_second(kBytesOfMessage * line.sent / seconds, "B"), "");
    row("gradients to take for it", "", a_second(kBytesOfMessage * line.returned / seconds, "B"), "");
  }
  return text;
}

}  // namespace weft::bench
