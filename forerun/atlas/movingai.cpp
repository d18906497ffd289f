#include "forerun/atlas/movingai.hpp"

#include <cmath>
#include <optional>

#include "forerun/io/file.hpp"
#include "forerun/io/lines.hpp"
#include "forerun/io/text.hpp"

namespace forerun::atlas {

namespace {

constexpr int kLongestSide = 20000;
constexpr double kMostCells = 64e6;
constexpr std::size_t kNumbersAtEnd = 7;  // width, height, start, goal, optimum

std::string place(const std::string& file, const io::Lines& lines) {
  return file + ":" + std::to_string(lines.number());
}

std::vector<std::string_view> split_words(std::string_view line) {
  std::vector<std::string_view> words;
  std::size_t at = 0;
  while ((at = line.find_first_not_of(" \t", at)) != std::string_view::npos) {
    const std::size_t end = line.find_first_of(" \t", at);
    words.push_back(line.substr(at, end - at));
    at = end == std::string_view::npos ? line.size() : end;
  }
  return words;
}

// From 0 to `largest`; −1: not such a number.
int whole_number(std::string_view word, int largest) {
  const std::optional<double> number = io::parse_number(word);
  if (!number || !(*number >= 0 && *number <= largest) || *number != std::floor(*number)) return -1;
  return static_cast<int>(*number);
}

Result<GridFrame> read_header(io::Lines& lines, const std::string& file) {
  GridFrame frame;
  std::string_view line;
  while (lines.next(line)) {
    const auto words = split_words(line);
    if (words.empty() || words[0] == "type") continue;
    if (words[0] == "map") break;
    const bool is_height = words[0] == "height";
    const int side = words.size() == 2 ? whole_number(words[1], kLongestSide) : -1;
    if ((!is_height && words[0] != "width") || side < 1) {
      return Error{place(file, lines) + ": the line is " + io::quote(line) +
                   ", but must be type, height, width (1 to 20000) or map"};
    }
    (is_height ? frame.height : frame.width) = side;
  }
  if (frame.height == 0 || frame.width == 0) return Error{file + " is not a grid map: it has no height and width"};
  if (static_cast<double>(frame.width) * frame.height > kMostCells) {
    return Error{file + " has " + std::to_string(frame.width) + " × " + std::to_string(frame.height) +
                 " cells, but must have at most 64 million"};
  }
  return frame;
}

Result<MovingAiProblem> read_problem(std::string_view line, const std::string& where, const GridFrame& frame) {
  const auto words = split_words(line);
  if (words.size() < 2 + kNumbersAtEnd) {
    return Error{where + ": the line is " + io::quote(line) +
                 ", but must be bucket, map, width, height, start x, y, goal x, y, optimum"};
  }
  // the map's name may hold blanks, so count from the end
  const auto at = [&](std::size_t i) { return words[words.size() - kNumbersAtEnd + i]; };
  int numbers[6];
  for (std::size_t i = 0; i < 6; ++i) {
    numbers[i] = whole_number(at(i), kLongestSide);
    if (numbers[i] < 0) return Error{where + ": " + io::quote(at(i)) + " must be a whole number from 0 to 20000"};
  }
  const std::optional<double> optimum = io::parse_number(at(6));
  if (!optimum || !std::isfinite(*optimum) || *optimum < 0) {
    return Error{where + ": the optimum is " + io::quote(at(6)) + ", but must be a finite number from 0 on"};
  }
  const MovingAiProblem problem{{numbers[2], numbers[3]}, {numbers[4], numbers[5]}, *optimum};
  if (!frame.contains(problem.start) || !frame.contains(problem.goal)) {
    return Error{where + ": start or goal of " + io::quote(line) + " lies outside the map of " +
                 std::to_string(frame.width) + " × " + std::to_string(frame.height) + " cells"};
  }
  return problem;
}

}  // namespace

Result<Grid<std::uint8_t>> parse_movingai_map(std::string_view text, const std::string& file) {
  io::Lines lines(text);
  const Result<GridFrame> frame = read_header(lines, file);
  if (!frame) return frame.error();
  // the rows must be there before room is made for them
  if (text.size() < frame->size()) {
    return Error{file + " is cut short: it must hold " + std::to_string(frame->height) + " rows of " +
                 std::to_string(frame->width) + " cells"};
  }
  Grid<std::uint8_t> passable(*frame, 0);
  for (int y = 0; y < frame->height; ++y) {
    std::string_view row;
    if (!lines.next(row) || row.size() != static_cast<std::size_t>(frame->width)) {
      return Error{place(file, lines) + ": row " + std::to_string(y) + " has " + std::to_string(row.size()) +
                   " cells, but must have " + std::to_string(frame->width)};
    }
    for (int x = 0; x < frame->width; ++x) {
      const char c = row[static_cast<std::size_t>(x)];
      passable[Cell{x, y}] = c == '.' || c == 'G' || c == 'S' ? 1 : 0;
    }
  }
  return passable;
}

Result<Grid<std::uint8_t>> load_movingai_map(const std::string& path) {
  const Result<std::string> text = io::read_file(path, io::kLargestData);
  if (!text) return text.error();
  return parse_movingai_map(*text, path);
}

Result<std::vector<MovingAiProblem>> parse_movingai_problems(std::string_view text, const std::string& file,
                                                             const GridFrame& frame) {
  std::vector<MovingAiProblem> problems;
  io::Lines lines(text);
  std::string_view line;
  while (lines.next(line)) {
    const bool is_version = lines.number() == 1 && line.starts_with("version");
    if (is_version || line.find_first_not_of(" \t") == std::string_view::npos) continue;
    const Result<MovingAiProblem> problem = read_problem(line, place(file, lines), frame);
    if (!problem) return problem.error();
    problems.push_back(*problem);
  }
  if (problems.empty()) return Error{file + " holds no problems, but must hold at least one"};
  return problems;
}

Result<std::vector<MovingAiProblem>> load_movingai_problems(const std::string& path, const GridFrame& frame) {
  const Result<std::string> text = io::read_file(path, io::kLargestData);
  if (!text) return text.error();
  return parse_movingai_problems(*text, path, frame);
}

}  // namespace forerun::atlas
