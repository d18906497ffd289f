// Key files: what is written reads back, and whatever could betray a key is refused.
#include "forerun/io/key_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <thread>

#include "forerun/io/base64.hpp"
#include "tests/support/temp_folder.hpp"

namespace forerun::io {
namespace {

namespace fs = std::filesystem;

sync::Key constant_key(std::uint8_t value) {
  sync::Key key;
  key.fill(value);
  return key;
}

// Not a real public half, but one that tells whose it is.
sync::Key open_half(const sync::Key& secret) {
  sync::Key open = secret;
  for (auto& byte : open) byte = static_cast<std::uint8_t>(byte ^ 0xff);
  return open;
}

sync::KeyPair constant_pair(std::uint8_t value) { return {constant_key(value), open_half(constant_key(value))}; }

unsigned mode_of(const std::string& path) {
  struct stat about {};
  EXPECT_EQ(lstat(path.c_str(), &about), 0) << path;
  return about.st_mode & 07777;
}

// The sentence, which must name all of `words`.
void expect_error(const Error& error, const std::vector<std::string>& words) {
  EXPECT_EQ(error.message.find('\n'), std::string::npos);
  for (const auto& word : words)
    EXPECT_NE(error.message.find(word), std::string::npos) << word << " in " << error.message;
}

// A folder with the secret file as given, for the owner only.
std::string write_secret(const test::TempFolder& folder, const std::string& text, mode_t mode = 0600) {
  const std::string path = folder.write("secret.key", text);
  EXPECT_EQ(chmod(path.c_str(), mode), 0);
  return path;
}

std::string write_allowed(const test::TempFolder& folder, const std::string& text, mode_t mode = 0600) {
  const std::string path = folder.write("allowed", text);
  EXPECT_EQ(chmod(path.c_str(), mode), 0);
  return path;
}

TEST(Base64, ReadsBackWhatItWritesAndNothingElse) {
  std::string bytes;
  for (int i = 0; i < 70; ++i) {
    EXPECT_EQ(decode_base64(encode_base64(bytes)), bytes);
    bytes += static_cast<char>(i * 37);
  }
  for (const char* bad : {"A", "AA", "AAA", "A===", "AA=", "AB==", "AAB=", "====", "=", "AAAA=", "AA=A", "AA A", "AA-_",
                          "AAAA====", "\xc3\xa4=="}) {
    EXPECT_EQ(decode_base64(bad), std::nullopt) << bad;
  }
  EXPECT_EQ(decode_base64("TWFu"), "Man");
  EXPECT_EQ(decode_base64("TWE="), "Ma");
  EXPECT_EQ(decode_base64("TQ=="), "M");
}

TEST(KeyFile, ANewKeyReadsBackAndIsForItsOwnerOnly) {
  const test::TempFolder folder;
  const std::string keys = folder.file("deep/keys");
  const mode_t before = umask(0);  // the most careless setting there is
  const auto created = create_keys(keys, constant_pair(7), Existing::keep);
  umask(before);
  ASSERT_TRUE(created) << created.error().message;
  const auto loaded = load_keys(keys, open_half);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->secret, constant_key(7));
  EXPECT_EQ(loaded->open, open_half(constant_key(7)));
  EXPECT_EQ(mode_of(keys), 0700u);
  EXPECT_EQ(mode_of(keys + "/secret.key"), 0600u);
  EXPECT_EQ(mode_of(keys + "/public.key"), 0644u);
  EXPECT_EQ(folder.read("deep/keys/public.key"), show_key(open_half(constant_key(7))) + "\n");
}

TEST(KeyFile, AnExistingKeyIsReplacedOnlyWhenForced) {
  const test::TempFolder folder;
  ASSERT_TRUE(create_keys(folder.path(), constant_pair(1), Existing::keep));
  const auto again = create_keys(folder.path(), constant_pair(2), Existing::keep);
  ASSERT_FALSE(again);
  expect_error(again.error(), {folder.file("secret.key"), "exists already"});
  EXPECT_EQ(load_keys(folder.path(), open_half)->secret, constant_key(1));
  EXPECT_EQ(folder.read("public.key"), show_key(open_half(constant_key(1))) + "\n");
  ASSERT_TRUE(create_keys(folder.path(), constant_pair(2), Existing::replace));
  EXPECT_EQ(load_keys(folder.path(), open_half)->secret, constant_key(2));
  EXPECT_EQ(mode_of(folder.file("secret.key")), 0600u);
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"public.key", "secret.key"}));
}

