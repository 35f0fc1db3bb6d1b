/// --cs_ip: the wafer is at this address.
#pragma once

#include <string>
#include <vector>

#include "host/config/config.hpp"

namespace weft {

/// "10.0.0.5", "10.0.0.5:7000", or several with commas between: wafers are boards there, wafer.backend fpga and
/// fpga.device udp:10.0.0.5. What fpga.device takes otherwise (udp:..., a serial device, emulated) stays as it is.
/// Throws Refusal if `overrides` say that wafers are no boards, or name other devices.
void use_board_at(const std::string& address, std::vector<Override>& overrides);

/// Of --cs_ip without an address, as `--cs_ip $CS_IP` is where nobody has set it.
Refusal no_address();

}  // namespace weft
