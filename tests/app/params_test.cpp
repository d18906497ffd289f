// docs/params.md is what the code says, and leaves no parameter struct out.
#include <gtest/gtest.h>

#include <regex>

#include "tests/support/process.hpp"
#include "tests/support/source_tree.hpp"

namespace forerun::test {
namespace {

TEST(Params, TheDocumentIsWhatTheProgramPrints) {
  const Outcome outcome = run_forerun({"params"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_TRUE(outcome.out == read_source("docs/params.md").text) << "run: make params";
}

TEST(Params, EveryFieldOfEveryStructIsListed) {
  static const std::regex kVisit(R"re(\bvisit\("(\w+)")re");
  const std::string page = read_source("docs/params.md").text;
  int fields = 0;
  for (const SourceFile& file : read_tree("forerun", {".hpp"})) {
    const std::string code = blank_out(file.text, {.literals = false});
    for (std::sregex_iterator field(code.begin(), code.end(), kVisit), end; field != end; ++field, ++fields) {
      EXPECT_NE(page.find("| `" + (*field)[1].str() + "` |"), std::string::npos) << file.path << ": " << (*field)[1];
    }
  }
  EXPECT_GT(fields, 40);
}

// Names of structs that hold parameters but have no list, and of those that the document leaves out.
std::vector<std::string> find_unlisted(const std::vector<SourceFile>& files, const std::string& page) {
  static const std::regex kStruct(R"re(\bstruct (\w*Params|\w*Settings|WebLimits) \{)re");
  std::vector<std::string> found;
  for (const SourceFile& file : files) {
    const std::string code = blank_out(file.text, {});
    for (std::sregex_iterator one(code.begin(), code.end(), kStruct), end; one != end; ++one) {
      const std::string name = (*one)[1].str();
      if (code.find("void visit_fields(" + name + "& ") == std::string::npos) found.push_back(name + ": no list");
      if (page.find("`" + name + "`") == std::string::npos) found.push_back(name + ": not in the document");
    }
  }
  return found;
}

TEST(Params, EveryParameterStructHasAList) {
  EXPECT_EQ(find_unlisted(read_tree("forerun", {".hpp", ".cpp"}), read_source("docs/params.md").text),
            std::vector<std::string>{});
  // and one that has none is found
  const SourceFile planted{.path = "x.hpp", .text = "struct NewParams {\n  double a = 1;\n};\n"};
  EXPECT_EQ(find_unlisted({planted}, "").size(), 2u);
}

}  // namespace
}  // namespace forerun::test
