#include "forerun/web/page_files.hpp"

#include <algorithm>
#include <cstdio>
#include <span>
#include <string_view>
#include <utility>

#include "forerun/base/hash.hpp"
#include "forerun/web/embedded_file.hpp"

namespace forerun::web {
namespace {

constexpr std::string_view kNoPage = R"(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Forerun</title>
<h1>The page was not built</h1>
<p>This <code>forerun</code> was built without its page. In its source folder, <code>make</code> builds both; it needs
Node and npm, which <code>make setup</code> installs.</p>
<p>The live data is there all the same, at <code>/ws</code>.</p>
</html>
)";

std::string content_type_of(std::string_view path) {
  constexpr std::pair<std::string_view, const char*> kTypes[] = {{".html", "text/html; charset=utf-8"},
                                                                 {".js", "text/javascript; charset=utf-8"},
                                                                 {".css", "text/css; charset=utf-8"},
                                                                 {".wasm", "application/wasm"},
                                                                 {".json", "application/json"},
                                                                 {".svg", "image/svg+xml"},
                                                                 {".png", "image/png"},
                                                                 {".ico", "image/x-icon"},
                                                                 {".woff2", "font/woff2"},
                                                                 {".webmanifest", "application/manifest+json"},
                                                                 {".txt", "text/plain; charset=utf-8"}};
  for (const auto& [ending, type] : kTypes) {
    if (path.ends_with(ending)) return type;
  }
  return "application/octet-stream";
}

std::string tag_of(Bytes bytes) {
  Hash hash;
  for (const std::uint8_t byte : bytes) hash.add(byte);
  char text[24];
  std::snprintf(text, sizeof text, "\"%016llx\"", static_cast<unsigned long long>(hash.value()));
  return text;
}

web::WebFile make_file(const EmbeddedFile& file) {
  const std::string path = file.path;
  const Bytes bytes(file.begin, file.end);
  // the page's build puts a hash into the names of what is in assets
  return {.path = path,
          .content_type = content_type_of(path),
          .bytes = bytes,
          .tag = tag_of(bytes),
          .gzip = true,
          .fixed = path.starts_with("/assets/")};
}

}  // namespace

std::vector<web::WebFile> page_files() {
  std::vector<web::WebFile> files;
  for (const EmbeddedFile& file : embedded_files()) files.push_back(make_file(file));
  const bool built =
      std::any_of(files.begin(), files.end(), [](const auto& file) { return file.path == "/index.html"; });
  if (!built) {
    const Bytes bytes(reinterpret_cast<const std::uint8_t*>(kNoPage.data()), kNoPage.size());
    files.push_back(
        {.path = "/index.html", .content_type = "text/html; charset=utf-8", .bytes = bytes, .tag = tag_of(bytes)});
  }
  return files;
}

}  // namespace forerun::web
