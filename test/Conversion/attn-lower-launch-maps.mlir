// RUN: attn-opt %s -attn-lower-launch | FileCheck %s

// A tensor map is made in 128 bytes of the stack, from the innermost dimension to
// the outermost; sizes of at least 1, strides in bytes, 16 where there is but one index. Its parameter
// is its own memory, not a word. An error of the runtime ends the function.
// CHECK-LABEL: func.func @maps(
// CHECK-SAME: %[[RUNTIME:[a-z0-9]+]]: !llvm.ptr, %[[STREAM:[a-z0-9]+]]: !llvm.ptr, %[[A:[a-z0-9]+]]: memref<2x?x128xbf16,
// CHECK: %[[MAP:.+]] = llvm.alloca %{{.+}} x i8 {alignment = 64 : i64}
// CHECK-NOT: attn_nv.
// CHECK: %[[STATUS:.+]] = llvm.call @attnrt_get_sm_count(%[[RUNTIME]], %[[COUNT:[a-z0-9]+]])
// CHECK: %[[GOOD:.+]] = arith.cmpi eq, %[[STATUS]]
// CHECK: cf.cond_br %[[GOOD]], ^{{.+}}, ^[[NO_COUNT:bb[0-9]+]]
// CHECK: %[[BLOCKS:.+]] = llvm.load %[[COUNT]] : !llvm.ptr -> i32
// CHECK: llvm.call @attnrt_get_work_counters(%[[RUNTIME]], %[[STREAM]], %[[PAIR:[a-z0-9]+]])
// CHECK: %[[WORD:.+]] = llvm.load %[[PAIR]] : !llvm.ptr -> !llvm.ptr<1>
// CHECK: %{{.+}}, %[[OFFSET:.+]], %[[SIZES:.+]]:3, %[[STRIDES:.+]]:3 = memref.extract_strided_metadata %[[A]]
// CHECK: %[[BOX:.+]] = llvm.mlir.constant(64 : i32)
// CHECK: %[[COLUMNS:.+]] = arith.maxsi %[[SIZES]]#2, %c1
// CHECK: %[[WIDTH:.+]] = arith.index_cast %[[COLUMNS]]
// CHECK: %[[ROWS:.+]] = arith.maxsi %[[SIZES]]#1, %c1
// CHECK: %[[LENGTH:.+]] = arith.index_cast %[[ROWS]]
// CHECK: %[[BYTES:.+]] = arith.muli %[[STRIDES]]#1, %c2
// CHECK: %[[ONE:.+]] = arith.cmpi eq, %[[ROWS]], %c1
// CHECK: %[[STRIDE:.+]] = arith.select %[[ONE]], %c16{{.*}}, %[[BYTES]]
// CHECK: %[[STRIDE64:.+]] = arith.index_cast %[[STRIDE]]
// CHECK: %[[ADDRESS:.+]] = llvm.inttoptr
// bf16, rank 3.
// CHECK: %[[TYPE:.+]] = llvm.mlir.constant(9 : i32)
// CHECK: %[[RANK:.+]] = llvm.mlir.constant(3 : i32)
// CHECK: %[[SLOT:.+]] = llvm.getelementptr %[[SIZE_ARRAY:.+]][0] : (!llvm.ptr) -> !llvm.ptr, i64
// CHECK: llvm.store %[[WIDTH]], %[[SLOT]]
// CHECK: %[[SLOT:.+]] = llvm.getelementptr %[[SIZE_ARRAY]][1]
// CHECK: llvm.store %[[LENGTH]], %[[SLOT]]
// CHECK: %[[SLOT:.+]] = llvm.getelementptr %[[STRIDE_ARRAY:.+]][0] : (!llvm.ptr) -> !llvm.ptr, i64
// CHECK: llvm.store %[[STRIDE64]], %[[SLOT]]
// CHECK: %[[SLOT:.+]] = llvm.getelementptr %[[BOX_ARRAY:.+]][0] : (!llvm.ptr) -> !llvm.ptr, i32
// CHECK: llvm.store %[[BOX]], %[[SLOT]]
// No interleaving, a swizzle of 128 bytes, promotion to 256, zeros outside.
// CHECK: %[[C0:.+]] = llvm.mlir.constant(0 : i32)
// CHECK: %[[SWIZZLE:.+]] = llvm.mlir.constant(3 : i32)
// CHECK: %[[PROMOTION:.+]] = llvm.mlir.constant(3 : i32)
// CHECK: %[[FILL:.+]] = llvm.mlir.constant(0 : i32)
// CHECK: llvm.call @attnrt_encode_tensor_map(%[[RUNTIME]], %[[MAP]], %[[TYPE]], %[[RANK]], %[[ADDRESS]], %[[SIZE_ARRAY]], %[[STRIDE_ARRAY]], %[[BOX_ARRAY]], %{{.+}}, %[[C0]], %[[SWIZZLE]], %[[PROMOTION]], %[[FILL]])
// CHECK: cf.cond_br
// CHECK: %[[ENTRY:.+]] = llvm.getelementptr %[[PARAMETERS:.+]][0] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// CHECK-NEXT: llvm.store %[[MAP]], %[[ENTRY]]
// CHECK-NEXT: %[[OWN:.+]] = llvm.getelementptr
// CHECK-NEXT: llvm.store %[[WORD]], %[[OWN]]
// CHECK-NEXT: %[[ENTRY:.+]] = llvm.getelementptr %[[PARAMETERS]][1]
// CHECK-NEXT: llvm.store %[[OWN]], %[[ENTRY]]
// CHECK: llvm.call @attnrt_launch_kernel(%[[RUNTIME]], %[[STREAM]],
// CHECK: ^[[NO_COUNT]]:
// CHECK: return %[[STATUS]] : i32
module attributes {gpu.container_module} {
  gpu.binary @kernels [#gpu.object<#nvvm.target<chip = "sm_90a">, assembly = "// ptx\0A">]
  func.func @maps(%a: memref<2x?x128xbf16, strided<[?, ?, 1], offset: ?>>) {
    %c1 = arith.constant 1 : index
    %c384 = arith.constant 384 : index
    %bytes = arith.constant 1024 : i32
    %count = attn_nv.sm_count
    %counters = attn_nv.work_counters
    %map = attn_nv.encode_tensor_map %a box [1, 128, 64] : memref<2x?x128xbf16, strided<[?, ?, 1], offset: ?>>
    gpu.launch_func @kernels::@one blocks in (%count, %c1, %c1) threads in (%c384, %c1, %c1) dynamic_shared_memory_size %bytes args(%map : !attn_nv.tensor_map, %counters : !llvm.ptr<1>)
    return
  }

  // The map of a matrix has two sizes, and the stride of a row.
  // CHECK-LABEL: func.func @matrix(
  // CHECK: %{{.+}}, %{{.+}}, %[[SIZES:.+]]:2, %[[STRIDES:.+]]:2 = memref.extract_strided_metadata
  // CHECK: arith.muli %[[STRIDES]]#0, %c2
  // CHECK: %[[RANK:.+]] = llvm.mlir.constant(2 : i32)
  // CHECK: llvm.call @attnrt_encode_tensor_map({{[^,]+}}, {{[^,]+}}, {{[^,]+}}, %[[RANK]],
  func.func @matrix(%a: memref<?x?xf16, strided<[?, 1]>>) {
    %c1 = arith.constant 1 : index
    %map = attn_nv.encode_tensor_map %a box [128, 64] : memref<?x?xf16, strided<[?, 1]>>
    gpu.launch_func @kernels::@one blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%map : !attn_nv.tensor_map)
    return
  }

