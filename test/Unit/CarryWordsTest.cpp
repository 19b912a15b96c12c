//===- CarryWordsTest.cpp - Tests of vectors of bytes in phis -------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Optimize.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"

#include "gtest/gtest.h"

// A block that a switch reaches in two cases has a phi with two entries for the
// switch's block. Both must keep the same value.
TEST(CarryWordsTest, blockWithTwoEdges) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  std::unique_ptr<llvm::Module> module =
      llvm::parseAssemblyString(R"(
    define <8 x i8> @main(i32 %n, <8 x i8> %a, <8 x i8> %b) {
    entry:
      switch i32 %n, label %other [ i32 0, label %end
                                    i32 1, label %end ]
    other:
      br label %end
    end:
      %x = phi <8 x i8> [ %a, %entry ], [ %a, %entry ], [ %b, %other ]
      ret <8 x i8> %x
    }
  )",
                                error, context);
  ASSERT_TRUE(module) << error.getMessage().str();
  mlir::attn::carryWords(*module);
  std::string text;
  llvm::raw_string_ostream out(text);
  EXPECT_FALSE(llvm::verifyModule(*module, &out)) << text;
  text.clear();
  module->print(out, nullptr);
  EXPECT_NE(text.find("phi <2 x i32>"), std::string::npos) << text;
}
