/// Text form of a tile's dbg_o.
#pragma once

#include <cstdint>
#include <string>

namespace weft::sim {

/// The names of the sticky flags set in `bits`, each after a space.
std::string flag_names(std::uint8_t bits);

/// Fields of dbg_t of rtl/pe/weft_pe_pkg.sv, last field first.
struct DebugState {
  explicit DebugState(std::uint64_t bits);

  bool out_full;
  unsigned pm_count, mp_count;
  bool psum_front;
  unsigned psum_color, psum_need;
  bool psum_beat;
  unsigned psum_seq_pc, psum_mode, psum_pc;
  bool psum_active;
  bool w_nonempty, main_beat;
  unsigned main_seq_pc, main_mode, main_pc;
  bool main_active;

  /// Both threads rest, and no work is waiting for them.
  bool rests() const { return !main_active && main_mode == 0 && !psum_active && psum_mode == 0 && !w_nonempty; }
  /// State of both threads and what they wait for, as far as it is visible.
  std::string text() const;

 private:
  std::string main_text() const;
  std::string psum_text() const;
};

}  // namespace weft::sim
