#include "host/checkpoint/safetensors.hpp"

#include <gtest/gtest.h>

#include <random>

#include "tests/checkpoint/files.hpp"

namespace weft::checkpoint {
namespace {

/// Two tensors of 12 and 4 bytes.
constexpr const char* kGood =
    R"({"__metadata__":{"format":"pt"},"a":{"dtype":"F32","shape":[3],"data_offsets":[0,12]},)"
    R"("b":{"dtype":"BF16","shape":[2,1],"data_offsets":[12,16]}})";

/// kGood with `from` replaced.
std::string with(const std::string& from, const std::string& to) {
  std::string header = kGood;
  return header.replace(header.find(from), from.size(), to);
}

std::string refusal(const FileBytes& bytes) {
  try {
    parse_safetensors(bytes, "x.safetensors");
  } catch (const DamagedFile& e) {
    return e.what();
  }
  return "accepted";
}

void expect_refused(const std::string& header, const std::string& problem, std::size_t data = 16) {
  const std::string what = refusal(safetensors_file(header, data));
  EXPECT_EQ(what.rfind("x.safetensors: ", 0), 0U) << what;
  EXPECT_NE(what.find(problem), std::string::npos) << what;
  EXPECT_NE(what.find("HINT: "), std::string::npos) << what;
  EXPECT_EQ(what.find('\n'), std::string::npos) << what;
}

TEST(Safetensors, NamesTypesShapesAndDataAreRead) {
  const FileBytes bytes = safetensors_file(kGood, 16);
  const Safetensors content = parse_safetensors(bytes, "x");
  EXPECT_EQ(content.metadata, (Metadata{{"format", "pt"}}));
  ASSERT_EQ(content.tensors.size(), 2U);
  EXPECT_EQ(content.tensors[0].name, "a");
  EXPECT_EQ(content.tensors[0].dtype, Dtype::F32);
  EXPECT_EQ(content.tensors[0].shape, (std::vector<std::uint64_t>{3}));
  EXPECT_EQ(content.tensors[1].shape, (std::vector<std::uint64_t>{2, 1}));
  EXPECT_EQ(content.tensors[1].data.size(), 4U);
  EXPECT_EQ(content.tensors[1].data[0], 12);
}

TEST(Safetensors, AWrittenFileIsRead) {
  const FileBytes data(24, 7);
  const std::span all(data);
  const std::vector<TensorView> tensors = {{"x \"quoted\"", Dtype::F64, {}, all.first(8)},
                                           {"none", Dtype::I8, {4, 0}, {}},
                                           {"y", Dtype::Bool, {2, 2, 4}, all.subspan(8)}};
  const std::string header = safetensors_header({{"key", "a\nb"}}, tensors);
  EXPECT_EQ(header.size() % 8, 0U);
  FileBytes file = bytes_of(header);
  file.insert(file.end(), data.begin(), data.end());
  const Safetensors content = parse_safetensors(file, "x");
  EXPECT_EQ(content.metadata.at("key"), "a\nb");
  ASSERT_EQ(content.tensors.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(content.tensors[i].name, tensors[i].name);
    EXPECT_EQ(content.tensors[i].dtype, tensors[i].dtype);
    EXPECT_EQ(content.tensors[i].shape, tensors[i].shape);
    EXPECT_EQ(content.tensors[i].data.size(), tensors[i].data.size());
  }
}

TEST(Safetensors, OrderAndSpaceInTheHeaderDoNotMatter) {
  const FileBytes bytes = safetensors_file(R"({ "b" : {"shape":[], "data_offsets":[4,8], "dtype":"U32"},
    "a":{"data_offsets":[0,4],"dtype":"I32","shape":[1,1,1]} }   )",
                                           8);
  EXPECT_EQ(parse_safetensors(bytes, "x").tensors[0].name, "a");
}

TEST(Safetensors, AHeaderThatIsWrongIsRejectedWithItsTensor) {
  expect_refused("", "does not start with {");
  expect_refused("  {}", "does not start with {");
  expect_refused("[]", "does not start with {");
  expect_refused("{", "not JSON at byte");
  expect_refused("{}{}", "not JSON at byte");
  expect_refused("{\"\xff\":1}", "not JSON at byte");
  expect_refused(with("F32", "F33"), "a: dtype F33 is not supported");
  expect_refused(with("\"F32\"", "7"), "a: dtype is not a string");
  expect_refused(with("[3]", "3"), "a: shape is not a list");
  expect_refused(with("[3]", "[3.0]"), "a: shape has an element that is not a non-negative integer");
  expect_refused(with("[3]", "[-3]"), "a: shape has an element that is not a non-negative integer");
  expect_refused(with("[3]", "[1e999]"), "a number that is too large");
  expect_refused(with("[3]", "[18446744073709551616]"), "a: shape has an element that is not a non-negative integer");
  expect_refused(with("[3]", "[4]"), "a: needs 16 bytes, but has 12");
  expect_refused(with("[3]", "[4294967296,4294967296]"), "a: shape has more elements than can be counted");
  expect_refused(with("[3]", "[[3]]"), "nested too deeply");
  expect_refused(with("[0,12]", "[0]"), "a: data_offsets does not have two elements");
  expect_refused(with("[0,12]", "[12,0]"), "a: is at bytes 12 to 0");
  expect_refused(with("[0,12]", "[8,20]"), "a: is at bytes 8 to 20 of 16: the file is cut short");
  expect_refused(with("[12,16]", "[10,14]"), "b: begins at byte 10, but the previous tensor ends at byte 12");
  expect_refused(with("\"b\"", "\"a\""), "a: occurs twice");
  expect_refused(with("\"shape\":[3],", "\"shape\":[3],\"shape\":[3],"), "shape: occurs twice");
  expect_refused(with("\"shape\":[3],", ""), "a: has other keys than dtype, shape and data_offsets");
  expect_refused(with("\"shape\":[3],", "\"shape\":[3],\"more\":1,"),
                 "a: has other keys than dtype, shape and data_offsets");
  expect_refused(with("{\"format\":\"pt\"}", "3"), "__metadata__: is not an object");
  expect_refused(with("\"pt\"", "1"), "__metadata__: format is not a string");
  expect_refused(kGood, "1 bytes follow the last tensor", 17);
  expect_refused("{\"a\\nb\":1}", "a\\x0ab: has other keys than");
}

