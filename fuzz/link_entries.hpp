// The link's decoders and its key file, each with the way back: what was read is written again.
#pragma once

#include "forerun/image/receiver.hpp"
#include "forerun/io/key_file.hpp"
#include "forerun/sync/bulk_wire.hpp"
#include "forerun/sync/noise.hpp"
#include "forerun/sync/planned_path_wire.hpp"
#include "forerun/sync/report_wire.hpp"
#include "forerun/sync/retry_token.hpp"
#include "forerun/sync/wire.hpp"
#include "fuzz/link_parts.hpp"

namespace forerun::fuzz {

// After the first encoding nothing changes any more.
inline bool check_report(Bytes body) {
  const sync::DecodedReport decoded = sync::decode_report(body);
  if (!decoded.report) return false;
  FORERUN_CHECK(is_finite(*decoded.report));
  const auto once = sync::encode_report(*decoded.report);
  FORERUN_CHECK(once.has_value());
  const sync::DecodedReport again = sync::decode_report(*once);
  FORERUN_CHECK(again.report.has_value());
  const auto twice = sync::encode_report(*again.report);
  FORERUN_CHECK(twice.has_value());
  // a planned path may be written in finer steps the second time, and says the same
  const bool has_path = again.report->planned_path.has_value();
  FORERUN_CHECK(has_path || *twice == *once);
  FORERUN_CHECK(sync::decode_report(*twice).report->planned_path == again.report->planned_path);
  // a target or goal without its flag is not kept; all that stands before is, byte for byte
  FORERUN_CHECK(is_same(Bytes(*once).first(44), body.first(44)));
  FORERUN_CHECK(is_same(Bytes(*once).subspan(56, 19), body.subspan(56, 19)));
  // all sections are, and they can be written one by one
  sync::SectionWriter sections;
  FORERUN_CHECK(sync::visit_sections(decoded.sections, [&](const sync::Section& section) {
    FORERUN_CHECK(sections.add(static_cast<sync::SectionKind>(section.kind), section.content));
  }));
  FORERUN_CHECK(is_same(sections.written(), decoded.sections));
  const auto whole = sync::encode_report(*decoded.report, decoded.sections);
  FORERUN_CHECK(whole && is_same(sync::sections_of(*whole), decoded.sections));
  return true;
}

inline bool run_link_report(std::string_view bytes) { return check_report(as_bytes(bytes)); }

// A position in steps of 0.1 mm, twice four bytes, and a planned path as it travels. After the first encoding, which
// may choose larger steps, nothing changes any more.
inline bool run_planned_path(std::string_view bytes) {
  ByteReader in(as_bytes(bytes));
  const double x = in.i32() * 1e-4, y = in.i32() * 1e-4;
  const auto path = sync::decode_planned_path(in.bytes(in.remaining()), {x, y});
  if (!path) return false;
  for (const Vec2 point : *path) FORERUN_CHECK(std::fabs(point.x) <= 1e5 && std::fabs(point.y) <= 1e5);
  const auto again = sync::encode_planned_path(*path, {x, y});
  // who is beyond 100 km does not report
  if (!again) return false;
  const auto back = sync::decode_planned_path(*again, {x, y});
  FORERUN_CHECK(again->size() <= 64 && back.has_value());
  const auto twice = sync::encode_planned_path(*back, {x, y});
  FORERUN_CHECK(twice && sync::decode_planned_path(*twice, {x, y}) == back);
  return true;
}

inline bool check_command(Bytes body) {
  const auto command = sync::decode_command(body);
  if (!command) return false;
  std::array<std::uint8_t, sync::kLargestCommandBody> again;
  ByteWriter out(again);
  FORERUN_CHECK(sync::can_be_sent(command->command) && sync::write(*command, out));
  FORERUN_CHECK(begins(out.written(), body));
  return true;
}

inline bool check_answer_body(Bytes body) {
  const auto answer = sync::decode_answer(body);
  if (!answer) return false;
  std::array<std::uint8_t, sync::kLargestAnswerBody> again, twice;
  ByteWriter out(again);
  sync::write(*answer, out);
  // words are made fit to be shown; all that stands before them is kept, and then nothing changes any more
  FORERUN_CHECK(out.ok() && begins(out.written().first(sync::kAnswerBodySize), body));
  const auto back = sync::decode_answer(out.written());
  ByteWriter out_twice(twice);
  FORERUN_CHECK(back.has_value());
  sync::write(*back, out_twice);
  FORERUN_CHECK(is_same(out.written(), out_twice.written()));
  return true;
}

inline bool check_offer(Bytes body) {
  const auto offer = sync::decode_offer(body);
  if (offer) FORERUN_CHECK(begins(sync::encode(*offer), body));
  return offer.has_value();
}

inline bool check_request(Bytes body) {
  const auto request = sync::decode_request(body);
  if (request) FORERUN_CHECK(begins(sync::encode(*request), body));
  return request.has_value();
}

inline bool check_chunk(Bytes body) {
  const auto chunk = sync::decode_chunk(body);
  std::array<std::uint8_t, sync::kChunkHeaderSize + sync::kChunkSize> again;
  if (chunk) FORERUN_CHECK(is_same(sync::encode(*chunk, again), body));
  return chunk.has_value();
}

// Words are made fit to be shown; then nothing changes any more.
inline bool check_verdict(Bytes body) {
  const auto verdict = sync::decode_verdict(body);
  if (!verdict) return false;
  std::array<std::uint8_t, sync::kLargestVerdict> once, twice;
  const Bytes written = sync::encode(*verdict, once);
  FORERUN_CHECK(begins(written.first(sync::kVerdictSize), body));
  const auto back = sync::decode_verdict(written);
  FORERUN_CHECK(back && is_same(sync::encode(*back, twice), written));
  return true;
}

inline bool check_image_part(Bytes body) {
  const auto part = image::decode_part(body);
  std::array<std::uint8_t, image::kHeaderSize + image::kLargestPart> again;
  if (part) FORERUN_CHECK(is_same(encode(*part, again), body));
  return part.has_value();
}

inline bool check_look(Bytes body) {
  const auto look = image::decode_look(body);
  if (!look) return false;
  // older viewers write less
  const auto again = encode(*look);
  FORERUN_CHECK(begins(Bytes(again).first(std::min(body.size(), again.size())), body));
  return true;
}

// Parts of images, each after its length (two bytes), as a receiver gets them from a robot side that lies.
inline bool run_image_parts(std::string_view bytes) {
  image::Receiver receiver;
  ByteReader in(as_bytes(bytes));
  while (in.remaining() > 0) {
    const Bytes body = in.bytes(in.u16());
    if (check_image_part(body)) receiver.on_part(*image::decode_part(body));
    const auto& newest = receiver.newest();
    if (newest) FORERUN_CHECK(newest->bytes.size() == newest->info.size && newest->info.size <= image::kLargestImage);
  }
  FORERUN_CHECK(receiver.n_whole() <= receiver.n_begun());
  return receiver.newest().has_value();
}

inline bool check_frame(const sync::Frame& frame) {
  switch (static_cast<sync::FrameKind>(frame.kind)) {
    case sync::FrameKind::sync:
      return check_report(frame.body);
    case sync::FrameKind::command:
      return check_command(frame.body);
    case sync::FrameKind::outcome:
      return check_answer_body(frame.body);
    case sync::FrameKind::request:
      return check_request(frame.body);
    case sync::FrameKind::chunk:
      return check_chunk(frame.body);
    case sync::FrameKind::offer:
      return check_offer(frame.body);
    case sync::FrameKind::verdict:
      return check_verdict(frame.body);
    case sync::FrameKind::image:
      return check_image_part(frame.body);
    case sync::FrameKind::look:
      return check_look(frame.body);
    case sync::FrameKind::challenge:
    case sync::FrameKind::response:
      return frame.body.size() >= 8;
    default:
      return true;
  }
}

// The content of a DATA: a stamp and frames, written again as they were read.
inline bool run_link_frames(std::string_view bytes) {
  ByteReader in(as_bytes(bytes));
  const auto stamp = sync::read_stamp(in);
  if (!stamp) return false;
  const bool whole = sync::has_whole_frames(in);
  Datagram again(bytes.size());
  ByteWriter out(again);
  sync::write(*stamp, out);
  if (stamp->echo) FORERUN_CHECK(begins(out.written(), as_bytes(bytes)));

  bool good = whole;
  while (const auto frame = sync::read_frame(in)) {
    good = check_frame(*frame) && good;
    sync::write_frame(static_cast<sync::FrameKind>(frame->kind), frame->body, out);
  }
  FORERUN_CHECK((in.finished() || !whole) && out.ok());
  const Bytes frames = out.written().subspan(sync::kStampSize);
  FORERUN_CHECK(begins(frames, as_bytes(bytes).subspan(sync::kStampSize)));
  FORERUN_CHECK(!whole || out.size() == bytes.size());
  return good;
}

template <class Content>
bool check_content(const std::optional<Content>& content, Bytes body) {
  if (!content) return false;
  std::array<std::uint8_t, sync::kGreetingContentSize> again;
  ByteWriter out(again);
  sync::write(*content, out);
  FORERUN_CHECK(out.ok() && out.size() == sync::kGreetingContentSize);
  // three bytes at the end are not read
  FORERUN_CHECK(begins(out.written().first(13), body));
  return true;
}

inline bool check_greeting_header(Bytes datagram) {
  ByteReader in(datagram);
  const sync::GreetingHeader header = sync::read_greeting_header(in);
  if (!in.ok()) return false;
  std::array<std::uint8_t, sync::kGreetingHeaderSize> again;
  ByteWriter out(again);
  sync::write(header, out);
  // two bytes after the version are not read
  FORERUN_CHECK(begins(out.written().first(2), datagram));
  FORERUN_CHECK(is_same(out.written().subspan(4), datagram.subspan(4, 4)));
  return true;
}

inline bool check_data_header(Bytes datagram) {
  ByteReader in(datagram);
  const sync::DataHeader header = sync::read_data_header(in);
  if (!in.ok()) return false;
  FORERUN_CHECK(header.counter < sync::kCounterLimit);
  std::array<std::uint8_t, sync::kDataHeaderSize> again;
  ByteWriter out(again);
  sync::write(header, out);
  FORERUN_CHECK(is_same(out.written().subspan(1), datagram.subspan(1, sync::kDataHeaderSize - 1)));
  return true;
}

// Noise's first message as a stranger may send it; a real one can be answered.
inline bool check_first_message(Bytes message) {
  if (message.size() < sync::kFirstOverhead || message.size() > sync::kLargestDatagram) return false;
  RepeatingCipher cipher;
  // the prologue of the corpus
  constexpr std::array<std::uint8_t, 15> kPrologue{'F', 'o', 'r', 'e', 'r', 'u', 'n', ' ',
                                                   'l', 'i', 'n', 'k', ' ', 'v', '1'};
  auto handshake = sync::Handshake::respond(cipher, kPrologue, cipher.pair_of(1));
  Datagram payload(message.size() - sync::kFirstOverhead);
  if (!handshake.read_first(message, payload)) return false;
  std::array<std::uint8_t, sync::kSecondOverhead> answer;
  return handshake.write_second({}, answer);
}

inline bool check_token(Bytes bytes) {
  if (bytes.size() < sync::kTokenSize) return false;
  RepeatingCipher cipher;
  const sync::RetryTokens tokens(cipher, from_seconds(30));
  sync::Token token;
  std::copy_n(bytes.begin(), token.size(), token.begin());
  const RobotTime now{kFuzzStart};
  if (!tokens.is_good(token, now, place(2))) return false;
  FORERUN_CHECK(!tokens.is_good(token, now, place(3)) && !tokens.is_good(token, now + from_seconds(31), place(2)));
  return true;
}

// The first byte says which part of a greeting the others are.
inline bool run_link_greeting(std::string_view bytes) {
  if (bytes.empty()) return false;
  const Bytes rest = as_bytes(bytes.substr(1));
  switch (bytes[0]) {
    case 0:
      return check_content(sync::decode_hello_content(rest), rest);
    case 1:
      return check_content(sync::decode_welcome_content(rest), rest);
    case 2:
      return check_greeting_header(rest);
    case 3:
      return check_data_header(rest);
    case 4:
      return check_first_message(rest);
    default:
      return check_token(rest);
  }
}

// As the whole file, and as a single key.
inline bool run_allowed_keys(std::string_view bytes) {
  const auto key = io::parse_key(bytes, "the key");
  if (check_answer(key)) FORERUN_CHECK(bytes.find(io::show_key(*key)) != std::string_view::npos);

  const auto allowed = io::parse_allowed(bytes, "allowed");
  if (!check_answer(allowed)) return false;
  std::string text;
  for (const io::AllowedKey& entry : *allowed) {
    FORERUN_CHECK(entry.role == sync::Role::watch || entry.role == sync::Role::operate);
    text += sync::to_string(entry.role) + (" " + io::show_key(entry.key)) + " " + entry.name + "\n";
  }
  const auto again = io::parse_allowed(text, "allowed");
  FORERUN_CHECK(again.ok() && *again == *allowed);
  return !allowed->empty();
}

}  // namespace forerun::fuzz
