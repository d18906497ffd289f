// What every command promises about its exit codes and messages.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/process.hpp"

namespace forerun::test {

// One sentence on standard error that mentions `words`, nothing on standard output.
inline void expect_complaint(const Outcome& outcome, int exit_code, const std::vector<std::string>& words) {
  EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err.rfind("forerun: ", 0), 0u) << outcome.err;
  EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << outcome.err;
  for (const auto& word : words) EXPECT_NE(outcome.err.find(word), std::string::npos) << word << " in: " << outcome.err;
}

inline void expect_bad_input(const Outcome& outcome, const std::vector<std::string>& words) {
  expect_complaint(outcome, 2, words);
}

// Exactly one JSON document, whose keys are these, in this order.
inline nlohmann::ordered_json expect_json(const std::string& text, const std::vector<std::string>& keys) {
  auto document = nlohmann::ordered_json::parse(text, nullptr, false);
  EXPECT_TRUE(document.is_object()) << text;
  std::vector<std::string> found;
  if (document.is_object()) {
    for (const auto& item : document.items()) found.push_back(item.key());
  }
  EXPECT_EQ(found, keys);
  return document;
}

}  // namespace forerun::test
