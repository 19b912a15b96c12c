//===- XLAInterface.h - XLA's foreign function interface --------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of XLA's binary interface for foreign functions, version 0.3, that
// the handler needs, declared here so that a build needs no jaxlib. Each
// structure begins with its size and a list of extensions. Calls of XLA's
// functions return null or an error, which the caller owns.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CAPI_XLAINTERFACE_H
#define ATTN_LIB_CAPI_XLAINTERFACE_H

#include <cstddef>
#include <cstdint>

namespace mlir::attn::xla {

inline constexpr int kMajor = 0, kMinor = 3;

struct Error;
struct Context;

struct Extension {
  size_t size;
  int32_t type;
  Extension *next;
};
/// The value of Extension::type in the only extension of a call frame that the
/// handler uses: XLA's query of the handler's traits.
inline constexpr int32_t kMetadata = 1;

/// The fields with which most structures of XLA's interface begin: their size
/// in bytes, and a list of extensions.
struct Header {
  size_t size;
  Extension *extensions;
};

struct Version : Header {
  int major, minor;
};

struct TypeId {
  int64_t value;
};

/// Tells XLA which function deletes the state of a custom call.
struct TypeInfo : Header {
  void (*deleter)(void *);
};

struct Metadata {
  size_t size;
  Version version;
  uint32_t traits;
  TypeId state;
};
/// A trait of a handler: all its executions make the same launches, so that XLA
/// may capture them into a graph and replay them.
inline constexpr uint32_t kCommandBufferCompatible = 1;

struct MetadataExtension {
  Extension base;
  Metadata *metadata;
};

struct Span {
  const char *data;
  size_t size;
};

/// An attribute of a custom call that is an array of numbers.
struct Array {
  int32_t dtype;
  size_t size;
  void *data;
};
enum AttributeType : int32_t { kArray = 1, kString = 4 };

struct Buffer : Header {
  int32_t dtype;
  void *data;
  int64_t rank;
  int64_t *sizes;
};

/// The operands or the results of a custom call. Each element of `types` is 1,
/// which means a buffer.
struct Buffers : Header {
  int64_t count;
  int32_t *types;
  Buffer **buffers;
};

struct Attributes : Header {
  int64_t count;
  int32_t *types;
  Span **names;
  void **values;
};

enum Stage : int32_t { kInstantiate, kPrepare, kInitialize, kExecute };

struct ErrorArguments : Header {
  const char *message;
  int32_t code;
};
struct DestroyArguments : Header {
  Error *error;
};
enum ErrorCode : int32_t {
  kInvalidArgument = 3,
  kResourceExhausted = 8,
  kFailedPrecondition = 9,
  kUnimplemented = 12,
  kInternal = 13
};

struct StateArguments : Header {
  Context *context;
  int32_t stage;
  TypeId *type;
  void *state;
};

struct StreamArguments : Header {
  Context *context;
  void *stream;
};

/// The table of XLA's functions. Functions that the handler does not call are
/// untyped pointers.
struct Api : Header {
  Version version;
  const void *internal;
  Error *(*createError)(ErrorArguments *);
  void (*getErrorMessage)(void *);
  void (*destroyError)(DestroyArguments *);
  void *registerHandler;
  Error *(*getStream)(StreamArguments *);
  void *registerType;
  void *getContext;
  Error *(*setState)(StateArguments *);
  Error *(*getState)(StateArguments *);
};

struct CallFrame : Header {
  const Api *api;
  Context *context;
  int32_t stage;
  Buffers operands;
  Buffers results;
  Attributes attributes;
};

/// Creates a structure of XLA's interface and sets its field `size`, which XLA
/// checks.
template <typename Struct> Struct make() {
  Struct result = {};
  result.size = sizeof(Struct);
  return result;
}

} // namespace mlir::attn::xla

#endif // ATTN_LIB_CAPI_XLAINTERFACE_H
