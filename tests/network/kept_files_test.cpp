/// A network's file keeps the content of its first read for as long as it is cached.
#include "sw/network/kept_files.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "sw/base/refusal.hpp"
#include "sw/network/network.hpp"
#include "tests/checkpoint/files.hpp"

namespace weft::network {
namespace {

TEST(KeptNetworkFiles, AreReadOnceAndAgainWhenNoLongerKept) {
  const checkpoint::TestFolder folder("kept_files");
  const std::string file = folder / "mine.yaml";
  checkpoint::write_text(file, "first");
  {
    const KeptNetworkFiles kept;
    EXPECT_EQ(network_text(file), "first");
    { const KeptNetworkFiles of_another_run; }
    checkpoint::write_text(file, "second");
    EXPECT_EQ(network_text(file), "first");
    std::filesystem::remove(file);
    EXPECT_EQ(network_text(file), "first");
    EXPECT_THROW(network_text(folder / "none.yaml"), Refusal);
    checkpoint::write_text(folder / "none.yaml", "late");
    EXPECT_EQ(network_text(folder / "none.yaml"), "late") << "what could not be read is not kept";
  }
  EXPECT_THROW(network_text(file), Refusal);
}

}  // namespace
}  // namespace weft::network
