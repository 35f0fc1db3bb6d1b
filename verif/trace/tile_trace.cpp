#include "verif/trace/tile_trace.hpp"

#include <fmt/format.h>

#include "isa.hpp"
#include "sw/machine/message.hpp"
#include "verif/trace/words.hpp"

namespace weft {
namespace {

constexpr std::array<const char*, 5> kPorts = {"north", "east", "south", "west", "ramp"};
constexpr unsigned kVector = 8;  // StVector of rtl/pe/pe_scalar_pkg.sv

/// Small numbers count something, large ones are addresses.
std::string argument(const std::string& name, unsigned value) {
  return value < 256 ? fmt::format(" {}={}", name, value) : fmt::format(" {}={:#x}", name, value);
}

std::vector<std::string> names_of(const Program* program) {
  std::vector<std::string> names;
  if (program == nullptr) return names;
  const InstructionNames instruction(*program);
  for (unsigned pc = 0; pc < program->words.size(); ++pc) names.push_back(instruction.at(pc));
  names.emplace_back("-");
  return names;
}

}  // namespace

TraceEnums::TraceEnums(FstFile& file, const Program* program) {
  const std::vector<std::string> names = names_of(program);
  if (!names.empty()) {
    instructions = true;
    nowhere = names.size() - 1;
    while ((std::size_t{1} << pc_bits) < names.size()) ++pc_bits;
    pcs = file.enumeration("instruction", names, pc_bits);
  }
  // state_e of rtl/pe/pe_scalar_pkg.sv; main_state_e and psum_state_e of rtl/pe/pe_seq_pkg.sv
  states = file.enumeration("thread_state",
                            {"-", "fetch", "decode", "halt", "scalar", "ld_address", "write", "?", "waits_for_unit",
                             "ld_waits_for_unit", "ld_waits", "rcv_waits", "fork_waits", "join_waits"},
                            4);
  main_units = file.enumeration("main_unit",
                                {"-", "vaxs_waits", "vdot_waits", "?", "?", "?", "?", "?", "vf", "vf_fetches", "ld",
                                 "vaxs", "vcr_copies", "vcr_resets", "vdot_fetches", "vdot"},
                                4);
  psum_units = file.enumeration("psum_unit", {"-", "vs", "vb", "vr_waits", "vr", "gather", "snd", "ld"}, 4);
  causes = file.enumeration("cause", {std::begin(isa::kCauseNames), std::end(isa::kCauseNames)}, 4);
  issuers = file.enumeration("issuer", {"-", "main", "psum"}, 2);
}

TileTrace::TileTrace(FstFile& file, const TraceEnums& enums, const WaferShape& shape, const Program* program,
                     const MessageNames& names, TilePlace place)
    : file_(file),
      enums_(enums),
      shape_(shape),
      program_(program),
      names_(names),
      place_(place),
      scope_(fmt::format("tile_{}_{}", place.row, place.col)) {
  const auto vector = [&](const std::string& name, unsigned bits) {
    return FstSignal(file_, file_.vector(name, bits), bits);
  };
  const auto named = [&](const std::string& name, unsigned bits, FstFile::Enum type) {
    return FstSignal(file_, file_.enumerated(name, bits, type), bits);
  };
  const auto lanes = static_cast<unsigned>(shape.lanes);
  const auto wide = [&](const std::string& name, unsigned width) {
    return FstLanes(file_, file_.vector(name, lanes * width), lanes, width);
  };
  const auto text = [&](const std::string& name) { return FstText(file_, file_.text(name)); };
  file_.open_scope(scope_);
  for (std::size_t p = 0; p < links_.size(); ++p) {
    file_.open_scope(kPorts[p]);
    for (int c = 0; c < shape.colors; ++c) {
      const std::string color = color_word(static_cast<unsigned>(c));
      links_[p].in.push_back(vector((p == 4 ? "from_pe_" : "in_") + color, 38));
      links_[p].out.push_back(vector((p == 4 ? "to_pe_" : "out_") + color, 38));
    }
    file_.close_scope();
  }
  const auto thread = [&](Thread& t, const char* name, FstFile::Enum modes) {
    file_.open_scope(name);
    t.at = enums.instructions ? named("at", enums.pc_bits, enums.pcs) : vector("at", enums.pc_bits);
    t.vector = enums.instructions ? named("vector", enums.pc_bits, enums.pcs) : vector("vector", enums.pc_bits);
    t.state = named("state", 4, enums.states);
    t.unit = named("unit", 4, modes);
    t.cause = named("cause", 4, enums.causes);
    file_.close_scope();
  };
  thread(main_, "main", enums.main_units);
  thread(psum_, "psum", enums.psum_units);
  file_.open_scope("unit");
  issue_ = named("issue", 2, enums.issuers);
  m_read_ = vector("read_M", 16);
  r_b_ = vector("read_R_b", 8);
  r_c_ = vector("read_R_c", 8);
  a_ = wide("a", 16);
  x_ = FstLanes(file_, file_.vector("x", 64), 2, 32);
  b_ = wide("b", 16);
  r_entry_ = vector("write_R", 8);
  r_ = wide("R", 32);
  m_write_ = vector("write_M", 16);
  m_ = wide("M", 16);
  file_.close_scope();
  file_.open_scope("handoff");
  mp_ = vector("MP", 2);
  pm_ = vector("PM", 2);
  file_.close_scope();
  flags_ = vector("flags", 8);
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

void TileTrace::show(Link& link, const PortView& view) {
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

void TileTrace::follow(Thread& t, const ThreadView& v) {
  if (t.last_state == kVector && v.state != kVector) t.sequenced = t.last_pc;
  t.last_state = v.state;
  t.last_pc = v.pc;
}

void TileTrace::show(Thread& t, const ThreadView& v) {
  const auto instruction = [&](bool there, unsigned pc) {
    return there && (!enums_.instructions || pc < enums_.nowhere) ? pc : enums_.nowhere;
  };
  t.at.set(instruction(v.state != 0, v.pc));
  t.vector.set(instruction(v.sequencer != 0 && t.sequenced, t.sequenced.value_or(0)));
  t.state.set(v.state);
  t.unit.set(v.sequencer);
  if (v.cause >= 0) t.cause.set(static_cast<std::uint64_t>(v.cause));
  counts_ |= v.cause >= 0;
}

void TileTrace::show_unit(const TileView& v) {
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

void TileTrace::hear(std::uint64_t message) {
  if (!(message >> 37 & 1)) return;
  const unsigned arg = message >> 16 & 255;
  const auto value = static_cast<std::uint16_t>(message);
  const Selection tiles = Selection::of(static_cast<std::uint32_t>(message));
  switch (static_cast<isa::Command>(message >> 24 & 255)) {
    case isa::Command::Select:
      selected_ = tiles.has_row(place_.row) && tiles.has_col(place_.col);
      break;
    case isa::Command::Setreg:
      if (selected_ && arg < registers_.size()) registers_[arg] = value;
      break;
    case isa::Command::Call: {
      if (!selected_) break;
      std::string text = fmt::format("pc {}", value);
      if (program_ != nullptr) {
        for (const Kernel& kernel : program_->kernels) {
          if (kernel.address != value) continue;
          text = kernel.name;
          for (const Parameter& p : kernel.parameters)
            text += argument(p.name, registers_.at(static_cast<std::size_t>(p.reg)));
        }
      }
      called_.push_back(std::move(text));
      break;
    }
    default:
      break;
  }
}

void TileTrace::follow(const TileView& view) {
  if (view.ports[4].out_valid && (view.ports[4].out >> 32 & 31) == 0) hear(view.ports[4].out);
  if (main_.last_state == 0 && view.main.state != 0 && !called_.empty()) {
    running_ = called_.front();
    called_.pop_front();
  } else if (view.main.state == 0 && view.psum.state == 0) {
    running_ = "-";
  }
  follow(main_, view.main);
  follow(psum_, view.psum);
}

void TileTrace::look(const TileView& view, bool shows) {
  follow(view);
  if (!shows) return;
  call_.set(running_);
  for (std::size_t p = 0; p < links_.size(); ++p) show(links_[p], view.ports[p]);
  show(main_, view.main);
  show(psum_, view.psum);
  show_unit(view);
  mp_.set(view.mp);
  pm_.set(view.pm);
  flags_.set(view.flags);
}

RowGroup TileTrace::rows() const {
  RowGroup tile{fmt::format("tile {},{}", place_.row, place_.col), {}};
  constexpr std::array kHues = {5, 2, 3, 7, 1, 6};  // blue, orange, yellow, violet, red, indigo
  const auto hue = [&](std::size_t color) { return kHues.at(color % kHues.size()); };
  tile.rows.push_back({scope_ + ".call", RowKind::Text, 0, ""});
  RowGroup links{"ports", {}};
  for (std::size_t p = 0; p < links_.size(); ++p) {
    const auto add = [&](const std::vector<FstSignal>& colors, const char* prefix, const char* arrow) {
      for (std::size_t c = 0; c < colors.size(); ++c) {
        const std::string color = color_word(static_cast<unsigned>(c));
        if (colors[c].used())
          links.rows.push_back({fmt::format("{}.{}.{}{}[37:0]", scope_, kPorts[p], prefix, color), RowKind::Message,
                                hue(c), fmt::format("{} {} {}", kPorts[p], arrow, color),
                                fmt::format("{}.words.{}_{}{}", scope_, kPorts[p], prefix, color)});
      }
    };
    add(links_[p].in, p == 4 ? "from_pe_" : "in_", p == 4 ? "from PE" : "in");
    add(links_[p].out, p == 4 ? "to_pe_" : "out_", p == 4 ? "to PE" : "out");
  }
  const std::string pc = fmt::format("[{}:0]", enums_.pc_bits - 1);
  const std::string narrow = fmt::format("[{}:0]", shape_.lanes * 16 - 1);
  const std::string wide = fmt::format("[{}:0]", shape_.lanes * 32 - 1);
  const RowKind at = enums_.instructions ? RowKind::Named : RowKind::Number;
  const auto row = [this](const std::string& signal, RowKind kind, const std::string& label, const char* words = "") {
    return Row{scope_ + "." + signal, kind, 0, label, *words ? scope_ + ".words." + words : ""};
  };
  const auto thread = [&](const std::string& name) {
    RowGroup group{name + " thread",
                   {row(name + ".at" + pc, at, name + " at"), row(name + ".vector" + pc, at, name + " vector"),
                    row(name + ".unit[3:0]", RowKind::Named, name + " unit"),
                    row(name + ".state[3:0]", RowKind::Named, name + " state")}};
    if (counts_) group.rows.push_back(row(name + ".cause[3:0]", RowKind::Named, name + " cause"));
    return group;
  };
  RowGroup unit{
      "vector unit",
      {row("unit.issue[1:0]", RowKind::Named, "issues"), row("unit.a" + narrow, RowKind::Bf16, "a", "a"),
       row("unit.x[63:0]", RowKind::Fp32, "x", "x"), row("unit.b" + narrow, RowKind::Bf16, "b", "b"),
       row("unit.read_R_b[7:0]", RowKind::Hex, "reads R for b"),
       row("unit.read_R_c[7:0]", RowKind::Hex, "reads R for c"), row("unit.write_R[7:0]", RowKind::Hex, "writes R"),
       row("unit.R" + wide, RowKind::Fp32, "R value", "R")}};
  RowGroup memory{
      "memory",
      {row("unit.read_M[15:0]", RowKind::Hex, "reads M"), row("unit.write_M[15:0]", RowKind::Hex, "writes M"),
       row("unit.M" + narrow, RowKind::Bf16, "M value", "M")}};
  RowGroup rest{"handoff and flags",
                {row("handoff.MP[1:0]", RowKind::Number, "MP"), row("handoff.PM[1:0]", RowKind::Number, "PM"),
                 row("flags[7:0]", RowKind::Flags, "flags")}};
  tile.groups = {std::move(links), thread("main"), thread("psum"), std::move(unit), std::move(memory), std::move(rest)};
  return tile;
}

}  // namespace weft
