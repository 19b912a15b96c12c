//===- KnownFaults.cpp - Known faults of LLVM and MLIR --------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The known crashes of LLVM and MLIR. A fault is identified by a function among
// the innermost ones of the stack, and by the pass or other code that ran. If
// the program has no symbols, no crash is known, so each one is a finding.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Signals.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <sys/mman.h>

using namespace attn_fuzz;
using llvm::StringRef;

namespace {
struct KnownFault {
  StringRef place, function;
  const char *what;
};

/// The number of stack frames that are recorded, from the innermost on: five of
/// the signal handler, up to four of abort(), and some of the code that
/// crashed.
constexpr int kMaxFrames = 14;
struct Crash {
  int numFrames;
  void *frames[kMaxFrames];
};

struct Function {
  uint64_t begin, end;
  std::string name;
};
} // namespace

static constexpr KnownFault kKnownFaults[] = {
    {"pass canonicalize",
     "(anonymous namespace)::SimplifyDimOfAllocOp::matchAndRewrite",
     "canonicalize, of memref.dim with a negative index"},
    {"the parser", "mlir::linalg::TransposeOp::parse",
     "the parser of linalg.transpose, of a permutation that is no list"},
    {"the printer", "mlir::gpu::BinaryOp::print",
     "printing a gpu.binary without offloadingHandler"},
    // Only an NVVM op that the user's module contains causes this crash. For
    // kernels that the pipeline makes, the sweep of random schedules tests that
    // it does not occur.
    {"pass attn-serialize-kernels", "llvm::SelectionDAGISel::SelectCodeCommon",
     "instruction selection, of an NVVM op that the chip lacks"},
};

static Crash *crash = nullptr;

bool attn_fuzz::watchCrashes() {
  void *memory = mmap(nullptr, sizeof(Crash), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return false;
  crash = static_cast<Crash *>(memory);
  // Calls backtrace() once before any crash, since its first call loads a
  // library, which a signal handler should not do.
  backtrace(crash->frames, kMaxFrames);
  llvm::sys::AddSignalHandler(
      [](void *) { crash->numFrames = backtrace(crash->frames, kMaxFrames); },
      nullptr);
  return true;
}

static std::vector<Function> readFunctions() {
  std::vector<Function> functions;
  auto file = llvm::object::ObjectFile::createObjectFile("/proc/self/exe");
  if (!file) {
    llvm::consumeError(file.takeError());
    return functions;
  }
  for (llvm::object::ELFSymbolRef symbol : file->getBinary()->symbols()) {
    llvm::Expected<StringRef> name = symbol.getName();
    llvm::Expected<uint64_t> address = symbol.getAddress();
    if (name && address && symbol.getELFType() == llvm::ELF::STT_FUNC)
      functions.push_back({*address, *address + symbol.getSize(), name->str()});
    llvm::consumeError(name.takeError());
    llvm::consumeError(address.takeError());
  }
  return functions;
}

/// Returns the address at which the executable is loaded.
static uint64_t getLoadAddress() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<void *>(&readFunctions), &info))
    return 0;
  return reinterpret_cast<uint64_t>(info.dli_fbase);
}

std::vector<std::string> attn_fuzz::takeCrash() {
  static const std::vector<Function> functions = readFunctions();
  std::vector<std::string> found;
  int numFrames = std::exchange(crash->numFrames, 0);
  for (int i = 0; i < numFrames; ++i) {
    uint64_t address =
        reinterpret_cast<uint64_t>(crash->frames[i]) - getLoadAddress();
    for (const Function &function : functions)
      if (function.begin <= address && address < function.end) {
        found.push_back(llvm::demangle(function.name));
        break;
      }
  }
  return found;
}

const char *attn_fuzz::findKnownFault(StringRef place,
                                      llvm::ArrayRef<std::string> functions) {
  for (const KnownFault &fault : kKnownFaults)
    for (StringRef function : functions)
      // In the name of a function on the stack, its parameters follow in
      // parentheses.
      if (place == fault.place && function.consume_front(fault.function) &&
          function.starts_with("("))
        return fault.what;
  return nullptr;
}
