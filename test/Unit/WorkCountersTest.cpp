//===- WorkCountersTest.cpp - Counters over a fake driver -----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExpectContains.h"
#include "FakeDriver.h"

#include "gtest/gtest.h"

#include <atomic>
#include <cstring>
#include <set>
#include <thread>
#include <vector>

/// The number of pairs of counters in one allocation of the runtime.
static constexpr unsigned numPairs = 8192;

namespace {

class WorkCountersTest : public ::testing::Test {
protected:
  /// Returns the address of the stream's pair of counters, after checking that
  /// it exists and that both are zero.
  attnrt_device_ptr get(attnrt_stream stream) {
    attnrt_device_ptr counters = 0;
    EXPECT_EQ(attnrt_get_work_counters(runtime, stream, &counters),
              ATTNRT_SUCCESS)
        << runtime.getError();
    if (!counters)
      return 0;
    EXPECT_EQ(counters % 8, 0u);
    uint64_t words = 1;
    std::memcpy(&words, reinterpret_cast<void *>(counters), sizeof(words));
    EXPECT_EQ(words, 0u);
    return counters;
  }

  attnrt_status fail(attnrt_stream stream) {
    attnrt_device_ptr counters = 1;
    attnrt_status status = attnrt_get_work_counters(runtime, stream, &counters);
    EXPECT_EQ(counters, 1u);
    return status;
  }

  attnrt_stream createStream() {
    attnrt_stream stream = nullptr;
    EXPECT_EQ(attnrt_create_stream(runtime, &stream), ATTNRT_SUCCESS);
    return stream;
  }

  FakeDriver driver{fakeDriverPath()};
  Runtime runtime{fakeDriverPath()};
};

} // namespace

TEST_F(WorkCountersTest, streams) {
  driver.createContext(0);
  attnrt_stream first = createStream(), second = createStream();
  attnrt_device_ptr ofFirst = get(first), ofSecond = get(second);
  // The handles of the default stream and of the default stream of the thread.
  attnrt_device_ptr ofDefault = get(nullptr);
  attnrt_device_ptr ofThread = get(reinterpret_cast<attnrt_stream>(2));
  EXPECT_EQ((std::set{ofFirst, ofSecond, ofDefault, ofThread}).size(), 4u);
  EXPECT_EQ(get(first), ofFirst);
  EXPECT_EQ(get(second), ofSecond);
  EXPECT_EQ(get(nullptr), ofDefault);
  // All counters are in one allocation. It was cleared on a non-blocking
  // stream, which has been destroyed.
  EXPECT_EQ(driver.calls("cuMemAlloc"), 1u);
  EXPECT_EQ(driver.calls("cuMemsetD32Async"), 1u);
  EXPECT_EQ(driver.calls("cuStreamSynchronize"), 1u);
  EXPECT_EQ(driver.recorded("stream.flags"), 1u);
  EXPECT_EQ(driver.calls("cuStreamDestroy"), 1u);
}

// A new stream at the address of a destroyed one gets other counters, since
// work of the destroyed stream may still run.
TEST_F(WorkCountersTest, streamAtTheAddressOfAnother) {
  driver.createContext(0);
  attnrt_stream first = createStream();
  attnrt_device_ptr ofFirst = get(first);
  EXPECT_EQ(attnrt_destroy_stream(runtime, first), ATTNRT_SUCCESS);
  attnrt_stream second = createStream();
  EXPECT_EQ(first, second);
  EXPECT_NE(get(second), ofFirst);
}

TEST_F(WorkCountersTest, contexts) {
  attnrt_context first = driver.createContext(0);
  attnrt_device_ptr ofFirst = get(nullptr);
  attnrt_context second = driver.createContext(1);
  attnrt_device_ptr ofSecond = get(nullptr);
  EXPECT_NE(ofFirst, ofSecond);
  EXPECT_EQ(driver.calls("cuMemAlloc"), 2u);
  driver.destroyContext(second);
  EXPECT_EQ(get(nullptr), ofFirst);
  // A context at the address of a destroyed one gets new counters.
  driver.destroyContext(first);
  EXPECT_EQ(driver.createContext(0), first);
  get(nullptr);
  EXPECT_EQ(driver.calls("cuMemAlloc"), 3u);
}

