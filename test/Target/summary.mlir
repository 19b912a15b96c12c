// A lane reads eight neighbours of a mask at once where all of a cell lies in the array and is
// aligned, else one by one.

// RUN: attnc compile %s --target sm_90a --emit ptx -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx
// RUN: attnc compile %s --target sm_80 --emit ptx -o %t.80.ptx
// RUN: FileCheck %s --input-file=%t.80.ptx
// RUN: FileCheck %s --input-file=%t.ptx --check-prefix=WORDS
// RUN: FileCheck %s --input-file=%t.ptx --check-prefix=PAIRS

// CHECK: .entry main
// CHECK-DAG: ld.global.v2.b32
// CHECK-DAG: ld.global.b8

// A lane reads two cells at once, and tests with words whether any or all of its bytes are true.
// PAIRS-COUNT-8: ld.global.v2.b32
// PAIRS-NOT: ld.global.v2.b32
// WORDS-COUNT-8: and.b32 {{.+}}, 16843009;
// WORDS-NOT: and.b32 {{.+}}, 16843009;

func.func @main(%mask: memref<?x?x?xi1, strided<[?, ?, 1]>>, %out: memref<?x?x?x2xi32>) {
  attn.summarize ins(%mask : memref<?x?x?xi1, strided<[?, ?, 1]>>) outs(%out : memref<?x?x?x2xi32>)
  return
}
