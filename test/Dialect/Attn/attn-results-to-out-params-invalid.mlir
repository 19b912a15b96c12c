// RUN: attn-opt %s -attn-results-to-out-params -split-input-file -verify-diagnostics

// expected-error@below {{public function 'callee' returns tensors and is called in its module; expected a private function for the callers}}
func.func @callee(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
func.func @caller(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = call @callee(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// expected-error@below {{public function 'address_taken' returns tensors and is called in its module}}
func.func @address_taken(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
func.func @caller(%a: tensor<4xf32>) -> tensor<4xf32> {
  %f = constant @address_taken : (tensor<4xf32>) -> tensor<4xf32>
  %r = call_indirect %f(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
