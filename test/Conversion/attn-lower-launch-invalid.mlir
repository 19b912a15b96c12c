// RUN: attn-opt %s -split-input-file -verify-diagnostics -attn-lower-launch

func.func @reads(%a: memref<?xf32>, %i: index) {
  // expected-error @below {{expected attention ops alone in a function for a GPU; 'memref.load' would run on the host, which cannot reach the device's arrays}}
  %0 = memref.load %a[%i] : memref<?xf32>
  return
}

// -----

// expected-error @below {{expected function 'returns' to return tensors or nothing, found results 'i32'}}
func.func @returns(%i: i32) -> i32 {
  return %i : i32
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @one() kernel {
      gpu.return
    }
  }
  func.func @main() {
    %c1 = arith.constant 1 : index
    // expected-error @below {{expected kernel '@kernels::@one' in a gpu.binary; run attn-serialize-kernels first}}
    gpu.launch_func @kernels::@one blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
}

// -----

func.func @loops(%n: index) {
  cf.br ^bb1
^bb1:
  // expected-error @below {{expected memory of a function for a GPU to be allocated outside of loops}}
  %0 = memref.alloc(%n) : memref<?xf32>
  cf.br ^bb1
}

// -----

func.func @gaps() {
  // expected-error @below {{expected memory of a function for a GPU to have no gaps, found 'memref<4x4xf32, strided<[8, 1]>>'}}
  %0 = memref.alloc() : memref<4x4xf32, strided<[8, 1]>>
  return
}

// -----

func.func @frees(%a: memref<?xf32>) {
  // expected-error @below {{expected attention ops alone in a function for a GPU; 'memref.dealloc' would run on the host, which cannot reach the device's arrays}}
  memref.dealloc %a : memref<?xf32>
  return
}

// -----

func.func @fills(%x: f32) {
  %0 = memref.alloc() : memref<4xf32>
  // expected-error @below {{expected attention ops alone in a function for a GPU; 'linalg.fill' would run on the host, which cannot reach the device's arrays}}
  linalg.fill ins(%x : f32) outs(%0 : memref<4xf32>)
  return
}
