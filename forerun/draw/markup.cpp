#include "forerun/draw/markup.hpp"

#include <cmath>
#include <cstdio>

namespace forerun::draw {

std::string escape(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) escaped += c;
    }
  }
  return escaped;
}

std::string fixed(double value, int decimals) {
  if (!std::isfinite(value)) return "–";
  char text[400];  // the largest number has 309 digits
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  std::string result = text;
  // no "-0.00"
  if (result.find_first_of("123456789") == std::string::npos && result[0] == '-') result.erase(0, 1);
  return result;
}

std::string brief(double value) {
  if (!std::isfinite(value)) return "0";
  std::string text = fixed(value, 3);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string brief(Vec2 place) { return brief(place.x) + " " + brief(place.y); }

}  // namespace forerun::draw
