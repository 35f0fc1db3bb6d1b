/// --cs_ip: address of the wafer.
#pragma once

#include <string>
#include <vector>

#include "host/config/config.hpp"

namespace weft::config {

/// Makes the wafers boards at these addresses ("10.0.0.5", "10.0.0.5:7000", or several separated by commas):
/// wafer.backend fpga and fpga.device udp:10.0.0.5. Other forms that fpga.device accepts (udp:..., a serial device,
/// emulated) stay unchanged. Throws Refusal if `overrides` set another backend or other devices.
void use_board_at(const std::string& address, std::vector<Override>& overrides);

/// Error for --cs_ip without an address, as in `--cs_ip $CS_IP` with the variable unset.
Refusal no_address();

}  // namespace weft::config
