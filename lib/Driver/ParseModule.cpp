//===- ParseModule.cpp - From a user's text to a module -------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Driver/ParseModule.h"

#include "attn/Support/SourceCheck.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::attn;

/// The largest numbers of characters of a source line and of a message that are
/// printed whole.
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
  // Only an excerpt of the source line is printed. The message names the column
  // in the whole line, while the caret points into the excerpt.
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

/// Drops the operands of each op that was parsed.
static void dropOperands(const AsmParserState &state) {
  for (const AsmParserState::OperationDefinition &definition :
       state.getOpDefs())
    definition.op->dropAllReferences();
}

/// Parses a module with MLIR's parser, but drops the operands of all ops at the
/// first error. Otherwise, if an op uses a value that a later region defines,
/// MLIR would destroy that region first, and the op would then write to freed
/// memory.
static OwningOpRef<ModuleOp> parseText(llvm::SourceMgr &sources,
                                       MLIRContext *context) {
  AsmParserState state;
  Block block;
  bool hasError = false;
  {
    ScopedDiagnosticHandler onError(context, [&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
          !std::exchange(hasError, true))
        dropOperands(state);
      return failure();
    });
    // The module must not be verified while it is parsed. At the verifier's
    // first error, the handler would drop operands that the verifier goes on to
    // check.
    ParserConfig config(context, /*verifyAfterParse=*/false);
    if (failed(parseAsmSourceFile(sources, &block, config, &state)) || hasError)
      return nullptr;
  }
  const llvm::MemoryBuffer &buffer =
      *sources.getMemoryBuffer(sources.getMainFileID());
  auto start = FileLineColLoc::get(context, buffer.getBufferIdentifier(), 0, 0);
  return mlir::detail::constructContainerOpForParserIfNecessary<ModuleOp>(
      &block, context, start);
}

OwningOpRef<ModuleOp> mlir::attn::parseModule(llvm::SourceMgr &sources,
                                              MLIRContext *context,
                                              bool isVerified) {
  const llvm::MemoryBuffer &buffer =
      *sources.getMemoryBuffer(sources.getMainFileID());
  StringRef text = buffer.getBuffer();
  if (isBytecode(buffer))
    return parseSourceFile<ModuleOp>(sources,
                                     ParserConfig(context, isVerified));
  std::optional<SourceFault> fault = findSourceFault(text);
  if (!fault) {
    OwningOpRef<ModuleOp> module = parseText(sources, context);
    if (module && isVerified && failed(verify(*module)))
      return nullptr;
    return module;
  }
  auto [line, column] = sources.getLineAndColumn(
      llvm::SMLoc::getFromPointer(text.data() + fault->offset));
  emitError(
      FileLineColLoc::get(context, buffer.getBufferIdentifier(), line, column))
      << fault->message;
  return nullptr;
}
