// The page over TLS, with a certificate made on the spot.
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <memory>

#include "forerun/net/resolve.hpp"
#include "forerun/web/web_server.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/support/web_client.hpp"

namespace forerun::web {
namespace {

struct Free {
  void operator()(EVP_PKEY* p) const { EVP_PKEY_free(p); }
  void operator()(X509* p) const { X509_free(p); }
  void operator()(SSL_CTX* p) const { SSL_CTX_free(p); }
  void operator()(SSL* p) const { SSL_free(p); }
  void operator()(std::FILE* p) const { std::fclose(p); }
};

void write_certificate(const std::string& cert_path, const std::string& key_path) {
  const std::unique_ptr<EVP_PKEY, Free> key(EVP_EC_gen("P-256"));
  const std::unique_ptr<X509, Free> cert(X509_new());
  ASN1_INTEGER_set(X509_get_serialNumber(cert.get()), 1);
  X509_gmtime_adj(X509_getm_notBefore(cert.get()), 0);
  X509_gmtime_adj(X509_getm_notAfter(cert.get()), 3600);
  X509_set_pubkey(cert.get(), key.get());
  ASSERT_GT(X509_sign(cert.get(), key.get(), EVP_sha256()), 0);
  const std::unique_ptr<std::FILE, Free> cert_file(std::fopen(cert_path.c_str(), "w"));
  ASSERT_EQ(PEM_write_X509(cert_file.get(), cert.get()), 1);
  const std::unique_ptr<std::FILE, Free> key_file(std::fopen(key_path.c_str(), "w"));
  ASSERT_EQ(PEM_write_PrivateKey(key_file.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr), 1);
}

// What comes back over TLS, up to `enough` or the end.
std::string ask(std::uint16_t port, const std::string& request, const std::string& enough) {
  const int descriptor = socket(AF_INET, SOCK_STREAM, 0);
  const timeval patience{10, 0};
  setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(connect(descriptor, reinterpret_cast<const sockaddr*>(&to), sizeof to), 0);
  const std::unique_ptr<SSL_CTX, Free> context(SSL_CTX_new(TLS_client_method()));
  const std::unique_ptr<SSL, Free> tls(SSL_new(context.get()));
  SSL_set_fd(tls.get(), descriptor);
  EXPECT_EQ(SSL_connect(tls.get()), 1);
  SSL_write(tls.get(), request.data(), static_cast<int>(request.size()));
  std::string answer;
  char bytes[4096];
  while (answer.find(enough) == answer.npos) {
    const int n = SSL_read(tls.get(), bytes, sizeof bytes);
    if (n <= 0) break;
    answer.append(bytes, static_cast<std::size_t>(n));
  }
  close(descriptor);
  return answer;
}

TEST(WebTls, ServesFilesAndWebSocketsAndNothingInTheClear) {
  const test::TempFolder folder;
  write_certificate(folder.file("cert.pem"), folder.file("key.pem"));
  const auto web = WebServer::open({.listen = *net::resolve("127.0.0.1:0"),
                                    .tls_cert = folder.file("cert.pem"),
                                    .tls_key = folder.file("key.pem"),
                                    .limits = {}});
  ASSERT_TRUE(web) << web.error().message;
  const std::uint16_t port = web->local_address().port;
  EXPECT_NE(ask(port, "GET /none HTTP/1.1\r\nHost: localhost\r\n\r\n", "no such file").find("404"), std::string::npos);
  const std::string host = "localhost:" + std::to_string(port);
  const std::string opened = ask(port,
                                 "GET /ws HTTP/1.1\r\nHost: " + host + "\r\nOrigin: https://" + host +
                                     "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                                     "Sec-WebSocket-Key: Zm9yZXJ1biBicm93c2VyIQ==\r\n"
                                     "Sec-WebSocket-Protocol: forerun.1\r\n\r\n",
                                 "\r\n\r\n");
  EXPECT_NE(opened.find("101"), std::string::npos) << opened;
  test::WebClient plain(port);
  EXPECT_NE(plain.get("/").status, 200);
}

TEST(WebTls, AKeyThatIsNotTheCertificatesIsNamed) {
  const test::TempFolder folder;
  write_certificate(folder.file("cert.pem"), folder.file("key.pem"));
  write_certificate(folder.file("other.pem"), folder.file("other.key"));
  const auto web = WebServer::open({.listen = *net::resolve("127.0.0.1:0"),
                                    .tls_cert = folder.file("cert.pem"),
                                    .tls_key = folder.file("other.key"),
                                    .limits = {}});
  ASSERT_FALSE(web);
  EXPECT_NE(web.error().message.find("other.key"), std::string::npos);
}

}  // namespace
}  // namespace forerun::web
