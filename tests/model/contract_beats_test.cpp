/// Beats of a vector: their number, and the address of each, in lockstep and tile by tile.
#include "tests/model/contract.hpp"
#include "verif/model/numbers/numbers.hpp"

namespace weft::model {
namespace {

TEST(Contract, VlCountsModulo256) {
  for (const auto& [written, beats] : std::vector<std::pair<int, int>>{{0, 256}, {256, 256}, {259, 3}, {255, 255}}) {
    SCOPED_TRACE(written);
    in_both(kShape, [&, written = written, beats = beats](Rig& rig) {
      rig.load("main: li r1, " + std::to_string(written) +
               "\ncsrw VL, r1\ncsrr r2, VL\nli r3, 1\ncsrw REP, r3\nli r4, 0x3f80\n"
               "vf.fma R[r0], S[r4], S[r4], Z\nhalt");
      rig.call("main").go();
      const machine::TileState state = rig.wafer->state(1, 2);
      EXPECT_EQ(state.main.registers[2], written);
      EXPECT_EQ(state.beats, static_cast<unsigned>(beats));
      for (int entry = 0; entry < 256; ++entry)
        ASSERT_EQ(state.accumulators[static_cast<std::size_t>(entry * 4)], entry < beats ? 0x3f800000U : 0U) << entry;
    });
  }
}

TEST(Contract, EachBeatHasAnAddressOfItsOwn) {
  // Vectors of 4 beats that begin shortly before the end of memory, at the end, beyond it, and before address 0.
  const struct {
    int address;
    std::vector<int> words;  // read by its beats; -1: zeros
    std::string flags;
  } cases[] = {
      {500, {500, 504, 508, -1}, "BAD_ADDRESS"}, {508, {508, -1, -1, -1}, "BAD_ADDRESS"},
      {512, {-1, -1, -1, -1}, "BAD_ADDRESS"},    {65532, {-1, 0, 4, 8}, "BAD_ADDRESS"},
      {6, {4, 8, 12, 16}, "MISALIGNED"},         {496, {496, 500, 504, 508}, ""},
  };
  std::vector<std::uint16_t> memory(512);
  for (int e = 0; e < 512; ++e) memory[static_cast<std::size_t>(e)] = static_cast<std::uint16_t>(0x4000 + e / 4);
  for (const auto& c : cases) {
    SCOPED_TRACE(c.address);
    in_both(kShape, [&](Rig& rig) {
      for (int row = 0; row < 2; ++row)
        for (int col = 0; col < 3; ++col) rig.store(row, col, 0, memory);
      rig.load("main: li r1, 4\ncsrw VL, r1\nli r1, 1\ncsrw REP, r1\nli r2, " + std::to_string(c.address) +
               "\nli r3, 0x3f80\nvf.fma R[r0], M[r2], S[r3], Z\nhalt\n"  // reads
               "put: li r4, 16\nvf.fma M[r2], S[r3], S[r3], Z\nhalt");
      rig.call("main").go();
      const std::string flags = c.flags.empty() ? "" : rows(c.flags);
      EXPECT_EQ(rig.wafer->flags(), flags);
      for (std::size_t i = 0; i < 4; ++i)
        EXPECT_EQ(rig.wafer->state(1, 2).accumulators[i * 4],
                  c.words[i] < 0 ? 0U : static_cast<unsigned>(0x4000 + c.words[i] / 4) << 16);
      rig.call("put").go();  // writes
      EXPECT_EQ(rig.wafer->flags(), flags);
      std::vector<std::uint16_t> expected = memory;
      for (const int word : c.words)
        for (int lane = 0; lane < 4 && word >= 0; ++lane) expected[static_cast<std::size_t>(word + lane)] = 0x3f80;
      EXPECT_EQ(rig.wafer->sram(1, 2), expected);
    });
  }
}

TEST(Contract, AddressesWrapBeatByBeat) {
  // In a copy by two words across the end of the address space, the third beat reads the value that the first has
  // written.
  in_both({.rows = 1, .cols = 2, .sram_kib = 128}, [](Rig& rig) {
    for (int col = 0; col < 2; ++col)
      rig.store(0, col, 65532, {0x3f80, 0x3f80, 0x3f80, 0x3f80}).store(0, col, 0, {0x4000, 0x4000, 0x4000, 0x4000});
    rig.load(
        "main: li r1, 4\ncsrw VL, r1\nli r1, 1\ncsrw REP, r1\nli r2, 0xfffc\nli r3, 4\nli r4, 0x3f80\n"
        "vf.fma M[r3], M[r2], S[r4], Z\nhalt");
    rig.call("main").go();
    const auto memory = rig.wafer->sram(0, 1);
    const std::vector<std::uint16_t> words{memory[4], memory[8], memory[12], memory[16]};
    EXPECT_EQ(words, (std::vector<std::uint16_t>{0x3f80, 0x4000, 0x3f80, 0x4000}));
    EXPECT_EQ(rig.wafer->flags(), "");
  });
}

TEST(Contract, StreamsReadBehindTheEndAndWriteThere) {
  in_both(kShape, [](Rig& rig) {  // vaxs, vdot's x, accumulating vf, a memory scalar, vb, vs
    rig.load(R"(
main:   li   r1, 2
        csrw VL, r1
        csrw REP, r1
        li   r1, 508
        li   r2, 0x4000
        vaxs R[r0], M[r1]         ; x: 508 and a zero
        li   r3, 8
        vf.fma R[r3], M[r1], S[r2], R[r3]
        li   r4, 600
        li   r5, 16
        vf.fma R[r5], M[r0], MS[r4], Z
        mvp  r1, r1
        fork p
        join
        halt
p:      li   r2, 2
        csrw VL, r2
        li   r3, 32
        vb   src=M[r1], dst=M[r3]
        vs.mov own=R[r0], dst=M[r1]
        li   r4, 500
        vb   src=M[r3], dst=M[r4] ; the other buffer: 508, and what is lost
        halt)");
    for (int col = 0; col < 3; ++col) {
      rig.store(1, col, 508, {0x3f80, 0x3f80, 0x3f80, 0x3f80});
      rig.store(1, col, 32, {1, 1, 1, 1, 2, 2, 2, 2, 3});
    }
    rig.call("main").weight(0x8000, 0x4040).weight(0x8000, 0x3f80).cr().go();
    EXPECT_EQ(rig.wafer->flags(), rows("BAD_ADDRESS"));
    const auto r = rig.wafer->state(1, 1).accumulators;
    EXPECT_EQ(r[0], 0x40800000U);      // 1 * 3 + 1 * 1
    EXPECT_EQ(r[4], 0U);               // beyond the end
    EXPECT_EQ(r[8 * 4], 0x40800000U);  // 2 + 2
    const auto m = rig.wafer->sram(1, 1);
    const std::vector<std::uint16_t> copy(m.begin() + 32, m.begin() + 41), last(m.begin() + 500, m.end());
    EXPECT_EQ(copy, (std::vector<std::uint16_t>{0x3f80, 0x3f80, 0x3f80, 0x3f80, 0, 0, 0, 0, 3}));
    EXPECT_EQ(last, (std::vector<std::uint16_t>{0, 0, 0, 0, 0, 0, 0, 0, 0x3f80, 0x3f80, 0x3f80, 0x3f80}));
  });
}

TEST(Contract, VsWritesBehindTheEndWhatIsLost) {
  in_both(kShape, [](Rig& rig) {
    rig.load(R"(
main:   li   r1, 2
        csrw VL, r1
        li   r1, 1
        csrw REP, r1
        li   r1, 0x3f80
        vf.fma R[r0], S[r1], S[r1], Z
        fork p
        join
        halt
p:      li   r2, 2
        csrw VL, r2
        li   r1, 508
        vs.mov own=R[r0], dst=M[r1]
        halt)");
    rig.call("main").go();
    EXPECT_EQ(rig.wafer->flags(), rows("BAD_ADDRESS"));
    EXPECT_EQ(rig.element(1, 1, 508), 0x3f80);
    EXPECT_EQ(rig.element(1, 1, 504), 0);
  });
}

/// Addresses of two vectors of 4 beats: inside memory, across its end, at the end, beyond it, before address 0,
/// misaligned.
constexpr int kTwo[] = {0, 256, 500, 508, 512, 65532, 6, 505};

/// The value that a beat's lane of a vector reads from `memory`.
std::uint16_t read(const std::vector<std::uint16_t>& memory, int address, std::size_t e) {
  const std::size_t at = (static_cast<std::size_t>(address) / 4 * 4 + e) % 65536;
  return at < memory.size() ? memory[at] : 0;
}

/// The flags set by reading a and b.
unsigned flags_of(const std::vector<std::uint16_t>& memory, int a, int b) {
  unsigned flags = 0;
  for (const int address : {a, b}) {
    if (address % 4) flags |= 1u << static_cast<unsigned>(isa::Flag::Misaligned);
    for (int beat = 0; beat < 4; ++beat)
      if (static_cast<std::size_t>((address + 4 * beat) % 65536 / 4 * 4) >= memory.size())
        flags |= 1u << static_cast<unsigned>(isa::Flag::BadAddress);
  }
  return flags;
}

std::vector<std::uint16_t> numbered() {
  std::vector<std::uint16_t> memory(512);
  for (std::size_t e = 0; e < 512; ++e) memory[e] = static_cast<std::uint16_t>(0x3f80 + e);
  return memory;
}

void store_everywhere(Rig& rig, const std::vector<std::uint16_t>& memory) {
  for (int row = 0; row < 2; ++row)
    for (int col = 0; col < 3; ++col) rig.store(row, col, 0, memory);
}

TEST(Contract, BothVectorsInMemoryHaveAddressesBeatByBeat) {
  const std::vector<std::uint16_t> memory = numbered();
  for (const int a : kTwo)
    for (const int y : kTwo)
      for (const bool is_b : {true, false}) {
        SCOPED_TRACE(testing::Message() << "a " << a << (is_b ? " b " : " c ") << y);
        in_both(kShape, [&](Rig& rig) {
          store_everywhere(rig, memory);
          rig.load("main: li r1, 4\ncsrw VL, r1\nli r1, 1\ncsrw REP, r1\nli r2, " + std::to_string(a) + "\nli r3, " +
                   std::to_string(y) + "\nli r4, 0x4000\n" +
                   (is_b ? "vf.fma R[r0], M[r2], M[r3], Z" : "vf.fma R[r0], M[r2], S[r4], M[r3]") + "\nhalt");
          rig.call("main").go();
          const machine::TileState state = rig.wafer->state(1, 2);
          EXPECT_EQ(state.flags, flags_of(memory, a, y));
          EXPECT_EQ(state.beats, 4U);
          for (std::size_t e = 0; e < 16; ++e) {
            const bf16 x = read(memory, a, e), second = read(memory, y, e);
            ASSERT_EQ(state.accumulators[e], is_b ? fma_bits(x, second, 0) : fma_bits(x, 0x4000, widen(second))) << e;
          }
        });
      }
}

TEST(Contract, DyOfVdotHasAddressesBeatByBeat) {
  const std::vector<std::uint16_t> memory = numbered();
  for (const int y : kTwo)
    for (const int entry : {0, 1}) {  // entry of PM, which selects the buffer
      SCOPED_TRACE(testing::Message() << "dy " << y << " entry " << entry);
      in_both(kShape, [&](Rig& rig) {
        store_everywhere(rig, memory);
        // psum's own writes to memory are not compared.
        rig.load(R"(
main:   li   r1, 4
        csrw VL, r1
        li   r3, DY
        li   r4, 64
        fork p
        li   r2, ENTRY
        beq  r2, r0, last
        vdot R[r0], M[r4], M[r0]  ; an output without an index
last:   vdot R[r0], M[r4], M[r3]
        join
        halt
p:      li   r1, 4
        csrw VL, r1
        li   r2, 128
        vb   src=M[r2], dst=M[r2]
        vb   src=M[r2], dst=M[r2]
        halt)",
                 {{"DY", (y + 65536 - entry * 16) % 65536}, {"ENTRY", entry}});
        rig.call("main");
        if (entry) rig.cr();
        rig.weight(0, 0).weight(0x8000, 0).cr().go();
        const machine::TileState state = rig.wafer->state(1, 2);
        EXPECT_EQ(state.flags, flags_of(memory, y, y));
        EXPECT_EQ(state.beats, 2U * 4 + 4);  // vb, vdot
        for (std::size_t l = 0; l < 4; ++l) {
          std::uint32_t sum = 0;
          for (std::size_t e = l; e < 16; e += 4) sum = fma_bits(memory[64 + e], read(memory, y, e), sum);
          ASSERT_EQ(state.accumulators[entry * 16 * 4 + l], sum) << l;
        }
      });
    }
}

TEST(Contract, TheSecondVectorMayBeWhatIsWritten) {
  // In copies by two words, across the end of the address space and inside memory, the third beat reads the value that
  // the first has written.
  const struct {
    int from, to;
    std::vector<std::uint16_t> words;
  } cases[] = {{65532, 4, {0x3f80, 0x4000, 0x3f80, 0x4000}},
               {8, 16, {0x40a0, 0x40c0, 0x40a0, 0x40c0}},
               {16, 8, {0x40e0, 0x4100, 0, 0}}};
  for (const auto& c : cases)
    for (const bool is_b : {true, false}) {
      SCOPED_TRACE(testing::Message() << c.from << (is_b ? " b" : " c"));
      in_both({.rows = 1, .cols = 2, .sram_kib = 128}, [&](Rig& rig) {
        for (int col = 0; col < 2; ++col) {
          rig.store(0, col, 65532, {0x3f80, 0x3f80, 0x3f80, 0x3f80}).store(0, col, 0, {0x4000, 0x4000, 0x4000, 0x4000});
          std::vector<std::uint16_t> rest;
          for (const int word : {0x40a0, 0x40c0, 0x40e0, 0x4100})
            rest.insert(rest.end(), 4, static_cast<std::uint16_t>(word));
          rig.store(0, col, 8, rest).store(0, col, 64, std::vector<std::uint16_t>(16, 0x3f80));
        }
        rig.load("main: li r1, 4\ncsrw VL, r1\nli r1, 1\ncsrw REP, r1\nli r1, 64\nli r2, " + std::to_string(c.from) +
                 "\nli r3, " + std::to_string(c.to) + "\n" +
                 (is_b ? "vf.fma M[r3], M[r1], M[r2], Z" : "vf.fma M[r3], M[r1], S[r0], M[r2]") + "\nhalt");
        rig.call("main").go();
        const auto memory = rig.wafer->sram(0, 1);
        for (std::size_t beat = 0; beat < 4; ++beat)
          EXPECT_EQ(memory[static_cast<std::size_t>(c.to) + 4 * beat + 3], c.words[beat]) << beat;
        EXPECT_EQ(rig.wafer->flags(), "");
      });
    }
}

TEST(Contract, BeatsAreCountedButFetchesAreNot) {
  for (const int lanes : {2, 4, 8, 16})
    for (const int indices : {0, 1, 2, 5, 16}) {
      SCOPED_TRACE(testing::Message() << lanes << " lanes, " << indices << " indices");
      in_both({.rows = 1, .cols = 2, .lanes = lanes, .sram_kib = 1}, [&](Rig& rig) {
        const auto count = [&](const std::string& kernel, std::uint64_t beats, std::uint64_t fmas) {
          const WaferCounters before = rig.wafer->counters();
          rig.call(kernel);
          if (kernel == "dots") {
            for (int n = 0; n < indices; ++n) rig.weight(0, 0);
            rig.cr();
          }
          rig.go();
          const WaferCounters after = rig.wafer->counters();
          EXPECT_EQ(after.beats - before.beats, 2 * beats) << kernel;
          EXPECT_EQ(after.fma_lanes - before.fma_lanes, 2 * fmas * static_cast<unsigned>(lanes)) << kernel;
        };
        rig.load(R"(
scalar: li   r1, 3
        csrw VL, r1
        csrw REP, r1
        li   r2, 128
        vf.fma R[r0], M[r0], MS[r2], Z
        halt
b:      vf.fma R[r0], M[r0], M[r2], R[r0]
        halt
c:      vf.fma R[r0], M[r0], A, M[r2]
        halt
load:   ld   r3, r0, 0
        halt
dots:   fork p
        vdot R[r0], M[r0], M[r2]
        join
        halt
p:      li   r1, 3
        csrw VL, r1
        li   r2, 128
        vb   src=M[r0], dst=M[r2]
        vr   in=WEST, out=WEST, src=R[r0]
        halt)");
        count("scalar", 9, 9);
        count("b", 9, 9);
        count("c", 9, 9);
        count("load", 1, 0);
        const auto slots = static_cast<std::uint64_t>(indices), pairs = static_cast<std::uint64_t>(lanes) / 2;
        const std::uint64_t vr = lanes == 2 ? 2 * slots : (pairs - 1) * slots + 2 * ((slots + 1) / 2);
        count("dots", 3 + 3 * slots + vr, 3 * slots);
        EXPECT_EQ(rig.wafer->flags(), "");
      });
    }
}

}  // namespace
}  // namespace weft::model
