#include "host/swarmx/auth/key_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "sw/base/descriptor.hpp"
#include "sw/base/refusal.hpp"
#include "tests/swarmx/auth/joining.hpp"

namespace weft::swarmx {
namespace {

const std::string kText(64, 'a');

std::string refused(const std::filesystem::path& file) {
  try {
    read_key_file(file);
  } catch (const Refusal& why) {
    EXPECT_EQ(why.subject(), file);
    EXPECT_SAYS(std::string(why.what()), ". HINT: ");
    return why.what();
  }
  return "read";
}

TEST(KeyFile, IsReadIfItIsOursAlone) {
  const TemporaryFolder folder;
  for (const int mode : {0600, 0400}) {
    const auto key = read_key_file(folder.file("key" + std::to_string(mode), kText, mode));
    EXPECT_EQ(std::string(key.begin(), key.end()), kText);
  }
}

TEST(KeyFile, MayEndWithALine) {
  const TemporaryFolder folder;
  EXPECT_EQ(read_key_file(folder.file("key", kText + "\r\n")), read_key_file(folder.file("other", kText)));
}

TEST(KeyFile, FileAccessibleToOthersIsRejected) {
  const TemporaryFolder folder;
  EXPECT_SAYS(refused(folder.file("key", kText, 0644)),
              "has mode 0644, so other users may know the key. HINT: chmod 600 ");
  for (const int mode : {0604, 0602, 0640, 0620, 0601, 0700})
    EXPECT_EQ(refused(folder.file("key" + std::to_string(mode), kText, mode)) == "read", mode == 0700) << mode;
}

TEST(KeyFile, OtherOwnerIsRejected) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  const TemporaryFolder folder;
  const auto file = folder.file("key", kText);
  ASSERT_EQ(::chown(file.c_str(), 1234, 0), 0);
  EXPECT_SAYS(refused(file), "belongs to user 1234, but this process runs as user 0");
}

TEST(KeyFile, ShortKeyHintsHowToMakeOne) {
  const TemporaryFolder folder;
  const auto file = folder.file("key", std::string(31, 'a') + "\n  \n");
  EXPECT_SAYS(refused(file),
              "has a key of 31 bytes, fewer than the required 32. HINT: make one: (umask 077; openssl rand "
              "-hex 32 > " +
                  file.string() + ")");
  EXPECT_EQ(refused(folder.file("longer", std::string(32, 'a'))), "read");
}

/// Follows the hint "make one: (...)" in a shell; the resulting key is then read.
void expect_hint_makes_a_key(const std::filesystem::path& file, const std::filesystem::path& made) {
  const std::string said = refused(file), mark = "make one: ";
  const std::size_t at = said.find(mark);
  ASSERT_NE(at, std::string::npos) << said;
  const std::string command = said.substr(at + mark.size(), said.rfind('.') - at - mark.size());
  EXPECT_EQ(std::system(("timeout 20 sh -c \"" + command + "\"").c_str()), 0) << command;
  EXPECT_EQ(refused(made), "read") << command;
}

TEST(KeyFile, MissingFileIsMadeByTheHint) {
  const TemporaryFolder folder;
  EXPECT_SAYS(refused(folder.path() / "absent"), "No such file");
  expect_hint_makes_a_key(folder.path() / "absent", folder.path() / "absent");
  expect_hint_makes_a_key(folder.path() / "no/such folder/key", folder.path() / "no/such folder/key");
  expect_hint_makes_a_key(folder.file("empty", ""), folder.path() / "empty");
}

TEST(KeyFile, SpecialFileIsLeftAloneByTheHint) {
  const TemporaryFolder folder;
  EXPECT_SAYS(refused(folder.path()), "is not a regular file");
  expect_hint_makes_a_key(folder.path(), folder.path() / "key");
  ASSERT_EQ(::mkfifo((folder.path() / "pipe").c_str(), 0600), 0);
  EXPECT_SAYS(refused(folder.path() / "pipe"), "is not a regular file");
  expect_hint_makes_a_key(folder.path() / "pipe", folder.path() / "pipe.key");
  EXPECT_SAYS(refused("/dev/zero"), "is not a regular file. HINT: name another, and make one: ");
}

TEST(KeyFile, TooLongFileIsRejected) {
  const TemporaryFolder folder;
  EXPECT_SAYS(refused(folder.file("large", std::string(kMostKey + 1, 'a'))), "has more than 65536 bytes");
  const auto huge = folder.file("huge", "a");
  std::filesystem::resize_file(huge, std::uintmax_t{1} << 40);
  EXPECT_SAYS(refused(huge), "has more than 65536 bytes");
}

TEST(KeyFile, MayBeASymbolicLinkToOneThatIsOursAlone) {
  const TemporaryFolder folder;
  const auto link = folder.path() / "link";
  std::filesystem::create_symlink(folder.file("key", kText), link);
  EXPECT_EQ(refused(link), "read");
  folder.file("key", kText, 0644);
  EXPECT_SAYS(refused(link), "has mode 0644");
  std::filesystem::remove(folder.path() / "key");
  EXPECT_SAYS(refused(link), "No such file");
  expect_hint_makes_a_key(link, link);
  std::filesystem::create_symlink("circle", folder.path() / "circle");
  EXPECT_SAYS(refused(folder.path() / "circle"),
              "Too many levels of symbolic links. HINT: name a file that only you can read.");
  EXPECT_SAYS(refused(folder.path() / "key/below"), "Not a directory. HINT: name a file that only you can read.");
}

/// A file that exists when the program starts and disappears before it is read counts as missing.
TEST(KeyFile, RemovedFileIsReadOrMissing) {
  const TemporaryFolder folder;
  const auto file = folder.file("key", kText);
  const Descriptor held(::open(file.c_str(), O_RDONLY));
  std::filesystem::remove(file);
  EXPECT_EQ(refused("/proc/self/fd/" + std::to_string(held.get())), "read") << "who has it open can read it";
  EXPECT_SAYS(refused(file), "No such file");
}

TEST(KeyFile, UnreadableFileHintsItsOwnersCommand) {
  const TemporaryFolder folder;
  const auto file = folder.file("key", kText, 0000);
  std::filesystem::permissions(folder.path(), static_cast<std::filesystem::perms>(0755));
  const pid_t child = ::fork();
  if (child == 0) {
    if (::geteuid() == 0 && ::setuid(1234) != 0) ::_exit(77);
    const std::string said = refused(file), user = std::to_string(::geteuid());
    ::_exit(said.find("Permission denied. HINT: let its owner give it to user " + user + ": chown " + user + " ") !=
                    std::string::npos
                ? 0
                : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

/// As on a server that is down: open succeeds, read fails. This test reads the memory at address 0.
TEST(KeyFile, DiskErrorIsNoUserError) {
  try {
    read_key_file("/proc/self/mem");
    ADD_FAILURE();
  } catch (const Refusal& why) {
    EXPECT_STREQ(why.what(), "/proc/self/mem: Input/output error. HINT: check the disk it is on.");
    EXPECT_EQ(why.exit_code(), 1);
  }
  const TemporaryFolder folder;
  try {
    read_key_file(folder.path() / "absent");
    ADD_FAILURE();
  } catch (const Refusal& why) {
    EXPECT_EQ(why.exit_code(), 2);
  }
}

}  // namespace
}  // namespace weft::swarmx