TEST(KeyFile, ASecretThatOthersCanTouchIsRefused) {
  const test::TempFolder folder;
  for (const mode_t mode : {0640u, 0604u, 0644u, 0620u, 0601u, 0666u, 0610u}) {
    const std::string path = write_secret(folder, show_key(constant_key(1)) + "\n", mode);
    const auto loaded = load_keys(folder.path(), open_half);
    ASSERT_FALSE(loaded) << std::oct << mode;
    expect_error(loaded.error(), {path, "owner", "chmod 600"});
  }
  write_secret(folder, show_key(constant_key(1)) + "\n", 0400);
  EXPECT_TRUE(load_keys(folder.path(), open_half));
}

TEST(KeyFile, ASecretOfAnotherUserIsRefused) {
  if (geteuid() != 0) GTEST_SKIP() << "only the administrator can give files away";
  const test::TempFolder folder;
  const std::string path = write_secret(folder, show_key(constant_key(1)) + "\n");
  ASSERT_EQ(chown(path.c_str(), 12345, 12345), 0);
  const auto loaded = load_keys(folder.path(), open_half);
  ASSERT_FALSE(loaded);
  expect_error(loaded.error(), {path, "another user"});
}

TEST(KeyFile, ASecretMustBeAPlainFile) {
  const test::TempFolder folder;
  const std::string real = folder.write("elsewhere", show_key(constant_key(1)) + "\n");
  ASSERT_EQ(chmod(real.c_str(), 0600), 0);
  const std::string path = folder.file("secret.key");
  fs::create_symlink(real, path);
  expect_error(load_keys(folder.path(), open_half).error(), {path, "link"});
  fs::remove(path);
  fs::create_directory(path);
  expect_error(load_keys(folder.path(), open_half).error(), {path, "plain file"});
  fs::remove(path);
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  expect_error(load_keys(folder.path(), open_half).error(), {path, "plain file"});
}

// Everything that touches a folder of keys, which must refuse it with all of `words`.
void expect_refused(const std::string& folder, const std::vector<std::string>& words) {
  const auto expect = [&](const auto& result, const char* what) {
    ASSERT_FALSE(result) << what;
    expect_error(result.error(), words);
  };
  expect(load_keys(folder, open_half), "load_keys");
  expect(load_allowed(folder), "load_allowed");
  expect(allow_key(folder, {constant_key(2), sync::Role::watch, ""}), "allow_key");
  expect(forbid_key(folder, constant_key(1)), "forbid_key");
  expect(create_keys(folder, constant_pair(3), Existing::replace), "create_keys");
}

TEST(KeyFile, AFolderThatOthersCanWriteToIsRefused) {
  const test::TempFolder folder;
  const std::string keys = folder.file("keys");
  ASSERT_TRUE(create_keys(keys, constant_pair(1), Existing::keep));
  ASSERT_TRUE(allow_key(keys, {constant_key(1), sync::Role::watch, ""}));
  for (const mode_t mode : {0770u, 0702u, 0777u, 01777u, 0720u}) {
    ASSERT_EQ(chmod(keys.c_str(), mode), 0);
    expect_refused(keys, {keys, "chmod go-w"});
  }
  ASSERT_EQ(chmod(keys.c_str(), 0755), 0);
  EXPECT_EQ(load_keys(keys, open_half)->secret, constant_key(1));
  EXPECT_EQ(load_allowed(keys)->size(), 1u);
  EXPECT_TRUE(forbid_key(keys, constant_key(1)));
}

TEST(KeyFile, AFolderOfAnotherUserIsRefused) {
  if (geteuid() != 0) GTEST_SKIP() << "only the administrator can give folders away";
  const test::TempFolder folder;
  const std::string keys = folder.file("keys");
  ASSERT_TRUE(create_keys(keys, constant_pair(1), Existing::keep));
  ASSERT_TRUE(allow_key(keys, {constant_key(1), sync::Role::watch, ""}));
  ASSERT_EQ(chown(keys.c_str(), 12345, 12345), 0);
  expect_refused(keys, {keys, "another user"});
}

