// RUN: attn-opt %s -split-input-file -convert-attn-to-tile -verify-diagnostics

func.func @no_schedule(%o: memref<2x4x10x80xf16>, %l: memref<2x4x10xf32>) {
  // expected-error@below {{'attn.merge' op expected a schedule, found none; run attn-assign-tiles or attn-gpu-assign-schedule first}}
  attn.merge ins(%o, %l : memref<2x4x10x80xf16>, memref<2x4x10xf32>) outs(%o : memref<2x4x10x80xf16>)
  return
}

// -----

func.func @tensors(%o: tensor<2x4x10x80xf16>, %l: tensor<2x4x10xf32>) -> tensor<2x4x10x80xf16> {
  // expected-error@below {{'attn.merge' op expected memref operands, found tensors; bufferise first}}
  %r = attn.merge ins(%o, %l : tensor<2x4x10x80xf16>, tensor<2x4x10xf32>) outs(%o : tensor<2x4x10x80xf16>)
      {schedule = #attn.tiles<q = 16, kv = 16>} -> tensor<2x4x10x80xf16>
  return %r : tensor<2x4x10x80xf16>
}
