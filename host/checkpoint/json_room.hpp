/// Estimates the memory that parsing a JSON text takes.
#pragma once

#include <string>
#include <string_view>

namespace weft::checkpoint {

/// Upper bound of the bytes that the text's values take as a tree of nlohmann::json, including allocations by its
/// destructor. Counts quotes and commas, so that invalid JSON gets an estimate, too.
double json_tree_bytes(std::string_view text);

/// Throws Refusal if that tree, and half as much for data made from it, does not fit into the remaining memory. In that
/// case the text must not be parsed: if memory runs out, the destructor of the tree, which allocates, would abort the
/// program. `file`: the name in the message.
void check_json_fits(std::string_view text, const std::string& file);

}  // namespace weft::checkpoint
