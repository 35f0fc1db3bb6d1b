/// Chooses a wafer for a model.
#pragma once

#include <functional>
#include <vector>

#include "host/config/config.hpp"

namespace weft {

/// The configuration, made by `with` from overrides, whose wafer is the smallest of a list that fits its model. If
/// `overrides` set wafer.rows or wafer.cols, that wafer is used. Throws Refusal as check_fit does.
Config with_smallest_wafer(const std::vector<Override>& overrides,
                           const std::function<Config(const std::vector<Override>&)>& with);

}  // namespace weft
