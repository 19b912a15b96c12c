// RUN: attn-opt %s -attn-define-operands -split-input-file -verify-diagnostics
// RUN: attn-opt %s -convert-attn-to-tile -split-input-file -verify-diagnostics
// RUN: attn-opt %s -attn-to-tile -split-input-file -verify-diagnostics
// RUN: attn-opt %s -attn-to-host -split-input-file -verify-diagnostics
// RUN: attn-opt %s -attn-to-ptx=chip=sm_90a -split-input-file -verify-diagnostics

// A size of a dimension that does not exist.

!t = tensor<?x2x?x64xf16>
func.func @below(%q: !t, %k: !t, %v: !t) -> !t {
  %c0 = arith.constant 0 : index
  %c = arith.constant -1 : index
  %b = tensor.dim %q, %c0 : !t
  // expected-error@below {{'tensor.dim' op expected the index of one of 4 dimensions, found -1}}
  %s = tensor.dim %q, %c : !t
  %e = tensor.empty(%b, %s) : !t
  %0 = attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%e : !t) -> !t
  %1 = attn.attention ins(%0, %k, %v : !t, !t, !t) outs(%e : !t) -> !t
  return %1 : !t
}

// -----

func.func @above(%q: memref<?x2x?x64xf16>) -> index {
  %c4 = arith.constant 4 : index
  // expected-error@below {{'memref.dim' op expected the index of one of 4 dimensions, found 4}}
  %s = memref.dim %q, %c4 : memref<?x2x?x64xf16>
  return %s : index
}

// -----

!t = memref<?x2x?x64xf16>
func.func @length(%q: !t, %k: !t, %v: !t, %o: !t) {
  %c2 = arith.constant 2 : index
  %c = arith.constant -1 : index
  %lengthQ = memref.dim %q, %c2 : !t
  // expected-error@below {{'memref.dim' op expected the index of one of 4 dimensions, found -1}}
  %lengthK = memref.dim %k, %c : !t
  attn.attention ins(%q, %k, %v : !t, !t, !t) lengths(%lengthQ, %lengthK) outs(%o : !t)
  return
}
