#include "forerun/cli/arguments.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "forerun/cli/terminal.hpp"
#include "forerun/io/text.hpp"

namespace forerun::cli {
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

std::vector<std::string> names_of_subcommands(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* subcommand : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(subcommand->get_name());
  }
  return names;
}

std::string describe_leftover(const CLI::App& app, const std::string& leftover) {
  if (leftover.rfind('-', 0) == 0) {
    const std::string name = leftover.substr(0, leftover.find('='));
    if (app.get_option_no_throw(name) != nullptr) return io::quote(name) + " must stand behind " + app.get_name();
    return "there is no option " + io::quote(name) + "; the nearest one is " +
           io::quote(io::nearest_word(name, names_of_options(app)));
  }
  const std::string nearest = io::nearest_word(leftover, names_of_subcommands(app));
  if (nearest.empty()) return io::quote(leftover) + " was not expected";
  return "there is no subcommand " + io::quote(leftover) + "; the nearest one is " + io::quote(nearest);
}

constexpr std::size_t kMostDigits = 19;  // of a number that 64 bits hold for certain

bool is_digits(const std::string& text) { return text.find_first_not_of("0123456789") == std::string::npos; }

// "Could not convert: --id = many"
std::string reword_conversion(const CLI::App& app, const std::string& text) {
  const auto colon = text.find(": "), equals = text.find(" = ");
  if (colon == std::string::npos || equals == std::string::npos) return text;
  const std::string name = text.substr(colon + 2, equals - colon - 2), value = text.substr(equals + 3);
  const CLI::Option* option = app.get_option_no_throw(name);
  const bool whole = option != nullptr && option->get_type_name().find("INT") != std::string::npos;
  return name + " is " + io::quote(value) +
         (whole && is_digits(value) ? ", which is too large"
          : whole                   ? ", but must be a whole number"
                                    : ", but must be a number");
}

// CLI11's words as one sentence: on one line, and bounds without six zeros behind the point.
std::string reword(const CLI::ParseError& error) {
  std::string text = error.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    const bool missing = text.find("At Most") == std::string::npos;
    return text.substr(0, text.find(':')) + (missing ? " needs a value" : " may be given only once");
  }
  for (std::size_t at = 0; (at = text.find(".000000", at)) != std::string::npos;) text.erase(at, 7);
  std::replace(text.begin(), text.end(), '\n', ' ');
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.pop_back();
  return text;
}

// CLI11 turns -1 and what has too many digits into huge whole numbers, and takes NaN and infinity as numbers.
std::optional<Error> find_bad_number(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    const bool whole = option->get_type_name().rfind("UINT", 0) == 0;
    const bool real = option->get_type_name().rfind("FLOAT", 0) == 0;
    for (const std::string& text : option->results()) {
      const std::string is = option->get_name() + " is " + io::quote(text);
      if (whole && !is_digits(text)) return Error{is + ", but must be a whole number from 0 on"};
      if (whole && text.size() > kMostDigits) return Error{is + ", which is too large"};
      const auto number = io::parse_number(text);
      if (real && number && !std::isfinite(*number)) return Error{is + ", but must be a finite number"};
    }
  }
  return std::nullopt;
}

std::string describe(const CLI::App& app, const CLI::ParseError& error) {
  // what is left over explains itself better than what is missing because of it
  const CLI::App& chosen = innermost(app);
  const auto leftovers = app.remaining(true);
  if (!leftovers.empty()) return describe_leftover(chosen, leftovers.front());
  if (dynamic_cast<const CLI::ConversionError*>(&error) == nullptr) return reword(error);
  const auto bad_number = find_bad_number(chosen);
  return bad_number ? bad_number->message : reword_conversion(chosen, error.what());
}

// "world info" when that is where the user went.
std::string name_of(const CLI::App& app) {
  const CLI::App& chosen = innermost(app);
  return &chosen == &app ? app.get_name() : app.get_name() + " " + chosen.get_name();
}

// What the list says, without the unit that the option's name has already.
std::string help_of(const Field& field) {
  const std::string about = field.about;
  const auto unit = about.find(" [");
  return unit != std::string::npos && about.ends_with(']') ? about.substr(0, unit) : about;
}

template <class Number>
CLI::Option* bind_number(CLI::App& app, const std::string& flag, Number& value, const Field& field) {
  CLI::Option* option = app.add_option(flag, value, help_of(field))->capture_default_str();
  if (field.low != field.high)
    option->check(CLI::Range(static_cast<Number>(field.low), static_cast<Number>(field.high)));
  return option;
}

}  // namespace

std::string flag_of(std::string_view key) {
  std::string flag = "--" + std::string(key);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

CLI::Validator check_range(const Field& field) { return CLI::Range(field.low, field.high); }

std::optional<int> parse_or_exit(CLI::App& app, Arguments arguments) {
  // CLI11 takes its arguments last first
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  try {
    app.parse(reversed);
    const auto bad_number = find_bad_number(innermost(app));
    return bad_number ? std::optional(complain(*bad_number)) : std::nullopt;
  } catch (const CLI::CallForHelp&) {
    std::string help = app.help("forerun");
    if (!help.ends_with('\n')) help += '\n';
    std::fputs(help.c_str(), stdout);
    return kDone;
  } catch (const CLI::ParseError& error) {
    return complain(Error{describe(app, error) + " (see forerun " + name_of(app) + " --help)"});
  }
}

CLI::Option* bind_option(CLI::App& app, const std::string& flag, double& value, const Field& field) {
  return bind_number(app, flag, value, field);
}
CLI::Option* bind_option(CLI::App& app, const std::string& flag, int& value, const Field& field) {
  return bind_number(app, flag, value, field);
}
CLI::Option* bind_option(CLI::App& app, const std::string& flag, std::uint32_t& value, const Field& field) {
  return bind_number(app, flag, value, field);
}
CLI::Option* bind_option(CLI::App& app, const std::string& flag, std::uint64_t& value, const Field& field) {
  return bind_number(app, flag, value, field);
}
CLI::Option* bind_option(CLI::App& app, const std::string& flag, std::string& value, const Field& field) {
  return app.add_option(flag, value, help_of(field))->capture_default_str();
}
CLI::Option* bind_option(CLI::App& app, const std::string& flag, bool& value, const Field& field) {
  return app.add_flag(flag, value, help_of(field));
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

}  // namespace forerun::cli