TEST(KeyFile, AMissingSecretSaysHowToMakeOne) {
  const test::TempFolder folder;
  expect_error(load_keys(folder.path(), open_half).error(), {folder.file("secret.key"), "does not exist", "keys new"});
}

TEST(KeyFile, ABrokenSecretIsRefusedWithoutShowingIt) {
  const test::TempFolder folder;
  const std::string good = show_key(constant_key(0x5a));
  const std::string letters = good.substr(0, 20);
  for (const std::string& text :
       {std::string(), good.substr(0, 43), "!" + good.substr(1), good + "\n" + good, "-" + good}) {
    const auto loaded = load_keys((write_secret(folder, text), folder.path()), open_half);
    ASSERT_FALSE(loaded) << text;
    expect_error(loaded.error(), {folder.file("secret.key")});
    EXPECT_EQ(loaded.error().message.find(letters), std::string::npos) << loaded.error().message;
  }
  write_secret(folder, encode_base64(std::string(16, 'x')) + "\n");
  expect_error(load_keys(folder.path(), open_half).error(), {"16 bytes", "32"});
  write_secret(folder, encode_base64(std::string(33, 'x')) + "\n");
  expect_error(load_keys(folder.path(), open_half).error(), {"33 bytes", "32"});
}

TEST(KeyFile, ReadsWhoIsAllowed) {
  const test::TempFolder folder;
  write_allowed(folder, "# people\n\noperate " + show_key(constant_key(1)) + " Ada at the desk\n  watch\t" +
                            show_key(constant_key(2)) + "\r\n");
  const auto allowed = load_allowed(folder.path());
  ASSERT_TRUE(allowed) << allowed.error().message;
  EXPECT_EQ(*allowed, (std::vector<AllowedKey>{{constant_key(1), sync::Role::operate, "Ada at the desk"},
                                               {constant_key(2), sync::Role::watch, ""}}));
}

TEST(KeyFile, WithoutTheFileNobodyIsAllowed) {
  const test::TempFolder folder;
  EXPECT_TRUE(load_allowed(folder.path())->empty());
  EXPECT_TRUE(load_allowed(folder.file("missing"))->empty());
}

TEST(KeyFile, BadLinesAreNamed) {
  const test::TempFolder folder;
  const std::string key = show_key(constant_key(1));
  const auto complain = [&](const std::string& text) {
    write_allowed(folder, text);
    const auto allowed = load_allowed(folder.path());
    EXPECT_FALSE(allowed) << text;
    return allowed ? Error{} : allowed.error();
  };
  const std::string path = folder.file("allowed");
  expect_error(complain("# x\noperat " + key + " Ada\n"), {path + ":2", "\"operat\"", "\"operate\""});
  expect_error(complain("none " + key + "\n"), {path + ":1", "none"});
  expect_error(complain("watch\n"), {path + ":1", "key"});
  expect_error(complain("watch " + key.substr(1) + "\n"), {path + ":1", "key"});
  expect_error(complain("watch " + encode_base64("short") + "\n"), {path + ":1", "5 bytes"});
  expect_error(complain("watch " + key + "\n\noperate " + key + "\n"), {path + ":3", "line 1"});
  expect_error(complain("watch " + key + " " + std::string(65, 'x') + "\n"), {path + ":1", "64"});
  expect_error(complain(std::string("watch ") + key + " a\x1b[31m\n"), {path + ":1", "name"});
}

TEST(KeyFile, AListThatOthersCanChangeIsRefused) {
  const test::TempFolder folder;
  for (const mode_t mode : {0620u, 0602u, 0666u}) {
    const std::string path = write_allowed(folder, "", mode);
    expect_error(load_allowed(folder.path()).error(), {path, "owner"});
    EXPECT_FALSE(allow_key(folder.path(), {constant_key(1), sync::Role::watch, ""}));
  }
  write_allowed(folder, "", 0644);
  EXPECT_TRUE(load_allowed(folder.path()));
}

