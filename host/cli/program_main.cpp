#include <boost/system/system_error.hpp>
#include <exception>
#include <filesystem>
#include <iostream>
#include <memory>
#include <new>
#include <string>
#include <system_error>

#include "host/cli/program.hpp"
#include "host/swarmx/base/error.hpp"
#include "host/system/signals.hpp"
#include "sw/base/allocator.hpp"
#include "sw/base/memory_room.hpp"
#include "sw/base/quoted_lines.hpp"
#include "sw/base/refusal.hpp"

namespace weft::cli {
namespace {

int refused(const std::string& what) {
  std::cerr << "weft: the system reports an error: " << what
            << ". HINT: use fewer wafers (runconfig.num_csx), or raise the system's limits (ulimit -a).\n";
  return 2;
}

/// Reports a file system error that was not converted to a Refusal where it occurred.
int refused(const std::filesystem::filesystem_error& e) {
  std::error_code gone;
  [[maybe_unused]] const auto current = std::filesystem::current_path(gone);
  const Refusal refusal =
      gone ? Refusal("weft", "the current folder no longer exists: " + gone.message(),
                     "cd into an existing folder, or give absolute paths")
           : Refusal(e.path1().string(), e.code().message(), "check this path, its permissions and its disk");
  std::cerr << refusal.what() << '\n';
  return refusal.caused_by(e.code().value()).exit_code();
}

}  // namespace

int program_main(int argc, char** argv, const Inspection* inspection) {
  keep_what_is_freed();
  std::unique_ptr<ranks::RankLog> log;
  try {
    return program({argv + 1, argv + argc}, log, inspection);
  } catch (const Refusal& e) {
    std::cerr << e.what() << '\n';
    return e.exit_code();
  } catch (const std::bad_alloc&) {
    std::cerr << "weft: not enough memory: " << memory_room().text()
              << ". HINT: use fewer wafers (runconfig.num_csx) or a smaller model, or raise that limit.\n";
    return 2;
  } catch (const std::filesystem::filesystem_error& e) {
    return refused(e);
  } catch (const std::system_error& e) {  // threads
    return refused(e.code().message());
  } catch (const boost::system::system_error& e) {  // sockets
    return refused(e.code().message());
  } catch (const swarmx::MemoryLost& e) {
    std::cerr << "weft: " << quoted_lines(e.what()) << '\n';
    return system::kInterruptedExit;
  } catch (const std::exception& e) {
    std::cerr << "weft: " << quoted_lines(e.what()) << '\n';
    return 1;
  }
}

}  // namespace weft::cli
