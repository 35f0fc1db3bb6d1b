/// What must be true after every end of the program.
#pragma once

#include "tests/abuse/abuse.hpp"

namespace weft::abuse {

/// The files of `folder`, as far as they are there, are those of the undisturbed run. `killed`: it had no time to
/// tidy up.
void judge_folder(Scene& scene, const std::string& folder, bool killed);

/// The end of a session, and its model_dir.
void judge(Session& session, const Process& process, const End& end);

/// The lines that tell of a problem: all but those that answer a signal.
std::vector<std::string> problem_lines(const std::string& errors);

/// "subject: problem. HINT: what to do."
bool is_clear(const std::string& line);

/// The kernel or the loader refused to begin the program.
bool never_began(const End& end);

}  // namespace weft::abuse
