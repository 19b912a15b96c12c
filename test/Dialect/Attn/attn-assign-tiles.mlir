// RUN: attn-opt %s -attn-assign-tiles | FileCheck %s

// CHECK-LABEL: func.func @none(
func.func @none(%q: memref<2x6x1024x64xf16>) {
  // CHECK: attn.attention {{.*}} {schedule = #attn.tiles<q = {{[0-9]+}}, kv = {{[0-9]+}}>}
  attn.attention
      ins(%q, %q, %q : memref<2x6x1024x64xf16>, memref<2x6x1024x64xf16>, memref<2x6x1024x64xf16>)
      outs(%q : memref<2x6x1024x64xf16>)
  return
}

// CHECK-LABEL: func.func @tensors(
func.func @tensors(%q: tensor<2x6x?x64xf16>) -> tensor<2x6x?x64xf16> {
  // CHECK: attn.attention {{.*}} {schedule = #attn.tiles<q = {{[0-9]+}}, kv = {{[0-9]+}}>}
  %r = attn.attention
      ins(%q, %q, %q : tensor<2x6x?x64xf16>, tensor<2x6x?x64xf16>, tensor<2x6x?x64xf16>)
      outs(%q : tensor<2x6x?x64xf16>) -> tensor<2x6x?x64xf16>
  return %r : tensor<2x6x?x64xf16>
}

// CHECK-LABEL: func.func @written_by_hand(
func.func @written_by_hand(%q: memref<2x6x1024x64xf16>) {
  // CHECK: attn.attention {{.*}} {schedule = #attn.tiles<q = 1008, kv = 48>}
  attn.attention
      ins(%q, %q, %q : memref<2x6x1024x64xf16>, memref<2x6x1024x64xf16>, memref<2x6x1024x64xf16>)
      outs(%q : memref<2x6x1024x64xf16>) {schedule = #attn.tiles<q = 1008, kv = 48>}
  return
}

// A short problem has small tiles.
// CHECK-LABEL: func.func @short(
func.func @short(%q: memref<2x6x5x64xf16>, %k: memref<2x6x20x64xf16>) {
  // CHECK: attn.attention {{.*}} {schedule = #attn.tiles<q = 16, kv = 32>}
  attn.attention
      ins(%q, %k, %k : memref<2x6x5x64xf16>, memref<2x6x20x64xf16>, memref<2x6x20x64xf16>)
      outs(%q : memref<2x6x5x64xf16>)
  return
}

// CHECK-LABEL: func.func @empty(
func.func @empty(%q: memref<2x6x0x64xf16>) {
  // CHECK: attn.attention {{.*}} {schedule = #attn.tiles<q = 16, kv = 16>}
  attn.attention
      ins(%q, %q, %q : memref<2x6x0x64xf16>, memref<2x6x0x64xf16>, memref<2x6x0x64xf16>)
      outs(%q : memref<2x6x0x64xf16>)
  return
}

// CHECK-LABEL: func.func @largest_head_dim(
func.func @largest_head_dim(%q: memref<2x6x1024x256xf16>) {
  // CHECK: attn.attention {{.*}} {schedule =
  attn.attention
      ins(%q, %q, %q : memref<2x6x1024x256xf16>, memref<2x6x1024x256xf16>, memref<2x6x1024x256xf16>)
      outs(%q : memref<2x6x1024x256xf16>)
  return
}

// A number of rows that is dynamic is taken for large, unless the op says that it is small.
// CHECK-LABEL: func.func @dynamic(
func.func @dynamic(%q: memref<2x6x?x64xf16>) {
  // CHECK: attn.attention {{.*}} {schedule = #attn.tiles<q = 64, kv = 64>}
  attn.attention
      ins(%q, %q, %q : memref<2x6x?x64xf16>, memref<2x6x?x64xf16>, memref<2x6x?x64xf16>)
      outs(%q : memref<2x6x?x64xf16>)
  // CHECK: attn.attention {{.*}} {few_rows, schedule = #attn.tiles<q = 64, kv = 64, split_kv = true>}
  attn.attention
      ins(%q, %q, %q : memref<2x6x?x64xf16>, memref<2x6x?x64xf16>, memref<2x6x?x64xf16>)
      outs(%q : memref<2x6x?x64xf16>) {few_rows}
  return
}

// Dropout does not keep programs from dividing keys.
// CHECK-LABEL: func.func @dropout(
func.func @dropout(%q: memref<2x6x1x64xf16>, %k: memref<2x6x500x64xf16>, %n: i64) {
  // CHECK: attn.attention {{.*}} {schedule = #attn.tiles<q = 16, kv = 64, split_kv = true>}
  attn.attention
      ins(%q, %k, %k : memref<2x6x1x64xf16>, memref<2x6x500x64xf16>, memref<2x6x500x64xf16>)
      dropout(0.1, %n, %n : i64, i64)
      outs(%q : memref<2x6x1x64xf16>)
  return
}
