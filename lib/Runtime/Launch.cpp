//===- Launch.cpp - Kernel launches ---------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "Runtime.h"

using namespace attnrt;

/// Returns the number of CTAs of a cluster along an axis; a launch may say 0
/// for 1.
static unsigned getClusterDim(const attnrt_launch &launch, unsigned axis) {
  return launch.cluster[axis] ? launch.cluster[axis] : 1;
}

static bool hasCluster(const attnrt_launch &launch) {
  return getClusterDim(launch, 0) > 1 || getClusterDim(launch, 1) > 1 ||
         getClusterDim(launch, 2) > 1;
}

static const char *getKernelName(const attnrt_launch &launch) {
  return launch.kernel ? launch.kernel : "";
}

/// Fails with a message if the grid has too many CTAs along an axis, if a CTA
/// has no threads along an axis, or if clusters do not divide the grid. The
/// driver would reject these without a reason, or not at all.
static attnrt_status checkShape(attnrt_runtime &runtime,
                                const attnrt_launch &launch) {
  static const uint64_t limits[3] = {0x7fffffff, 0xffff, 0xffff};
  for (unsigned axis = 0; axis < 3; ++axis) {
    unsigned long long ctas = launch.grid[axis];
    char name = "xyz"[axis];
    if (ctas > limits[axis])
      return fail(runtime, ATTNRT_INVALID_ARGUMENT,
                  "launching kernel '%s': the grid has %llu CTAs along %c, "
                  "but the limit is %llu",
                  getKernelName(launch), ctas, name,
                  static_cast<unsigned long long>(limits[axis]));
    if (!launch.block[axis])
      return fail(runtime, ATTNRT_INVALID_ARGUMENT,
                  "launching kernel '%s': the CTA has no threads along %c",
                  getKernelName(launch), name);
    if (ctas % getClusterDim(launch, axis))
      return fail(runtime, ATTNRT_INVALID_ARGUMENT,
                  "launching kernel '%s': the grid has %llu CTAs along %c, "
                  "which clusters of %u do not divide",
                  getKernelName(launch), ctas, name,
                  getClusterDim(launch, axis));
  }
  return ATTNRT_SUCCESS;
}

static attnrt_status checkRecord(attnrt_runtime &runtime,
                                 const attnrt_launch &launch) {
  if (!launch.program || !launch.kernel)
    return fail(runtime, ATTNRT_INVALID_ARGUMENT,
                "launching kernel '%s': the launch names no %s",
                getKernelName(launch), launch.kernel ? "program" : "kernel");
  if (launch.num_args && !launch.args)
    return fail(runtime, ATTNRT_INVALID_ARGUMENT,
                "launching kernel '%s': %u arguments have no addresses",
                launch.kernel, launch.num_args);
  for (unsigned i = 0; i < launch.num_args; ++i)
    if (!launch.args[i])
      return fail(runtime, ATTNRT_INVALID_ARGUMENT,
                  "launching kernel '%s': argument %u has no address",
                  launch.kernel, i);
  return checkShape(runtime, launch);
}

/// Checks the number and the sizes of a launch's arguments, since the driver
/// reads as many bytes at an argument's address as the kernel's parameter has.
/// Fails if the launch has more arguments than the kernel has parameters, or an
/// argument of another size. A kernel is checked once, and only if the driver
/// reports the sizes of parameters and the launch gives those of arguments.
static attnrt_status checkArguments(attnrt_runtime &runtime, Function &function,
                                    const attnrt_launch &launch) {
  auto getParamInfo = runtime.driver.cuFuncGetParamInfo;
  if (!getParamInfo || !launch.arg_sizes || function.argumentsChecked)
    return ATTNRT_SUCCESS;
  for (unsigned i = 0; i < launch.num_args; ++i) {
    size_t offset = 0, size = 0;
    CUresult result = getParamInfo(function.handle, i, &offset, &size);
    if (result == CUDA_ERROR_INVALID_VALUE)
      return fail(
          runtime, ATTNRT_INVALID_ARGUMENT,
          "launching kernel '%s': %u arguments are passed, but it takes "
          "%u",
          launch.kernel, launch.num_args, i);
    if (result != CUDA_SUCCESS)
      return check(runtime, result, "asking for parameter %u of kernel '%s'", i,
                   launch.kernel);
    if (size != launch.arg_sizes[i])
      return fail(runtime, ATTNRT_INVALID_ARGUMENT,
                  "launching kernel '%s': argument %u has %u bytes, but the "
                  "kernel's parameter has %zu",
                  launch.kernel, i, launch.arg_sizes[i], size);
  }
  function.argumentsChecked = true;
  return ATTNRT_SUCCESS;
}