  // The map of an array of 8 bits has bytes as elements, which is type 0 of the driver, and strides
  // are not multiplied.
  // CHECK-LABEL: func.func @eight_bits(
  // CHECK: %{{.+}}, %{{.+}}, %[[SIZES:.+]]:2, %[[STRIDES:.+]]:2 = memref.extract_strided_metadata
  // CHECK-NOT: %c2
  // CHECK: llvm.mlir.constant(0 : i32)
  // CHECK-NEXT: %[[RANK:.+]] = llvm.mlir.constant(2 : i32)
  // CHECK: llvm.call @attnrt_encode_tensor_map({{[^,]+}}, {{[^,]+}}, {{[^,]+}}, %[[RANK]],
  func.func @eight_bits(%a: memref<?x?xf8E4M3FN, strided<[?, 1]>>) {
    %c1 = arith.constant 1 : index
    %map = attn_nv.encode_tensor_map %a box [256, 128] : memref<?x?xf8E4M3FN, strided<[?, 1]>>
    gpu.launch_func @kernels::@one blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%map : !attn_nv.tensor_map)
    return
  }

  // The map of slices of an array begins as many rows before the array as that has, and has a
  // further dimension with the same stride, which is one longer than the array. Data that is read
  // once has no L2 promotion.
  // CHECK-LABEL: func.func @slices(
  // CHECK: %[[BASE:.+]] = memref.extract_aligned_pointer_as_index
  // CHECK: %[[FIRST:.+]] = arith.addi %[[BASE]],
  // CHECK: %[[STRIDE:.+]] = arith.select %{{.+}}, %c16{{.*}}, %{{.+}} : index
  // CHECK: %[[ENDS:.+]] = arith.addi %[[ROWS:.+]], %c1
  // CHECK: %[[ALL:.+]] = arith.muli %[[ROWS]], %[[STRIDE]]
  // CHECK: arith.subi %[[FIRST]], %[[ALL]]
  // CHECK: arith.index_cast %[[ENDS]]
  // CHECK: %[[RANK:.+]] = llvm.mlir.constant(3 : i32)
  // CHECK: %[[PROMOTION:.+]] = llvm.mlir.constant(2 : i32)
  // CHECK: llvm.call @attnrt_encode_tensor_map({{[^,]+}}, {{[^,]+}}, {{[^,]+}}, %[[RANK]],
  // CHECK-SAME: %[[PROMOTION]], %{{[^,]+}})
  func.func @slices(%a: memref<?x?xf16, strided<[?, 1]>>) {
    %c1 = arith.constant 1 : index
    %map = attn_nv.encode_tensor_map %a box [1, 128, 64] once sliced 0 : memref<?x?xf16, strided<[?, 1]>>
    gpu.launch_func @kernels::@one blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%map : !attn_nv.tensor_map)
    return
  }

  // The map for boxes without an element begins at the beginning of the array.
  // CHECK-LABEL: func.func @empty(
  // CHECK: %[[BASE:.+]] = memref.extract_aligned_pointer_as_index
  // CHECK: %[[FIRST:.+]] = arith.addi %[[BASE]],
  // CHECK-NOT: arith.subi
  // CHECK: arith.index_cast %[[FIRST]] : index to i64
  // CHECK: %[[RANK:.+]] = llvm.mlir.constant(3 : i32)
  // CHECK: llvm.call @attnrt_encode_tensor_map({{[^,]+}}, {{[^,]+}}, {{[^,]+}}, %[[RANK]],
  func.func @empty(%a: memref<?x?xf16, strided<[?, 1]>>) {
    %c1 = arith.constant 1 : index
    %map = attn_nv.encode_tensor_map %a box [1, 128, 64] sliced 0 empty : memref<?x?xf16, strided<[?, 1]>>
    gpu.launch_func @kernels::@one blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%map : !attn_nv.tensor_map)
    return
  }
}
