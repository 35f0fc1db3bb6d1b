#include "verif/sim/debug_state.hpp"

#include <array>
#include <iterator>
#include <string_view>

#include "isa.hpp"

namespace weft::sim {
namespace {

constexpr std::string_view name_of(isa::Opcode op) { return isa::info(op)->name; }

// Names by main_mode_e and psum_mode_e.
constexpr std::array<std::string_view, 8> kMain = {"-",
                                                   name_of(isa::Opcode::Vf),
                                                   name_of(isa::Opcode::Vaxs),
                                                   name_of(isa::Opcode::Vcr),
                                                   name_of(isa::Opcode::Vdot),
                                                   name_of(isa::Opcode::Ld),
                                                   "?",
                                                   "?"};
constexpr std::array<std::string_view, 8> kPsum = {
    "-",      name_of(isa::Opcode::Vs),  name_of(isa::Opcode::Vb), name_of(isa::Opcode::Vr),
    "gather", name_of(isa::Opcode::Snd), name_of(isa::Opcode::Ld), "?"};

/// Extracts fields, from the low end.
class Fields {
 public:
  explicit Fields(std::uint64_t bits) : bits_(bits) {}
  unsigned take(unsigned width) {
    const std::uint64_t field = bits_ & ((std::uint64_t{1} << width) - 1);
    bits_ >>= width;
    return static_cast<unsigned>(field);
  }
  bool flag() { return take(1) != 0; }

 private:
  std::uint64_t bits_;
};

std::string color_name(unsigned color) {
  return color < std::size(isa::kColorNames) ? std::string(isa::kColorNames[color]) : "color " + std::to_string(color);
}

}  // namespace

std::string flag_names(std::uint8_t bits) {
  std::string text;
  for (unsigned f = 0; f < std::size(isa::kFlagNames); ++f)
    if (bits >> f & 1) text += " " + std::string(isa::kFlagNames[f]);
  return text;
}

DebugState::DebugState(std::uint64_t bits) {
  Fields f(bits);
  out_full = f.flag();
  pm_count = f.take(2);
  mp_count = f.take(2);
  psum_front = f.flag();
  psum_color = f.take(5);
  psum_need = f.take(2);
  psum_beat = f.flag();
  psum_seq_pc = f.take(10);
  psum_mode = f.take(3);
  psum_pc = f.take(10);
  psum_active = f.flag();
  w_nonempty = f.flag();
  main_beat = f.flag();
  main_seq_pc = f.take(10);
  main_mode = f.take(3);
  main_pc = f.take(10);
  main_active = f.flag();
}

std::string DebugState::main_text() const {
  if (!main_active && main_mode == 0) return w_nonempty ? "main rests with a message waiting" : "main rests";
  std::string text = "main pc " + std::to_string(main_pc);
  if (main_mode == 0) return text + (psum_active ? " (waits for psum?)" : "");
  const std::string_view mode = kMain[main_mode];
  text += " " + std::string(mode);
  if (main_beat) return text + " has a beat that cannot issue";
  if (mode == "vaxs" && mp_count == 2 && !w_nonempty) return text + " waits for W or room in MP";
  if (mode == "vcr" && mp_count == 2) return text + " waits for room in MP";
  if (mode == "vdot" && pm_count == 0) return text + " waits for an entry of PM";
  if (mode == "vdot" && mp_count == 2 && w_nonempty) return text + " waits for room in MP";
  if ((mode == "vaxs" || mode == "vdot") && !w_nonempty) return text + " waits for W";
  return text;
}

std::string DebugState::psum_text() const {
  if (!psum_active && psum_mode == 0) return "psum idle";
  std::string text = "psum pc " + std::to_string(psum_pc);
  if (psum_mode == 0) return text + (psum_front ? "" : " (waits for " + color_name(psum_color) + "?)");
  const std::string_view mode = kPsum[psum_mode];
  text += " " + std::string(mode);
  if (out_full && psum_beat) return text + " waits for a credit of its output";
  if (psum_need > 0 && !psum_front) return text + " waits for " + color_name(psum_color);
  if ((mode == "vs" || mode == "vr") && mp_count == 0) return text + " waits for an entry of MP?";
  if (mode == "vb" && pm_count == 2) return text + " waits for room in PM";
  return text;
}

std::string DebugState::text() const {
  return main_text() + "; " + psum_text() + "; MP " + std::to_string(mp_count) + " PM " + std::to_string(pm_count) +
         (out_full ? ", output full" : "");
}

}  // namespace weft::sim
