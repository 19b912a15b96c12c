// RUN: attn-opt %s -attn-to-tile | FileCheck %s --check-prefix=TILE \
// RUN:   --implicit-check-not='attn.attention{{ [a-z]+}}' --implicit-check-not=bufferization. --implicit-check-not=memref.copy
// RUN: attn-opt %s -attn-to-tile=chip=host | FileCheck %s --check-prefix=TILE

// The host pipeline ends in the LLVM dialect.
// RUN: attn-opt %s -attn-to-host | FileCheck %s --check-prefix=HOST
// RUN: attn-opt %s -attn-to-host -mlir-print-op-generic | FileCheck %s --check-prefix=ONLY-LLVM \
// RUN:   --implicit-check-not='"{{(affine|arith|attn|attn_tile|bufferization|cf|func|linalg|math|memref|scf|tensor|ub|vector)[.][a-z_.]+}}"(' \
// RUN:   --implicit-check-not=unrealized_conversion_cast

// A pipeline is the text that it prints itself as.
// RUN: %python %S/Inputs/reuse_pipeline.py %s --attn-to-tile
// RUN: %python %S/Inputs/reuse_pipeline.py %s --attn-to-host

// The IR after each stage can be printed and parsed.
// RUN: rm -rf %t
// RUN: %python %inputs/round-trip-stages.py %t %s --attn-to-host | FileCheck %s --check-prefix=STAGES
// STAGES: {{[2-9][0-9]}} stages
// RUN: attn-opt %s -attn-to-host --emit-bytecode | attn-opt -o /dev/null

// ONLY-LLVM: "builtin.module"()
// ONLY-LLVM: "llvm.func"()

// TILE-LABEL: func.func @tensors_f16(
// TILE-SAME:    memref<2x4x100x64xf16, strided<[?, ?, ?, 1], offset: ?>>
// TILE-SAME:    %[[O:[^:]+]]: memref<2x4x100x64xf16, strided<[?, ?, ?, 1], offset: ?>>) {
// TILE-NOT: {{memref.alloc|attn_tile.workspace}}
// TILE: attn_tile.grid
// TILE: attn_tile.dot
// TILE: attn_tile.store %{{.+}}, %[[O]][
// HOST-LABEL: llvm.func @attn_tensors_f16(
// HOST-SAME:    %{{.+}}: !llvm.ptr, %{{.+}}: !llvm.ptr) -> !llvm.ptr
// HOST-LABEL: llvm.func @attn_tensors_f16_packed(
func.func @tensors_f16(%q: tensor<2x4x100x64xf16>) -> tensor<2x4x100x64xf16> {
  %o = tensor.empty() : tensor<2x4x100x64xf16>
  %r = attn.attention mask <top_left, causal>
      ins(%q, %q, %q : tensor<2x4x100x64xf16>, tensor<2x4x100x64xf16>, tensor<2x4x100x64xf16>)
      outs(%o : tensor<2x4x100x64xf16>) -> tensor<2x4x100x64xf16>
  return %r : tensor<2x4x100x64xf16>
}

