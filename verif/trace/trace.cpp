#include "verif/trace/trace.hpp"

#include <cerrno>
#include <fstream>

#include "sw/base/refusal.hpp"
#include "verif/trace/gtkw.hpp"

namespace weft {
namespace {

std::filesystem::path beside(std::filesystem::path file, const char* extension) {
  return file.replace_extension(extension);
}

}  // namespace

Trace::Trace(Options options, const WaferShape& shape, const Program* program)
    : options_(std::move(options)),
      shape_(shape),
      program_(program),
      file_(options_.file.string()),
      enums_(file_, program),
      phase_(file_.text("phase")) {
  messages_.rows = shape.rows;
  if (program != nullptr)
    for (const Kernel& kernel : program->kernels) messages_.kernels[kernel.address] = kernel.name;
  tiles_.reserve(options_.tiles.size());
  for (const TilePlace& place : options_.tiles) tiles_.emplace_back(file_, enums_, shape_, program, messages_, place);
}

void Trace::look(std::uint64_t cycle, std::size_t n, const TileView& view) {
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
  tiles_[n].look(view, shows);
}

void Trace::phase(std::uint64_t cycle, const std::string& name, const std::vector<unsigned>& calls) {
  phases_.emplace_back(cycle < options_.origin ? 0 : cycle - options_.origin, name);
  pending_ = name;
  if (program_ == nullptr) return;
  for (const unsigned call : calls) messages_.pairs |= pair_colors(*program_, call);
}

std::filesystem::path Trace::view() const { return beside(options_.file, ".gtkw"); }
std::filesystem::path Trace::names() const { return beside(options_.file, ".words"); }

void Trace::close() {
  try {
    write();
  } catch (...) {  // a part of it would only mislead
    std::error_code ignored;
    for (const auto& path : {options_.file, view(), names()}) std::filesystem::remove(path, ignored);
    throw;
  }
}

void Trace::write() {
  file_.close();
  TraceNames names;
  names.messages = messages_;
  if (program_ != nullptr) {
    const InstructionNames instruction(*program_);
    for (unsigned pc = 0; pc < program_->words.size(); ++pc) names.instructions[pc] = instruction.at(pc);
  }
  const auto write_to = [](const std::filesystem::path& path, const auto& content) {
    std::ofstream out(path);
    content(out);
    if (!out.flush()) throw Refusal(path.string(), "cannot be written", "choose another folder, or make room").caused_by(errno);
  };
  write_to(this->names(), [&](std::ostream& out) { write_names(names, out); });
  GtkwView view{.trace = options_.file,
                .names = std::filesystem::absolute(this->names()),
                .words = options_.words,
                .first = first_,
                .last = last_};
  view.markers = phases_;
  for (const TileTrace& tile : tiles_) view.groups.push_back(tile.rows());
  write_to(this->view(), [&](std::ostream& out) { write_gtkw(view, out); });
}

}  // namespace weft
