#include "sw/asm/program.hpp"

#include <algorithm>

namespace weft::assembler {

const Kernel* Program::kernel(std::string_view name) const {
  const auto found = std::ranges::find(kernels, name, &Kernel::name);
  return found == kernels.end() ? nullptr : &*found;
}

}  // namespace weft::assembler