static bool mayDepend(const attnrt_runtime &runtime,
                      const attnrt_launch &launch) {
  constexpr int kCapturesDependence = 12030;
  return (launch.flags & ATTNRT_LAUNCH_DEPENDENT) &&
         runtime.driver.cuLaunchKernelEx &&
         runtime.driverVersion >= kCapturesDependence;
}

static CUresult launchExtended(const CudaDriver &driver, CUfunction function,
                               const attnrt_launch &launch, bool isDependent,
                               CUstream stream, void **args) {
  CUlaunchAttribute attributes[2] = {};
  CUlaunchConfig config = {};
  config.gridDimX = launch.grid[0];
  config.gridDimY = launch.grid[1];
  config.gridDimZ = launch.grid[2];
  config.blockDimX = launch.block[0];
  config.blockDimY = launch.block[1];
  config.blockDimZ = launch.block[2];
  config.sharedMemBytes = launch.shared_bytes;
  config.hStream = stream;
  config.attrs = attributes;
  if (hasCluster(launch)) {
    CUlaunchAttribute &cluster = attributes[config.numAttrs++];
    cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    cluster.value.clusterDim.x = getClusterDim(launch, 0);
    cluster.value.clusterDim.y = getClusterDim(launch, 1);
    cluster.value.clusterDim.z = getClusterDim(launch, 2);
  }
  if (isDependent) {
    CUlaunchAttribute &dependent = attributes[config.numAttrs++];
    dependent.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    dependent.value.programmaticStreamSerializationAllowed = 1;
  }
  return driver.cuLaunchKernelEx(&config, function, args, nullptr);
}

attnrt_status attnrt_launch_kernel(attnrt_runtime *runtime,
                                   attnrt_stream stream,
                                   const attnrt_launch *launch) {
  if (!runtime)
    return ATTNRT_INVALID_ARGUMENT;
  if (!launch)
    return fail(*runtime, ATTNRT_INVALID_ARGUMENT, "launching nothing");
  if (!launch->grid[0] || !launch->grid[1] || !launch->grid[2])
    return ATTNRT_SUCCESS;
  if (attnrt_status status = requireDriver(runtime))
    return status;
  if (attnrt_status status = checkRecord(*runtime, *launch))
    return status;

  Workspace *workspace = runtime->workspaces.find();
  bool counts = workspace && workspace->counts();
  if (counts && !workspace->getBytes())
    return ATTNRT_SUCCESS;

  const CudaDriver &driver = runtime->driver;
  bool isDependent = mayDepend(*runtime, *launch);
  bool extended = hasCluster(*launch) || isDependent;
  if (extended && !driver.cuLaunchKernelEx)
    return failMissing(*runtime, "cuLaunchKernelEx", "launching with clusters");
  Function *function = nullptr;
  if (attnrt_status status = runtime->modules.get(*runtime, *launch->program,
                                                  launch->kernel, function))
    return status;
  if (attnrt_status status =
          raiseSharedBytes(*runtime, *function, launch->shared_bytes))
    return status;
  if (attnrt_status status = checkArguments(*runtime, *function, *launch))
    return status;
  if (counts)
    return ATTNRT_SUCCESS;

  auto **args = const_cast<void **>(launch->args);
  CUresult result =
      extended ? launchExtended(driver, function->handle, *launch, isDependent,
                                stream, args)
               : driver.cuLaunchKernel(function->handle, launch->grid[0],
                                       launch->grid[1], launch->grid[2],
                                       launch->block[0], launch->block[1],
                                       launch->block[2], launch->shared_bytes,
                                       stream, args, nullptr);
  if (result == CUDA_SUCCESS)
    return ATTNRT_SUCCESS;
  return check(
      *runtime, result,
      "launching kernel '%s' of program '%s' with a grid of %llu x %llu x "
      "%llu, CTAs of %u x %u x %u, clusters of %u x %u x %u and %u bytes of "
      "dynamic shared memory",
      launch->kernel, getName(*launch->program),
      static_cast<unsigned long long>(launch->grid[0]),
      static_cast<unsigned long long>(launch->grid[1]),
      static_cast<unsigned long long>(launch->grid[2]), launch->block[0],
      launch->block[1], launch->block[2], getClusterDim(*launch, 0),
      getClusterDim(*launch, 1), getClusterDim(*launch, 2),
      launch->shared_bytes);
}

