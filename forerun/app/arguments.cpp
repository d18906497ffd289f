#include "forerun/app/arguments.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "forerun/app/terminal.hpp"
#include "forerun/io/text.hpp"

namespace forerun::app {
namespace {

// The subcommand of a subcommand that was chosen, however deep.
const CLI::App& innermost(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : innermost(*chosen.front());
}

std::vector<std::string> names_of_options(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::string describe_leftover(const CLI::App& app, const std::string& leftover) {
  if (leftover.rfind('-', 0) != 0) return io::quote(leftover) + " was not expected";
  const std::string name = leftover.substr(0, leftover.find('='));
  return "there is no option " + io::quote(name) + "; the nearest one is " +
         io::quote(io::nearest_word(name, names_of_options(app)));
}

// CLI11's messages may have several lines; a complaint has one.
std::string on_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.pop_back();
  return text;
}

std::string describe(const CLI::App& app, const CLI::ParseError& error) {
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const auto leftovers = app.remaining(true);
    if (!leftovers.empty()) return describe_leftover(app, leftovers.front());
  }
  return on_one_line(error.what());
}

}  // namespace

std::optional<int> parse_or_exit(CLI::App& app, Arguments arguments) {
  // CLI11 takes its arguments last first
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  try {
    app.parse(reversed);
    return std::nullopt;
  } catch (const CLI::CallForHelp&) {
    std::fputs(app.help("forerun").c_str(), stdout);
    return kDone;
  } catch (const CLI::ParseError& error) {
    const CLI::App& chosen = innermost(app);
    return report(Error{describe(chosen, error) + " (see forerun " + app.get_name() + " --help)"});
  }
}

Result<Vec2> parse_point(std::string_view flag, const std::string& text) {
  const std::size_t comma = text.find(',');
  if (comma != std::string::npos) {
    const auto x = io::parse_number(std::string_view(text).substr(0, comma));
    const auto y = io::parse_number(std::string_view(text).substr(comma + 1));
    if (x && y && std::isfinite(*x) && std::isfinite(*y)) return Vec2{*x, *y};
  }
  return Error{std::string(flag) + " is " + io::quote(text) + ", but must be two numbers in metres such as -1,2.5"};
}

}  // namespace forerun::app
