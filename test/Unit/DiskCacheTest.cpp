//===- DiskCacheTest.cpp - Tests of what is kept between processes --------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Support/DiskCache.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include "gtest/gtest.h"

#include <csignal>
#include <fstream>
#include <sstream>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace mlir::attn;
using llvm::StringRef;

namespace {

class DiskCacheTest : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("attn-cache", root));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(root); }

  std::string getDirectory() const { return (root + "/a/b").str(); }
  DiskCache getCache(uint64_t maxBytes = 1 << 30) const {
    return DiskCache(getDirectory(), maxBytes);
  }
  std::string getPath(StringRef key) const {
    return getDirectory() + "/" + key.str() + ".attn";
  }
  std::vector<DiskCache::Entry> getEntries() const {
    return llvm::cantFail(getCache().getEntries());
  }

  llvm::SmallString<128> root;
};

std::string read(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

void write(const std::string &path, const std::string &bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

/// Returns the contents of the entry with this key, or "none" if there is no
/// valid entry.
std::string load(const DiskCache &cache, StringRef key) {
  auto buffer = cache.load(key);
  return buffer ? buffer->getBuffer().str() : "none";
}

const std::string key = DiskCache::getKey({"key"});
const std::string other = DiskCache::getKey({"other"});

/// Runs the function in a forked process and returns the status that waitpid()
/// gives.
template <typename Function> int inProcess(Function function) {
  pid_t process = fork();
  if (process == 0) {
    function();
    _exit(0);
  }
  int status = -1;
  waitpid(process, &status, 0);
  return status;
}

} // namespace

TEST(DiskCacheKey, tellsListsApart) {
  EXPECT_EQ(DiskCache::getKey({"a", "b"}), DiskCache::getKey({"a", "b"}));
  EXPECT_EQ(key.size(), 64u);
  std::vector<std::string> keys = {DiskCache::getKey({"a", "b"}),
                                   DiskCache::getKey({"b", "a"}),
                                   DiskCache::getKey({"ab"}),
                                   DiskCache::getKey({"ab", ""}),
                                   DiskCache::getKey({"", "ab"}),
                                   DiskCache::getKey({}),
                                   DiskCache::getKey({"a", "b", ""}),
                                   DiskCache::getKey({StringRef("a\0b", 3)})};
  for (size_t i = 0; i < keys.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      EXPECT_NE(keys[i], keys[j]) << i << ", " << j;
}

TEST_F(DiskCacheTest, storesAndLoads) {
  DiskCache cache = getCache();
  EXPECT_EQ(load(cache, key), "none");
  EXPECT_TRUE(getEntries().empty());
  std::string contents("a\0b\xff", 4);
  cache.store(key, "what it is", contents);
  cache.store(other, "", "");
  EXPECT_EQ(load(cache, key), contents);
  EXPECT_EQ(load(cache, other), "");
  cache.store(key, "new", "replaced");
  EXPECT_EQ(load(cache, key), "replaced");

  ASSERT_EQ(getEntries().size(), 2u);
  for (const DiskCache::Entry &entry : getEntries()) {
    EXPECT_FALSE(entry.isUnfinished);
    EXPECT_EQ(entry.bytes, read(entry.path).size());
    EXPECT_EQ(llvm::cantFail(DiskCache::describe(entry)),
              entry.path == getPath(key) ? "new" : "");
  }
  // Only the owner may use the cache's directory.
  llvm::sys::fs::perms permissions = llvm::cantFail(
      llvm::errorOrToExpected(llvm::sys::fs::getPermissions(getDirectory())));
  EXPECT_EQ(permissions, llvm::sys::fs::owner_all);
}

TEST_F(DiskCacheTest, damageIsAbsence) {
  DiskCache cache = getCache();
  cache.store(key, "description", "contents");
  std::string path = getPath(key), whole = read(path);
  for (size_t size = 0; size < whole.size(); ++size) {
    write(path, whole.substr(0, size));
    EXPECT_EQ(load(cache, key), "none") << size;
  }
  for (size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string flipped = whole;
    flipped[bit / 8] ^= 1 << bit % 8;
    write(path, flipped);
    EXPECT_EQ(load(cache, key), "none") << bit;
  }
  write(path, whole + '\0');
  EXPECT_EQ(load(cache, key), "none");
  EXPECT_EQ(llvm::toString(DiskCache::describe(getEntries()[0]).takeError()),
            "damaged");
  // The file is a whole entry, but of another key.
  write(getPath(other), whole);
  EXPECT_EQ(load(cache, other), "none");
  // The next store of a damaged entry replaces it by a valid one.
  cache.store(key, "description", "contents");
  EXPECT_EQ(load(cache, key), "contents");
}

TEST_F(DiskCacheTest, whatCannotBeUsed) {
  // The path of the cache's directory, or of the directory above it, is a file.
  std::string file = (root + "/file").str();
  write(file, "text");
  for (const std::string &directory : {file, file + "/below"}) {
    DiskCache cache(directory, 1 << 20);
    cache.store(key, "", "contents");
    EXPECT_EQ(load(cache, key), "none");
    auto entries = cache.getEntries();
    EXPECT_FALSE(static_cast<bool>(entries));
    EXPECT_NE(
        llvm::toString(entries.takeError()).find("cannot read '" + directory),
        std::string::npos);
    EXPECT_TRUE(llvm::errorToBool(cache.clear().takeError()));
  }
  EXPECT_EQ(read(file), "text");
  // The path of the entry's file is a directory.
  DiskCache cache = getCache();
  ASSERT_FALSE(llvm::sys::fs::create_directories(getPath(key)));
  cache.store(key, "", "contents");
  EXPECT_EQ(load(cache, key), "none");
  EXPECT_TRUE(getEntries().empty());
  // The path of the entry's file is a pipe to which no process writes, so
  // reading it would block.
  ASSERT_EQ(mkfifo(getPath(other).c_str(), 0600), 0);
  EXPECT_EQ(load(cache, other), "none");
  EXPECT_TRUE(getEntries().empty());
  cache.store(other, "", "contents");
  EXPECT_EQ(load(cache, other), "contents");
  // The error for an entry that cannot be read must not call the entry damaged.
  DiskCache::Entry entry = getEntries()[0];
  ASSERT_FALSE(llvm::sys::fs::remove(entry.path));
  EXPECT_EQ(llvm::toString(DiskCache::describe(entry).takeError()),
            "cannot be read: No such file or directory");
}

TEST_F(DiskCacheTest, oldestUseGoesFirst) {
  DiskCache cache = getCache(/*maxBytes=*/3500);
  auto wait = [] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  };
  std::vector<std::string> keys;
  for (const char *name : {"0", "1", "2", "3", "4"})
    keys.push_back(DiskCache::getKey({name}));
  std::string contents(1000, 'x');
  for (unsigned i : {0, 1, 2}) {
    cache.store(keys[i], "", contents);
    wait();
  }
  EXPECT_EQ(getEntries().size(), 3u);
  EXPECT_EQ(load(cache, keys[0]), contents);
  wait();
  cache.store(keys[3], "", contents);
  wait();
  EXPECT_EQ(getEntries().size(), 3u);
  EXPECT_EQ(load(cache, keys[1]), "none");
  EXPECT_EQ(load(cache, keys[2]), contents);
  wait();
  cache.store(keys[4], "", contents);
  EXPECT_EQ(load(cache, keys[0]), "none");
  for (unsigned i : {2, 3, 4})
    EXPECT_EQ(load(cache, keys[i]), contents) << i;
  // If an entry is larger than the limit, the cache removes all others first,
  // and then this one.
  wait();
  cache.store(key, "", std::string(4000, 'x'));
  EXPECT_TRUE(getEntries().empty());
}

TEST_F(DiskCacheTest, clearLeavesOtherFiles) {
  DiskCache cache = getCache();
  EXPECT_EQ(llvm::cantFail(cache.clear()), 0u);
  cache.store(key, "", "a");
  cache.store(other, "", "b");
  std::vector<std::string> own = {"notes.attn", "model.txt", key, key + ".txt",
                                  key.substr(1) + ".attn"};
  for (const std::string &name : own)
    write(getDirectory() + "/" + name, "mine");
  DiskCache small = getCache(/*maxBytes=*/1);
  EXPECT_EQ(llvm::cantFail(small.getEntries()).size(), 2u);
  EXPECT_EQ(llvm::cantFail(cache.clear()), 2u);
  EXPECT_TRUE(getEntries().empty());
  for (const std::string &name : own)
    EXPECT_EQ(read(getDirectory() + "/" + name), "mine");
}

TEST_F(DiskCacheTest, killedWhileWriting) {
  DiskCache cache = getCache();
  std::string contents(100000, 'x');
  auto storeWithLimit = [&](void (*action)(int)) {
    return inProcess([&] {
      std::signal(SIGXFSZ, action);
      rlimit limit = {5000, 5000};
      setrlimit(RLIMIT_FSIZE, &limit);
      cache.store(key, "", contents);
    });
  };
  // The system kills the process once it has written 5000 bytes of the entry.
  // The unfinished file remains.
  int status = storeWithLimit(SIG_DFL);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGXFSZ);
  ASSERT_EQ(getEntries().size(), 1u);
  EXPECT_TRUE(getEntries()[0].isUnfinished);
  EXPECT_EQ(getEntries()[0].bytes, 5000u);
  EXPECT_EQ(load(cache, key), "none");
  // With SIGXFSZ ignored, writing just fails after 5000 bytes, as on a full
  // disk. The process then removes its unfinished file.
  status = storeWithLimit(SIG_IGN);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(getEntries().size(), 1u);
  EXPECT_EQ(load(cache, key), "none");

  cache.store(key, "", contents);
  EXPECT_EQ(load(cache, key), contents);
  // The unfinished entry of the killed process counts towards the cache's size,
  // and is removed like others.
  EXPECT_EQ(getEntries().size(), 2u);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  getCache(/*maxBytes=*/101000).store(key, "", contents);
  ASSERT_EQ(getEntries().size(), 1u);
  EXPECT_FALSE(getEntries()[0].isUnfinished);
}

