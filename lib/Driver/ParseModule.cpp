//===- ParseModule.cpp - From a user's text to a module -------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Driver/ParseModule.h"

#include "attn/Support/SourceCheck.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::attn;

/// Of a source line, and of a message.
static constexpr size_t kMaxLine = 1000, kMaxMessage = 10000;

static void printShortened(const llvm::SMDiagnostic &diagnostic,
                           void *context) {
  auto &os = *static_cast<raw_ostream *>(context);
  StringRef message = diagnostic.getMessage(),
            line = diagnostic.getLineContents();
  if (line.size() <= kMaxLine && message.size() <= kMaxMessage)
    return diagnostic.print(nullptr, os);
  std::string shortened = message.take_front(kMaxMessage).str();
  if (shortened.size() < message.size())
    shortened += "...";
  // The column is that of the whole line, the caret's that of the excerpt.
  constexpr size_t kBefore = 40, kExcerpt = 76;
  size_t column = diagnostic.getColumnNo();
  size_t begin = column - std::min(column, kBefore);
  std::string place = (diagnostic.getFilename() + ":" +
                       Twine(diagnostic.getLineNo()) + ":" + Twine(column + 1))
                          .str();
  llvm::SMDiagnostic(place, diagnostic.getKind(), shortened).print(nullptr, os);
  os << line.substr(begin, kExcerpt) << "\n";
  os.indent(column - begin) << "^\n";
}

void mlir::attn::shortenMessages(llvm::SourceMgr &sources, raw_ostream &os) {
  sources.setDiagHandler(printShortened, &os);
}

OwningOpRef<ModuleOp> mlir::attn::parseModule(llvm::SourceMgr &sources,
                                              MLIRContext *context) {
  const llvm::MemoryBuffer &buffer =
      *sources.getMemoryBuffer(sources.getMainFileID());
  StringRef text = buffer.getBuffer();
  std::optional<SourceFault> fault;
  if (!isBytecode(buffer))
    fault = findSourceFault(text);
  if (!fault)
    return parseSourceFile<ModuleOp>(sources, context);
  auto [line, column] = sources.getLineAndColumn(
      llvm::SMLoc::getFromPointer(text.data() + fault->offset));
  emitError(
      FileLineColLoc::get(context, buffer.getBufferIdentifier(), line, column))
      << fault->message;
  return nullptr;
}
