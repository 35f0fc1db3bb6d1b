/// What a user writes for a side of `weft bisect`, as the command line that is run for it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "host/config/arguments.hpp"

namespace weft::bisect {

/// `text`, by its first word:
///   --key        this program, with what follows added
///   model, rtl   this program on that backend
///   FILE.yaml    this program with those parameters
///   PROGRAM      a file that is there, a path from the root, or whatever `run` follows
///   else         a commit, which is built now (scripts/build_commit of the tree that `program` is in)
/// More may follow, as `--key value`. A side that names no --params gets what `arguments` say to both. `out`: for what
/// is written meanwhile. Throws Refusal of --`name`.
std::vector<std::string> side_words(const std::string& name, const std::string& text, const Arguments& arguments,
                                    const std::filesystem::path& program, const std::filesystem::path& out);

}  // namespace weft::bisect