TEST_F(DiskCacheTest, killedAtAnyTime) {
  DiskCache cache = getCache();
  std::string contents(1 << 20, 'x');
  for (unsigned round = 0; round < 20; ++round) {
    pid_t process = fork();
    if (process == 0)
      for (;;)
        cache.store(key, "", contents);
    std::this_thread::sleep_for(std::chrono::milliseconds(5 + round));
    kill(process, SIGKILL);
    waitpid(process, nullptr, 0);
    std::string found = load(cache, key);
    EXPECT_TRUE(found == "none" || found == contents);
  }
  cache.store(key, "", contents);
  EXPECT_EQ(load(cache, key), contents);
}

/// Several processes store, load, prune and clear the same cache at once. An
/// entry that one of them finds must be whole and belong to the key.
TEST_F(DiskCacheTest, manyProcesses) {
  constexpr unsigned numKeys = 4, numProcesses = 8;
  auto getContents = [](unsigned number) {
    return std::string(20000 + number, 'a' + number);
  };
  std::vector<std::string> keys;
  for (unsigned i = 0; i < numKeys; ++i)
    keys.push_back(DiskCache::getKey({std::to_string(i)}));
  std::vector<pid_t> processes;
  for (unsigned process = 0; process < numProcesses; ++process) {
    processes.push_back(fork());
    if (processes.back())
      continue;
    // The caches of half of the processes have a limit that holds only half of
    // the entries.
    DiskCache cache = getCache(process % 2 ? 1 << 20 : 50000);
    unsigned numFound = 0;
    for (unsigned round = 0; round < 200; ++round)
      for (unsigned i = 0; i < numKeys; ++i) {
        std::string found = load(cache, keys[i]);
        numFound += found != "none";
        if (found == "none")
          cache.store(keys[i], "", getContents(i));
        else if (found != getContents(i))
          _exit(1);
        if (process == 0 && round % 50 == 49)
          llvm::consumeError(cache.clear().takeError());
      }
    _exit(numFound ? 0 : 2);
  }
  for (pid_t process : processes) {
    int status = -1;
    waitpid(process, &status, 0);
    EXPECT_EQ(status, 0);
  }
  for (const DiskCache::Entry &entry : getEntries())
    EXPECT_FALSE(entry.isUnfinished);
}