TEST(KeyFile, AllowingKeepsEverythingElse) {
  const test::TempFolder folder;
  const std::string one = show_key(constant_key(1)), two = show_key(constant_key(2)), three = show_key(constant_key(3));
  write_allowed(folder, "# first floor\noperate   " + one + "  Ada\n\n   # hall\nwatch " + two + " Bob\n# end", 0644);
  ASSERT_TRUE(allow_key(folder.path(), {constant_key(3), sync::Role::watch, "Cy"}));
  ASSERT_TRUE(allow_key(folder.path(), {constant_key(2), sync::Role::operate, ""}));
  EXPECT_EQ(folder.read("allowed"), "# first floor\noperate   " + one + "  Ada\n\n   # hall\noperate " + two +
                                        " Bob\n# end\nwatch " + three + " Cy\n");
  EXPECT_EQ(mode_of(folder.file("allowed")), 0600u);
  ASSERT_TRUE(forbid_key(folder.path(), constant_key(1)));
  EXPECT_EQ(folder.read("allowed"),
            "# first floor\n\n   # hall\noperate " + two + " Bob\n# end\nwatch " + three + " Cy\n");
  EXPECT_EQ(folder.names(), std::vector<std::string>{"allowed"});
}

TEST(KeyFile, ForbiddingAStrangerChangesNothing) {
  const test::TempFolder folder;
  ASSERT_TRUE(allow_key(folder.path(), {constant_key(1), sync::Role::watch, ""}));
  const auto forbidden = forbid_key(folder.path(), constant_key(2));
  ASSERT_FALSE(forbidden);
  expect_error(forbidden.error(), {folder.file("allowed"), show_key(constant_key(2))});
  EXPECT_EQ(load_allowed(folder.path())->size(), 1u);
}

TEST(KeyFile, ABrokenListIsNotOverwritten) {
  const test::TempFolder folder;
  write_allowed(folder, "whatever\n");
  EXPECT_FALSE(allow_key(folder.path(), {constant_key(1), sync::Role::watch, ""}));
  EXPECT_EQ(folder.read("allowed"), "whatever\n");
}

TEST(KeyFile, ANameCannotSmuggleInALine) {
  const test::TempFolder folder;
  const std::string name = "x\noperate " + show_key(constant_key(9));
  EXPECT_FALSE(allow_key(folder.path(), {constant_key(1), sync::Role::watch, name}));
  EXPECT_TRUE(load_allowed(folder.path())->empty());
}

TEST(KeyFile, NoLineIsLostWhenManyWriteAtOnce) {
  const test::TempFolder folder;
  std::vector<std::thread> writers;
  for (int writer = 0; writer < 4; ++writer) {
    writers.emplace_back([&folder, writer] {
      for (int i = 0; i < 8; ++i) {
        const AllowedKey allowed{constant_key(static_cast<std::uint8_t>(8 * writer + i)), sync::Role::watch, ""};
        EXPECT_TRUE(allow_key(folder.path(), allowed));
      }
    });
  }
  for (auto& writer : writers) writer.join();
  EXPECT_EQ(load_allowed(folder.path())->size(), 32u);
}

TEST(KeyFile, TheFolderIsTheFirstThatIsSet) {
  const auto keep = [](const char* name) { return std::getenv(name) ? std::string(std::getenv(name)) : std::string(); };
  const std::string home = keep("HOME"), config = keep("XDG_CONFIG_HOME"), keys = keep("FORERUN_KEYS");
  setenv("HOME", "/h", 1);
  setenv("XDG_CONFIG_HOME", "/c", 1);
  setenv("FORERUN_KEYS", "/k", 1);
  EXPECT_EQ(*find_key_folder("given"), "given");
  EXPECT_EQ(*find_key_folder(""), "/k");
  setenv("FORERUN_KEYS", "", 1);
  EXPECT_EQ(*find_key_folder(""), "/c/forerun");
  unsetenv("XDG_CONFIG_HOME");
  EXPECT_EQ(*find_key_folder(""), "/h/.config/forerun");
  unsetenv("HOME");
  EXPECT_FALSE(find_key_folder(""));
  const auto restore = [](const char* name, const std::string& value) {
    value.empty() ? unsetenv(name) : setenv(name, value.c_str(), 1);
  };
  restore("HOME", home);
  restore("XDG_CONFIG_HOME", config);
  restore("FORERUN_KEYS", keys);
}

}  // namespace
}  // namespace forerun::io
