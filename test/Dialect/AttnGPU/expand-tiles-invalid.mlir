// RUN: attn-opt %s -split-input-file -attn-gpu-expand-tiles -verify-diagnostics

func.func @no_launch(%n: index) {
  // expected-error@below {{'attn_gpu.for_tiles' op expected an attn_gpu.kernel around it, found none}}
  attn_gpu.for_tiles %i of %n {
  }
  return
}
