#include "fpga/emulator/damage.hpp"

#include <utility>

namespace weft::emulator {

bool Damage::happens(double rate) { return rate > 0 && static_cast<double>(rng_() >> 11) < rate * 0x1p53; }

std::vector<Piece> Damage::pass(Piece piece) {
  ++frames_;
  std::vector<std::uint8_t> bytes;
  for (std::uint8_t byte : piece.bytes) {
    if (happens(rates_.cut)) {
      ++cut_;
      continue;
    }
    if (happens(rates_.flip)) {
      byte ^= static_cast<std::uint8_t>(1u << (rng_() % 8));
      ++flipped_;
    }
    bytes.push_back(byte);
  }
  piece.bytes = std::move(bytes);
  std::vector<Piece> pieces;
  if (!late_ && happens(rates_.delay)) {
    ++delayed_;
    late_ = std::move(piece);
    return pieces;
  }
  pieces.push_back(std::move(piece));
  if (happens(rates_.doubled)) {
    ++doubled_;
    pieces.push_back(pieces.front());
  }
  if (late_) pieces.push_back(*std::exchange(late_, {}));
  return pieces;
}

std::string Damage::counts(const std::string& name) const {
  return name + ": " + std::to_string(frames_) + " frames, " + std::to_string(flipped_) + " bits flipped, " +
         std::to_string(cut_) + " bytes cut, " + std::to_string(doubled_) + " frames doubled, " +
         std::to_string(delayed_) + " delayed";
}

}  // namespace weft::emulator