TEST_F(WorkCountersTest, captures) {
  driver.createContext(0);
  attnrt_stream stream = createStream();
  // Even the first counters of a context may be those of a captured launch.
  auto *graph = driver.beginCapture(stream);
  attnrt_device_ptr first = get(stream), second = get(stream);
  EXPECT_NE(first, second);
  driver.endCapture(stream);

  attnrt_device_ptr ofStream = get(stream);
  EXPECT_NE(ofStream, first);
  EXPECT_NE(ofStream, second);
  EXPECT_EQ(get(stream), ofStream);

  auto *other = driver.beginCapture(stream);
  attnrt_device_ptr third = get(stream);
  driver.endCapture(stream);
  EXPECT_EQ((std::set{first, second, third, ofStream}).size(), 4u);

  // After a graph is destroyed, its counters are used again, each for one other
  // stream.
  driver.destroyGraph(graph);
  attnrt_device_ptr ofDefault = get(nullptr);
  attnrt_device_ptr ofNext = get(createStream());
  EXPECT_EQ((std::set{ofDefault, ofNext}), (std::set{first, second}));
  attnrt_device_ptr fresh = get(createStream());
  EXPECT_EQ((std::set{first, second, third, ofStream, fresh}).size(), 5u);
  EXPECT_EQ(get(stream), ofStream);
  driver.destroyGraph(other);
  EXPECT_EQ(get(createStream()), third);
  EXPECT_EQ(driver.calls("cuMemAlloc"), 1u);
}

// While a stream is captured, the counters of another stream can still be
// allocated. Other allocations of the thread fail as before.
TEST_F(WorkCountersTest, besideCapture) {
  driver.createContext(0);
  attnrt_stream stream = createStream();
  auto *graph = driver.beginCapture(stream);
  EXPECT_NE(get(nullptr), 0u);
  attnrt_device_ptr memory = 0;
  EXPECT_NE(attnrt_allocate(runtime, 4, &memory), ATTNRT_SUCCESS);
  EXPECT_CONTAINS(runtime.getError(), "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED");
  driver.invalidateCapture(stream);
  EXPECT_EQ(fail(stream), ATTNRT_LAUNCH_FAILED);
  EXPECT_CONTAINS(runtime.getError(), "whose capture an earlier error ended");
  driver.endCapture(stream);
  driver.destroyGraph(graph);
}

TEST_F(WorkCountersTest, manyGraphs) {
  driver.createContext(0);
  attnrt_stream stream = createStream();
  std::set<attnrt_device_ptr> seen;
  for (unsigned round = 0; round < 2; ++round) {
    auto *graph = driver.beginCapture(stream);
    std::set<attnrt_device_ptr> own;
    for (unsigned i = 0; i <= numPairs; ++i)
      own.insert(get(stream));
    EXPECT_EQ(own.size(), numPairs + 1);
    seen.insert(own.begin(), own.end());
    driver.endCapture(stream);
    driver.destroyGraph(graph);
  }
  EXPECT_EQ(seen.size(), numPairs + 1);
  EXPECT_EQ(driver.calls("cuMemAlloc"), 2u);
}

// A graph may be destroyed after its runtime, or after
// attnrt_forget_programs(). Both free the memory of the graph's counters.
TEST_F(WorkCountersTest, graphsOutliveTheRuntime) {
  driver.createContext(0);
  attnrt_stream stream = createStream();
  auto *first = driver.beginCapture(stream);
  get(stream);
  driver.endCapture(stream);
  attnrt_forget_programs(runtime);
  EXPECT_EQ(driver.calls("cuMemFree"), 1u);
  EXPECT_NE(get(stream), 0u);
  EXPECT_EQ(driver.calls("cuMemAlloc"), 2u);

  struct CUgraph_st *second = nullptr;
  {
    Runtime other(fakeDriverPath());
    second = driver.beginCapture(stream);
    attnrt_device_ptr counters = 0;
    EXPECT_EQ(attnrt_get_work_counters(other, stream, &counters),
              ATTNRT_SUCCESS);
    driver.endCapture(stream);
  }
  EXPECT_EQ(driver.calls("cuMemFree"), 2u);
  driver.destroyGraph(second);
  driver.destroyGraph(first);
}