// TILE-LABEL: func.func @tensors_bf16(
// TILE: cf.assert
// TILE: attn_tile.grid
// TILE: attn_tile.store
// TILE: attn_tile.store
// HOST-LABEL: llvm.func @attn_tensors_bf16(
// HOST-LABEL: llvm.func @attn_tensors_bf16_packed(
func.func @tensors_bf16(%q: tensor<?x?x?x65xbf16>, %k: tensor<?x?x?x65xbf16>, %v: tensor<?x?x?x16xbf16>, %cap: f32)
    -> (tensor<?x?x?x16xbf16>, tensor<?x?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %b = tensor.dim %q, %c0 : tensor<?x?x?x65xbf16>
  %h = tensor.dim %q, %c1 : tensor<?x?x?x65xbf16>
  %n = tensor.dim %q, %c2 : tensor<?x?x?x65xbf16>
  %o = tensor.empty(%b, %h, %n) : tensor<?x?x?x16xbf16>
  %l = tensor.empty(%b, %h, %n) : tensor<?x?x?xf32>
  %r:2 = attn.attention mask <bottom_right, left = 100, right = 3> scale 0.125
      ins(%q, %k, %v : tensor<?x?x?x65xbf16>, tensor<?x?x?x65xbf16>, tensor<?x?x?x16xbf16>)
      captures(%cap : f32)
      outs(%o, %l : tensor<?x?x?x16xbf16>, tensor<?x?x?xf32>) score {
    ^bb0(%s: f32, %ib: index, %ih: index, %i: index, %j: index, %c: f32):
      %0 = arith.divf %s, %c : f32
      %1 = math.tanh %0 : f32
      %2 = arith.mulf %1, %c : f32
      attn.yield %2 : f32
    } -> tensor<?x?x?x16xbf16>, tensor<?x?x?xf32>
  return %r#0, %r#1 : tensor<?x?x?x16xbf16>, tensor<?x?x?xf32>
}

// TILE-LABEL: func.func @tensors_f32(
// TILE: attn_tile.grid
// HOST-LABEL: llvm.func @attn_tensors_f32(
func.func @tensors_f32(%q: tensor<1x6x33x8xf32>, %k: tensor<1x2x70x8xf32>) -> tensor<1x6x33x8xf32> {
  %o = tensor.empty() : tensor<1x6x33x8xf32>
  %r = attn.attention
      ins(%q, %k, %k : tensor<1x6x33x8xf32>, tensor<1x2x70x8xf32>, tensor<1x2x70x8xf32>)
      outs(%o : tensor<1x6x33x8xf32>) -> tensor<1x6x33x8xf32>
  return %r : tensor<1x6x33x8xf32>
}

// TILE-LABEL: func.func @memrefs_f16(
// TILE: attn_tile.grid
// HOST-LABEL: llvm.func @attn_memrefs_f16(
func.func @memrefs_f16(%q: memref<2x4x?x64xf16, strided<[?, ?, ?, 1], offset: ?>>,
                       %o: memref<2x4x?x64xf32, strided<[?, ?, ?, 1], offset: ?>>) {
  attn.attention
      ins(%q, %q, %q : memref<2x4x?x64xf16, strided<[?, ?, ?, 1], offset: ?>>,
          memref<2x4x?x64xf16, strided<[?, ?, ?, 1], offset: ?>>, memref<2x4x?x64xf16, strided<[?, ?, ?, 1], offset: ?>>)
      outs(%o : memref<2x4x?x64xf32, strided<[?, ?, ?, 1], offset: ?>>)
  return
}

// TILE-LABEL: func.func @memrefs_bf16(
// TILE: attn_tile.store
// HOST-LABEL: llvm.func @attn_memrefs_bf16(
func.func @memrefs_bf16(%q: memref<1x1x64x256xbf16>, %o: memref<1x1x64x256xbf16>, %i: index, %n: index) {
  attn.attention mask <top_left, causal>
      ins(%q, %q, %q : memref<1x1x64x256xbf16>, memref<1x1x64x256xbf16>, memref<1x1x64x256xbf16>)
      origin(%i, %i, %i, %i) lengths(%n, %n)
      outs(%o : memref<1x1x64x256xbf16>)
  return
}

// TILE-LABEL: func.func @memrefs_f32(
// TILE: attn_tile.store
// HOST-LABEL: llvm.func @attn_memrefs_f32(
func.func @memrefs_f32(%q: memref<1x1x5x1xf32>, %o: memref<1x1x5x1xf32>) {
  attn.attention
      ins(%q, %q, %q : memref<1x1x5x1xf32>, memref<1x1x5x1xf32>, memref<1x1x5x1xf32>)
      outs(%o : memref<1x1x5x1xf32>)
  return
}
