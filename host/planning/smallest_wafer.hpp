/// Chooses a wafer for a model.
#pragma once

#include <functional>
#include <vector>

#include "host/config/config.hpp"

namespace weft::planning {

/// The configuration, made by `with` from overrides, whose wafer is the smallest of a list that fits its model. If
/// `overrides` set wafer.rows or wafer.cols, that wafer is used. Throws Refusal as check_fit does.
config::Config with_smallest_wafer(const std::vector<config::Override>& overrides,
                                   const std::function<config::Config(const std::vector<config::Override>&)>& with);

}  // namespace weft::planning
