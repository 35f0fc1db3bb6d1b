/// Checks that must hold after every end of the program.
#pragma once

#include "tests/fault_injection/fault.hpp"

namespace weft::fault_injection {

/// Checks that the files present in `folder` match the undisturbed run's. `killed`: unfinished files and a torn last
/// line are allowed.
void judge_folder(Scene& scene, const std::string& folder, bool killed);

/// Checks the end of a session and its model_dir.
void judge(Session& session, const Process& process, const End& end);

/// Lines of `errors` that report a problem: all except answers to a signal.
std::vector<std::string> problem_lines(const std::string& errors);

/// True if `line` has the form "subject: problem. HINT: what to do."
bool is_clear(const std::string& line);

/// True if the kernel or the loader failed to start the program.
bool never_began(const End& end);

}  // namespace weft::fault_injection
