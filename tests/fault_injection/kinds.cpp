#include "tests/fault_injection/fault.hpp"

namespace weft::fault_injection {

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = [] {
    std::vector<Kind> result;
    for (const auto& family : {signal_kinds(), limit_kinds(), removal_kinds(), damage_kinds(), metrics_kinds(),
                               other_data_kinds(), shard_kinds(), second_run_kinds(), peer_kinds()}) {
      result.insert(result.end(), family.begin(), family.end());
    }
    return result;
  }();
  return all;
}

}  // namespace weft::fault_injection
