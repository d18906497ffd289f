#include "forerun/web/host_names.hpp"

#include <arpa/inet.h>

#include <algorithm>

namespace forerun::web {
namespace {

constexpr std::size_t kLongestHost = 253;  // of the name service

std::string in_small_letters(std::string_view text) {
  std::string small(text);
  for (char& c : small) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return small;
}

bool is_port(std::string_view text) {
  return !text.empty() && text.size() <= 5 && text.find_first_not_of("0123456789") == text.npos;
}

bool is_number_address(const std::string& host) {
  unsigned char bytes[16];
  return inet_pton(AF_INET, host.c_str(), bytes) == 1 || inet_pton(AF_INET6, host.c_str(), bytes) == 1;
}

}  // namespace

std::string host_of(std::string_view authority) {
  std::string_view host = authority;
  std::string_view rest;
  if (authority.starts_with('[')) {
    const auto end = authority.find(']');
    if (end == authority.npos) return "";
    host = authority.substr(1, end - 1);
    rest = authority.substr(end + 1);
    if (host.find_first_not_of("0123456789abcdefABCDEF:.") != host.npos) return "";
  } else {
    const auto colon = authority.find(':');
    host = authority.substr(0, colon);
    if (colon != authority.npos) rest = authority.substr(colon);
    constexpr const char* kAllowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._";
    if (host.find_first_not_of(kAllowed) != host.npos) return "";
  }
  if (host.size() > kLongestHost) return "";
  if (!rest.empty() && (rest[0] != ':' || !is_port(rest.substr(1)))) return "";
  return in_small_letters(host);
}

bool is_known_host(std::string_view authority, std::span<const std::string> names) {
  const std::string host = host_of(authority);
  if (host.empty()) return false;
  if (host == "localhost" || is_number_address(host)) return true;
  return std::any_of(names.begin(), names.end(), [&](const auto& name) { return in_small_letters(name) == host; });
}

bool is_same_origin(std::string_view origin, std::string_view authority) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!origin.starts_with(scheme)) continue;
    return !host_of(authority).empty() && in_small_letters(origin.substr(scheme.size())) == in_small_letters(authority);
  }
  return false;
}

}  // namespace forerun::web