TEST_F(DiskCacheTest, environment) {
  auto open = [](StringRef setting = "") {
    auto cache = llvm::cantFail(DiskCache::open(setting));
    return cache ? cache->getDirectory().str() : "none";
  };
  setenv("XDG_CACHE_HOME", "/xdg", 1);
  setenv("HOME", "/home/somebody", 1);
  unsetenv("ATTN_MLIR_CACHE");
  unsetenv("ATTN_MLIR_CACHE_MIB");
  EXPECT_EQ(open(), "/xdg/attn-mlir");
  EXPECT_EQ(llvm::cantFail(DiskCache::open())->getMaxBytes(), 256u << 20);
  unsetenv("XDG_CACHE_HOME");
  EXPECT_EQ(open(), "/home/somebody/.cache/attn-mlir");
  setenv("ATTN_MLIR_CACHE", "", 1);
  EXPECT_EQ(open(), "/home/somebody/.cache/attn-mlir");
  setenv("ATTN_MLIR_CACHE", "/my/own", 1);
  EXPECT_EQ(open(), "/my/own");
  EXPECT_EQ(open("/given"), "/given");
  EXPECT_EQ(open("0"), "none");
  setenv("ATTN_MLIR_CACHE", "0", 1);
  EXPECT_EQ(open(), "none");
  EXPECT_EQ(open("/given"), "/given");

  setenv("ATTN_MLIR_CACHE_MIB", "3", 1);
  EXPECT_EQ(llvm::cantFail(DiskCache::open("/given"))->getMaxBytes(), 3u << 20);
  for (const char *wrong : {"", "-1", "1.5", "10G", "99999999999999999999"}) {
    setenv("ATTN_MLIR_CACHE_MIB", wrong, 1);
    auto cache = DiskCache::open("/given");
    ASSERT_FALSE(static_cast<bool>(cache)) << wrong;
    EXPECT_EQ(llvm::toString(cache.takeError()),
              "expected ATTN_MLIR_CACHE_MIB to be a number of MiB, found '" +
                  std::string(wrong) + "'");
  }
  for (const char *name : {"ATTN_MLIR_CACHE", "ATTN_MLIR_CACHE_MIB"})
    unsetenv(name);
}