attnrt_status attnrt_get_sm_count(attnrt_runtime *runtime, int32_t *count) {
  if (attnrt_status status = requireDriver(runtime))
    return status;
  if (!count)
    return fail(*runtime, ATTNRT_INVALID_ARGUMENT,
                "asking for the number of SMs: the result pointer is null");
  const CudaDriver &driver = runtime->driver;
  Context *context = runtime->modules.findContext(driver);
  if (context && context->smCount) {
    *count = context->smCount;
    return ATTNRT_SUCCESS;
  }
  CUdevice device = 0;
  int value = 0;
  CUresult result = driver.cuCtxGetDevice(&device);
  if (result == CUDA_SUCCESS)
    result = driver.cuDeviceGetAttribute(
        &value, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device);
  if (attnrt_status status =
          check(*runtime, result, "asking for the device's SMs"))
    return status;
  if (context)
    context->smCount = value;
  *count = value;
  return ATTNRT_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Tensor maps
//===----------------------------------------------------------------------===//

/// Appends the numbers of an array to a message, as in "; NAME 1, 2, 3".
template <class Integer>
static void appendArray(Message &message, const char *name,
                        const Integer *values, unsigned count) {
  message.append("; %s", name);
  for (unsigned i = 0; i < count; ++i)
    message.append("%s %llu", i ? "," : "",
                   static_cast<unsigned long long>(values[i]));
}

attnrt_status attnrt_encode_tensor_map(
    attnrt_runtime *runtime, void *map, uint32_t data_type, uint32_t rank,
    const void *address, const uint64_t *sizes, const uint64_t *strides,
    const uint32_t *box, const uint32_t *element_strides, uint32_t interleave,
    uint32_t swizzle, uint32_t l2_promotion, uint32_t out_of_bounds_fill) {
  if (attnrt_status status = requireDriver(runtime))
    return status;
  // If the thread's workspace only counts bytes, no tensor map is encoded:
  // nothing is launched, and the array's address need not be that of real
  // memory.
  if (runtime->workspaces.counts())
    return ATTNRT_SUCCESS;
  const CudaDriver &driver = runtime->driver;
  if (!driver.cuTensorMapEncodeTiled)
    return failMissing(*runtime, "cuTensorMapEncodeTiled",
                       "encoding a tensor map");
  if (!map || reinterpret_cast<uintptr_t>(map) % 64)
    return fail(*runtime, ATTNRT_INVALID_ARGUMENT,
                "encoding a tensor map: it lies at %p, not at a multiple of 64",
                map);
  // The caller's arrays (sizes, strides and so on) have lengths that follow
  // from `rank`, so they are not read if `rank` is not from 1 to 5.
  if (rank < 1 || rank > 5)
    return fail(*runtime, ATTNRT_INVALID_ARGUMENT,
                "encoding a tensor map: its rank is %u, not 1 to 5", rank);
  if (!sizes || (!strides && rank > 1) || !box || !element_strides)
    return fail(*runtime, ATTNRT_INVALID_ARGUMENT,
                "encoding a tensor map: no sizes, strides, box or element "
                "strides are given");
  TensorMapKey key(
      address, rank, sizes, strides, box, element_strides,
      {data_type, interleave, swizzle, l2_promotion, out_of_bounds_fill});
  if (runtime->maps.find(key, map))
    return ATTNRT_SUCCESS;
  CUresult result = driver.cuTensorMapEncodeTiled(
      static_cast<CUtensorMap *>(map), data_type, rank,
      const_cast<void *>(address), sizes, strides, box, element_strides,
      interleave, swizzle, l2_promotion, out_of_bounds_fill);
  if (result == CUDA_SUCCESS) {
    runtime->maps.keep(key, map);
    return ATTNRT_SUCCESS;
  }
  // The driver does not say which parameter is invalid, so the message has all
  // of them.
  Message message;
  message.append("encoding a tensor map (address %p; data type %u", address,
                 data_type);
  appendArray(message, "sizes", sizes, rank);
  appendArray(message, "byte strides", strides, rank - 1);
  appendArray(message, "box", box, rank);
  appendArray(message, "element strides", element_strides, rank);
  message.append("; interleave %u; swizzle %u; L2 promotion %u; fill %u)",
                 interleave, swizzle, l2_promotion, out_of_bounds_fill);
  appendError(message, driver, result);
  runtime->errors.set(message);
  return getStatus(result);
}
