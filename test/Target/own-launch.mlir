// A gpu.launch that the input contains is compiled as it is.
// RUN: attnc compile %s --target sm_80 --emit ptx -o - | FileCheck %s
// CHECK: .entry main_kernel(
func.func @main(%a: memref<128xf32>, %b: memref<128xf32>) {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%bx = %c128, %by = %c1, %bz = %c1) {
    %v = memref.load %a[%tx] : memref<128xf32>
    memref.store %v, %b[%tx] : memref<128xf32>
    gpu.terminator
  }
  return
}
