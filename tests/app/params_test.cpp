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

}  // namespace
}  // namespace forerun::test
