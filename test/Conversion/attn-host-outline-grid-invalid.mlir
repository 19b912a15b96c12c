// RUN: attn-opt %s -attn-host-outline-grid -split-input-file -verify-diagnostics

func.func @results(%t: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@below {{expected a grid on memrefs, found results}}
  %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> tensor<4xf32> {
    %s = tensor.extract_slice %o[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  }
  return %r : tensor<4xf32>
}

// -----

func.func @captured_tensor(%t: tensor<4xf32>, %m: memref<4xf32>) {
  // expected-error@below {{cannot pass a value of type 'tensor<4xf32>' to the grid's body}}
  scf.forall (%i) in (4) {
    %x = tensor.extract %t[%i] : tensor<4xf32>
    memref.store %x, %m[%i] : memref<4xf32>
  }
  return
}
