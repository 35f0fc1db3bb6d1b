/// What names of files say.
#pragma once

#include <string>
#include <vector>

namespace weft {

/// The files that a pattern names as a shell's would, `*`, `?` and `[...]`; none if there are none, or it is no
/// pattern.
std::vector<std::string> matching_files(const std::string& pattern);

/// Throws Refusal about `path` if of its `files` some are named as data to train with, and others as data that is kept
/// from training: a word of the name, or of a folder below
/// `path`, is "train", or "val", "valid", "validation", "dev", "test", "eval". So they are in
/// llm.c's and nanoGPT's folders. Taken together, they would be trained on and evaluated with alike.
void check_parts(const std::string& path, const std::vector<std::string>& files);

}  // namespace weft
