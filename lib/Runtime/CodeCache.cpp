//===- CodeCache.cpp - Machine code kept for other processes --------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeCache.h"

#include "Runtime.h"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

using namespace attnrt;

/// The compute capability of the current context's device, such as 90, or 0.
static int getCapability(const CudaDriver &driver) {
  CUdevice device = 0;
  int major = 0, minor = 0;
  if (driver.cuCtxGetDevice(&device) != CUDA_SUCCESS ||
      driver.cuDeviceGetAttribute(&major,
                                  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
                                  device) != CUDA_SUCCESS ||
      driver.cuDeviceGetAttribute(&minor,
                                  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
                                  device) != CUDA_SUCCESS)
    return 0;
  return 10 * major + minor;
}

/// Appends what tells one version of the driver's compiler from another. The
/// driver's own number is CUDA's, which many of its releases share; the file
/// that libcuda.so.1 stands for has the release in its name.
static bool appendDriver(Message &text, const CudaDriver &driver) {
  int version = 0;
  Dl_info info;
  if (driver.cuDriverGetVersion(&version) != CUDA_SUCCESS ||
      !dladdr(reinterpret_cast<void *>(driver.cuInit), &info))
    return false;
  char *path = realpath(info.dli_fname, nullptr);
  if (!path)
    return false;
  text.append("CUDA %d, %s", version, path);
  std::free(path);
  return true;
}

/// A chip of the context's own number has features that others lack. Code for
/// an older chip is made for the context's.
static const char *getLinkChip(const attnrt_program &program, int capability) {
  const char *chip = program.chip;
  if (chip && std::strncmp(chip, "sm_", 3) == 0 &&
      std::atoi(chip + 3) == capability)
    return chip;
  return nullptr;
}

bool attnrt::loadFromCodeCache(attnrt_runtime &runtime,
                               const attnrt_program &program,
                               CUmodule &module) {
  const attnrt_code_cache &cache = runtime.codeCache;
  bool isMachineCode = std::memcmp(program.image, "\177ELF", 4) == 0;
  int capability = getCapability(runtime.driver);
  Message target;
  target.append("compute capability %d.%d, ", capability / 10, capability % 10);
  if (!cache.load || isMachineCode || !capability ||
      !appendDriver(target, runtime.driver))
    return false;

  auto load = [&](const void *code) {
    CUmodule loaded = nullptr;
    bool isGood = runtime.driver.cuModuleLoadDataEx(&loaded, code, 0, nullptr,
                                                    nullptr) == CUDA_SUCCESS;
    if (isGood)
      module = loaded;
    return isGood;
  };
  size_t size = 0;
  void *code = cache.load(cache.state, &program, target.get(), &size);
  bool isLoaded = code && load(code);
  std::free(code);
  if (isLoaded)
    return true;

  auto *ptx = static_cast<const char *>(program.image);
  if (attnrt_link_ptx(&runtime, ptx, program.image_size,
                      getLinkChip(program, capability), &code, &size,
                      /*log=*/nullptr, 0) != ATTNRT_SUCCESS)
    return false;
  isLoaded = load(code);
  if (isLoaded)
    cache.store(cache.state, &program, target.get(), code, size);
  std::free(code);
  return isLoaded;
}

void attnrt_set_code_cache(attnrt_runtime *runtime,
                           const attnrt_code_cache *cache) {
  if (runtime && cache)
    runtime->codeCache = *cache;
}
