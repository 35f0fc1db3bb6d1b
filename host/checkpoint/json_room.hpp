/// Memory that a JSON text takes when it is parsed.
#pragma once

#include <string>
#include <string_view>

namespace weft {

/// Bytes that the values of a text take at most as a tree of nlohmann::json, with what its destructor allocates. Counts
/// quotes and commas, so a text that is no JSON gets a number, too.
double json_tree_bytes(std::string_view text);

/// Throws Refusal if that tree, and half as much that is made of it, does not fit into the memory that is left. A tree
/// must not be parsed then: if it meets the end of memory its destructor, which allocates, ends the program.
/// `file`: the name in the message.
void check_json_fits(std::string_view text, const std::string& file);

}  // namespace weft
