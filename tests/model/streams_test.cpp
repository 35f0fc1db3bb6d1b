/// vaxs, vcr, vs and vb compared with the slow tile, on a wafer of two rows that send to each other.
#include "tests/model/machine.hpp"

namespace weft::test {
namespace {

class Streams : public testing::Test {
 protected:
  /// Fills R with numbers of full fp32 precision.
  void fill_r() {
    isa::Instr in;
    in.op = isa::Opcode::Vf, in.ra = 1, in.rb = 2, in.rc = 3, in.rd = 3;
    std::string source = "start:\n" + set("VL", 256) + set("REP", 1) + li(3, 0);
    for (int step = 0; step < 2; ++step) {
      in.bsel = step ? isa::BSel::R : isa::BSel::S, in.csel = step ? isa::CSel::R : isa::CSel::Z;
      const SlowTile::Operands o{.ra = static_cast<std::uint16_t>(step * 1024),
                                 .rb = static_cast<std::uint16_t>(step ? 7 : 0x3f80),
                                 .vl = 256};
      source += li(1, o.ra) + li(2, o.rb) + word(in);
      for (SlowTile& tile : machine.tiles) tile.vf(in, o);
    }
    machine.run(source, "filling R");
  }

  int below(int n) { return static_cast<int>(rng.below(n)); }

