//===- CudaRunner.cpp - Runs on an NVIDIA GPU -----------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Driver/CudaDevice.h"

#include "attn/Driver/Runner.h"
#include "attn/Pipelines/Pipelines.h"
#include "attn/Target/Host.h"

#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace mlir::attn;

namespace {

class CudaRunner : public Runner {
public:
  explicit CudaRunner(const CudaRunnerOptions &options)
      : access(options.access), chip(options.chip), lineinfo(options.lineinfo),
        driver(options.driver), bytesBeforeRun(options.bytesBeforeRun) {}
  ~CudaRunner() override;

  /// Opens the GPU and determines for which chip to compile.
  llvm::Error open();

  std::string getDescription() const override {
    return (Twine("cuda, ") + device->getInfo().name + ", " + chip).str();
  }
  void buildPipeline(OpPassManager &pm) const override;
  llvm::Error load(ModuleOp lowered, StringRef entry) override;
  llvm::Error begin(Execution &execution) override;
  llvm::Expected<double> run() override;
  llvm::Expected<double> runBackToBack(unsigned count) override;
  llvm::Error end() override;
  llvm::Expected<SmallVector<double>> measureCopies(unsigned count) override;

private:
  llvm::Error check(attnrt_status status) const {
    return device->check(status);
  }
  void freeArrays();
  llvm::Error allocateArrays(ArrayRef<uint64_t> bytes);
  /// Returns how many seconds of GPU time the work takes that `enqueue` submits
  /// to the stream.
  llvm::Expected<double> time(llvm::function_ref<llvm::Error()> enqueue);

  std::string access, chip, lineinfo, driver;
  uint64_t bytesBeforeRun;
  attnrt_device_ptr scratch = 0;
  std::unique_ptr<CudaDevice> device;
  attnrt_runtime *runtime = nullptr;
  attnrt_stream stream = nullptr;
  attnrt_event before = nullptr, after = nullptr;

  std::unique_ptr<HostProgram> program;
  HostProgram::LaunchEntry entry = nullptr;

  Execution *execution = nullptr;
  /// The address in device memory of the array of each parameter; 0 for
  /// scalars.
  SmallVector<attnrt_device_ptr> arrays;
  SmallVector<uint64_t> sizes;
  std::vector<std::vector<int64_t>> words;
  SmallVector<void *> args;
};

} // namespace

llvm::Error CudaRunner::open() {
  if (llvm::Error error = CudaDevice::open(driver).moveInto(device))
    return error;
  runtime = device->getRuntime();
  const attnrt_device_info &info = device->getInfo();
  if (chip.empty()) {
    llvm::Expected<Chip> own =
        findChipFor(info.compute_major, info.compute_minor);
    if (!own)
      return llvm::createStringError(Twine(info.name) + ": " +
                                     llvm::toString(own.takeError()));
    chip = own->name.str();
  } else {
    llvm::Expected<Chip> given = findChip(chip);
    if (!given)
      return given.takeError();
    if (llvm::Error error = device->checkRuns(*given))
      return error;
  }
  // The runs get a stream of their own. On the default stream, work waits for
  // the work of other streams, which could hide that the program lacks a
  // dependency between launches.
  if (llvm::Error error = check(attnrt_create_stream(runtime, &stream)))
    return error;
  if (llvm::Error error = check(attnrt_create_event(runtime, &before)))
    return error;
  return check(attnrt_create_event(runtime, &after));
}

CudaRunner::~CudaRunner() {
  if (!runtime)
    return;
  freeArrays();
  attnrt_free(runtime, scratch);
  if (after)
    attnrt_destroy_event(runtime, after);
  if (before)
    attnrt_destroy_event(runtime, before);
  if (stream)
    attnrt_destroy_stream(runtime, stream);
  // The runtime's cache of programs is cleared before the compiled code is
  // freed, since the cache refers to that code.
  attnrt_forget_programs(runtime);
}