TEST_F(WorkCountersTest, threads) {
  attnrt_context context = driver.createContext(0);
  constexpr unsigned numThreads = 8, numStreams = 5;
  attnrt_stream streams[numStreams];
  for (attnrt_stream &stream : streams)
    stream = createStream();
  std::atomic<attnrt_device_ptr> found[numStreams] = {};
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < numThreads; ++i)
    threads.emplace_back([&, i] {
      driver.pushContext(context);
      // Thread 0 captures and destroys graphs while the other threads get
      // counters.
      attnrt_stream captured = i ? nullptr : createStream();
      for (unsigned j = 0; j < 100; ++j) {
        if (captured) {
          auto *graph = driver.beginCapture(captured);
          get(captured);
          driver.endCapture(captured);
          driver.destroyGraph(graph);
        }
        unsigned stream = (i + j) % numStreams;
        attnrt_device_ptr counters = get(streams[stream]), before = 0;
        if (!found[stream].compare_exchange_strong(before, counters))
          EXPECT_EQ(before, counters);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  std::set<attnrt_device_ptr> all(found, found + numStreams);
  EXPECT_EQ(all.size(), numStreams);
  EXPECT_EQ(driver.calls("cuMemAlloc"), 1u);
}

TEST_F(WorkCountersTest, fails) {
  EXPECT_EQ(fail(nullptr), ATTNRT_NO_DEVICE);
  EXPECT_CONTAINS(runtime.getError(), "no CUDA context is current");
  driver.createContext(0);
  EXPECT_EQ(attnrt_get_work_counters(runtime, nullptr, nullptr),
            ATTNRT_INVALID_ARGUMENT);
  EXPECT_CONTAINS(runtime.getError(), "counters: the result pointer is null");
  attnrt_device_ptr counters;
  EXPECT_EQ(attnrt_get_work_counters(nullptr, nullptr, &counters),
            ATTNRT_INVALID_ARGUMENT);

  driver.setError("cuMemAlloc", outOfMemory);
  EXPECT_EQ(fail(nullptr), ATTNRT_OUT_OF_MEMORY);
  EXPECT_CONTAINS(runtime.getError(),
                  "allocating 65536 bytes of device memory for the counters of "
                  "launches: CUDA_ERROR_OUT_OF_MEMORY");
  driver.setError("cuMemAlloc", 0);
  // Memory for counters that could not be cleared is freed.
  for (const char *step :
       {"cuStreamCreate", "cuMemsetD32Async", "cuStreamSynchronize"}) {
    unsigned freed = driver.calls("cuMemFree");
    driver.setError(step, unknownError);
    EXPECT_EQ(fail(nullptr), ATTNRT_DRIVER_ERROR) << step;
    EXPECT_EQ(driver.calls("cuMemFree"), freed + 1) << step;
    driver.setError(step, 0);
  }
  driver.setError("cuStreamGetId", unknownError);
  EXPECT_EQ(fail(nullptr), ATTNRT_DRIVER_ERROR);
  EXPECT_CONTAINS(runtime.getError(), "identifying a stream: ");
  driver.setError("cuStreamGetId", 0);
  driver.setError("cuStreamGetCaptureInfo", captureUnsupported);
  EXPECT_EQ(fail(nullptr), ATTNRT_DRIVER_ERROR);
  EXPECT_CONTAINS(runtime.getError(), "whether a stream is being captured: ");
  driver.setError("cuStreamGetCaptureInfo", 0);
  attnrt_device_ptr first = get(nullptr);

  // Counters that could not be attached to a graph are given to the next
  // launch.
  attnrt_stream stream = createStream();
  auto *graph = driver.beginCapture(stream);
  for (const char *step : {"cuUserObjectCreate", "cuGraphRetainUserObject"}) {
    driver.setError(step, unknownError);
    EXPECT_EQ(fail(stream), ATTNRT_DRIVER_ERROR) << step;
    EXPECT_CONTAINS(runtime.getError(), "to the graph of a captured launch: ");
    driver.setError(step, 0);
  }
  EXPECT_EQ(get(stream), first + 8);
  driver.endCapture(stream);
  driver.destroyGraph(graph);
}
