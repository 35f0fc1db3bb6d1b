#include "verif/trace/trace.hpp"

#include <cerrno>
#include <fstream>

#include "sw/base/refusal.hpp"
#include "verif/trace/gtkw.hpp"

namespace weft::trace {
namespace {

std::filesystem::path beside(std::filesystem::path file, const char* extension) {
  return file.replace_extension(extension);
}

/// Kinds of values that become text: the translation file's extension, and the set of values that occur.
struct Kind {
  RowKind row;
  WordsMode mode;
  const char* extension;
  SeenValues TraceValues::*values;
};
constexpr Kind kKinds[] = {{RowKind::Message, WordsMode::Message, ".message", &TraceValues::messages},
                           {RowKind::Bf16, WordsMode::Bf16, ".bf16", &TraceValues::bf16},
                           {RowKind::Fp32, WordsMode::Fp32, ".fp32", &TraceValues::fp32},
                           {RowKind::Flags, WordsMode::Flags, ".flags", &TraceValues::flags}};

}  // namespace

Trace::Trace(Options options, const machine::WaferShape& shape, const assembler::Program* program)
    : options_(std::move(options)),
      shape_(shape),
      program_(program),
      part_(options_.file.parent_path(), options_.file.filename().string()),
      file_(part_.at(options_.file.filename().string()).string(), options_.file.string()),
      enums_(file_, program),
      phase_(file_.text("phase")) {
  messages_.rows = shape.rows;
  if (program != nullptr)
    for (const assembler::Kernel& kernel : program->kernels) messages_.kernels[kernel.address] = kernel.name;
  tiles_.reserve(options_.tiles.size());
  for (const sim::TilePlace& place : options_.tiles)
    tiles_.emplace_back(file_, enums_, shape_, program, messages_, values_, place);
}

void Trace::observe(std::uint64_t cycle, std::size_t n, const sim::TileView& view) {
  const bool shows = cycle >= options_.origin && cycle - options_.origin >= options_.window.from &&
                     cycle - options_.origin < options_.window.to;
  cycle -= options_.origin;
  if (shows && (!begun_ || cycle != now_)) {
    file_.time(cycle);
    if (!begun_) first_ = cycle;
    now_ = last_ = cycle;
    begun_ = true;
    ++cycles_;
    if (!pending_.empty()) file_.put_text(phase_, pending_);
    pending_.clear();
  }
  tiles_[n].observe(view, shows);
}

void Trace::phase(std::uint64_t cycle, const std::string& name, const std::vector<unsigned>& calls) {
  phases_.emplace_back(cycle < options_.origin ? 0 : cycle - options_.origin, name);
  pending_ = name;
  if (program_ == nullptr) return;
  for (const unsigned call : calls) messages_.pairs |= pair_colors(*program_, call);
}

std::filesystem::path Trace::view() const { return beside(options_.file, ".gtkw"); }
std::filesystem::path Trace::names() const { return beside(options_.file, ".words"); }

template <class Content>
void Trace::write(const std::string& name, const Content& content) {
  std::ofstream out(part_.at(name));
  content(out);
  if (!out.flush())
    throw Refusal((options_.file.parent_path() / name).string(), "cannot be written",
                  "make room, or name a place on another disk")
        .caused_by(errno);
  files_.push_back(name);
}

void Trace::close() {
  file_.close();
  files_ = {options_.file.filename().string()};
  TraceNames names;
  names.messages = messages_;
  if (program_ != nullptr) {
    const InstructionNames instruction(*program_);
    for (unsigned pc = 0; pc < program_->words.size(); ++pc) names.instructions[pc] = instruction.at(pc);
  }
  write(this->names().filename().string(), [&](std::ostream& out) { write_names(names, out); });
  GtkwView view{.trace = options_.file.filename().string(), .first = first_, .last = last_};
  view.markers = phases_;
  std::vector<std::string> absent;
  for (const Kind& kind : kKinds) {
    const SeenValues& values = values_.*kind.values;
    const std::string file = beside(options_.file, kind.extension).filename().string();
    if (values.hex().empty() || !values.complete()) {
      absent.push_back(file);
      continue;
    }
    write(file, [&](std::ostream& out) {
      for (const std::string& hex : values.hex()) out << hex << ' ' << words_of(kind.mode, hex, names, true) << '\n';
    });
    view.words[kind.row] = file;
  }
  for (const TileTrace& tile : tiles_) view.groups.push_back(tile.rows());
  const std::string last = this->view().filename().string();  // completes the set
  write(last, [&](std::ostream& out) { write_gtkw(view, last, out); });
  part_.publish(files_, absent);
}

}  // namespace weft::trace