void CudaRunner::buildPipeline(OpPassManager &pm) const {
  TilePipelineOptions options;
  options.chip = chip;
  options.access = access;
  options.lineinfo = lineinfo;
  buildAttnToPTXPipeline(pm, options);
}

llvm::Error CudaRunner::load(ModuleOp lowered, StringRef name) {
  attnrt_forget_programs(runtime);
  auto created = HostProgram::create(lowered, /*cpu=*/"", HostCode::Launches);
  if (llvm::Error error = std::move(created).moveInto(program))
    return error;
  return program->lookupLaunch(name).moveInto(entry);
}

void CudaRunner::freeArrays() {
  for (attnrt_device_ptr array : arrays)
    attnrt_free(runtime, array);
  arrays.clear();
  sizes.clear();
}

llvm::Error CudaRunner::allocateArrays(ArrayRef<uint64_t> bytes) {
  freeArrays();
  uint64_t total = 0;
  for (uint64_t size : bytes)
    total += size;
  for (auto [parameter, size] : llvm::zip(execution->getParameters(), bytes)) {
    attnrt_device_ptr array = 0;
    if (llvm::Error error = check(attnrt_allocate(runtime, size, &array)))
      return llvm::createStringError("the arrays take " + Twine(total) +
                                     " bytes; " + parameter.name + ": " +
                                     llvm::toString(std::move(error)));
    arrays.push_back(array);
  }
  sizes.assign(bytes.begin(), bytes.end());
  return llvm::Error::success();
}

llvm::Error CudaRunner::begin(Execution &given) {
  execution = &given;
  SmallVector<uint64_t> needed;
  for (const Execution::Parameter &parameter : execution->getParameters())
    needed.push_back(parameter.buffer ? parameter.buffer->getMemory().size()
                                      : 0);
  // Arrays on the device that were allocated for the previous execution are
  // used again if each parameter needs as many bytes as then. Otherwise all
  // arrays are allocated again.
  if (needed != sizes)
    if (llvm::Error error = allocateArrays(needed))
      return error;

  words.clear();
  for (auto [parameter, array] :
       llvm::zip(execution->getParameters(), arrays)) {
    words.push_back(parameter.words);
    if (!parameter.buffer)
      continue;
    llvm::MutableArrayRef<char> memory = parameter.buffer->getMemory();
    if (llvm::Error error = check(attnrt_copy_to_device(
            runtime, array, memory.data(), memory.size())))
      return error;
    // The allocated and the aligned pointer of the memref descriptor are
    // changed such that they point to device memory.
    int64_t distance = array - reinterpret_cast<int64_t>(memory.data());
    words.back()[0] += distance;
    words.back()[1] += distance;
  }
  args = {&runtime, &stream};
  for (std::vector<int64_t> &descriptor : words)
    args.push_back(descriptor.data());
  return llvm::Error::success();
}

llvm::Expected<double> CudaRunner::run() {
  if (bytesBeforeRun) {
    if (!scratch)
      if (llvm::Error error =
              check(attnrt_allocate(runtime, bytesBeforeRun, &scratch)))
        return std::move(error);
    if (llvm::Error error = check(attnrt_fill_u32(
            runtime, scratch, 0, bytesBeforeRun / sizeof(uint32_t), stream)))
      return std::move(error);
  }
  return runBackToBack(1);
}

llvm::Expected<double> CudaRunner::runBackToBack(unsigned count) {
  return time([&]() -> llvm::Error {
    for (unsigned i = 0; i < count; ++i) {
      auto status = static_cast<attnrt_status>(entry(args.data()));
      if (status == ATTNRT_INVALID_ARGUMENT)
        return llvm::createStringError(attnrt_last_error(runtime) +
                                       execution->describeSizes());
      if (llvm::Error error = check(status))
        return error;
    }
    return llvm::Error::success();
  });
}

