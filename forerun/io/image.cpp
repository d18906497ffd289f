#include "forerun/io/image.hpp"

#include <png.h>

#include <array>
#include <limits>
#include <optional>

#include "forerun/io/file.hpp"
#include "forerun/io/text.hpp"

namespace forerun::io {

namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f'; }

// Whole numbers of a PGM, with comments between them.
class Scanner {
 public:
  explicit Scanner(std::string_view bytes) : bytes_(bytes) {}

  std::optional<int> number() {
    skip_blanks();
    int value = 0, n_digits = 0;
    for (; at_ < bytes_.size() && bytes_[at_] >= '0' && bytes_[at_] <= '9'; ++at_, ++n_digits) {
      if (n_digits >= 8) return std::nullopt;
      value = value * 10 + (bytes_[at_] - '0');
    }
    return n_digits > 0 ? std::optional<int>(value) : std::nullopt;
  }
  void skip(std::size_t n) { at_ += n; }
  [[nodiscard]] std::string_view rest() const { return at_ < bytes_.size() ? bytes_.substr(at_) : std::string_view(); }

 private:
  void skip_blanks() {
    while (at_ < bytes_.size() && (is_space(bytes_[at_]) || bytes_[at_] == '#')) {
      if (bytes_[at_] != '#') {
        ++at_;
        continue;
      }
      while (at_ < bytes_.size() && bytes_[at_] != '\n') ++at_;
    }
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
};

std::optional<Error> check_size(double width, double height, const std::string& file) {
  if (width >= 1 && height >= 1 && width * height <= static_cast<double>(kMostPixels)) return std::nullopt;
  return Error{file + " has " + show(width) + " × " + show(height) + " pixels, but must have 1 to " +
               std::to_string(kMostPixels)};
}

Error cut_short(const std::string& file, std::size_t expected) {
  return Error{file + " is cut short: it must hold " + std::to_string(expected) + " pixels"};
}

Result<Image> read_numbers(Scanner& scanner, Image image, int white, const std::string& file) {
  for (std::size_t i = 0; i < image.size(); ++i) {
    const std::optional<int> value = scanner.number();
    if (!value) return cut_short(file, image.size());
    if (*value > white) {
      return Error{file + " has a pixel of " + std::to_string(*value) + ", but its white is " + std::to_string(white)};
    }
    image.brightness.push_back(static_cast<float>(*value) / static_cast<float>(white));
  }
  return image;
}

Result<Image> read_bytes(std::string_view bytes, Image image, int white, const std::string& file) {
  const std::size_t n_bytes = white > 255 ? 2 : 1;
  if (bytes.size() < image.size() * n_bytes) return cut_short(file, image.size());
  image.brightness.reserve(image.size());
  for (std::size_t i = 0; i < image.size(); ++i) {
    int value = static_cast<unsigned char>(bytes[i * n_bytes]);
    if (n_bytes == 2) value = value * 256 + static_cast<unsigned char>(bytes[i * n_bytes + 1]);
    image.brightness.push_back(static_cast<float>(value < white ? value : white) / static_cast<float>(white));
  }
  return image;
}

Result<Image> parse_pgm(std::string_view bytes, const std::string& file) {
  const bool binary = bytes[1] == '5';
  Scanner scanner(bytes.substr(2));
  const std::optional<int> width = scanner.number(), height = scanner.number(), white = scanner.number();
  if (!width || !height || !white) return Error{file + " has no width, height and white level after its P" + bytes[1]};
  if (const auto error = check_size(*width, *height, file)) return *error;
  if (*white < 1 || *white > 65535) {
    return Error{file + " has the white level " + std::to_string(*white) + ", but it must lie between 1 and 65535"};
  }
  Image image{*width, *height, {}, {}};
  image.visible.assign(image.size(), 1);
  if (!binary) return read_numbers(scanner, std::move(image), *white, file);
  scanner.skip(1);  // exactly one blank before the pixels
  return read_bytes(scanner.rest(), std::move(image), *white, file);
}

Result<Image> parse_png(std::string_view bytes, const std::string& file) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_memory(&png, bytes.data(), bytes.size()) == 0) {
    return Error{file + " is not a readable PNG: " + one_line(png.message)};
  }
  if (const auto error = check_size(png.width, png.height, file)) {
    png_image_free(&png);
    return *error;
  }
  png.format = PNG_FORMAT_RGBA;
  png.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;  // 16 bit are a finer scale of the same grey
  std::vector<std::uint8_t> pixels(PNG_IMAGE_SIZE(png));
  if (png_image_finish_read(&png, nullptr, pixels.data(), 0, nullptr) == 0) {
    return Error{file + " is not a readable PNG: " + one_line(png.message)};
  }

  Image image{static_cast<int>(png.width), static_cast<int>(png.height), {}, {}};
  image.brightness.reserve(image.size());
  image.visible.reserve(image.size());
  for (std::size_t i = 0; i < pixels.size(); i += 4) {
    image.brightness.push_back(static_cast<float>(pixels[i] + pixels[i + 1] + pixels[i + 2]) / 765.0f);
    image.visible.push_back(pixels[i + 3] == 255 ? 1 : 0);
  }
  return image;
}

}  // namespace

Result<Image> parse_image(std::string_view bytes, const std::string& file) {
  constexpr std::string_view kPngBegin = "\x89PNG\r\n\x1a\n";
  try {
    if (bytes.starts_with(kPngBegin)) return parse_png(bytes, file);
    const bool is_pgm = bytes.starts_with("P2") || bytes.starts_with("P5");
    if (is_pgm && bytes.size() > 2 && (is_space(bytes[2]) || bytes[2] == '#')) return parse_pgm(bytes, file);
  } catch (const std::exception& exception) {
    return Error{file + " cannot be read as an image: " + one_line(exception.what())};
  }
  return Error{file + " is not an image: it begins with " + quote(bytes.substr(0, 8)) +
               ", but must be a PGM (P2 or P5) or a PNG"};
}

Result<Image> load_image(const std::string& path) {
  const Result<std::string> bytes = read_file(path, kLargestData);
  if (!bytes) return bytes.error();
  return parse_image(*bytes, path);
}

Result<std::string> encode_png(int width, int height, const std::vector<std::uint8_t>& rgba) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(width);
  png.height = static_cast<png_uint_32>(height);
  png.format = PNG_FORMAT_RGBA;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(png);
  std::string bytes(size, '\0');
  if (png_image_write_to_memory(&png, bytes.data(), &size, 0, rgba.data(), 0, nullptr) == 0) {
    return Error{std::string("a picture cannot be packed as PNG: ") + png.message};
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace forerun::io
