/// Translates a side as the user writes it for `weft bisect` into the command line to run.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "host/config/command_line/arguments.hpp"

namespace weft::inspect::bisect {

/// Interprets `text` by its first word:
///   --key        this program, with the following arguments added
///   model, rtl   this program on that backend
///   FILE.yaml    this program with those parameters
///   PROGRAM      an existing file, an absolute path, or any word followed by `run`
///   else         a commit, which is built now (scripts/build_commit of the tree that contains `program`)
/// More arguments may follow as `--key value`. A side without --params gets the parameters that `arguments` give for
/// both. `out`: folder for intermediate files. Throws Refusal of --`name`.
std::vector<std::string> side_words(const std::string& name, const std::string& text,
                                    const config::Arguments& arguments, const std::filesystem::path& program,
                                    const std::filesystem::path& out);

}  // namespace weft::inspect::bisect
