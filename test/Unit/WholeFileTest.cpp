//===- WholeFileTest.cpp - Tests of files that are whole ------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Support/WholeFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include "gtest/gtest.h"

using namespace mlir::attn;

namespace {

class WholeFileTest : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("attn-files", root));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(root); }

  std::string getPath(const char *name) const {
    return (root + "/" + name).str();
  }
  /// Writes the text to a file. Returns the message of the failure, or "".
  std::string write(const char *name, llvm::StringRef text) const {
    llvm::Error error = writeWholeFile(
        getPath(name), [&](llvm::raw_ostream &os) { os << text; });
    return llvm::toString(std::move(error));
  }
  std::string read(const char *name) const {
    auto buffer = llvm::MemoryBuffer::getFile(getPath(name));
    return buffer ? (*buffer)->getBuffer().str() : "none";
  }
  bool isLink(const char *name) const {
    return llvm::sys::fs::is_symlink_file(getPath(name));
  }
  unsigned countFiles() const {
    std::error_code code;
    unsigned count = 0;
    for (llvm::sys::fs::directory_iterator file(root, code), end;
         file != end && !code; file.increment(code))
      ++count;
    return count;
  }

  llvm::SmallString<128> root;
};

} // namespace

TEST_F(WholeFileTest, followsLinks) {
  EXPECT_EQ(write("file", "old"), "");
  ASSERT_FALSE(llvm::sys::fs::create_link("file", getPath("link")));
  EXPECT_EQ(write("link", "new"), "");
  EXPECT_EQ(read("file"), "new");
  EXPECT_TRUE(isLink("link"));
  EXPECT_EQ(countFiles(), 2u);
}

TEST_F(WholeFileTest, followsDanglingLinks) {
  ASSERT_FALSE(llvm::sys::fs::create_link("file", getPath("link")));
  ASSERT_FALSE(llvm::sys::fs::create_link("link", getPath("second")));
  EXPECT_EQ(write("second", "text"), "");
  EXPECT_TRUE(isLink("second"));
  EXPECT_TRUE(isLink("link"));
  EXPECT_FALSE(isLink("file"));
  EXPECT_EQ(read("file"), "text");
  EXPECT_EQ(countFiles(), 3u);
}

TEST_F(WholeFileTest, linksThatLeadNowhere) {
  ASSERT_FALSE(llvm::sys::fs::create_link("none/file", getPath("far")));
  EXPECT_EQ(write("far", "text"),
            "cannot write '" + getPath("far") + "': No such file or directory");
  ASSERT_FALSE(llvm::sys::fs::create_link("round", getPath("round")));
  EXPECT_NE(write("round", "text").find("cannot write"), std::string::npos);
  EXPECT_TRUE(isLink("far"));
  EXPECT_TRUE(isLink("round"));
  EXPECT_EQ(countFiles(), 2u);
}
