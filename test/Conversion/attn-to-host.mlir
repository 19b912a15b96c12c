// RUN: attn-opt %s -attn-to-host -mlir-print-op-generic | FileCheck %s \
// RUN:   --implicit-check-not='"{{(affine|arith|attn|attn_tile|bufferization|cf|func|linalg|math|memref|scf|tensor|ub|vector)[.][a-z_.]+}}"(' \
// RUN:   --implicit-check-not=unrealized_conversion_cast

// Attention amid other code of a program: everything reaches the LLVM dialect.

// CHECK: sym_name = "attn_chain"
func.func @chain(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>) -> (tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>) {
  %e = tensor.empty() : tensor<1x2x8x16xf16>
  %a = attn.attention
      ins(%q, %k, %k : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%e : tensor<1x2x8x16xf16>) -> tensor<1x2x8x16xf16>
  %b = attn.attention
      ins(%a, %a, %a : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%e : tensor<1x2x8x16xf16>) -> tensor<1x2x8x16xf16>
  return %b, %a : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>
}

// CHECK: sym_name = "attn_branch"
func.func @branch(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %c: i1) -> tensor<1x2x8x16xf16> {
  %r = scf.if %c -> tensor<1x2x8x16xf16> {
    %e = tensor.empty() : tensor<1x2x8x16xf16>
    %a = attn.attention
        ins(%q, %k, %k : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
        outs(%e : tensor<1x2x8x16xf16>) -> tensor<1x2x8x16xf16>
    scf.yield %a : tensor<1x2x8x16xf16>
  } else {
    scf.yield %q : tensor<1x2x8x16xf16>
  }
  return %r : tensor<1x2x8x16xf16>
}

// CHECK: sym_name = "attn_loop"
func.func @loop(%q: memref<1x2x?x16xf16>, %o: memref<1x2x?x16xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    attn.attention
        ins(%q, %q, %q : memref<1x2x?x16xf16>, memref<1x2x?x16xf16>, memref<1x2x?x16xf16>)
        outs(%o : memref<1x2x?x16xf16>)
  }
  return
}

// CHECK: sym_name = "attn_caller"
func.func private @callee(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>) -> tensor<1x2x8x16xf16> {
  %e = tensor.empty() : tensor<1x2x8x16xf16>
  %a = attn.attention
      ins(%q, %k, %k : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%e : tensor<1x2x8x16xf16>) -> tensor<1x2x8x16xf16>
  return %a : tensor<1x2x8x16xf16>
}
func.func @caller(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>) -> tensor<1x2x8x16xf16> {
  %a = call @callee(%q, %k) : (tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>) -> tensor<1x2x8x16xf16>
  return %a : tensor<1x2x8x16xf16>
}

// CHECK: sym_name = "attn_projections"
func.func @projections(%x: tensor<16x16xf32>, %w: tensor<16x16xf32>, %k: tensor<1x2x8x16xf32>) -> tensor<16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<16x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e0 : tensor<16x16xf32>) -> tensor<16x16xf32>
  %m = linalg.matmul ins(%x, %w : tensor<16x16xf32>, tensor<16x16xf32>)
      outs(%z : tensor<16x16xf32>) -> tensor<16x16xf32>
  %q = tensor.expand_shape %m [[0, 1, 2], [3]] output_shape [1, 2, 8, 16]
      : tensor<16x16xf32> into tensor<1x2x8x16xf32>
  %e = tensor.empty() : tensor<1x2x8x16xf32>
  %a = attn.attention
      ins(%q, %k, %k : tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>)
      outs(%e : tensor<1x2x8x16xf32>) -> tensor<1x2x8x16xf32>
  %c = tensor.collapse_shape %a [[0, 1, 2], [3]] : tensor<1x2x8x16xf32> into tensor<16x16xf32>
  %r = linalg.matmul ins(%c, %w : tensor<16x16xf32>, tensor<16x16xf32>)
      outs(%z : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %r : tensor<16x16xf32>
}

// CHECK: sym_name = "attn_cast"
func.func @cast(%q: tensor<?x?x?x?xf16>, %k: tensor<1x2x8x16xf16>) -> tensor<?x?x?x?xf16> {
  %q4 = tensor.cast %q : tensor<?x?x?x?xf16> to tensor<1x2x8x16xf16>
  %e = tensor.empty() : tensor<1x2x8x16xf16>
  %a = attn.attention
      ins(%q4, %k, %k : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%e : tensor<1x2x8x16xf16>) -> tensor<1x2x8x16xf16>
  %r = tensor.cast %a : tensor<1x2x8x16xf16> to tensor<?x?x?x?xf16>
  return %r : tensor<?x?x?x?xf16>
}

// CHECK: sym_name = "attn_slice"
func.func @slice(%x: tensor<2x4x32x64xf16>, %k: tensor<1x2x8x16xf16>, %o: tensor<4x2x8x16xf16>, %i: index) -> tensor<4x2x8x16xf16> {
  %q = tensor.extract_slice %x[%i, 1, 3, 16] [1, 2, 8, 16] [1, 1, 2, 1]
      : tensor<2x4x32x64xf16> to tensor<1x2x8x16xf16>
  %e = tensor.extract_slice %o[%i, 0, 0, 0] [1, 2, 8, 16] [1, 1, 1, 1]
      : tensor<4x2x8x16xf16> to tensor<1x2x8x16xf16>
  %a = attn.attention
      ins(%q, %k, %k : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%e : tensor<1x2x8x16xf16>) -> tensor<1x2x8x16xf16>
  %r = tensor.insert_slice %a into %o[%i, 0, 0, 0] [1, 2, 8, 16] [1, 1, 1, 1]
      : tensor<1x2x8x16xf16> into tensor<4x2x8x16xf16>
  return %r : tensor<4x2x8x16xf16>
}

// CHECK: sym_name = "attn_absurd_strides"
func.func @absurd_strides(%q: memref<1x1x1x16xf16, strided<[-7, 0, 123456789012, 1]>>,
                          %k: memref<1x1x8x16xf16, strided<[0, 0, 16, 1], offset: ?>>, %o: memref<1x1x1x16xf16>) {
  attn.attention
      ins(%q, %k, %k : memref<1x1x1x16xf16, strided<[-7, 0, 123456789012, 1]>>,
          memref<1x1x8x16xf16, strided<[0, 0, 16, 1], offset: ?>>, memref<1x1x8x16xf16, strided<[0, 0, 16, 1], offset: ?>>)
      outs(%o : memref<1x1x1x16xf16>)
  return
}
