#include "tests/tokenizer/packed.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <thread>

#include "host/tokenizer/shards/byte_input.hpp"
#include "sw/base/refusal.hpp"
#include "tests/says.hpp"
#include "tests/temporary_folder.hpp"
#include "tests/tokenizer/random_text.hpp"

namespace weft::tokenizer::packed_test {
namespace {

std::string all_of(const std::string& path) {
  const auto input = open_input(path);
  std::string text;
  while (input->read(text)) {
  }
  EXPECT_EQ(input->taken(), std::filesystem::file_size(path));
  return text;
}

template <class Work>
std::string refused_by(const Work& work) {
  try {
    work();
  } catch (const Refusal& e) {
    return e.what();
  }
  return "";
}

std::string refusal_of(const std::string& path) {
  return refused_by([&] { all_of(path); });
}

/// Several MB, which take several reads.
std::string long_text() {
  test::Rng rng(test::test_seed());
  return random_text(rng, 400000, true);
}

TEST(Packed, TextIsWhatWasPackedWhateverItsName) {
  test::TemporaryFolder folder;
  for (const std::string& text : {std::string("x"), std::string(), std::string(1 << 20, 'a'), long_text()}) {
    EXPECT_EQ(all_of(folder.write("a", text)), text);
    EXPECT_EQ(all_of(folder.write("b", gzip(text))), text);
    EXPECT_EQ(all_of(folder.write("c", zstandard(text))), text);
    EXPECT_EQ(all_of(folder.write("d", gzip(text) + gzip("more"))), text + "more");
    EXPECT_EQ(all_of(folder.write("e", zstandard(text) + zstandard("more"))), text + "more");
  }
}

TEST(Packed, TruncatedOrDamagedFileIsRejected) {
  test::TemporaryFolder folder;
  const std::string text = "some text, and some more of it, and again some text";
  for (const bool gz : {true, false}) {
    const std::string packed = gz ? gzip(text) : zstandard(text);
    for (std::size_t length = 4; length < packed.size(); ++length)
      EXPECT_SAYS(refusal_of(folder.write("cut", packed.substr(0, length))), "cut: is cut short after ");
    for (std::size_t at = gz ? 10 : 5; at < packed.size(); ++at) {  // after the magic number and flags of the format
      std::string damaged = packed;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
      EXPECT_NE(refusal_of(folder.write("damaged", damaged)), "") << at;
    }
    EXPECT_SAYS(refusal_of(folder.write("rest", packed + "rest of something")),
                "rest: has bytes that are not packed after 51 bytes of text");
  }
}

/// pzstd begins each of its frames with a skippable frame.
TEST(Packed, AFrameThatIsSkippedMayBeTheFirst) {
  test::TemporaryFolder folder;
  const std::string skipped("\x50\x2a\x4d\x18\x04\0\0\0abcd", 12);
  EXPECT_EQ(all_of(folder.write("a.zst", skipped + zstandard("text") + skipped + zstandard(" more") + skipped)),
            "text more");
  EXPECT_EQ(all_of(folder.write("b.zst", "\x5f" + skipped.substr(1) + zstandard("text"))), "text");
}

/// Tape blocks are padded with zeros; gzip itself skips them.
TEST(Packed, ZerosBehindGzipAreSkippedAndOtherBytesAreNamed) {
  test::TemporaryFolder folder;
  EXPECT_EQ(all_of(folder.write("a.gz", gzip("text") + std::string(600000, '\0'))), "text");
  EXPECT_SAYS(refusal_of(folder.write("b.gz", gzip("text") + "garbage")),
              "b.gz: has bytes that are not packed after 4 bytes of text. HINT: leave them out: gzip -dc ");
  EXPECT_SAYS(refusal_of(folder.write("c.zst", zstandard("text") + "garbage")),
              "c.zst: has bytes that are not packed after 4 bytes of text");
}

/// zstd --long=31 writes such windows, and requires the flag to read them.
TEST(Packed, AWindowThatIsTooLargeForTheLibraryIsNoDamage) {
  test::TemporaryFolder folder;
  const std::string frame("\x28\xb5\x2f\xfd\x00\xa8\x01\x00\x00", 9);  // a window of 2 GiB, an empty last block
  EXPECT_SAYS(refusal_of(folder.write("a.zst", frame)),
              "a.zst: is packed with a window of more than 128 MiB (zstd --long or --ultra). HINT: unpack it: zstd -dc "
              "--long=31 ");
}

TEST(Packed, OtherFormatIsRejectedByName) {
  test::TemporaryFolder folder;
  const std::string rest = "and so on";
  std::string tar(512, '\0');
  tar.replace(0, 5, "a.txt").replace(257, 5, "ustar");
  for (const auto& [bytes, name] : {std::pair{std::string("\xfd"
                                                          "7zXZ\0",
                                                          6),
                                              "packed by xz"},
                                    {"BZh91AY&SY", "packed by bzip2"},
                                    {"\x04\x22\x4d\x18", "packed by LZ4"},
                                    {"7z\xbc\xaf\x27\x1c", "an archive of 7-Zip"},
                                    {"PK\x03\x04", "an archive of zip"},
                                    {tar, "an archive of tar"},
                                    {"PAR1", "a table of Parquet"},
                                    {std::string("ARROW1\0\0", 8), "a table of Arrow"},
                                    {"\x89HDF\r\n\x1a\n", "in HDF5"},
                                    {"\x93NUMPY", "an array of NumPy"},
                                    {"%PDF-", "a PDF"}}) {
    const std::string says = std::string(": is ") + name + ", not a text. HINT: ";
    EXPECT_SAYS(refusal_of(folder.write("a", bytes + rest)), says);
    EXPECT_SAYS(refusal_of(folder.write("b", gzip(bytes + rest))), says);
    EXPECT_SAYS(refusal_of(folder.write("c", zstandard(bytes + rest))), says);
    EXPECT_EQ(refusal_of(folder.write("d", bytes.substr(0, bytes.size() > 260 ? 260 : bytes.size() - 1))), "") << name;
    EXPECT_EQ(refusal_of(folder.write("e", " " + bytes + rest)), "") << name;
  }
}

TEST(Packed, AFileThatIsWrittenWhileItIsReadIsRefused) {
  test::TemporaryFolder folder;
  const std::string text = long_text();
  const std::function<void(const std::string&)> changes[] = {
      [](const std::string& file) { std::filesystem::resize_file(file, 300 << 10); },
      [](const std::string& file) { std::ofstream(file, std::ios::app) << "more"; },
      [](const std::string& file) { std::fstream(file, std::ios::in | std::ios::out) << "others"; }};
  for (const auto& change : changes) {
    for (const std::string& content : {text, zstandard(text)}) {
      const std::string file = folder.write("a", content);
      std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
      const auto input = open_input(file);
      std::string read;
      input->read(read);
      change(file);
      const auto rest = [&] {
        while (input->read(read)) {
        }
      };
      EXPECT_SAYS(refused_by(rest), "a: was changed while it was read. HINT: start again");
    }
  }
}

TEST(Packed, TextInUtf16IsRefused) {
  test::TemporaryFolder folder;
  for (const std::string& text : {std::string("\xff\xfe"
                                              "a\0b\0",
                                              6),
                                  std::string("\xfe\xff\0a\0b", 6)})
    EXPECT_SAYS(refusal_of(folder.write("a.txt", text)), "a.txt: is in UTF-16. HINT: save it as UTF-8");
  EXPECT_EQ(refusal_of(folder.write("b",
                                    "\xff\xfe"
                                    "ab")),
            "");
}

TEST(Packed, MissingFileIsRejected) {
  test::TemporaryFolder folder;
  EXPECT_SAYS(refusal_of(folder / "nothing"), "cannot be opened: No such file");
  EXPECT_SAYS(refusal_of(folder.path().string()), "is neither a file");
}

/// A pipe as in `<(xz -dc FILE)`: it cannot be read twice, and its writer may be slow.
TEST(Packed, APipeIsReadAsAFileIs) {
  test::TemporaryFolder folder;
  const std::string text = long_text(), pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& bytes : {std::string("x"), text, gzip(text), zstandard(text)}) {
    std::thread writer([&] {
      std::ofstream out(pipe, std::ios::binary);
      out << bytes.substr(0, 1) << std::flush;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      out << bytes.substr(1);
    });
    const auto input = open_input(pipe);
    std::string read;
    while (input->read(read)) {
    }
    writer.join();
    EXPECT_EQ(read, bytes.size() == 1 ? bytes : text);
    EXPECT_EQ(input->taken(), bytes.size());
  }
}

}  // namespace
}  // namespace weft::tokenizer::packed_test
