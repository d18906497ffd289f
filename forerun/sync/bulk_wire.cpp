#include "forerun/sync/bulk_wire.hpp"

#include <algorithm>

#include "forerun/sync/wire.hpp"

namespace forerun::sync {
namespace {

constexpr std::uint32_t kMostChunks = n_chunks(UINT32_MAX);  // of an object whose size fits into an offer

}  // namespace

std::uint64_t object_of(const Digest& digest) noexcept { return ByteReader(digest).u64(); }

std::array<std::uint8_t, kOfferSize> encode(const Offer& offer) noexcept {
  std::array<std::uint8_t, kOfferSize> body;
  ByteWriter out(body);
  out.u8(static_cast<std::uint8_t>(offer.kind));
  out.u32(offer.size);
  out.bytes(offer.digest);
  return body;
}

std::array<std::uint8_t, kRequestSize> encode(const Request& request) noexcept {
  std::array<std::uint8_t, kRequestSize> body;
  ByteWriter out(body);
  out.u64(request.object);
  out.u32(request.first);
  out.u16(request.count);
  return body;
}

Bytes encode(const Chunk& chunk, std::array<std::uint8_t, kChunkHeaderSize + kChunkSize>& body) noexcept {
  ByteWriter out(body);
  out.u64(chunk.object);
  out.u32(chunk.index);
  out.bytes(chunk.bytes);
  return out.ok() ? out.written() : Bytes{};
}

const char* to_string(Taken taken) noexcept {
  constexpr const char* kWords[kTaken] = {"taken", "refused", "not_allowed", "too_large", "too_many", "mismatch"};
  const auto place = static_cast<std::size_t>(taken);
  return place < kTaken ? kWords[place] : "unknown";
}

Bytes encode(const Verdict& verdict, std::array<std::uint8_t, kLargestVerdict>& body) noexcept {
  ByteWriter out(body);
  out.u64(verdict.object);
  out.u8(static_cast<std::uint8_t>(verdict.taken));
  write_reason(verdict.refusal, verdict.words, out);
  return out.written();
}

std::optional<Verdict> decode_verdict(Bytes body) noexcept {
  ByteReader in(body);
  Verdict verdict;
  verdict.object = in.u64();
  const std::uint8_t taken = in.u8();
  read_reason(in, verdict.refusal, verdict.words);
  if (!in.ok() || taken >= kTaken) return std::nullopt;
  verdict.taken = static_cast<Taken>(taken);
  if (verdict.taken != Taken::refused) verdict.refusal = robot::Refusal::none;
  return verdict;
}

std::optional<Offer> decode_offer(Bytes body) noexcept {
  ByteReader in(body);
  const std::uint8_t kind = in.u8();
  Offer offer{.kind = static_cast<ObjectKind>(kind), .size = in.u32()};
  const Bytes digest = in.bytes(kHashSize);
  if (!in.ok() || kind < 1 || offer.size == 0) return std::nullopt;
  std::copy(digest.begin(), digest.end(), offer.digest.begin());
  return offer;
}

std::optional<Request> decode_request(Bytes body) noexcept {
  ByteReader in(body);
  const Request request{in.u64(), in.u32(), in.u16()};
  if (!in.ok()) return std::nullopt;
  if (request.count == 0 && request.first != 0) return std::nullopt;
  if (request.first >= kMostChunks || request.count > kMostChunks - request.first) return std::nullopt;
  return request;
}

std::optional<Chunk> decode_chunk(Bytes body) noexcept {
  ByteReader in(body);
  Chunk chunk{in.u64(), in.u32(), {}};
  chunk.bytes = in.bytes(in.remaining());
  if (!in.ok() || chunk.bytes.empty() || chunk.bytes.size() > kChunkSize || chunk.index >= kMostChunks) {
    return std::nullopt;
  }
  return chunk;
}

}  // namespace forerun::sync
