/// A wafer of the model whose rows form groups (docs/explanation/row_groups.md).
#pragma once

#include <memory>
#include <vector>

#include "verif/wafer.hpp"

namespace weft::model {

/// Makes one wafer of several of the same shape, its groups: `groups[g]` has the rows of group g. No message crosses
/// from a group to another, and every message of the stream reaches all, so groups need no common clock. shape() has
/// the rows of a group, and their number as row_groups; rows are numbered through all groups.
std::unique_ptr<Wafer> make_grouped_wafer(std::vector<std::unique_ptr<Wafer>> groups);

}  // namespace weft::model
