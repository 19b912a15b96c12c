//===- BuildId.cpp - Which build of the library this is -------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BuildId.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/MathExtras.h"

#include <link.h>

using llvm::alignTo;
using llvm::ArrayRef;
using llvm::StringRef;

/// The library's own ELF header; the linker defines it.
extern "C" __attribute__((visibility("hidden"))) const ElfW(Ehdr) __ehdr_start;

StringRef mlir::attn::getBuildId() {
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
