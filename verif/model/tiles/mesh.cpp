#include "verif/model/tiles/mesh.hpp"

#include "verif/model/machine/machine.hpp"

namespace weft::model {

std::vector<std::uint32_t>& Mesh::outlet(int row, const Sender& sender) {
  Sender& of = outlet_of[static_cast<std::size_t>(row)];
  if (of != sender && of.tile >= 0)
    throw ProgramError("the outlet of row " + std::to_string(row) + " gets words of " + name(of) + " on " +
                       color_name(of.color) + " and of " + name(sender) + " on " + color_name(sender.color) +
                       ", which meet in any order. HINT: let the host await the first before the second sends");
  of = sender;
  return outlets.words[static_cast<std::size_t>(row)];
}

}  // namespace weft::model
