//===- Cache.cpp - Compiled programs on disk ------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cache.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/EndianStream.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"

#include <link.h>

using namespace mlir;
using namespace mlir::attn;
using llvm::alignTo;
using llvm::ArrayRef;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// The bytes of a program
//===----------------------------------------------------------------------===//

namespace {

/// Serialises fields: numbers as 8 bytes, lists and strings as their number of
/// elements, followed by the elements, and arguments and kernels field by
/// field.
class Writer {
public:
  explicit Writer(SmallVectorImpl<char> &bytes)
      : stream(bytes), writer(stream, llvm::endianness::little) {}

  template <typename T> void operator()(const T &field) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      writer.write<uint64_t>(static_cast<uint64_t>(field));
    } else {
      writer.write<uint64_t>(field.size());
      for (const auto &element : field)
        (*this)(element);
    }
  }
  void operator()(StringRef text) {
    writer.write<uint64_t>(text.size());
    stream << text;
  }
  void operator()(const std::string &text) { (*this)(StringRef(text)); }
  void operator()(const Argument &argument) {
    Argument::visitFields(argument, *this);
  }
  void operator()(const KernelEntry &kernel) {
    KernelEntry::visitFields(kernel, *this);
  }

private:
  llvm::raw_svector_ostream stream;
  llvm::support::endian::Writer writer;
};

/// Reads fields in the form in which a Writer wrote them. If the bytes end too
/// early, the remaining fields are zeros and empty lists.
class Reader {
public:
  explicit Reader(StringRef bytes)
      : bytes(bytes, /*IsLittleEndian=*/true, /*AddressSize=*/8) {}

  template <typename T> void operator()(T &field) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      field = static_cast<T>(bytes.getU64(cursor));
    } else {
      for (uint64_t i = 0, e = bytes.getU64(cursor); i < e && cursor; ++i)
        (*this)(field.emplace_back());
    }
  }
  void operator()(StringRef &text) {
    text = bytes.getBytes(cursor, bytes.getU64(cursor));
  }
  void operator()(std::string &text) {
    StringRef read;
    (*this)(read);
    text = read.str();
  }
  void operator()(Argument &argument) {
    Argument::visitFields(argument, *this);
  }
  void operator()(KernelEntry &kernel) {
    KernelEntry::visitFields(kernel, *this);
  }

  /// Returns whether the Reader has read all bytes of the entry and none was
  /// missing.
  bool finish() {
    bool isAtEnd = bytes.eof(cursor);
    if (llvm::Error error = cursor.takeError()) {
      llvm::consumeError(std::move(error));
      return false;
    }
    return isAtEnd;
  }

private:
  llvm::DataExtractor bytes;
  llvm::DataExtractor::Cursor cursor{0};
};

} // namespace

/// Calls `visit` with each field of a compiled program except the object file
/// of its host code.
template <typename Program, typename Visitor>
static void visitFields(Program &program, Visitor &visit) {
  visit(program.diagnostics);
  visit(program.arguments);
  visit(program.ptx);
  visit(program.kernels);
}

//===----------------------------------------------------------------------===//
// ProgramCache
//===----------------------------------------------------------------------===//

/// The ELF header of this library, a symbol that the linker defines.
extern "C" __attribute__((visibility("hidden"))) const ElfW(Ehdr) __ehdr_start;

/// Returns the build ID, which the linker computes from the library's contents,
/// or "" if the linker did not add one.
static StringRef getBuildId() {
  auto *base = reinterpret_cast<const char *>(&__ehdr_start);
  ArrayRef segments(
      reinterpret_cast<const ElfW(Phdr) *>(base + __ehdr_start.e_phoff),
      __ehdr_start.e_phnum);
  for (const ElfW(Phdr) &segment : segments) {
    if (segment.p_type != PT_NOTE)
      continue;
    StringRef notes(base + segment.p_vaddr, segment.p_memsz);
    while (notes.size() >= sizeof(ElfW(Nhdr))) {
      auto *note = reinterpret_cast<const ElfW(Nhdr) *>(notes.data());
      StringRef rest = notes.drop_front(sizeof(*note));
      StringRef name = rest.take_front(note->n_namesz);
      rest = rest.drop_front(
          std::min<size_t>(alignTo(note->n_namesz, 4), rest.size()));
      if (note->n_type == NT_GNU_BUILD_ID && name == StringRef("GNU\0", 4))
        return rest.take_front(note->n_descsz);
      notes = rest.drop_front(
          std::min<size_t>(alignTo(note->n_descsz, 4), rest.size()));
    }
  }
  return "";
}

ProgramCache::ProgramCache(const CompileRequest &request) {
  // The build ID is a part of the key, since another build of the compiler may
  // compile a program in another way.
  StringRef build = getBuildId();
  // Programs with line tables are not cached: line tables refer to a file that
  // only a compilation writes.
  if (build.empty() || !request.lineinfo.empty())
    return;
  llvm::Expected<std::optional<DiskCache>> opened =
      DiskCache::open(request.cache);
  if (!opened) {
    llvm::consumeError(opened.takeError());
    return;
  }
  disk = std::move(*opened);
  std::string chip = request.getChipName();
  HostCPU cpu = getHostCPU(request.cpu);
  key = DiskCache::getKey({ATTN_VERSION, build, request.source,
                           request.sourceName, request.function, request.access,
                           chip, cpu.name, cpu.features});
  description = "@" + request.function + " for " + chip;
}

std::optional<CompiledProgram> ProgramCache::load() const {
  std::unique_ptr<llvm::MemoryBuffer> entry = disk ? disk->load(key) : nullptr;
  if (!entry)
    return std::nullopt;
  CompiledProgram program;
  StringRef object;
  Reader read(entry->getBuffer());
  visitFields(program, read);
  read(object);
  if (!read.finish())
    return std::nullopt;
  program.object = llvm::MemoryBuffer::getMemBufferCopy(object);
  return program;
}

void ProgramCache::store(const CompiledProgram &program) const {
  if (!disk)
    return;
  llvm::SmallVector<char, 0> bytes;
  Writer write(bytes);
  visitFields(program, write);
  write(program.object->getBuffer());
  disk->store(key, description, StringRef(bytes.data(), bytes.size()));
}
