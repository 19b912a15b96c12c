// C = A B of 64x128 and 128x64 by four warps that copy the next tiles beside the product;
// then the same with a fault each, which is found at its op.

// DEFINE: %{run} = attnc run --target simulate --lowered %t.mlir random:1 random:2
// DEFINE: %{fault} = %python %inputs/fails.py

// RUN: cp %s %t.mlir
// RUN: %{run} | FileCheck %s
// RUN: %{run} --seed 2 | FileCheck %s
// RUN: %{run} --seed 3 | FileCheck %s
// CHECK: target     simulator, sm_90a, seed

// A barrier less: what other warps copy is not there, or is still read.
// RUN: sed '/ALL HAVE COPIED/d' %s > %t.mlir
// RUN: %{fault} "without order after a" %{run}
// RUN: sed '/ALL HAVE READ/d' %s > %t.mlir
// RUN: %{fault} "without order after a" %{run}

// A wait less, and one for fewer copies.
// RUN: sed '/OWN HAVE COME/d' %s > %t.mlir
// RUN: %{fault} "without order after a write" %{run}
// RUN: sed 's/wait.group 0/wait.group 1/' %s > %t.mlir
// RUN: %{fault} "without order after a write" %{run}
// RUN: sed '/commit.group/d' %s > %t.mlir
// RUN: %{fault} "without order after a write" %{run}

// Reads of memory that was not written, and writes past the end of shared memory.
// RUN: sed '/COPY B/d' %s > %t.mlir
// RUN: %{fault} "'attn_tile.dot' op warp" %{run}
// RUN: sed 's/shared 18432/shared 16384/' %s > %t.mlir
// RUN: %{fault} "'attn_gpu.fill' op expected to write below byte 16384 of shared memory" %{run}

// A promise that does not hold, and a place that is out of bounds.
// RUN: sed 's/%a\[%c0, %k\]/%a[%c0, %c1]/' %s > %t.mlir
// RUN: %{fault} "'attn_gpu.fill' op expected rows at multiples of 16 bytes, as 'aligned' promises" %{run}
// RUN: sed 's|// OUT OF BOUNDS||' %s > %t.mlir
// RUN: %{fault} "'memref.load' op warp" %{run}

// An output in which some rows are not written.
// RUN: sed 's/store %output, %c\[%c0/store %output, %c[%c1/' %s > %t.mlir
// RUN: %{fault} "'func.func' op leaves 64 of 4096 elements of argument 2 unwritten, the first at [0, 0]" %{run}

// Threads of one warp that part.
// RUN: sed 's|// PART||' %s > %t.mlir
// RUN: %{fault} "'gpu.barrier' op expected all threads of a warp, found 1 of them" %{run}

#mma = #attn_gpu.mma<warps = 4>
!shared = tensor<64x64xf16, #attn_gpu.shared<padding = 16>>
!ring = !attn_gpu.ring<1, !shared>
!sum = tensor<64x64xf32, #mma>
!output = tensor<64x64xf16, #mma>
module {
  attn_gpu.kernel @kernel(%a: memref<64x128xf16>, %b: memref<128x64xf16>, %c: memref<64x64xf16>)
      target <chip = "sm_80"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element> threads 128 shared 18432 {
    %tx = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %first = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !sum
    %ring_a = attn_gpu.ring at 0 : !ring
    %ring_b = attn_gpu.ring at 9216 : !ring
    %is_first = arith.cmpi eq, %tx, %c0 : index
    // PART scf.if %is_first { gpu.barrier }
    // OUT OF BOUNDS %word = memref.load %a[%c64, %c0] : memref<64x128xf16>
    %product, %end = scf.for %k = %c0 to %c128 step %c64 iter_args(%acc = %zero, %n = %first) -> (!sum, i32) {
      gpu.barrier // ALL HAVE READ
      attn_gpu.fill %ring_a[%n] of %a[%c0, %k] aligned : !ring, memref<64x128xf16>
      attn_gpu.fill %ring_b[%n] of %b[%k, %c0] aligned : !ring, memref<128x64xf16> // COPY B
      nvvm.cp.async.commit.group
      nvvm.cp.async.wait.group 0 // OWN HAVE COME
      gpu.barrier // ALL HAVE COPIED
      %lhs, %number_a = attn_gpu.acquire %ring_a[%n] : !ring -> !shared
      %rhs, %number_b = attn_gpu.acquire %ring_b[%n] : !ring -> !shared
      %next = attn_tile.dot %lhs, %rhs, %acc : !shared, !shared, !sum
      %following = arith.addi %n, %one : i32
      scf.yield %next, %following : !sum, i32
    }
    %output = arith.truncf %product : !sum to !output
    attn_tile.store %output, %c[%c0, %c0] : !output, memref<64x64xf16>
  }
  func.func @main(%a: memref<64x128xf16>, %b: memref<128x64xf16>, %c: memref<64x64xf16>) {
    %c1 = arith.constant 1 : index
    attn_gpu.launch @kernel blocks %c1 args(%a, %b, %c)
        : memref<64x128xf16>, memref<128x64xf16>, memref<64x64xf16>
    return
  }
}
