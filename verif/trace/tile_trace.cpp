#include "verif/trace/tile_trace.hpp"

#include <fmt/format.h>

#include "sw/machine/message.hpp"
#include "verif/trace/words.hpp"

namespace weft::trace {
namespace {

constexpr unsigned kVector = 8;  // StVector of rtl/pe/weft_pe_scalar_pkg.sv

}  // namespace

TileTrace::TileTrace(FstFile& file, const TraceEnums& enums, const machine::WaferShape& shape,
                     const assembler::Program* program, const MessageNames& names, TraceValues& values,
                     sim::TilePlace place)
    : file_(file),
      enums_(enums),
      shape_(shape),
      names_(names),
      place_(place),
      scope_(fmt::format("tile_{}_{}", place.row, place.col)),
      calls_(program, place) {
  const auto vector = [&](const std::string& name, unsigned bits) {
    return FstSignal(file_, file_.vector(name, bits), bits);
  };
  const auto named = [&](const std::string& name, unsigned bits, FstFile::Enum type) {
    return FstSignal(file_, file_.enumerated(name, bits, type), bits);
  };
  const auto lanes = static_cast<unsigned>(shape.lanes);
  const auto collected = [&](const std::string& name, unsigned bits, SeenValues& seen) {
    const FstFile::Handle signal = file_.vector(name, bits);
    file_.collect(signal, seen);
    return signal;
  };
  const auto message = [&](const std::string& name) {
    return FstSignal(file_, collected(name, 38, values.messages), 38);
  };
  const auto numbers = [&](const std::string& name, unsigned count, unsigned width) {
    return FstLanes(file_, collected(name, count * width, width == 16 ? values.bf16 : values.fp32), count, width);
  };
  const auto text = [&](const std::string& name) { return FstText(file_, file_.text(name)); };
  file_.open_scope(scope_);
  for (std::size_t p = 0; p < links_.size(); ++p) {
    file_.open_scope(kPorts[p]);
    for (int c = 0; c < shape.colors; ++c) {
      const std::string color = color_word(static_cast<unsigned>(c));
      links_[p].in.push_back(message((p == 4 ? "from_pe_" : "in_") + color));
      links_[p].out.push_back(message((p == 4 ? "to_pe_" : "out_") + color));
    }
    file_.close_scope();
  }
  const auto thread = [&](Thread& t, const char* name, FstFile::Enum modes) {
    file_.open_scope(name);
    t.at = enums.instructions ? named("at", enums.pc_bits, enums.pcs) : vector("at", enums.pc_bits);
    t.vector = enums.instructions ? named("vector", enums.pc_bits, enums.pcs) : vector("vector", enums.pc_bits);
    t.state = named("state", 4, enums.states);
    t.unit = named("unit", 4, modes);
    t.stall = named("stall", 4, enums.stalls);
    file_.close_scope();
  };
  thread(main_, "main", enums.main_units);
  thread(psum_, "psum", enums.psum_units);
  file_.open_scope("unit");
  issue_ = named("issue", 2, enums.issuers);
  m_read_ = vector("read_M", 16);
  r_b_ = vector("read_R_b", 8);
  r_c_ = vector("read_R_c", 8);
  a_ = numbers("a", lanes, 16);
  x_ = numbers("x", 2, 32);
  b_ = numbers("b", lanes, 16);
  r_entry_ = vector("write_R", 8);
  r_ = numbers("R", lanes, 32);
  m_write_ = vector("write_M", 16);
  m_ = numbers("M", lanes, 16);
  file_.close_scope();
  file_.open_scope("handoff");
  mp_ = vector("MP", 2);
  pm_ = vector("PM", 2);
  file_.close_scope();
  flags_ = FstSignal(file_, collected("flags", 8, values.flags), 8);
  call_ = text("call");
  file_.open_scope("words");
  for (std::size_t p = 0; p < links_.size(); ++p) {
    for (int c = 0; c < shape.colors; ++c) {
      const std::string color = color_word(static_cast<unsigned>(c)), port = kPorts[p];
      links_[p].in_words.push_back(text(port + (p == 4 ? "_from_pe_" : "_in_") + color));
      links_[p].out_words.push_back(text(port + (p == 4 ? "_to_pe_" : "_out_") + color));
    }
  }
  a_words_ = text("a");
  x_words_ = text("x");
  b_words_ = text("b");
  r_words_ = text("R");
  m_words_ = text("M");
  file_.close_scope();
  file_.close_scope();
}

void TileTrace::show(Link& link, const sim::PortView& view) {
  const auto see = [this](std::vector<FstSignal>& colors, std::vector<FstText>& words, bool valid,
                          std::uint64_t message) {
    const std::size_t color = valid ? message >> 32 & 31 : colors.size();
    for (std::size_t c = 0; c < colors.size(); ++c) {
      if (c == color) {
        colors[c].set(message);
        words[c].set(message_words(static_cast<unsigned>(color), (message >> 37 & 1) != 0,
                                   static_cast<std::uint32_t>(message), names_));
      } else {
        colors[c].none();
        words[c].set("");
      }
    }
  };
  see(link.in, link.in_words, view.in_valid, view.in);
  see(link.out, link.out_words, view.out_valid, view.out);
}

void TileTrace::follow(Thread& t, const sim::ThreadView& v) {
  if (t.last_state == kVector && v.state != kVector) t.sequenced = t.last_pc;
  t.last_state = v.state;
  t.last_pc = v.pc;
}

void TileTrace::show(Thread& t, const sim::ThreadView& v) {
  const auto instruction = [&](bool there, unsigned pc) {
    return there && (!enums_.instructions || pc < enums_.nowhere) ? pc : enums_.nowhere;
  };
  t.at.set(instruction(v.state != 0, v.pc));
  t.vector.set(instruction(v.sequencer != 0 && t.sequenced, t.sequenced.value_or(0)));
  t.state.set(v.state);
  t.unit.set(v.sequencer);
  if (v.stall >= 0) t.stall.set(static_cast<std::uint64_t>(v.stall));
  counts_ |= v.stall >= 0;
}

void TileTrace::show_unit(const sim::TileView& v) {
  const auto maybe = [](FstSignal& signal, bool there, std::uint64_t value) {
    if (there)
      signal.set(value);
    else
      signal.none();
  };
  issue_.set(v.main.issues ? 1 : v.psum.issues ? 2 : 0);
  maybe(m_read_, v.reads_m, v.m);
  maybe(r_b_, v.reads_b, v.r_b);
  maybe(r_c_, v.reads_c, v.r_c);
  const unsigned all = v.operands && !v.only_c ? ~0u : 0;
  a_.set(v.words ? 0 : all, [&](std::size_t l) { return v.a[l]; });
  x_.set(v.words ? ~0u : 0, [&](std::size_t w) { return v.x[w]; });
  b_.set(all, [&](std::size_t l) { return v.b[l]; });
  maybe(r_entry_, v.r_lanes != 0, v.r_entry);
  r_.set(v.r_lanes, [&](std::size_t l) { return v.r_value[l]; });
  maybe(m_write_, v.m_lanes != 0, v.m_element);
  const auto lanes = static_cast<std::size_t>(shape_.lanes);
  const auto words = [](std::size_t count, unsigned there, const auto& word) {
    std::string text;
    for (std::size_t l = 0; l < count && there != 0; ++l) {
      if (l > 0) text += ' ';
      text += there >> l & 1 ? word(l) : std::string("-");
    }
    return text;
  };
  a_words_.set(words(lanes, v.words ? 0 : all, [&](std::size_t l) { return decimal_bf16(v.a[l]); }));
  b_words_.set(words(lanes, all, [&](std::size_t l) { return decimal_bf16(v.b[l]); }));
  x_words_.set(words(2, v.words ? 3 : 0, [&](std::size_t w) { return decimal_fp32(v.x[w]); }));
  r_words_.set(words(lanes, v.r_lanes, [&](std::size_t l) { return decimal_fp32(v.r_value[l]); }));
  m_words_.set(words(lanes, v.m_lanes, [&](std::size_t l) { return decimal_bf16(v.m_value[l]); }));
  m_.set(v.m_lanes, [&](std::size_t l) { return v.m_value[l]; });
}

void TileTrace::follow(const sim::TileView& view) {
  if (view.ports[4].out_valid && (view.ports[4].out >> 32 & 31) == 0) calls_.observe(view.ports[4].out);
  if (main_.last_state == 0 && view.main.state != 0) {
    calls_.begins();
  } else if (view.main.state == 0 && view.psum.state == 0) {
    calls_.rests();
  }
  follow(main_, view.main);
  follow(psum_, view.psum);
}

void TileTrace::observe(const sim::TileView& view, bool shows) {
  follow(view);
  if (!shows) return;
  call_.set(calls_.running());
  for (std::size_t p = 0; p < links_.size(); ++p) show(links_[p], view.ports[p]);
  show(main_, view.main);
  show(psum_, view.psum);
  show_unit(view);
  mp_.set(view.mp);
  pm_.set(view.pm);
  flags_.set(view.flags);
}

}  // namespace weft::trace
