/// A router's routes: for each input port and color the set of output ports (docs/reference/message.md).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "isa_machine.hpp"
#include "sw/machine/shape.hpp"

namespace weft::model {

inline constexpr int kPorts = 5;

constexpr std::uint8_t bit(isa::Port port) { return static_cast<std::uint8_t>(1u << static_cast<unsigned>(port)); }

/// Arguments of a ROUTE command.
struct Route {
  int color, port;
  std::uint8_t outputs;
  bool odd;  ///< a reserved bit is set

  explicit Route(std::uint16_t value)
      : color(value >> 11), port(value >> 8 & 7), outputs(value & 31), odd((value >> 5 & 7) != 0) {}

  /// The flag raised by the tile in this place if the route is invalid there.
  std::optional<isa::Flag> fault(const machine::WaferShape& shape, int row, int col) const {
    if (color >= shape.colors) return isa::Flag::BadColor;
    if (port >= kPorts || odd) return isa::Flag::BadRoute;
    if (row == 0 && outputs & bit(isa::Port::N)) return isa::Flag::BadRoute;
    if (row == shape.rows - 1 && outputs & bit(isa::Port::S)) return isa::Flag::BadRoute;
    if (col == shape.cols - 1 && outputs & bit(isa::Port::E)) return isa::Flag::BadRoute;
    return {};
  }
};

class Routes {
 public:
  /// Routes after reset: W goes east and to the ramp, in the last column only to the ramp.
  explicit Routes(bool last_column) {
    at(isa::Port::W, 0) = static_cast<std::uint8_t>(bit(isa::Port::Ramp) | (last_column ? 0 : bit(isa::Port::E)));
  }

  std::uint8_t& at(isa::Port port, int color) { return at(static_cast<int>(port), color); }
  std::uint8_t at(isa::Port port, int color) const { return at(static_cast<int>(port), color); }
  std::uint8_t& at(int port, int color) {
    return outputs_[static_cast<std::size_t>(port)][static_cast<std::size_t>(color)];
  }
  std::uint8_t at(int port, int color) const {
    return outputs_[static_cast<std::size_t>(port)][static_cast<std::size_t>(color)];
  }

 private:
  std::array<std::array<std::uint8_t, 32>, kPorts> outputs_{};
};

}  // namespace weft::model