TEST(Safetensors, EndlessNestingIsRejectedWhereItBegins) {
  const std::string deep(1'000'000, '['), objects = [] {
    std::string text;
    for (int i = 0; i < 200'000; ++i) text += "{\"a\":";
    return text;
  }();
  expect_refused(with("[3]", deep), "header: is nested too deeply");
  expect_refused(with("[3]", objects), "a: shape is not a list");
  expect_refused(objects, "a: has other keys than dtype, shape and data_offsets");
  expect_refused(with("\"pt\"", deep), "__metadata__: format is not a string");
  expect_refused(with("{\"format\":\"pt\"}", deep), "__metadata__: is not an object");
  std::string ones = "[1";
  for (int i = 0; i < 64; ++i) ones += ",1";
  expect_refused(with("[3]", ones + "]"), "a: shape has more than 64 elements");
  expect_refused(with("[0,12]", "[0,12,12]"), "a: data_offsets does not have two elements");
}

TEST(Safetensors, ATensorThatIsNoneIsRejectedWhateverIsInItsPlace) {
  for (const std::string value : {"null", "true", "-1", "1", "1.5", "\"x\"", "[]"}) {
    expect_refused("{\"a\":" + value + "}", "a: has other keys than dtype, shape and data_offsets");
    expect_refused("{\"__metadata__\":" + value + "}", "__metadata__: is not an object");
    if (value != "\"x\"") {
      expect_refused(with("\"F32\"", value), "a: dtype is not a string");
      expect_refused(with("\"pt\"", value), "__metadata__: format is not a string");
    }
    if (value != "[]") expect_refused(with("[3]", value), "a: shape is not a list");
    if (value != "1" && value != "[]")
      expect_refused(with("[3]", "[" + value + "]"), "a: shape has an element that is not a non-negative integer");
  }
  expect_refused(with("\"a\"", "\"__metadata__\""), "__metadata__: occurs twice");
}

/// In time quadratic in the number of tensors, this test would take 20 minutes.
TEST(Safetensors, AHeaderOf300000Tensors) {
  constexpr std::size_t kTensors = 300'000;
  std::vector<TensorView> tensors;
  for (std::size_t k = 0; k < kTensors; ++k) tensors.push_back({"t" + std::to_string(k), Dtype::U8, {0}, {}});
  std::string header = safetensors_header({}, tensors);
  EXPECT_EQ(parse_safetensors(bytes_of(header), "x").tensors.size(), kTensors);
  const std::size_t last = header.rfind("t299999");
  header.replace(last, 7, "t000001");
  EXPECT_EQ(parse_safetensors(bytes_of(header), "x").tensors.size(), kTensors);
  header.replace(last, 7, "t188888");
  EXPECT_NE(refusal(bytes_of(header)).find("t188888: occurs twice"), std::string::npos);
}

TEST(Safetensors, AFileCutAnywhereIsRejected) {
  const FileBytes bytes = safetensors_file(kGood, 16);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_NE(refusal(FileBytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size))), "accepted") << size;
  }
}

TEST(Safetensors, AHeaderLongerThanAllowedIsNotEvenRead) {
  FileBytes bytes = safetensors_file(kGood, 16);
  const std::uint64_t length = kMaxHeader + 1;
  std::memcpy(bytes.data(), &length, 8);
  EXPECT_NE(refusal(bytes).find("header: 100000001 bytes are more than the 100000000 allowed"), std::string::npos);
}

/// Every byte with every value, and random changes: accepted tensors lie inside the file and do not overlap.
TEST(Safetensors, NoChangeOfTheBytesLeadsOutsideTheFile) {
  const FileBytes good = safetensors_file(kGood, 16);
  const auto check = [](const FileBytes& bytes) {
    try {
      std::size_t total = 0;
      for (const TensorView& tensor : parse_safetensors(bytes, "x").tensors) {
        total += tensor.data.size();
        if (!tensor.data.empty()) {
          ASSERT_GE(tensor.data.data(), bytes.data());
          ASSERT_LE(tensor.data.data() + tensor.data.size(), bytes.data() + bytes.size());
        }
      }
      ASSERT_LT(total, bytes.size());
    } catch (const DamagedFile&) {
    }
  };
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (int value = 0; value < 256; ++value) {
      FileBytes bytes = good;
      bytes[at] = static_cast<std::uint8_t>(value);
      check(bytes);
    }
  }
  constexpr unsigned kSeed = 5;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  std::mt19937 random(kSeed);
  for (int i = 0; i < 20000; ++i) {
    FileBytes bytes = good;
    for (unsigned k = 0; k < 1 + random() % 4; ++k) {
      bytes[8 + random() % (bytes.size() - 8)] = static_cast<std::uint8_t>("0123456789[]{},:\"e-."[random() % 20]);
    }
    check(bytes);
  }
}

}  // namespace
}  // namespace weft::checkpoint
