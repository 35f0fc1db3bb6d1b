/// Instructions that end their thread.
#include "verif/random/blocks.hpp"

namespace weft::random {

void Blocks::illegal(Code& c, bool main) {
  const auto op = [](Op o) { return static_cast<std::uint32_t>(o) << 26; };
  const auto bits = static_cast<std::uint32_t>(dice_.next());
  const std::uint32_t any = bits & 0x03ffffff;
  std::uint32_t word = any;  // opcode 0
  switch (dice_.below(6)) {
    case 0:
      break;
    case 1:
      word = any | static_cast<std::uint32_t>(dice_.any({23, 27, 31, 36, 39, 43, 47, 48, 63})) << 26;
      break;
    case 2:
      word = any | op(main ? dice_.any({Op::Rcv, Op::Snd, Op::Vs, Op::Vb, Op::Vr})
                           : dice_.any({Op::Mvp, Op::Fork, Op::Join, Op::Vf, Op::Vaxs, Op::Vcr, Op::Vdot}));
      break;
    case 3:
      word = (any & ~15u) | op(Op::Csrr) |
             static_cast<std::uint32_t>(main ? dice_.any({13, 14, 15}) : dice_.any({1, 2, 5, 6, 7, 13, 15}));
      break;
    case 4:
      word =
          (any & ~15u) | op(Op::Csrw) |
          static_cast<std::uint32_t>(main ? dice_.any({8, 9, 10, 11, 12, 13, 15}) : dice_.any({1, 3, 6, 7, 8, 10, 14}));
      break;
    default:
      if (main)
        word = dice_.chance(50)
                   ? op(Op::Vf) | (any & ~(3u << 19)) | 3u << 21 | 1u << 19  // MM, and b from R
                   : op(dice_.any({Op::Vaxs, Op::Vdot})) | (any & ~(3u << 21)) | (dice_.chance(50) ? 1u : 3u) << 21;
      else if (dice_.chance(40) && shape_.colors < 32)  // BAD_COLOR
        word = isa::encode({.op = dice_.any({Op::Rcv, Op::Snd}), .color = u8(dice_.between(shape_.colors, 31))});
      else if (dice_.chance(30))  // W
        word = isa::encode({.op = dice_.any({Op::Rcv, Op::Snd}), .color = 0});
      else if (dice_.chance(50))
        word = op(Op::Vs) | any | 3u << 23;
      else
        word = op(Op::Vs) | (any & ~(1u << 22)) | 1u << 18;  // gather without out
  }
  c.raw(word);
}

}  // namespace weft::random
