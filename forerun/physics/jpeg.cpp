#include "forerun/physics/jpeg.hpp"

#include <turbojpeg.h>

#include <memory>

namespace forerun::physics {

Result<std::string> encode_jpeg(const Picture& picture, int quality) {
  const std::unique_ptr<void, int (*)(void*)> encoder(tjInitCompress(), tjDestroy);
  unsigned char* made = nullptr;
  unsigned long size = 0;  // NOLINT: as the library has it
  const bool done = encoder && tjCompress2(encoder.get(), picture.rgb.data(), picture.width, 0, picture.height,
                                           TJPF_RGB, &made, &size, TJSAMP_420, quality, TJFLAG_FASTDCT) == 0;
  const std::unique_ptr<unsigned char, void (*)(unsigned char*)> owned(made, tjFree);
  if (!done) return Error{"the picture cannot be compressed", ErrorKind::impossible};
  return std::string(made, made + size);
}

}  // namespace forerun::physics
