#include "host/appliance/estimate/stream.hpp"

#include "host/appliance/estimate/gemm.hpp"
#include "host/appliance/estimate/gradient.hpp"

namespace weft {

bool is_gemm_kernel(const StreamCall& call) {
  return call.kernel.starts_with("gemm") || call.kernel.starts_with("embed");
}
bool is_streamed(const StreamCall& call) { return is_gemm_kernel(call) || call.kernel.starts_with("gradient"); }

double stream_cycles(const StreamCall& call, const WaferShape& wafer, int tokens,
                     std::span<const std::uint16_t> memory) {
  std::vector<int> homes;
  if (call.kernel != "gradient_local") {
    const auto table = memory.subspan(static_cast<std::size_t>(call.argument("homes")));
    homes.assign(table.begin(), table.begin() + wafer.rows);
  }
  const auto& cycles_of = is_gemm_kernel(call) ? gemm_cycles : gradient_cycles;
  return cycles_of(call, wafer, tokens, homes);
}

}  // namespace weft
