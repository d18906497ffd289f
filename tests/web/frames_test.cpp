#include "forerun/web/frames.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "forerun/web/websocket_key.hpp"

namespace forerun::web {
namespace {

using Kind = WebFrameReader::Kind;

// As a browser sends it.
std::string masked(int first, const std::string& payload) {
  std::string bytes = frame_bytes(WebOpcode::text, payload);
  bytes[0] = static_cast<char>(first);
  bytes[1] = static_cast<char>(bytes[1] | 0x80);
  const std::string mask = "\x12\x34\x56\x78";
  const std::size_t header = bytes.size() - payload.size();
  for (std::size_t i = 0; i < payload.size(); ++i)
    bytes[header + i] = static_cast<char>(bytes[header + i] ^ mask[i % 4]);
  return bytes.substr(0, header) + mask + bytes.substr(header);
}

struct Heard {
  Kind kind;
  std::string payload;
  WebClose why;
  bool operator==(const Heard&) const = default;
};

// All that is said, taken in pieces of this size.
std::vector<Heard> hear(const std::string& bytes, std::size_t piece, std::size_t largest = 1024) {
  WebFrameReader reader(largest);
  std::vector<Heard> heard;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    Bytes some(reinterpret_cast<const std::uint8_t*>(bytes.data()) + at, std::min(piece, bytes.size() - at));
    while (true) {
      auto said = reader.take(some);
      if (said.kind == Kind::nothing) break;
      heard.push_back({said.kind, said.payload, said.why});
      if (said.kind == Kind::broken) return heard;
    }
    EXPECT_TRUE(some.empty()) << "what is not taken would be lost";
  }
  return heard;
}

Heard first(const std::string& bytes) {
  const auto heard = hear(bytes, bytes.size());
  return heard.empty() ? Heard{Kind::nothing, "", WebClose::normal} : heard.front();
}

TEST(WebFrames, LengthsTakeAsFewBytesAsTheyNeed) {
  EXPECT_EQ(frame_bytes(WebOpcode::text, "hi"), "\x81\x02hi");
  EXPECT_EQ(frame_bytes(WebOpcode::binary, std::string(125, 'x')).substr(0, 2), "\x82\x7d");
  EXPECT_EQ(frame_bytes(WebOpcode::binary, std::string(126, 'x')).substr(0, 4), std::string("\x82\x7e\0\x7e", 4));
  EXPECT_EQ(frame_bytes(WebOpcode::binary, std::string(65535, 'x')).substr(0, 4), "\x82\x7e\xff\xff");
  EXPECT_EQ(frame_bytes(WebOpcode::binary, std::string(65536, 'x')).substr(0, 10),
            std::string("\x82\x7f\0\0\0\0\0\1\0\0", 10));
  EXPECT_EQ(close_bytes(WebClose::policy), "\x88\x02\x03\xf0");
}

TEST(WebFrames, MessagesAreHeardInPiecesOfAnySize) {
  const std::string bytes = masked(0x81, "stop") + masked(0x89, "are you there") + masked(0x01, "in ") +
                            masked(0x8a, "") + masked(0x80, "two") + masked(0x82, std::string(300, 'b')) +
                            masked(0x88, "\x03\xe8 bye");
  const auto whole = hear(bytes, bytes.size());
  ASSERT_EQ(whole.size(), 6u);
  EXPECT_EQ(whole[0], (Heard{Kind::text, "stop", WebClose::normal}));
  EXPECT_EQ(whole[1], (Heard{Kind::ping, "are you there", WebClose::normal}));
  EXPECT_EQ(whole[2].kind, Kind::pong) << "control frames come between the parts of a message";
  EXPECT_EQ(whole[3], (Heard{Kind::text, "in two", WebClose::normal}));
  EXPECT_EQ(whole[4].payload.size(), 300u);
  EXPECT_EQ(whole[5].kind, Kind::close);
  for (std::size_t piece = 1; piece < 20; ++piece) EXPECT_EQ(hear(bytes, piece), whole) << piece;
}

TEST(WebFrames, WhateverBreaksTheRulesIsBrokenAtOnceAndForGood) {
  const auto why = [](const std::string& bytes) {
    const Heard heard = first(bytes);
    EXPECT_EQ(heard.kind, Kind::broken);
    return heard.why;
  };
  EXPECT_EQ(why("\x81\x05hello"), WebClose::protocol_error);    // no mask
  EXPECT_EQ(why(masked(0xc1, "x")), WebClose::protocol_error);  // an extension
  EXPECT_EQ(why(masked(0x83, "x")), WebClose::protocol_error);  // no such kind
  EXPECT_EQ(why(masked(0x80, "x")), WebClose::protocol_error);  // goes on with nothing
  EXPECT_EQ(why(masked(0x01, "a") + masked(0x81, "b")), WebClose::protocol_error);
  EXPECT_EQ(why(masked(0x09, "x")), WebClose::protocol_error);  // a ping in parts
  EXPECT_EQ(why(masked(0x89, std::string(126, 'x'))), WebClose::protocol_error);
  EXPECT_EQ(why(std::string("\x81\xfe\0\x05", 4) + "mask"), WebClose::protocol_error);  // longer than it need be
  EXPECT_EQ(why("\x81\xff\xff\xff\xff\xff\xff\xff\xff\xffmask"), WebClose::protocol_error);
  EXPECT_EQ(why(std::string("\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff", 10) + "mask"), WebClose::too_big);
  EXPECT_EQ(why(masked(0x81, std::string(1025, 'x'))), WebClose::too_big);
  EXPECT_EQ(why(masked(0x01, std::string(1000, 'x')) + masked(0x80, std::string(25, 'x'))), WebClose::too_big);
  EXPECT_EQ(why(masked(0x81, "\xff\xfe")), WebClose::not_text);
  EXPECT_EQ(why(masked(0x88, "x")), WebClose::protocol_error);
  EXPECT_EQ(why(masked(0x88, "\x03\xed")), WebClose::protocol_error);  // 1005 is never sent
  EXPECT_EQ(why(masked(0x88, "\x03\xe8\xff")), WebClose::not_text);
  std::string endless = masked(0x01, "");
  for (int i = 0; i < 100; ++i) endless += masked(0x00, "");
  EXPECT_EQ(why(endless), WebClose::policy);

  WebFrameReader reader(1024);
  const std::string wrong = "\x81\x05hello";
  Bytes bytes(reinterpret_cast<const std::uint8_t*>(wrong.data()), wrong.size());
  EXPECT_EQ(reader.take(bytes).kind, Kind::broken);
  const std::string right = masked(0x81, "stop");
  bytes = {reinterpret_cast<const std::uint8_t*>(right.data()), right.size()};
  EXPECT_EQ(reader.take(bytes).kind, Kind::broken);
}

TEST(WebFrames, AHeaderIsJudgedBeforeItsMessageComes) {
  EXPECT_EQ(first(std::string("\x81\xfe\xff\xff", 4) + "mask").why, WebClose::too_big);
  EXPECT_EQ(first("\x81\x05").kind, Kind::broken);
}

// The old way: every character on its own, by its value.
bool is_utf8_slowly(const std::string& text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = [&](std::size_t k) {
      return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 256;
    };
    const int b = byte(0);
    const int n = b < 128 ? 1 : b < 192 ? 0 : b < 224 ? 2 : b < 240 ? 3 : b < 248 ? 4 : 0;
    if (n == 0) return false;
    long value = n == 1 ? b : b & (255 >> (n + 1));
    for (int k = 1; k < n; ++k) {
      if (byte(static_cast<std::size_t>(k)) < 128 || byte(static_cast<std::size_t>(k)) >= 192) return false;
      value = value * 64 + byte(static_cast<std::size_t>(k)) % 64;
    }
    const long smallest[] = {0, 0, 128, 2048, 65536};
    if (value < smallest[n] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000)) return false;
    i += static_cast<std::size_t>(n);
  }
  return true;
}

