/// Interprets the names of data files.
#pragma once

#include <string>
#include <vector>

namespace weft::data {

/// The files that match a shell pattern with `*`, `?` or `[...]`; none if nothing matches or `pattern` is not a
/// pattern.
std::vector<std::string> matching_files(const std::string& pattern);

/// Throws Refusal about `path` if some of its `files` are named as training data and others as held-out data: a word of
/// the name, or of a folder below `path`, is "train", or "val", "valid", "validation", "dev", "test", "eval". llm.c's
/// and nanoGPT's folders contain such files. Without this check, all of them would be used both for training and for
/// evaluation.
void check_parts(const std::string& path, const std::vector<std::string>& files);

}  // namespace weft::data
