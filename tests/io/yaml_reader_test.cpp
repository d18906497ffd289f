#include "forerun/io/yaml_reader.hpp"

#include <gtest/gtest.h>

namespace forerun::io {
namespace {

struct Params {
  double speed = 1;
  int count = 2;
  std::uint64_t seed = 3;
  std::string name = "n";
  bool open = false;
  Vec2 at;
  Pose2 pose;
};

template <class Visit>
void visit_fields(Params& p, Visit&& visit) {
  visit("speed_mps", p.speed, Field{0.01, 10, "speed"});
  visit("count", p.count, Field{0, 64, "count"});
  visit("seed", p.seed, Field{0, 1e15, "seed"});
  visit("name", p.name, Field{});
  visit("open", p.open, Field{});
  visit("at", p.at, Field{-10, 10, "place"});
  visit("pose", p.pose, Field{-10, 10, "pose"});
}

Result<Params> parse(const std::string& text) {
  Params params;
  const Result<void> read = read_yaml(text, "f.yaml", [&](YamlMap& yaml) { yaml.read_fields(params); });
  if (!read) return read.error();
  return params;
}

std::string complaint(const std::string& text) {
  const Result<Params> params = parse(text);
  return params ? "none" : params.error().message;
}

TEST(YamlReader, ReadsEveryKindOfField) {
  const Result<Params> p = parse(
      "speed_mps: 2.5\ncount: 7\nseed: 123456789012345\nname: some name\nopen: true\nat: [1, -2]\npose: [1, 2, 3]");
  ASSERT_TRUE(p) << p.error().message;
  EXPECT_EQ(p->speed, 2.5);
  EXPECT_EQ(p->count, 7);
  EXPECT_EQ(p->seed, 123456789012345u);
  EXPECT_EQ(p->name, "some name");
  EXPECT_TRUE(p->open);
  EXPECT_EQ(p->at, (Vec2{1, -2}));
  EXPECT_EQ(p->pose, (Pose2{1, 2, 3}));
}

TEST(YamlReader, AbsentKeysKeepTheirDefaults) {
  const Result<Params> p = parse("count: 0");
  ASSERT_TRUE(p);
  EXPECT_EQ(p->speed, 1);
  EXPECT_EQ(p->seed, 3u);
}

TEST(YamlReader, AnUnknownKeyNamesTheNearest) {
  EXPECT_EQ(complaint("count: 1\nsped_mps: 2"),
            "f.yaml:2: the file has the unknown key \"sped_mps\"; the nearest known one is \"speed_mps\"");
}

TEST(YamlReader, OutOfRangeNamesTheRange) {
  EXPECT_EQ(complaint("\nspeed_mps: 99"), "f.yaml:2: speed_mps is 99, but must lie between 0.01 and 10");
  EXPECT_EQ(complaint("count: -1"), "f.yaml:1: count is -1, but must lie between 0 and 64");
  EXPECT_EQ(complaint("at: [0, 11]"), "f.yaml:1: at is 11, but must lie between -10 and 10");
  EXPECT_EQ(complaint("seed: 1e300"), "f.yaml:1: seed is 1e+300, but must lie between 0 and 1000000000000000");
}

TEST(YamlReader, NothingThatIsNotFinitePasses) {
  for (const char* word : {"nan", ".nan", ".NaN", ".NAN", "inf", ".inf", "-.inf", "-inf", "1e999", "-nan"}) {
    EXPECT_EQ(complaint(std::string("speed_mps: ") + word),
              std::string("f.yaml:1: speed_mps is ") + word + ", but must be a finite number");
    EXPECT_NE(complaint(std::string("at: [0, ") + word + "]"), "none");
    EXPECT_NE(complaint(std::string("count: ") + word), "none");
  }
}

TEST(YamlReader, WrongTypesAreSaid) {
  EXPECT_EQ(complaint("speed_mps: fast"), "f.yaml:1: speed_mps is \"fast\", but must be a number");
  EXPECT_EQ(complaint("speed_mps: [1]"), "f.yaml:1: speed_mps is a list, but must be a number");
  EXPECT_EQ(complaint("speed_mps:"), "f.yaml:1: speed_mps is empty, but must be a number");
  EXPECT_EQ(complaint("count: 1.5"), "f.yaml:1: count is 1.5, but must be a whole number");
  EXPECT_EQ(complaint("open: yes"), "f.yaml:1: open is \"yes\", but must be false or true");
  EXPECT_EQ(complaint("name: {a: b}"), "f.yaml:1: name is a mapping, but must be a text");
  EXPECT_EQ(complaint("at: [1, 2, 3]"), "f.yaml:1: at is a list, but must be a list of 2 numbers");
  EXPECT_EQ(complaint("pose: 1"), "f.yaml:1: pose is \"1\", but must be a list of 3 numbers");
}

TEST(YamlReader, AKeyMayStandOnce) {
  EXPECT_EQ(complaint("count: 1\ncount: 2"),
            "f.yaml:2: the file has the key \"count\" twice, but each key must be given once");
}

TEST(YamlReader, WhatIsNoMappingIsRefused) {
  EXPECT_EQ(complaint(""), "f.yaml is empty, but must be a YAML mapping");
  EXPECT_EQ(complaint("- 1\n- 2"), "f.yaml:1: the file is a list, but must be a mapping of keys to values");
  EXPECT_EQ(complaint("just words"), "f.yaml:1: the file is \"just words\", but must be a mapping of keys to values");
  EXPECT_EQ(complaint("[a]: 1"), "f.yaml:1: the file has a key that is a list, but keys must be words");
  EXPECT_EQ(complaint("count: 1\n---\ncount: 2"), "f.yaml goes on after its first YAML document, but must hold one");
}

TEST(YamlReader, WhatFollowsTheDocumentIsNotIgnored) {
  EXPECT_NE(complaint(","), "none");
  EXPECT_NE(complaint("{count: 1}\n, more"), "none");
  EXPECT_NE(complaint("{count: 1}\n]"), "none");
  EXPECT_EQ(complaint("---\ncount: 1\n..."), "none");
}

TEST(YamlReader, AMessageOfTheParserStaysOnOneLine) {
  EXPECT_EQ(complaint("name: \"a\\\x01\""), "f.yaml:1: not valid YAML: unknown escape character: ?");
}

TEST(YamlReader, BrokenYamlNamesItsLine) {
  EXPECT_EQ(complaint("count: 1\nat: [1, 2"), "f.yaml:2: not valid YAML: end of sequence flow not found");
}

TEST(YamlReader, NestedPathsAreNamed) {
  const auto read = [](const std::string& text) {
    return read_yaml(text, "f.yaml", [](YamlMap& yaml) {
      yaml.each("list", [](YamlMap& item) {
        Params params;
        item.require("count");
        item.with("inner", [&](YamlMap& inner) { inner.read_fields(params); });
        item.read("count", params.count, Field{0, 9, ""});
      });
    });
  };
  EXPECT_TRUE(read("list: [{count: 1}, {count: 2, inner: {speed_mps: 3}}]"));
  EXPECT_EQ(read("list:\n  - {count: 1}\n  - {inner: {speed_mps: 0}, count: 1}").error().message,
            "f.yaml:3: list[1].inner.speed_mps is 0, but must lie between 0.01 and 10");
  EXPECT_EQ(read("list:\n  - {}").error().message, "f.yaml:2: list[0].count is missing");
  EXPECT_EQ(read("list:\n  - {conut: 1}").error().message,
            "f.yaml:2: list[0] has the unknown key \"conut\"; the nearest known one is \"count\"");
  EXPECT_EQ(read("list: 1").error().message, "f.yaml:1: list is \"1\", but must be a list of mappings");
}

TEST(YamlReader, DeepNestingAndCirclesDoNoHarm) {
  EXPECT_NE(complaint("at: " + std::string(100000, '[')), "none");
  EXPECT_NE(complaint("at: &a [*a, *a]"), "none");
  EXPECT_NE(complaint(std::string(100000, '{')), "none");
}

}  // namespace
}  // namespace forerun::io