TEST(WebFrames, TextIsJudgedLikeCharacterByCharacter) {
  std::minstd_rand random(3);
  const std::string edges = "\x7f\x80\x8f\x90\x9f\xa0\xbf\xc0\xc1\xc2\xdf\xe0\xec\xed\xee\xef\xf0\xf1\xf4\xf5\xf8\xff";
  int n_good = 0;
  for (int round = 0; round < 200000; ++round) {
    std::string text(1 + random() % 4, '\0');
    for (char& c : text) c = random() % 2 == 0 ? edges[random() % edges.size()] : static_cast<char>(random() >> 8);
    ASSERT_EQ(is_utf8(text), is_utf8_slowly(text)) << testing::PrintToString(text);
    n_good += is_utf8(text);
  }
  EXPECT_GT(n_good, 1000);
}

TEST(WebFrames, TheAnswerToAKeyIsTheOneOfTheStandard) {
  EXPECT_EQ(web_socket_accept("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
  EXPECT_TRUE(is_web_socket_key("dGhlIHNhbXBsZSBub25jZQ=="));
  for (const char* key :
       {"", "==", "dGhlIHNhbXBsZSBub25jZQ=", "dGhlIHNhbXBsZSBub25jZ===", "dGhlIHNhbXBsZSBub25\rZQ=="}) {
    EXPECT_FALSE(is_web_socket_key(key)) << key;
  }
}

}  // namespace
}  // namespace forerun::web
