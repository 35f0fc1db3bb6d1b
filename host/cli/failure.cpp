#include "host/cli/failure.hpp"

#include <boost/system/system_error.hpp>
#include <exception>
#include <filesystem>
#include <new>
#include <system_error>

#include "host/swarmx/base/error.hpp"
#include "host/system/signals.hpp"
#include "sw/base/memory_room.hpp"
#include "sw/base/quoted_lines.hpp"
#include "sw/base/refusal.hpp"

namespace weft::cli {
namespace {

Failure refused(const std::string& what) {
  return {"weft: the system reports an error: " + what +
              ". HINT: use fewer wafers (runconfig.num_csx), or raise the system's limits (ulimit -a).",
          2};
}

/// Reports a file system error that was not converted to a Refusal where it occurred.
Failure refused(const std::filesystem::filesystem_error& e) {
  std::error_code gone;
  [[maybe_unused]] const auto current = std::filesystem::current_path(gone);
  const Refusal refusal =
      gone ? Refusal("weft", "the current folder no longer exists: " + gone.message(),
                     "cd into an existing folder, or give absolute paths")
           : Refusal(e.path1().string(), e.code().message(), "check this path, its permissions and its disk");
  return {refusal.what(), refusal.caused_by(e.code().value()).exit_code()};
}

}  // namespace

Failure current_failure() {
  try {
    throw;
  } catch (const Refusal& e) {
    return {e.what(), e.exit_code()};
  } catch (const std::bad_alloc&) {
    return {"weft: not enough memory: " + memory_room().text() +
                ". HINT: use fewer wafers (runconfig.num_csx) or a smaller model, or raise that limit.",
            2};
  } catch (const std::filesystem::filesystem_error& e) {
    return refused(e);
  } catch (const std::system_error& e) {  // threads
    return refused(e.code().message());
  } catch (const boost::system::system_error& e) {  // sockets
    return refused(e.code().message());
  } catch (const swarmx::MemoryLost& e) {
    return {"weft: " + quoted_lines(e.what()), system::kInterruptedExit};
  } catch (const std::exception& e) {
    return {"weft: " + quoted_lines(e.what()), 1};
  }
}

}  // namespace weft::cli