  Machine machine{{.rows = 2, .cols = 3, .lanes = kLanes, .sram_kib = 4}};
  Rng& rng = machine.rng;
};

TEST_F(Streams, VsInAllForms) {
  for (int round = 0; round < 300; ++round) {
    if (round % 20 == 0) {
      for (int address = 0; address < machine.shape.sram_elements(); address += Machine::kFresh)
        machine.refresh(address);
      fill_r();
    }
    isa::Instr in;
    in.op = isa::Opcode::Vs, in.in = rng.chance(80), in.vsop = static_cast<isa::VsOp>(below(3));
    in.d = static_cast<isa::VsD>(below(3)), in.q = rng.chance(40), in.rd = 2, in.rc = 3;
    in.cin = 1;
    const int vl = 1 + below(12), sent = below(256), acc = below(256);
    const int own = below(256), to = in.d == isa::VsD::M ? below(400) * kLanes : (own + below(9) - 4) & 255;

    const int parity = in.q ? below(2) : 0;  // parity of the MP entry to take

    // Both rows send R[sent ...] around the ring; if the instruction does not receive the words, a final vs does.
    std::string source = "start:\n" + set("VL", vl) + li(1, sent) + "mvp r1, r1\n" + li(1, own) + "mvp r3, r1\n" +
                         li(1, to) + "mvp r2, r1\n" + li(1, acc);
    const int carries = in.q ? parity + 1 : 0;
    for (int n = 0; n < carries; ++n) source += li(2, own) + "vcr R[r2], R[r1]\n";
    source += "fork psum\njoin\nhalt\npsum:\n" + set("VL", vl) + "vs.mov own=R[r1], out=RING\n";
    for (int n = 0; n < parity; ++n) source += "vs.mov own=Q[r3]\n";
    source += word(in);
    if (!in.in) source += "vs.mov in=RING\n";

    for (int n = 0; n < carries; ++n)
      for (SlowTile& t : machine.tiles)
        for (int i = 0; i < vl; ++i) {
          t.r[(own + n * vl + i) & 255] = t.r[(acc + i) & 255];
          t.r[(acc + i) & 255] = {};
        }
    const std::vector<SlowTile> sender = machine.tiles;
    const int first = own + parity * vl;
    for (int row = 0; row < 2; ++row)
      for (int col = 0; col < 3; ++col)
        for (int i = 0; i < vl; ++i) {
          SlowTile& t = machine.tile(row, col);
          const auto words = sender[(1 - row) * 3 + col].r[(sent + i) & 255];
          std::array<std::uint32_t, kLanes> v = t.r[(first + i) & 255];
          for (int l = 0; l < kLanes && in.in; ++l) {
            if (in.vsop == isa::VsOp::Add) v[l] = model::add_bits(words[l], v[l]);
            if (in.vsop == isa::VsOp::Max) v[l] = model::max_bits(words[l], v[l]);
            if (in.vsop == isa::VsOp::Mov) v[l] = words[l];
          }
          for (int l = 0; l < kLanes; ++l) {
            if (in.d == isa::VsD::R) t.r[(to + i) & 255][l] = v[l];
            if (in.d == isa::VsD::M) t.m.at(to + i * kLanes + l) = to_bf16(v[l]);
          }
        }
    machine.run(source, assembler::disassemble(isa::encode(in)) + " round " + std::to_string(round));
    if (HasFatalFailure()) return;
  }
}

TEST_F(Streams, VaxsOfMemoryAndOneHot) {
  fill_r();
  for (int round = 0; round < 100; ++round) {
    machine.refresh();
    isa::Instr in;
    in.op = isa::Opcode::Vaxs, in.asel = rng.chance(50) ? isa::ASel::OH : isa::ASel::M, in.rd = 2, in.ra = 3;
    SlowTile::Operands o;
    o.vl = static_cast<std::uint16_t>(1 + below(40)), o.rd = static_cast<std::uint16_t>(below(256));
    o.ra = static_cast<std::uint16_t>(below(40) * kLanes), o.sta = static_cast<std::uint16_t>(below(8) * kLanes);
    o.lmask = 15;
    std::array<std::vector<std::pair<int, bf16>>, 2> weights;
    std::vector<machine::Message> stream;
    for (int n = below(600); n > 0; --n) {
      const int row = below(2), index = row << 15 | below(4) << 8 | below(16);
      weights[row].emplace_back(in.asel == isa::ASel::OH && rng.chance(50) ? row << 15 | below(4) : index,
                                any_bf16(rng));
      const auto& [i, w] = weights[row].back();
      stream.push_back(machine::Message::weight(static_cast<std::uint16_t>(i), w));
    }
    stream.push_back(machine::Message::command(machine::Command::CR, 0, 0));
    for (int row = 0; row < 2; ++row)
      for (int col = 0; col < 3; ++col) machine.tile(row, col).vaxs(in, o, weights[row]);
    machine.rig.load("start:\n" + set("VL", o.vl) + set("STA", o.sta) + set("LMASK", o.lmask) + li(2, o.rd) +
                     li(3, o.ra) + word(in) + std::string(kDump));
    machine.rig.call("start");
    machine.rig.pending.insert(machine.rig.pending.end(), stream.begin(), stream.end());
    machine.rig.go(rng.chance(50) ? 0 : 100);
    machine.compare(assembler::disassemble(isa::encode(in)) + " round " + std::to_string(round));
    if (HasFatalFailure()) return;
  }
}

TEST_F(Streams, VbStoresAndPassesOn) {
  for (int round = 0; round < 40; ++round) {
    machine.refresh();
    const int vl = 1 + below(20), from = below(400) * kLanes, to = (424 + below(20)) * kLanes;  // two entries of 20
    // Row 0 sends around the ring; row 1 receives and forwards the words to row 0, which receives them as another
    // entry.
    const std::string source = "start:\n" + li(1, from) + "mvp r1, r1\n" + li(1, to) + "mvp r2, r1\nfork psum\njoin\n" +
                               set("LMASK", 0) + set("VL", vl) + li(5, 252) +
                               "vdot R[r5], M[r0], M[r5]\nvdot R[r5], M[r0], M[r5]\nfork psum2\njoin\nhalt\npsum:\n" +
                               set("VL", vl) +
                               "csrr r3, ROW\nbne r3, r0, other\nvb src=M[r1], out=RING, dst=M[r2]\n"
                               "vb in=RING, dst=M[r2]\nhalt\n"
                               "other: vb in=RING, out=RING, dst=M[r2]\nvb src=M[r1], dst=M[r2]\nhalt\n"
                               "psum2: vs.mov own=Q[r2]\nvs.mov own=Q[r2]\n";
    for (int col = 0; col < 3; ++col)
      for (int i = 0; i < vl; ++i)
        for (int l = 0; l < kLanes; ++l)
          for (int entry = 0; entry < 2; ++entry)
            for (int row = 0; row < 2; ++row) {
              const int source_row = row == 1 && entry == 1 ? 1 : 0;
              machine.tile(row, col).m.at(to + (entry * vl + i) * kLanes + l) =
                  to_bf16(widen(machine.tile(source_row, col).m.at(from + i * kLanes + l)));
            }
    machine.rig.load(source + std::string(kDump)).call("start").cr().cr().go();
    machine.compare("vb, round " + std::to_string(round));
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace weft::test