llvm::Expected<double>
CudaRunner::time(llvm::function_ref<llvm::Error()> enqueue) {
  if (llvm::Error error = check(attnrt_record_event(runtime, before, stream)))
    return std::move(error);
  if (llvm::Error error = enqueue())
    return std::move(error);
  if (llvm::Error error = check(attnrt_record_event(runtime, after, stream)))
    return std::move(error);
  float milliseconds = 0;
  if (llvm::Error error =
          check(attnrt_elapsed(runtime, before, after, &milliseconds)))
    return std::move(error);
  return milliseconds * 1e-3;
}

llvm::Error CudaRunner::end() {
  for (auto [parameter, array] :
       llvm::zip(execution->getParameters(), arrays)) {
    if (!parameter.buffer)
      continue;
    llvm::MutableArrayRef<char> memory = parameter.buffer->getMemory();
    if (llvm::Error error = check(attnrt_copy_from_device(
            runtime, memory.data(), array, memory.size())))
      return error;
  }
  return llvm::Error::success();
}

llvm::Expected<SmallVector<double>> CudaRunner::measureCopies(unsigned count) {
  constexpr uint64_t kMostBytes = 1 << 30;
  uint64_t bytes = std::min(kMostBytes, device->getInfo().memory_bytes / 8);
  attnrt_device_ptr from = 0, to = 0;
  llvm::scope_exit free([&] {
    attnrt_free(runtime, from);
    attnrt_free(runtime, to);
  });
  for (attnrt_device_ptr *memory : {&from, &to}) {
    if (llvm::Error error = check(attnrt_allocate(runtime, bytes, memory)))
      return std::move(error);
    if (llvm::Error error = check(attnrt_fill_u32(
            runtime, *memory, 0, bytes / sizeof(uint32_t), stream)))
      return std::move(error);
  }
  SmallVector<double> rates;
  for (unsigned i = 0; i < count; ++i) {
    llvm::Expected<double> seconds = time([&] {
      return check(attnrt_copy_on_device(runtime, to, from, bytes, stream));
    });
    if (!seconds)
      return seconds.takeError();
    rates.push_back(2.0 * bytes / *seconds);
  }
  return rates;
}

llvm::Expected<std::unique_ptr<Runner>>
mlir::attn::createCudaRunner(const CudaRunnerOptions &options) {
  auto runner = std::make_unique<CudaRunner>(options);
  if (llvm::Error error = runner->open())
    return std::move(error);
  return runner;
}

llvm::Expected<std::unique_ptr<CudaDevice>>
CudaDevice::open(const std::string &driver) {
  std::unique_ptr<CudaDevice> device(new CudaDevice);
  attnrt_runtime *&runtime = device->runtime;
  if (llvm::Error error = device->check(
          attnrt_create(driver.empty() ? nullptr : driver.c_str(), &runtime)))
    return std::move(error);
  attnrt_context context;
  if (llvm::Error error =
          device->check(attnrt_open_device(runtime, 0, &context)))
    return std::move(error);
  device->isOpen = true;
  if (llvm::Error error =
          device->check(attnrt_get_device_info(runtime, 0, &device->info)))
    return std::move(error);
  return device;
}

CudaDevice::~CudaDevice() {
  if (!runtime)
    return;
  attnrt_forget_programs(runtime);
  if (isOpen)
    attnrt_close_device(runtime, 0);
  attnrt_destroy(runtime);
}

llvm::Error CudaDevice::check(attnrt_status status) const {
  if (status == ATTNRT_SUCCESS)
    return llvm::Error::success();
  return llvm::createStringError(attnrt_last_error(runtime));
}

llvm::Error CudaDevice::checkRuns(const Chip &chip) const {
  if (chip.runsOn(info.compute_major, info.compute_minor))
    return llvm::Error::success();
  return llvm::createStringError("code for " + chip.name + " does not run on " +
                                 info.name + ", whose compute capability is " +
                                 llvm::Twine(info.compute_major) + "." +
                                 llvm::Twine(info.compute_minor));
}
