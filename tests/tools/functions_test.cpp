// Functions stay short. The scanner itself is tried on planted ones first.
#include "tests/tools/functions.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace forerun::test {
namespace {

constexpr int kLongest = 40;    // lines
constexpr int kNineOfTen = 20;  // lines: nine functions of ten are not longer
constexpr const char* kBody = "  a();\n  if (b) {\n    c();\n  }\n";

std::string describe(const std::string& text) {
  std::string all;
  for (const FunctionLength& function : measure_functions({"x.cpp", text})) {
    all += function.where + " " + function.name + " " + std::to_string(function.lines) + "\n";
  }
  return all;
}

TEST(Functions, OfEveryKindAreMeasured) {
  EXPECT_EQ(describe("int f(int a) {\n" + std::string(kBody) + "}\n"), "x.cpp:1 f 6\n");
  EXPECT_EQ(
      describe("namespace n {\n\nvoid f() { g(); }\n\nvoid C::h(int a,\n          int b) const noexcept {\n}\n}\n"),
      "x.cpp:3 f 1\nx.cpp:5 C::h 3\n");
  EXPECT_EQ(describe("class C final : public B {\n public:\n  C() : a_{1}, b_(2) {\n    d();\n  }\n  int get() const { "
                     "return a_; }\n  int a_{3};\n};\n"),
            "x.cpp:3 C 3\nx.cpp:6 get 1\n");
  EXPECT_EQ(describe("template <class T>\nauto f(T t) -> int {\n  return 1;\n}\n"), "x.cpp:1 f 4\n");
  EXPECT_EQ(describe("bool C::operator==(const C& o) const {\n  return true;\n}\n"), "x.cpp:1 C::operator== 3\n");
}

TEST(Functions, WhatIsNoFunctionIsNotMeasured) {
  EXPECT_EQ(
      describe("constexpr int kTable[] = {\n  1,\n  2,\n};\nenum class E { a, b };\nstruct S {\n  int a = f(1);\n};\n"),
      "");
  EXPECT_EQ(describe("const auto x = f(1, {\n  2,\n});\n#define A(b) { \\\n  b }\nvoid declared(int);\n"), "");
  EXPECT_EQ(describe("// void f() {\nconst char* s = \"void f() {\";\n"), "");
}

TEST(Functions, WhatIsNestedCountsAsPartOfTheWhole) {
  EXPECT_EQ(describe("void f() {\n  const auto g = [&](int a) {\n    struct L { int b() { return 1; } };\n  };\n}\nint "
                     "h() {\n}\n"),
            "x.cpp:1 f 5\nx.cpp:6 h 2\n");
}

TEST(Functions, AreShortInTheWholeProject) {
  std::vector<int> lengths;
  for (const char* folder : {"forerun", "examples"}) {
    for (const SourceFile& file : read_tree(folder, {".hpp", ".cpp"})) {
      for (const FunctionLength& function : measure_functions(file)) {
        lengths.push_back(function.lines);
        EXPECT_LE(function.lines, kLongest) << function.where << " " << function.name;
      }
    }
  }
  ASSERT_GT(lengths.size(), 1000u);
  std::sort(lengths.begin(), lengths.end());
  EXPECT_LE(lengths[lengths.size() * 9 / 10], kNineOfTen) << "of " << lengths.size();
}

}  // namespace
}  // namespace forerun::test
