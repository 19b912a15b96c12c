// RUN: attn-opt %s -split-input-file -attn-host-export -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func private @halves(
// CHECK-SAME: %[[A:.+]]: memref<2x?x128xi4, strided<[?, 256, 1], offset: ?>>
// CHECK-DAG: %[[BASE:.+]], %[[OFFSET:.+]], %{{.+}}:3, %[[STRIDES:.+]]:3 = memref.extract_strided_metadata %[[A]]
// CHECK-DAG: %[[BYTES:.+]] = builtin.unrealized_conversion_cast %[[BASE]] : memref<i4> to memref<i8>
// Strides may be negative, so the halves are not those of unsigned numbers.
// CHECK-DAG: %[[FIRST:.+]] = arith.shrsi %[[OFFSET]], %{{.+}}
// CHECK-DAG: %[[STRIDE:.+]] = arith.shrsi %[[STRIDES]]#0, %{{.+}}
// CHECK: memref.reinterpret_cast %[[BYTES]] to offset: [%[[FIRST]]], sizes: [2, %{{.+}}, 64], strides: [%[[STRIDE]], 128, 1]
func.func private @halves(%a: memref<2x?x128xi4, strided<[?, 256, 1], offset: ?>>)
    -> memref<2x?x64xi8, strided<[?, 128, 1], offset: ?>> {
  %0 = attn_tile.bytes %a : memref<2x?x128xi4, strided<[?, 256, 1], offset: ?>>
      to memref<2x?x64xi8, strided<[?, 128, 1], offset: ?>>
  return %0 : memref<2x?x64xi8, strided<[?, 128, 1], offset: ?>>
}

// -----

func.func private @allocated() -> memref<4x64xi8> {
  // expected-error@below {{'memref.alloc' op expected an array of i4 that the caller passes, with two elements in a byte, found memory of the function}}
  %a = memref.alloc() : memref<4x128xi4>
  %0 = attn_tile.bytes %a : memref<4x128xi4> to memref<4x64xi8>
  return %0 : memref<4x64xi8>
}

// -----

func.func private @loaded(%a: memref<4x128xi4>, %i: index) -> i4 {
  // expected-error@below {{'memref.load' op expected attention, appends and copies alone to access an array of i4, which has two elements in a byte, found this access}}
  %0 = memref.load %a[%i, %i] : memref<4x128xi4>
  return %0 : i4
}
