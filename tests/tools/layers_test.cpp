// Layers point one way, and the core stays pure. The checker itself is tried on planted faults first.
#include "tests/tools/layers.hpp"

#include <gtest/gtest.h>

namespace forerun::test {
namespace {

Layers project_layers() { return parse_layers(read_source("tools/layers.txt").text); }

std::vector<std::string> check(const std::string& path, const std::string& text) {
  return check_layers(project_layers(), {path, text});
}

TEST(Layers, TableKnowsEveryRoomAndWhatIsCore) {
  const Layers layers = project_layers();
  ASSERT_EQ(layers.size(), 41u);
  EXPECT_TRUE(layers.at("sim").core);
  EXPECT_FALSE(layers.at("app").core);
  EXPECT_EQ(layers.at("world").may_include, (std::set<std::string>{"base", "geom", "world"}));
  EXPECT_EQ(layers.at("io").may_include.count("sync"), 1u);
  EXPECT_EQ(layers.at("io").may_include.count("net"), 0u);
}

TEST(Layers, ComplainsAboutAnIncludeThatPointsUpwards) {
  EXPECT_TRUE(check("forerun/world/a.cpp", "#include \"forerun/geom/vec.hpp\"\n").empty());
  EXPECT_TRUE(check("forerun/world/a.cpp", "#include \"forerun/world/ray.hpp\"\n").empty());
  const auto complaints = check("forerun/world/a.cpp", "\n#include \"forerun/robot/drive.hpp\"\n");
  ASSERT_EQ(complaints.size(), 1u);
  EXPECT_EQ(complaints[0], "forerun/world/a.cpp:2: world may not include robot (forerun/robot/drive.hpp)");
}

TEST(Layers, ComplainsAboutIncludesThatDoNotBeginAtTheRoot) {
  EXPECT_EQ(check("forerun/world/a.cpp", "#include \"ray.hpp\"\n").size(), 1u);
  EXPECT_EQ(check("forerun/world/a.cpp", "#include \"../geom/vec.hpp\"\n").size(), 1u);
}

TEST(Layers, ComplainsAboutAFolderThatIsNoRoom) { EXPECT_EQ(check("forerun/utils/a.cpp", "int a;\n").size(), 1u); }

TEST(Layers, CoreMayNotIncludeWhatReachesOutside) {
  for (const char* header :
       {"iostream", "thread", "chrono", "fstream", "random", "mutex", "unistd.h", "yaml-cpp/yaml.h"}) {
    const std::string text = std::string("#include <") + header + ">\n";
    EXPECT_EQ(check("forerun/sense/a.hpp", text).size(), 1u) << header;
    EXPECT_TRUE(check("forerun/app/a.hpp", text).empty()) << header;
  }
  EXPECT_TRUE(check("forerun/sense/a.hpp", "#include <vector>\n#include <cmath>\n").empty());
}

TEST(Layers, CoreMayNotCallTheMachinesOwnElementaryFunctions) {
  for (const char* call :
       {"std::sin(x)", "std::cos (x)", "std::tan(x)", "std::atan2(y, x)", "std::exp(x)", "std::log(x)",
        "std::pow(x, 2)", "std::sinf(x)", "std::hypot(x, y)", " ::sin(x)", "__builtin_cos(x)"}) {
    const std::string text = std::string("double y = ") + call + ";\n";
    EXPECT_EQ(check("forerun/geom/a.cpp", text).size(), 1u) << call;
    EXPECT_TRUE(check("forerun/study/a.cpp", text).empty()) << call;
  }
  for (const char* call : {"sin(x)", "forerun::sin(x)", "std::sqrt(x)", "std::floor(x)", "std::log_like(x)"}) {
    EXPECT_TRUE(check("forerun/geom/a.cpp", std::string("double y = ") + call + ";\n").empty()) << call;
  }
}

TEST(Layers, CoreHasNoExceptionsAndNoLooseArithmetic) {
  EXPECT_EQ(check("forerun/sim/a.cpp", "void f() { throw 1; }\n").size(), 1u);
  EXPECT_EQ(check("forerun/sim/a.cpp", "void f() { try { g(); } catch (...) {} }\n").size(), 1u);
  EXPECT_EQ(check("forerun/sim/a.cpp", "auto* b = dynamic_cast<B*>(a);\n").size(), 1u);
  EXPECT_EQ(check("forerun/sim/a.cpp", "#pragma STDC FP_CONTRACT ON\n").size(), 1u);
  EXPECT_EQ(check("forerun/sim/a.cpp", "__attribute__((optimize(3))) void f();\n").size(), 1u);
  EXPECT_TRUE(check("forerun/io/a.cpp", "void f() { try { g(); } catch (...) {} }\n").empty());
}

TEST(Layers, CommentsAndTextsAreNotCode) {
  EXPECT_TRUE(check("forerun/sim/a.cpp", "// we never throw\n/* #include <thread>\n std::sin(x) */\n").empty());
  EXPECT_TRUE(
      check("forerun/sim/a.cpp", "const char* s = \"try \\\" std::cos(x)\"; int n = 1'000; char c = '\"';\n").empty());
  EXPECT_EQ(check("forerun/sim/a.cpp", "int n = 1'000; // '\nstd::cos(x);\n").size(), 1u);
  EXPECT_EQ(check("forerun/sim/a.cpp", "const char* s = \"a\\\"//\"; throw 1;\n").size(), 1u);
}

TEST(Layers, HoldInTheWholeProject) {
  const Layers layers = project_layers();
  const auto files = read_tree("forerun", {".hpp", ".cpp"});
  ASSERT_GT(files.size(), 10u);
  for (const SourceFile& file : files) {
    for (const auto& complaint : check_layers(layers, file)) ADD_FAILURE() << complaint;
  }
}

}  // namespace
}  // namespace forerun::test
