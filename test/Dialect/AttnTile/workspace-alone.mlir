// RUN: attn-opt %s -canonicalize | FileCheck %s

// A module that has no op of memref yet.
// CHECK: memref.cast
func.func @main() -> memref<?xf32> {
  %c8 = arith.constant 8 : index
  %0 = attn_tile.workspace(%c8) : memref<?xf32>
  return %0 : memref<?xf32>
}
