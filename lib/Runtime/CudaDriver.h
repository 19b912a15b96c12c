//===- CudaDriver.h - The CUDA driver's interface ---------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declares the part of the CUDA driver's interface that the runtime uses, and a
// table of the driver's functions that is filled at run time. It replaces
// cuda.h, since users have a driver but no toolkit. Names and values are the
// driver's.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RUNTIME_CUDADRIVER_H
#define ATTN_LIB_RUNTIME_CUDADRIVER_H

#include "attn/Runtime/attnrt.h"

namespace attnrt {

using CUcontext = attnrt_context;
using CUstream = attnrt_stream;
using CUevent = attnrt_event;
using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUmodule = struct CUmod_st *;
using CUfunction = struct CUfunc_st *;
using CUlinkState = struct CUlinkState_st *;
using CUgraph = struct CUgraph_st *;
using CUgraphNode = struct CUgraphNode_st *;
using CUuserObject = struct CUuserObject_st *;
using CUmemoryPool = struct CUmemPoolHandle_st *;
using CUhostFn = void (*)(void *);

// The driver's errors that the runtime distinguishes, as X(name, value,
// status). After an error of ATTNRT_CUDA_LOSSES, nothing can run in the CUDA
// context any more.
#define ATTNRT_CUDA_ERRORS(X)                                                  \
  X(CUDA_ERROR_INVALID_VALUE, 1, INVALID_ARGUMENT)                             \
  X(CUDA_ERROR_OUT_OF_MEMORY, 2, OUT_OF_MEMORY)                                \
  X(CUDA_ERROR_NOT_INITIALIZED, 3, DRIVER_ERROR)                               \
  X(CUDA_ERROR_STUB_LIBRARY, 34, NO_DRIVER)                                    \
  X(CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER, 36, NO_DRIVER)                      \
  X(CUDA_ERROR_DEVICE_UNAVAILABLE, 46, NO_DEVICE)                              \
  X(CUDA_ERROR_NO_DEVICE, 100, NO_DEVICE)                                      \
  X(CUDA_ERROR_INVALID_DEVICE, 101, NO_DEVICE)                                 \
  X(CUDA_ERROR_DEVICE_NOT_LICENSED, 102, NO_DEVICE)                            \
  X(CUDA_ERROR_INVALID_IMAGE, 200, BAD_PROGRAM)                                \
  X(CUDA_ERROR_INVALID_CONTEXT, 201, NO_DEVICE)                                \
  X(CUDA_ERROR_NO_BINARY_FOR_GPU, 209, BAD_PROGRAM)                            \
  X(CUDA_ERROR_INVALID_PTX, 218, BAD_PROGRAM)                                  \
  X(CUDA_ERROR_JIT_COMPILER_NOT_FOUND, 221, BAD_PROGRAM)                       \
  X(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, 222, BAD_PROGRAM)                      \
  X(CUDA_ERROR_JIT_COMPILATION_DISABLED, 223, BAD_PROGRAM)                     \
  X(CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC, 225, BAD_PROGRAM)                     \
  X(CUDA_ERROR_INVALID_SOURCE, 300, BAD_PROGRAM)                               \
  X(CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND, 302, BAD_PROGRAM)               \
  X(CUDA_ERROR_SHARED_OBJECT_INIT_FAILED, 303, BAD_PROGRAM)                    \
  X(CUDA_ERROR_INVALID_HANDLE, 400, INVALID_ARGUMENT)                          \
  X(CUDA_ERROR_NOT_FOUND, 500, BAD_PROGRAM)                                    \
  X(CUDA_ERROR_NOT_READY, 600, DRIVER_ERROR)                                   \
  X(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, 701, LAUNCH_FAILED)                    \
  X(CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING, 703, LAUNCH_FAILED)              \
  X(CUDA_ERROR_CONTEXT_IS_DESTROYED, 709, NO_DEVICE)                           \
  X(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, 720, LAUNCH_FAILED)               \
  X(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, 803, NO_DRIVER)                         \
  X(CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE, 804, NO_DRIVER)                 \
  X(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, 900, DRIVER_ERROR)                  \
  X(CUDA_ERROR_INVALID_CLUSTER_SIZE, 912, INVALID_ARGUMENT)                    \
  X(CUDA_ERROR_UNKNOWN, 999, DRIVER_ERROR)
#define ATTNRT_CUDA_LOSSES(X)                                                  \
  X(CUDA_ERROR_ECC_UNCORRECTABLE, 214, LAUNCH_FAILED)                          \
  X(CUDA_ERROR_NVLINK_UNCORRECTABLE, 220, LAUNCH_FAILED)                       \
  X(CUDA_ERROR_CONTAINED, 226, LAUNCH_FAILED)                                  \
  X(CUDA_ERROR_ILLEGAL_ADDRESS, 700, LAUNCH_FAILED)                            \
  X(CUDA_ERROR_LAUNCH_TIMEOUT, 702, LAUNCH_FAILED)                             \
  X(CUDA_ERROR_ASSERT, 710, LAUNCH_FAILED)                                     \
  X(CUDA_ERROR_HARDWARE_STACK_ERROR, 714, LAUNCH_FAILED)                       \
  X(CUDA_ERROR_ILLEGAL_INSTRUCTION, 715, LAUNCH_FAILED)                        \
  X(CUDA_ERROR_MISALIGNED_ADDRESS, 716, LAUNCH_FAILED)                         \
  X(CUDA_ERROR_INVALID_ADDRESS_SPACE, 717, LAUNCH_FAILED)                      \
  X(CUDA_ERROR_INVALID_PC, 718, LAUNCH_FAILED)                                 \
  X(CUDA_ERROR_LAUNCH_FAILED, 719, LAUNCH_FAILED)                              \
  X(CUDA_ERROR_TENSOR_MEMORY_LEAK, 721, LAUNCH_FAILED)                         \
  X(CUDA_ERROR_MPS_CLIENT_TERMINATED, 810, LAUNCH_FAILED)                      \
  X(CUDA_ERROR_EXTERNAL_DEVICE, 911, LAUNCH_FAILED)

enum CUresult : int {
  CUDA_SUCCESS = 0,
#define ATTNRT_ENUMERATOR(name, value, status) name = value,
  ATTNRT_CUDA_ERRORS(ATTNRT_ENUMERATOR) ATTNRT_CUDA_LOSSES(ATTNRT_ENUMERATOR)
#undef ATTNRT_ENUMERATOR
};

enum CUdevice_attribute : int {
  CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13,
  CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
  CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
};

enum CUfunction_attribute : int {
  CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
  CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
  CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3,
  CU_FUNC_ATTRIBUTE_NUM_REGS = 4,
  CU_FUNC_ATTRIBUTE_PTX_VERSION = 5,
  CU_FUNC_ATTRIBUTE_BINARY_VERSION = 6,
  CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
};

enum CUstream_flags : unsigned { CU_STREAM_NON_BLOCKING = 1 };

enum CUstreamCaptureStatus : int {
  CU_STREAM_CAPTURE_STATUS_NONE = 0,
  CU_STREAM_CAPTURE_STATUS_ACTIVE = 1,
  CU_STREAM_CAPTURE_STATUS_INVALIDATED = 2,
};

enum CUstreamCaptureMode : int {
  CU_STREAM_CAPTURE_MODE_GLOBAL = 0,
  CU_STREAM_CAPTURE_MODE_THREAD_LOCAL = 1,
  CU_STREAM_CAPTURE_MODE_RELAXED = 2,
};

enum CUuserObject_flags : unsigned { CU_USER_OBJECT_NO_DESTRUCTOR_SYNC = 1 };
enum CUuserObjectRetain_flags : unsigned { CU_GRAPH_USER_OBJECT_MOVE = 1 };

enum CUmemPool_attribute : int { CU_MEMPOOL_ATTR_RELEASE_THRESHOLD = 4 };
enum CUmemAllocationType : int { CU_MEM_ALLOCATION_TYPE_PINNED = 1 };
enum CUmemLocationType : int { CU_MEM_LOCATION_TYPE_DEVICE = 1 };

struct CUmemPoolProps {
  CUmemAllocationType allocType;
  int handleTypes;
  struct {
    CUmemLocationType type;
    int id;
  } location;
  void *win32SecurityAttributes;
  size_t maxSize;
  unsigned short usage;
  unsigned char reserved[54];
};

enum CUjit_option : int {
  CU_JIT_INFO_LOG_BUFFER = 3,
  CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES = 4,
  CU_JIT_ERROR_LOG_BUFFER = 5,
  CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
  CU_JIT_TARGET = 9,
  CU_JIT_GENERATE_LINE_INFO = 11,
  CU_JIT_LOG_VERBOSE = 12,
};

/// The CUjit_target of a chip is the number in its name, such as 90 of sm_90.
/// One of these constants is added for the suffix a (sm_90a) or f (sm_100f).
enum : unsigned {
  CU_COMPUTE_ACCELERATED_TARGET_BASE = 0x10000,
  CU_COMPUTE_FAMILY_TARGET_BASE = 0x20000,
};

enum CUjitInputType : int { CU_JIT_INPUT_PTX = 1 };

enum CUlaunchAttributeID : int {
  CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION = 4,
  CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION = 6,
};

union CUlaunchAttributeValue {
  // In the driver's header, this union also has pointers, and is 64 bytes long.
  alignas(8) char pad[64];
  struct {
    unsigned x, y, z;
  } clusterDim;
  int programmaticStreamSerializationAllowed;
};

struct CUlaunchAttribute {
  CUlaunchAttributeID id;
  char pad[8 - sizeof(CUlaunchAttributeID)];
  CUlaunchAttributeValue value;
};

struct CUlaunchConfig {
  unsigned gridDimX, gridDimY, gridDimZ;
  unsigned blockDimX, blockDimY, blockDimZ;
  unsigned sharedMemBytes;
  CUstream hStream;
  CUlaunchAttribute *attrs;
  unsigned numAttrs;
};

/// A tensor map of 128 bytes. The type is incomplete, since its alignment grew
/// from 64 to 128 in CUDA 13, while the function that fills it still requires
/// only 64.
struct CUtensorMap;

// The driver's functions, as X(name, parameters, suffix, older). A symbol is
// the name with the version suffix that macros of cuda.h add; `older` says that
// older drivers have the function without the suffix. The required functions
// came with CUDA 6.5 or earlier, so every driver of a supported GPU has them.
#define ATTNRT_REQUIRED_FUNCTIONS(X)                                           \
  X(cuInit, (unsigned), "", false)                                             \
  X(cuDriverGetVersion, (int *), "", false)                                    \
  X(cuDeviceGet, (CUdevice *, int), "", false)                                 \
  X(cuDeviceGetCount, (int *), "", false)                                      \
  X(cuDeviceGetName, (char *, int, CUdevice), "", false)                       \
  X(cuDeviceTotalMem, (size_t *, CUdevice), "_v2", false)                      \
  X(cuDeviceGetAttribute, (int *, CUdevice_attribute, CUdevice), "", false)    \
  X(cuCtxGetCurrent, (CUcontext *), "", false)                                 \
  X(cuCtxSetCurrent, (CUcontext), "", false)                                   \
  X(cuCtxPushCurrent, (CUcontext), "_v2", false)                               \
  X(cuCtxPopCurrent, (CUcontext *), "_v2", false)                              \
  X(cuCtxGetDevice, (CUdevice *), "", false)                                   \
  X(cuCtxSynchronize, (), "", false)                                           \
  X(cuModuleLoadDataEx,                                                        \
    (CUmodule *, const void *, unsigned, CUjit_option *, void **), "", false)  \
  X(cuModuleUnload, (CUmodule), "", false)                                     \
  X(cuModuleGetFunction, (CUfunction *, CUmodule, const char *), "", false)    \
  X(cuFuncGetAttribute, (int *, CUfunction_attribute, CUfunction), "", false)  \
  X(cuLaunchKernel,                                                            \
    (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,   \
     unsigned, CUstream, void **, void **),                                    \
    "", false)                                                                 \
  X(cuMemAlloc, (CUdeviceptr *, size_t), "_v2", false)                         \
  X(cuMemFree, (CUdeviceptr), "_v2", false)                                    \
  X(cuMemcpyHtoD, (CUdeviceptr, const void *, size_t), "_v2", false)           \
  X(cuMemcpyDtoH, (void *, CUdeviceptr, size_t), "_v2", false)                 \
  X(cuMemcpyDtoDAsync, (CUdeviceptr, CUdeviceptr, size_t, CUstream), "_v2",    \
    false)                                                                     \
  X(cuMemsetD32Async, (CUdeviceptr, unsigned, size_t, CUstream), "", false)    \
  X(cuStreamCreate, (CUstream *, unsigned), "", false)                         \
  X(cuStreamDestroy, (CUstream), "_v2", false)                                 \
  X(cuStreamSynchronize, (CUstream), "", false)                                \
  X(cuEventCreate, (CUevent *, unsigned), "", false)                           \
  X(cuEventDestroy, (CUevent), "_v2", false)                                   \
  X(cuEventRecord, (CUevent, CUstream), "", false)                             \
  X(cuEventSynchronize, (CUevent), "", false)                                  \
  X(cuEventElapsedTime, (float *, CUevent, CUevent), "_v2", true)

// Functions that a driver may lack. Their pointers are then null, and only
// calls that need them fail.
#define ATTNRT_OPTIONAL_FUNCTIONS(X)                                           \
  X(cuGetErrorName, (CUresult, const char **), "", false)                      \
  X(cuGetErrorString, (CUresult, const char **), "", false)                    \
  X(cuCtxGetId, (CUcontext, unsigned long long *), "", false)                  \
  X(cuDevicePrimaryCtxRetain, (CUcontext *, CUdevice), "", false)              \
  X(cuDevicePrimaryCtxRelease, (CUdevice), "_v2", true)                        \
  X(cuDevicePrimaryCtxGetState, (CUdevice, unsigned *, int *), "", false)      \
  X(cuMemGetInfo, (size_t *, size_t *), "_v2", false)                          \
  X(cuFuncSetAttribute, (CUfunction, CUfunction_attribute, int), "", false)    \
  X(cuFuncGetParamInfo, (CUfunction, size_t, size_t *, size_t *), "", false)   \
  X(cuOccupancyMaxActiveBlocksPerMultiprocessor,                               \
    (int *, CUfunction, int, size_t), "", false)                               \
  X(cuMemAllocAsync, (CUdeviceptr *, size_t, CUstream), "", false)             \
  X(cuMemFreeAsync, (CUdeviceptr, CUstream), "", false)                        \
  X(cuMemAllocFromPoolAsync, (CUdeviceptr *, size_t, CUmemoryPool, CUstream),  \
    "", false)                                                                 \
  X(cuMemPoolCreate, (CUmemoryPool *, const CUmemPoolProps *), "", false)      \
  X(cuMemPoolDestroy, (CUmemoryPool), "", false)                               \
  X(cuMemPoolSetAttribute, (CUmemoryPool, CUmemPool_attribute, void *), "",    \
    false)                                                                     \
  X(cuMemPoolTrimTo, (CUmemoryPool, size_t), "", false)                        \
  X(cuStreamGetId, (CUstream, unsigned long long *), "", false)                \
  X(cuStreamGetCaptureInfo,                                                    \
    (CUstream, CUstreamCaptureStatus *, uint64_t *, CUgraph *,                 \
     const CUgraphNode **, size_t *),                                          \
    "_v2", false)                                                              \
  X(cuThreadExchangeStreamCaptureMode, (CUstreamCaptureMode *), "", false)     \
  X(cuUserObjectCreate,                                                        \
    (CUuserObject *, void *, CUhostFn, unsigned, unsigned), "", false)         \
  X(cuUserObjectRelease, (CUuserObject, unsigned), "", false)                  \
  X(cuGraphRetainUserObject, (CUgraph, CUuserObject, unsigned, unsigned), "",  \
    false)                                                                     \
  X(cuLaunchKernelEx, (const CUlaunchConfig *, CUfunction, void **, void **),  \
    "", false)                                                                 \
  X(cuTensorMapEncodeTiled,                                                    \
    (CUtensorMap *, unsigned, unsigned, void *, const uint64_t *,              \
     const uint64_t *, const uint32_t *, const uint32_t *, unsigned, unsigned, \
     unsigned, unsigned),                                                      \
    "", false)                                                                 \
  X(cuLinkCreate, (unsigned, CUjit_option *, void **, CUlinkState *), "_v2",   \
    false)                                                                     \
  X(cuLinkAddData,                                                             \
    (CUlinkState, CUjitInputType, void *, size_t, const char *, unsigned,      \
     CUjit_option *, void **),                                                 \
    "_v2", false)                                                              \
  X(cuLinkComplete, (CUlinkState, void **, size_t *), "", false)               \
  X(cuLinkDestroy, (CUlinkState), "", false)

/// A pointer to each function of the CUDA driver that the runtime calls.
struct CudaDriver {
#define ATTNRT_DECLARE(name, parameters, suffix, older)                        \
  CUresult(*name) parameters = nullptr;
  ATTNRT_REQUIRED_FUNCTIONS(ATTNRT_DECLARE)
  ATTNRT_OPTIONAL_FUNCTIONS(ATTNRT_DECLARE)
#undef ATTNRT_DECLARE

  /// Looks up the functions in the driver's open library. Returns the first
  /// required symbol that the library lacks, or null.
  const char *load(void *library);
};

} // namespace attnrt

#endif // ATTN_LIB_RUNTIME_CUDADRIVER_H
