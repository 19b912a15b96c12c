// RUN: attn-opt %s -attn-to-host | FileCheck %s --implicit-check-not='llvm.alloca {{.*}} x !llvm.array<{{.*}}vector'

// Tiles of several rows are loaded from memory and stored there row by row, and stay in registers
// meanwhile: no slot on the stack holds one, and no loop fills it.

// CHECK-LABEL: llvm.func {{.*}}@attn_main
// CHECK: llvm.intr.fmuladd{{.*}} : (vector<16xf32>, vector<16xf32>, vector<16xf32>)
func.func @main(%q: memref<1x1x64x64xf32>, %k: memref<1x1x64x64xf32>, %o: memref<1x1x64x64xf32>) {
  attn.attention
      ins(%q, %k, %k : memref<1x1x64x64xf32>, memref<1x1x64x64xf32>, memref<1x1x64x64xf32>)
      outs(%o : memref<1x1x64x64xf32>)
  return
}
