//===- Assembler.cpp - From PTX to machine code ---------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Driver/Assembler.h"

#include "attn/Driver/CudaDevice.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::attn;

llvm::Expected<std::string>
mlir::attn::findPtxas(std::optional<StringRef> given) {
  if (given && given->empty())
    return llvm::createStringError("ptxas is switched off");
  if (given) {
    llvm::ErrorOr<std::string> found = llvm::sys::findProgramByName(*given);
    if (!found || !llvm::sys::fs::can_execute(*found))
      return llvm::createStringError("expected a program for --ptxas, found '" +
                                     *given + "', which cannot be run");
    return *found;
  }
  if (llvm::ErrorOr<std::string> found = llvm::sys::findProgramByName("ptxas"))
    return *found;
  SmallVector<std::string> directories;
  for (StringRef variable : {"CUDA_HOME", "CUDA_PATH"})
    if (std::optional<std::string> home = llvm::sys::Process::GetEnv(variable))
      directories.push_back(*home + "/bin");
  directories.push_back("/usr/local/cuda/bin");
  SmallVector<StringRef> paths(directories.begin(), directories.end());
  if (llvm::ErrorOr<std::string> found =
          llvm::sys::findProgramByName("ptxas", paths))
    return *found;
  return llvm::createStringError("no ptxas in PATH, CUDA_HOME, CUDA_PATH and "
                                 "/usr/local/cuda; --ptxas may name it");
}

namespace {
/// A temporary file, in the directory that the system has for these. The
/// destructor removes it.
class TemporaryFile {
public:
  TemporaryFile() = default;
  TemporaryFile(const TemporaryFile &) = delete;
  TemporaryFile &operator=(const TemporaryFile &) = delete;
  ~TemporaryFile() {
    if (path.empty())
      return;
    llvm::sys::fs::remove(path);
    llvm::sys::DontRemoveFileOnSignal(path);
  }

  llvm::Error create(StringRef suffix, StringRef contents = "") {
    int descriptor;
    if (std::error_code code = llvm::sys::fs::createTemporaryFile(
            "attn", suffix, descriptor, path))
      return llvm::createStringError("cannot create a temporary file: " +
                                     code.message());
    llvm::sys::RemoveFileOnSignal(path);
    llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
    os << contents;
    os.close();
    std::error_code code = os.error();
    os.clear_error();
    return code ? llvm::createStringError("cannot write '" + path +
                                          "': " + code.message())
                : llvm::Error::success();
  }

  llvm::Expected<std::string> read() const {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    if (!buffer)
      return llvm::createStringError("cannot read '" + path +
                                     "': " + buffer.getError().message());
    return (*buffer)->getBuffer().str();
  }

  StringRef getPath() const { return path; }

private:
  llvm::SmallString<128> path;
};
} // namespace

llvm::Expected<Assembly> mlir::attn::runPtxas(StringRef program, StringRef ptx,
                                              const Chip &chip) {
  TemporaryFile source, cubin, log;
  if (llvm::Error error = source.create("ptx", ptx))
    return std::move(error);
  if (llvm::Error error = cubin.create("cubin"))
    return std::move(error);
  if (llvm::Error error = log.create("log"))
    return std::move(error);
  std::string arch = ("-arch=" + chip.name).str();
  std::string message;
  int status = llvm::sys::ExecuteAndWait(
      program, {program, "-v", arch, source.getPath(), "-o", cubin.getPath()},
      /*Env=*/std::nullopt, {StringRef(""), log.getPath(), log.getPath()},
      /*SecondsToWait=*/0, /*MemoryLimit=*/0, &message);
  if (status < 0)
    return llvm::createStringError("cannot run '" + program + "': " + message);
  Assembly assembly;
  if (llvm::Error error = log.read().moveInto(assembly.log))
    return std::move(error);
  if (status != 0)
    return llvm::createStringError("'" + program + "' rejects the PTX for " +
                                   chip.name + ":\n" +
                                   StringRef(assembly.log).rtrim());
  if (llvm::Error error = cubin.read().moveInto(assembly.cubin))
    return std::move(error);
  return assembly;
}

static llvm::Expected<Assembly> link(const CudaDevice &device, StringRef ptx,
                                     const Chip &chip) {
  void *cubin = nullptr;
  size_t size = 0;
  if (llvm::Error error = device.check(attnrt_link_ptx(
          device.getRuntime(), ptx.data(), ptx.size(), chip.name.str().c_str(),
          &cubin, &size, /*log=*/nullptr, 0)))
    return std::move(error);
  Assembly assembly;
  assembly.cubin.assign(static_cast<char *>(cubin), size);
  attnrt_free_host(cubin);
  return assembly;
}

llvm::Expected<Assembly> mlir::attn::assemble(StringRef ptx, const Chip &chip,
                                              std::optional<StringRef> given) {
  llvm::Expected<std::string> program = findPtxas(given);
  if (program)
    return runPtxas(*program, ptx, chip);
  if (given && !given->empty())
    return program.takeError();
  std::string reason = llvm::toString(program.takeError());
  auto device = CudaDevice::open();
  if (!device)
    return llvm::createStringError(
        "expected ptxas or a GPU's driver for machine code, found neither: " +
        reason + "; " + llvm::toString(device.takeError()));
  return link(**device, ptx, chip);
}
