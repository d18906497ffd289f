// Bodies of the frames that carry large objects: models, missions, world changes. Little-endian.
//
//   OFFER    kind u8, size u32, digest 32 bytes       the digest is the SHA-256 of the whole object
//   REQUEST  object u64, first u32, count u16         count 0 asks for the OFFER
//   CHUNK    object u64, index u32, bytes             1024 bytes, in the last chunk what is left
//   VERDICT  object u64, taken u8, refusal u8, length u8, words
//
// An object's number is the first eight bytes of its digest.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "forerun/base/bytes.hpp"
#include "forerun/robot/reply.hpp"
#include "forerun/sync/cipher.hpp"

namespace forerun::sync {

inline constexpr std::size_t kChunkSize = 1024;  // fits into every datagram with what is around it
inline constexpr std::size_t kOfferSize = 1 + 4 + kHashSize;
inline constexpr std::size_t kRequestSize = 8 + 4 + 2;
inline constexpr std::size_t kChunkHeaderSize = 8 + 4;
inline constexpr std::size_t kVerdictSize = 8 + 1;  // and the reason
inline constexpr std::size_t kLargestVerdict = kVerdictSize + 2 + robot::Words::kLongest;

enum class ObjectKind : std::uint8_t {  // from 1 on; a newer writer's may be any
  model = 1,                            // names a world and a robot, or holds both
  mission = 2,                          // what the robot is to do
  world_change = 3,                     // what has become different
  world = 4,
  robot = 5,  // its description
};

struct Offer {
  ObjectKind kind = ObjectKind::model;
  std::uint32_t size = 0;  // of the whole, in bytes; at least 1
  Digest digest{};
};

struct Request {
  std::uint64_t object = 0;
  std::uint32_t first = 0;  // chunk
  std::uint16_t count = 0;  // chunks; 0: the offer, and `first` is 0
};

struct Chunk {
  std::uint64_t object = 0;
  std::uint32_t index = 0;
  Bytes bytes;  // 1 … kChunkSize; points into what was decoded
};

// What became of an object that a viewer has offered.
enum class Taken : std::uint8_t {
  yes = 0,
  refused = 1,      // by the robot, which says why
  not_allowed = 2,  // the key may only watch
  too_large = 3,    // by itself, or with what the session has brought
  too_many = 4,     // objects of this session, or sessions that bring some
  mismatch = 5,     // the whole was not what had been offered
};
inline constexpr std::uint8_t kTaken = 6;
[[nodiscard]] const char* to_string(Taken taken) noexcept;

struct Verdict {
  std::uint64_t object = 0;
  Taken taken = Taken::yes;
  robot::Refusal refusal = robot::Refusal::none;  // where the robot refused it
  robot::Words words;                             // its own
};

// Of a kind that this version knows.
[[nodiscard]] constexpr bool is_known(ObjectKind kind) noexcept {
  return kind >= ObjectKind::model && kind <= ObjectKind::robot;
}

[[nodiscard]] std::uint64_t object_of(const Digest& digest) noexcept;

[[nodiscard]] constexpr std::uint32_t n_chunks(std::uint32_t size) noexcept {
  return static_cast<std::uint32_t>((std::uint64_t{size} + kChunkSize - 1) / kChunkSize);
}
// How many bytes a chunk of an object holds; `index` lies within the object.
[[nodiscard]] constexpr std::size_t chunk_length(std::uint32_t size, std::uint32_t index) noexcept {
  const std::uint64_t begin = std::uint64_t{index} * kChunkSize;
  return size - begin < kChunkSize ? static_cast<std::size_t>(size - begin) : kChunkSize;
}

[[nodiscard]] std::array<std::uint8_t, kOfferSize> encode(const Offer& offer) noexcept;
[[nodiscard]] std::array<std::uint8_t, kRequestSize> encode(const Request& request) noexcept;
// Gives the written beginning of `body`; nothing when the chunk is too long.
[[nodiscard]] Bytes encode(const Chunk& chunk, std::array<std::uint8_t, kChunkHeaderSize + kChunkSize>& body) noexcept;

[[nodiscard]] Bytes encode(const Verdict& verdict, std::array<std::uint8_t, kLargestVerdict>& body) noexcept;

// Nothing where the body is too short or contradicts itself. What newer writers add behind an offer or a request is
// ignored; behind a chunk there is no room.
[[nodiscard]] std::optional<Offer> decode_offer(Bytes body) noexcept;
[[nodiscard]] std::optional<Request> decode_request(Bytes body) noexcept;
[[nodiscard]] std::optional<Chunk> decode_chunk(Bytes body) noexcept;
[[nodiscard]] std::optional<Verdict> decode_verdict(Bytes body) noexcept;

}  // namespace forerun::sync
