// RUN: attn-opt %s | attn-opt | FileCheck %s
// RUN: attn-opt %s -mlir-print-op-generic | attn-opt | FileCheck %s

// CHECK-LABEL: func.func @bytes(
func.func @bytes(%a: memref<2x?x128xi4>, %b: memref<2x?x10xi4, strided<[?, 12, 1], offset: ?>>) {
  // CHECK: attn_tile.bytes %{{.+}} : memref<2x?x128xi4> to memref<2x?x64xi8>
  %0 = attn_tile.bytes %a : memref<2x?x128xi4> to memref<2x?x64xi8>
  // CHECK: attn_tile.bytes %{{.+}} : memref<2x?x10xi4, strided<[?, 12, 1], offset: ?>> to memref<2x?x5xi8, strided<[?, 6, 1], offset: ?>>
  %1 = attn_tile.bytes %b : memref<2x?x10xi4, strided<[?, 12, 1], offset: ?>>
      to memref<2x?x5xi8, strided<[?, 6, 1], offset: ?>>
  return
}

// CHECK-LABEL: func.func @unpack(
func.func @unpack(%a: tensor<32x64xi8>) -> tensor<32x128xbf16> {
  // CHECK: attn_tile.unpack %{{.+}} : tensor<32x64xi8> -> tensor<32x128xbf16>
  %0 = attn_tile.unpack %a : tensor<32x64xi8> -> tensor<32x128xbf16>
  return %0 : tensor<32x128xbf16>
}
