#include "forerun/io/gzip.hpp"

#include <zlib.h>

#include <memory>
#include <vector>

#include "forerun/io/file.hpp"

namespace forerun::io {

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

Result<std::string> unpack_gzip(std::string_view bytes, const std::string& file, std::size_t largest) {
  z_stream stream{};
  constexpr int kGzipOnly = 16 + MAX_WBITS;
  if (inflateInit2(&stream, kGzipOnly) != Z_OK) return Error{file + " cannot be unpacked"};
  const std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&stream, inflateEnd);

  std::string text;
  std::vector<char> buffer(1 << 16);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  for (int status = Z_OK; status != Z_STREAM_END || stream.avail_in > 0;) {
    // one packed part may follow another
    if (status == Z_STREAM_END) inflateReset(&stream);
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = static_cast<uInt>(buffer.size());
    status = inflate(&stream, Z_NO_FLUSH);
    const std::size_t n = buffer.size() - stream.avail_out;
    if (status != Z_OK && status != Z_STREAM_END) return Error{file + " is not a whole gzip file"};
    text.append(buffer.data(), n);
    if (text.size() > largest) return Error{file + " unpacks to more than " + std::to_string(largest) + " bytes"};
  }
  return text;
}

Result<std::string> read_unpacked(const std::string& path, std::size_t largest) {
  Result<std::string> bytes = read_file(path, largest);
  if (!bytes || !is_gzip(*bytes)) return bytes;
  return unpack_gzip(*bytes, path, largest);
}

}  // namespace forerun::io
