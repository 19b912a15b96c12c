//===- FakeModules.cpp - A fake libcuda's modules, launches and links -----===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeDriverState.h"

using namespace attnrt;
using namespace fake;

FAKE_EXPORT CUresult cuModuleLoadDataEx(CUmodule *module, const void *image,
                                        unsigned count, CUjit_option *keys,
                                        void **values) {
  ENTER_IN_CONTEXT(cuModuleLoadDataEx);
  if (CUresult error = requireNoCapture())
    return error;
  takeTime();
  std::lock_guard<std::mutex> lock(mutex);
  std::string text(static_cast<const char *>(image));
  auto options = collect(count, keys, values);
  recorded["load.lines"] =
      reinterpret_cast<uintptr_t>(options[CU_JIT_GENERATE_LINE_INFO]);
  size_t kernels = 0;
  for (size_t at = 0; (at = text.find(".entry", at)) != std::string::npos; ++at)
    ++kernels;
  recorded["load.kernels"] = kernels;
  if (CUresult error = compile(options, text))
    return error;
  FakeContext *context = getCurrent();
  modules.push_back({context, context->id, true, text});
  *module = reinterpret_cast<CUmodule>(&modules.back());
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuModuleUnload(CUmodule handle) {
  ENTER_IN_CONTEXT(cuModuleUnload);
  if (CUresult error = requireNoCapture())
    return error;
  std::lock_guard<std::mutex> lock(mutex);
  auto &module = *reinterpret_cast<FakeModule *>(handle);
  if (!isUsable(module))
    return CUDA_ERROR_INVALID_HANDLE;
  module.loaded = false;
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuModuleGetFunction(CUfunction *function, CUmodule handle,
                                         const char *name) {
  ENTER_IN_CONTEXT(cuModuleGetFunction);
  std::lock_guard<std::mutex> lock(mutex);
  auto &module = *reinterpret_cast<FakeModule *>(handle);
  if (!isUsable(module))
    return CUDA_ERROR_INVALID_HANDLE;
  if (module.image.find(" " + std::string(name) + "(") == std::string::npos)
    return CUDA_ERROR_NOT_FOUND;
  size_t position = module.image.find("static=");
  int staticShared = position == std::string::npos
                         ? 0
                         : std::atoi(module.image.c_str() + position + 7);
  functions.push_back({&module, staticShared, 49152 - staticShared});
  *function = reinterpret_cast<CUfunction>(&functions.back());
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuFuncGetAttribute(int *value,
                                        CUfunction_attribute attribute,
                                        CUfunction handle) {
  ENTER_IN_CONTEXT(cuFuncGetAttribute);
  std::lock_guard<std::mutex> lock(mutex);
  auto &function = *reinterpret_cast<FakeFunction *>(handle);
  switch (attribute) {
  case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    *value = 384;
    break;
  case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
    *value = function.staticShared;
    break;
  case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
    *value = 16;
    break;
  case CU_FUNC_ATTRIBUTE_NUM_REGS:
    *value = 168;
    break;
  case CU_FUNC_ATTRIBUTE_PTX_VERSION:
  case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
    *value = 90 - int(attribute == CU_FUNC_ATTRIBUTE_PTX_VERSION);
    break;
  case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
    *value = function.maxDynamicShared;
    break;
  }
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuFuncSetAttribute(CUfunction handle,
                                        CUfunction_attribute attribute,
                                        int value) {
  ENTER_IN_CONTEXT(cuFuncSetAttribute);
  takeTime();
  std::lock_guard<std::mutex> lock(mutex);
  auto &function = *reinterpret_cast<FakeFunction *>(handle);
  if (!isUsable(*function.module))
    return CUDA_ERROR_INVALID_HANDLE;
  if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES ||
      value + function.staticShared > 232448)
    return CUDA_ERROR_INVALID_VALUE;
  function.maxDynamicShared = value;
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuFuncGetParamInfo(CUfunction, size_t index,
                                        size_t *offset, size_t *size) {
  ENTER_IN_CONTEXT(cuFuncGetParamInfo);
  std::lock_guard<std::mutex> lock(mutex);
  if (index >= paramSizes.size())
    return CUDA_ERROR_INVALID_VALUE;
  *offset = 0;
  *size = paramSizes[index];
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(
    int *blocks, CUfunction handle, int threads, size_t shared) {
  ENTER_IN_CONTEXT(cuOccupancyMaxActiveBlocksPerMultiprocessor);
  std::lock_guard<std::mutex> lock(mutex);
  auto &function = *reinterpret_cast<FakeFunction *>(handle);
  if (threads <= 0)
    return CUDA_ERROR_INVALID_VALUE;
  *blocks = int(shared) > function.maxDynamicShared ? 0 : 2048 / threads;
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuLaunchKernel(CUfunction function, unsigned gridX,
                                    unsigned gridY, unsigned gridZ,
                                    unsigned blockX, unsigned blockY,
                                    unsigned blockZ, unsigned shared,
                                    CUstream stream, void **args, void **) {
  ENTER_IN_CONTEXT(cuLaunchKernel);
  return launch(function, {gridX, gridY, gridZ, blockX, blockY, blockZ, shared},
                stream, args);
}

FAKE_EXPORT CUresult cuLaunchKernelEx(const CUlaunchConfig *config,
                                      CUfunction function, void **args,
                                      void **) {
  ENTER_IN_CONTEXT(cuLaunchKernelEx);
  {
    std::lock_guard<std::mutex> lock(mutex);
    recorded["cluster.x"] = recorded["cluster.y"] = recorded["cluster.z"] = 0;
    recorded["dependent"] = 0;
    recorded["attributes"] = config->numAttrs;
    for (unsigned i = 0; i < config->numAttrs; ++i) {
      const CUlaunchAttribute &attribute = config->attrs[i];
      switch (attribute.id) {
      case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
        recorded["cluster.x"] = attribute.value.clusterDim.x;
        recorded["cluster.y"] = attribute.value.clusterDim.y;
        recorded["cluster.z"] = attribute.value.clusterDim.z;
        break;
      case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
        recorded["dependent"] =
            attribute.value.programmaticStreamSerializationAllowed;
        break;
      }
    }
  }
  return launch(function,
                {config->gridDimX, config->gridDimY, config->gridDimZ,
                 config->blockDimX, config->blockDimY, config->blockDimZ,
                 config->sharedMemBytes},
                config->hStream, args);
}

FAKE_EXPORT CUresult cuTensorMapEncodeTiled(
    CUtensorMap *map, unsigned type, unsigned rank, void *address,
    const uint64_t *sizes, const uint64_t *strides, const uint32_t *box,
    const uint32_t *elementStrides, unsigned interleave, unsigned swizzle,
    unsigned promotion, unsigned fill) {
  ENTER(cuTensorMapEncodeTiled);
  // The encoded tensor map consists of its parameters, so that a test can read
  // them back.
  uint64_t words[16] = {type,
                        rank,
                        reinterpret_cast<uintptr_t>(address),
                        sizes[0],
                        sizes[rank - 1],
                        rank > 1 ? strides[rank - 2] : 0,
                        box[0],
                        box[rank - 1],
                        elementStrides[rank - 1],
                        interleave,
                        swizzle,
                        promotion,
                        fill};
  std::memcpy(map, words, sizeof(words));
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuLinkCreate_v2(unsigned count, CUjit_option *keys,
                                     void **values, CUlinkState *state) {
  ENTER_IN_CONTEXT(cuLinkCreate);
  std::lock_guard<std::mutex> lock(mutex);
  auto options = collect(count, keys, values);
  recorded["link.target"] = reinterpret_cast<uintptr_t>(options[CU_JIT_TARGET]);
  recorded["link.lines"] =
      reinterpret_cast<uintptr_t>(options[CU_JIT_GENERATE_LINE_INFO]);
  recorded["link.verbose"] =
      reinterpret_cast<uintptr_t>(options[CU_JIT_LOG_VERBOSE]);
  ++recorded["link.states"];
  *state = reinterpret_cast<CUlinkState>(
      new FakeLink{collect(count, keys, values), ""});
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuLinkAddData_v2(CUlinkState state, CUjitInputType type,
                                      void *data, size_t size, const char *,
                                      unsigned, CUjit_option *, void **) {
  ENTER_IN_CONTEXT(cuLinkAddData);
  auto &link = *reinterpret_cast<FakeLink *>(state);
  auto *text = static_cast<char *>(data);
  if (type != CU_JIT_INPUT_PTX || text[size - 1] != '\0')
    return CUDA_ERROR_INVALID_VALUE;
  if (CUresult error = compile(link.options, text))
    return error;
  link.cubin = "\177ELF" + std::string(text);
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuLinkComplete(CUlinkState state, void **cubin,
                                    size_t *size) {
  ENTER_IN_CONTEXT(cuLinkComplete);
  auto &link = *reinterpret_cast<FakeLink *>(state);
  writeLog(link.options, CU_JIT_INFO_LOG_BUFFER,
           CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
           "ptxas info    : Used 168 registers, 0 bytes spill stores");
  *cubin = link.cubin.data();
  *size = link.cubin.size();
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuLinkDestroy(CUlinkState state) {
  ENTER(cuLinkDestroy);
  delete reinterpret_cast<FakeLink *>(state);
  std::lock_guard<std::mutex> lock(mutex);
  --recorded["link.states"];
  return CUDA_SUCCESS;
}
