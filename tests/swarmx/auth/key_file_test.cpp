#include "host/swarmx/auth/key_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include "sw/base/refusal.hpp"
#include "tests/swarmx/auth/joining.hpp"

namespace weft {
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

TEST(KeyFile, ThatOthersMayReadOrWriteIsRefused) {
  const TemporaryFolder folder;
  EXPECT_SAYS(refused(folder.file("key", kText, 0644)), "has mode 0644: others may know the key. HINT: chmod 600 ");
  for (const int mode : {0604, 0602, 0640, 0620, 0601, 0700})
    EXPECT_EQ(refused(folder.file("key" + std::to_string(mode), kText, mode)) == "read", mode == 0700) << mode;
}

TEST(KeyFile, OfAnotherUserIsRefused) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  const TemporaryFolder folder;
  const auto file = folder.file("key", kText);
  ASSERT_EQ(::chown(file.c_str(), 1234, 0), 0);
  EXPECT_SAYS(refused(file), "belongs to user 1234, and we are user 0");
}

TEST(KeyFile, ThatIsShortIsRefusedWithHowToMakeOne) {
  const TemporaryFolder folder;
  const auto file = folder.file("key", std::string(31, 'a') + "\n  \n");
  EXPECT_SAYS(refused(file),
              "has a key of 31 bytes; it must have at least 32. HINT: make one: (umask 077; openssl rand "
              "-hex 32 > " +
                  file.string() + ")");
  EXPECT_EQ(refused(folder.file("longer", std::string(32, 'a'))), "read");
}

TEST(KeyFile, ThatIsNoneIsRefused) {
  const TemporaryFolder folder;
  EXPECT_SAYS(refused(folder.path() / "absent"), "No such file");
  EXPECT_SAYS(refused(folder.path()), "is not a regular file");
  ASSERT_EQ(::mkfifo((folder.path() / "pipe").c_str(), 0600), 0);
  EXPECT_SAYS(refused(folder.path() / "pipe"), "is not a regular file");
  EXPECT_SAYS(refused(folder.file("large", std::string(kMostKey + 1, 'a'))), "has more than 65536 bytes");
}

}  // namespace
}  // namespace weft
