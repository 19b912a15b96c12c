// RUN: attn-opt %s -split-input-file -verify-diagnostics

func.func @odd(%o0: memref<2x4x100x64xf16>, %l0: memref<2x4x100xf32>, %o1: memref<2x4x100x64xf16>, %l1: memref<2x4x100xf32>, %o: memref<2x4x100x64xf16>, %l: memref<2x4x100xf32>) {
  // expected-error@below {{'attn.merge' op expected an output and its lse for each of at least one state, found 3 operands}}
  attn.merge ins(%o0, %l0, %o1 : memref<2x4x100x64xf16>, memref<2x4x100xf32>, memref<2x4x100x64xf16>) outs(%o : memref<2x4x100x64xf16>)
  return
}

// -----

func.func @outs(%o0: memref<2x4x100x64xf16>, %l0: memref<2x4x100xf32>, %o1: memref<2x4x100x64xf16>, %l1: memref<2x4x100xf32>, %o: memref<2x4x100x64xf16>, %l: memref<2x4x100xf32>) {
  // expected-error@below {{'attn.merge' op expected 1 or 2 outs (output and lse), found 3}}
  attn.merge ins(%o0, %l0 : memref<2x4x100x64xf16>, memref<2x4x100xf32>) outs(%o, %l, %l : memref<2x4x100x64xf16>, memref<2x4x100xf32>, memref<2x4x100xf32>)
  return
}

// -----

func.func @form(%o0: memref<2x4x100x64xf16>, %l0: memref<2x4x100xf32>, %o1: memref<2x4x100x64xf16>, %l1: tensor<2x4x100xf32>, %o: memref<2x4x100x64xf16>, %l: memref<2x4x100xf32>) {
  // expected-error@below {{'attn.merge' op expected all operands to be tensors or all to be memrefs, found lse 1 of type 'tensor<2x4x100xf32>' and output 0 of type 'memref<2x4x100x64xf16>'}}
  attn.merge ins(%o0, %l0, %o1, %l1 : memref<2x4x100x64xf16>, memref<2x4x100xf32>, memref<2x4x100x64xf16>, tensor<2x4x100xf32>)
      outs(%o, %l : memref<2x4x100x64xf16>, memref<2x4x100xf32>)
  return
}

// -----

func.func @rank(%o0: memref<2x4x100x64xf16>, %l0: memref<2x4x100xf32>, %o1: memref<2x4x100x64xf16>, %l1: memref<2x4x100x1xf32>, %o: memref<2x4x100x64xf16>, %l: memref<2x4x100xf32>) {
  // expected-error@below {{'attn.merge' op expected lse 1 of rank 3, found 'memref<2x4x100x1xf32>'}}
  attn.merge ins(%o0, %l0, %o1, %l1 : memref<2x4x100x64xf16>, memref<2x4x100xf32>, memref<2x4x100x64xf16>, memref<2x4x100x1xf32>)
      outs(%o, %l : memref<2x4x100x64xf16>, memref<2x4x100xf32>)
  return
}

// -----

func.func @stride(%o0: memref<2x4x100x64xf16>, %l0: memref<2x4x100xf32>, %o1: memref<2x4x100x64xf16, strided<[51200, 12800, 128, 2]>>, %l1: memref<2x4x100xf32>, %o: memref<2x4x100x64xf16>, %l: memref<2x4x100xf32>) {
  // expected-error@below {{'attn.merge' op expected output 1 with an innermost stride of 1, found 'memref<2x4x100x64xf16, strided<[51200, 12800, 128, 2]>>'}}
  attn.merge ins(%o0, %l0, %o1, %l1 : memref<2x4x100x64xf16>, memref<2x4x100xf32>, memref<2x4x100x64xf16, strided<[51200, 12800, 128, 2]>>, memref<2x4x100xf32>)
      outs(%o, %l : memref<2x4x100x64xf16>, memref<2x4x100xf32>)
  return
}

// -----

func.func @element(%o0: memref<2x4x100x64xf64>, %l0: memref<2x4x100xf32>, %o1: memref<2x4x100x64xf16>, %l1: memref<2x4x100xf32>, %o: memref<2x4x100x64xf16>, %l: memref<2x4x100xf32>) {
  // expected-error@below {{'attn.merge' op expected output 0 elements of 'f16', 'bf16', 'f32', 'f8E4M3FN' or 'f8E5M2', found 'f64'}}
  attn.merge ins(%o0, %l0, %o1, %l1 : memref<2x4x100x64xf64>, memref<2x4x100xf32>, memref<2x4x100x64xf16>, memref<2x4x100xf32>)
      outs(%o, %l : memref<2x4x100x64xf16>, memref<2x4x100xf32>)
  return
}

// -----

func.func @same(%o0: memref<2x4x100x64xf16>, %l0: memref<2x4x100xf32>, %o1: memref<2x4x100x64xf32>, %l1: memref<2x4x100xf32>, %o: memref<2x4x100x64xf16>, %l: memref<2x4x100xf32>) {
  // expected-error@below {{'attn.merge' op expected output 1 elements of 'f16', found 'f32'}}
  attn.merge ins(%o0, %l0, %o1, %l1 : memref<2x4x100x64xf16>, memref<2x4x100xf32>, memref<2x4x100x64xf32>, memref<2x4x100xf32>)
      outs(%o, %l : memref<2x4x100x64xf16>, memref<2x4x100xf32>)
  return
}

// -----

func.func @lse(%o0: memref<2x4x100x64xf16>, %l0: memref<2x4x100xf16>, %o1: memref<2x4x100x64xf16>, %l1: memref<2x4x100xf32>, %o: memref<2x4x100x64xf16>, %l: memref<2x4x100xf32>) {
  // expected-error@below {{'attn.merge' op expected lse 0 elements of 'f32', found 'f16'}}
  attn.merge ins(%o0, %l0, %o1, %l1 : memref<2x4x100x64xf16>, memref<2x4x100xf16>, memref<2x4x100x64xf16>, memref<2x4x100xf32>)
      outs(%o, %l : memref<2x4x100x64xf16>, memref<2x4x100xf32>)
  return
}

// -----

func.func @result_type(%o0: memref<2x4x100x64xf16>, %l0: memref<2x4x100xf32>, %o1: memref<2x4x100x64xf16>, %l1: memref<2x4x100xf32>, %o: memref<2x4x100x64xbf16>, %l: memref<2x4x100xf32>) {
  // expected-error@below {{'attn.merge' op expected the merged output elements of 'f16', 'f32', 'f8E4M3FN' or 'f8E5M2', found 'bf16'}}
  attn.merge ins(%o0, %l0, %o1, %l1 : memref<2x4x100x64xf16>, memref<2x4x100xf32>, memref<2x4x100x64xf16>, memref<2x4x100xf32>)
      outs(%o, %l : memref<2x4x100x64xbf16>, memref<2x4x100xf32>)
  return
}

// -----

func.func @sink(%o0: memref<2x4x100x64xf16>, %l0: memref<2x4x100xf32>, %o1: memref<2x4x100x64xf16>, %l1: memref<2x4x100xf32>, %sink: memref<4xi32>, %o: memref<2x4x100x64xf16>, %l: memref<2x4x100xf32>) {
  // expected-error@below {{'attn.merge' op expected sink elements of 'f16', 'bf16' or 'f32', found 'i32'}}
  attn.merge ins(%o0, %l0, %o1, %l1 : memref<2x4x100x64xf16>, memref<2x4x100xf32>, memref<2x4x100x64xf16>, memref<2x4x100xf32>)
      sink(%sink : memref<4xi32>)
      outs(%o, %l : memref<2x4x100x64xf16>, memref<2x4x100xf32>)
  return
}

// -----

func.func @sinks(%o0: memref<2x4x100x64xf16>, %l0: memref<2x4x100xf32>, %o1: memref<2x4x100x64xf16>, %l1: memref<2x4x100xf32>, %sink: memref<5xf32>, %o: memref<2x4x100x64xf16>, %l: memref<2x4x100xf32>) {
  // expected-error@below {{'attn.merge' op expected equal head counts, found 4 in output 0 and 5 in sink}}
  attn.merge ins(%o0, %l0, %o1, %l1 : memref<2x4x100x64xf16>, memref<2x4x100xf32>, memref<2x4x100x64xf16>, memref<2x4x100xf32>)
      sink(%sink : memref<5xf32>)
      outs(%o, %l : memref<2x4x100x64xf16>, memref<2x4x100xf32>)
  return
}

// -----

func.func @dynamic(%o0: memref<2x4x100x64xf16>, %l0: memref<2x4x100xf32>, %o1: memref<2x4x100x64xf16>, %l1: memref<2x4x100xf32>, %o: memref<2x4x100x?xf16>, %l: memref<2x4x100xf32>) {
  // expected-error@below {{'attn.merge' op expected a static head dim of at least 1 in the merged output, found a dynamic one}}
  attn.merge ins(%o0, %l0, %o1, %l1 : memref<2x4x100x64xf16>, memref<2x4x100xf32>, memref<2x4x100x64xf16>, memref<2x4x100xf32>)
      outs(%o, %l : memref<2x4x100x?xf16>, memref<2x4x100xf32>)
  return
}

// -----

func.func @batch(%o0: memref<2x4x100x64xf16>, %l0: memref<3x4x100xf32>, %o1: memref<2x4x100x64xf16>, %l1: memref<2x4x100xf32>, %o: memref<2x4x100x64xf16>, %l: memref<2x4x100xf32>) {
  // expected-error@below {{'attn.merge' op expected equal batch sizes, found 2 in output 0 and 3 in lse 0}}
  attn.merge ins(%o0, %l0, %o1, %l1 : memref<2x4x100x64xf16>, memref<3x4x100xf32>, memref<2x4x100x64xf16>, memref<2x4x100xf32>)
      outs(%o, %l : memref<2x4x100x64xf16>, memref<2x4x100xf32>)
  return
}

// -----

func.func @rows(%o0: memref<2x4x100x64xf16>, %l0: memref<2x4x100xf32>, %o1: memref<2x4x99x64xf16>, %l1: memref<2x4x100xf32>, %o: memref<2x4x100x64xf16>, %l: memref<2x4x100xf32>) {
  // expected-error@below {{'attn.merge' op expected equal lengths, found 100 in output 0 and 99 in output 1}}
  attn.merge ins(%o0, %l0, %o1, %l1 : memref<2x4x100x64xf16>, memref<2x4x100xf32>, memref<2x4x99x64xf16>, memref<2x4x100xf32>)
      outs(%o, %l : memref<2x4x100x64xf16>, memref<2x4x100xf32>)
  return
}

// -----

func.func @dims(%o0: memref<2x4x100x64xf16>, %l0: memref<2x4x100xf32>, %o1: memref<2x4x100x64xf16>, %l1: memref<2x4x100xf32>, %o: memref<2x4x100x32xf16>, %l: memref<2x4x100xf32>) {
  // expected-error@below {{'attn.merge' op expected equal head dims, found 64 in output 0 and 32 in the merged output}}
  attn.merge ins(%o0, %l0, %o1, %l1 : memref<2x4x100x64xf16>, memref<2x4x100xf32>, memref<2x4x100x64xf16>, memref<2x4x100xf32>)
      outs(%o, %l : memref<2x4x100x32xf16>, memref<2x4x100xf32>)
  return
}

// -----

func.func @results(%o0: tensor<2x4x100x64xf16>, %l0: tensor<2x4x100xf32>, %o1: tensor<2x4x100x64xf16>, %l1: tensor<2x4x100xf32>, %o: tensor<2x4x100x64xf16>, %l: tensor<2x4x100xf32>) {
  // expected-error@below {{'attn.merge' op expected 2 results, found 1}}
  %r = attn.merge ins(%o0, %l0 : tensor<2x4x100x64xf16>, tensor<2x4x100xf32>) outs(%o, %l : tensor<2x4x100x64xf16>, tensor<2x4x100xf32>) -> tensor<2x4x100x64xf16>
  return
}

// -----

func.func @result(%o0: tensor<2x4x100x64xf16>, %l0: tensor<2x4x100xf32>, %o1: tensor<2x4x100x64xf16>, %l1: tensor<2x4x100xf32>, %o: tensor<2x4x100x64xf16>, %l: tensor<2x4x100xf32>) {
  // expected-error@below {{'attn.merge' op expected result #0 of type 'tensor<2x4x100x64xf16>', as what it is written to, found 'tensor<2x4x?x64xf16>'}}
  %r = attn.merge ins(%o0, %l0 : tensor<2x4x100x64xf16>, tensor<2x4x100xf32>) outs(%o : tensor<2x4x100x64xf16>) -> tensor<2x4x?x64xf16>
  return
}

// -----

func.func @no_scales(%o0: memref<2x4x9x64xf8E4M3FN>, %l0: memref<2x4x9xf32>, %o1: memref<2x4x9x64xf8E4M3FN>, %l1: memref<2x4x9xf32>, %o: memref<2x4x9x64xbf16>) {
  // expected-error@below {{'attn.merge' op expected a scale for each of 2 outputs of 'f8E4M3FN', found 0}}
  attn.merge ins(%o0, %l0, %o1, %l1 : memref<2x4x9x64xf8E4M3FN>, memref<2x4x9xf32>, memref<2x4x9x64xf8E4M3FN>, memref<2x4x9xf32>)
      outs(%o : memref<2x4x9x64xbf16>)
  return
}

// -----

func.func @one_scale(%o0: memref<2x4x9x64xf8E4M3FN>, %l0: memref<2x4x9xf32>, %o1: memref<2x4x9x64xf8E4M3FN>, %l1: memref<2x4x9xf32>, %s0: memref<f32>, %o: memref<2x4x9x64xbf16>) {
  // expected-error@below {{'attn.merge' op expected a scale for each of 2 outputs of 'f8E4M3FN', found 1}}
  attn.merge ins(%o0, %l0, %o1, %l1 : memref<2x4x9x64xf8E4M3FN>, memref<2x4x9xf32>, memref<2x4x9x64xf8E4M3FN>, memref<2x4x9xf32>)
      scales(%s0 : memref<f32>)
      outs(%o : memref<2x4x9x64xbf16>)
  return
}

// -----

func.func @scales_of_f16(%o0: memref<2x4x9x64xf16>, %l0: memref<2x4x9xf32>, %s0: memref<f32>, %o: memref<2x4x9x64xf16>) {
  // expected-error@below {{'attn.merge' op expected no scales beside outputs of 'f16', found 1; scales are of outputs of 8 bits}}
  attn.merge ins(%o0, %l0 : memref<2x4x9x64xf16>, memref<2x4x9xf32>)
      scales(%s0 : memref<f32>)
      outs(%o : memref<2x4x9x64xf16>)
  return
}

// -----

func.func @scale_rank(%o0: memref<2x4x9x64xf8E4M3FN>, %l0: memref<2x4x9xf32>, %o1: memref<2x4x9x64xf8E4M3FN>, %l1: memref<2x4x9xf32>, %s0: memref<f32>, %s1: memref<4xf32>, %o: memref<2x4x9x64xbf16>) {
  // expected-error@below {{'attn.merge' op expected scale 1 to be of rank 0 or B x H, found 'memref<4xf32>'}}
  attn.merge ins(%o0, %l0, %o1, %l1 : memref<2x4x9x64xf8E4M3FN>, memref<2x4x9xf32>, memref<2x4x9x64xf8E4M3FN>, memref<2x4x9xf32>)
      scales(%s0, %s1 : memref<f32>, memref<4xf32>)
      outs(%o : memref<2x4x9x64xbf16>)
  return
}

// -----

func.func @scale_element(%o0: memref<2x4x9x64xf8E4M3FN>, %l0: memref<2x4x9xf32>, %s0: memref<f16>, %o: memref<2x4x9x64xbf16>) {
  // expected-error@below {{'attn.merge' op expected scale 0 elements of 'f32', found 'f16'}}
  attn.merge ins(%o0, %l0 : memref<2x4x9x64xf8E4M3FN>, memref<2x4x9xf32>)
      scales(%s0 : memref<f16>)
      outs(%o : memref<2x4x9x64xbf16>)
  return
}

// -----

func.func @scale_size(%o0: memref<2x4x9x64xf8E4M3FN>, %l0: memref<2x4x9xf32>, %o1: memref<2x4x9x64xf8E4M3FN>, %l1: memref<2x4x9xf32>, %s0: memref<1x1xf32>, %s1: memref<2x3xf32>, %o: memref<2x4x9x64xbf16>) {
  // expected-error@below {{'attn.merge' op expected equal head counts, found 4 in output 0 and 3 in scale 1}}
  attn.merge ins(%o0, %l0, %o1, %l1 : memref<2x4x9x64xf8E4M3FN>, memref<2x4x9xf32>, memref<2x4x9x64xf8E4M3FN>, memref<2x4x9xf32>)
      scales(%s0, %s1 : memref<1x1xf32>, memref<2x3xf32>)
      outs(%o : memref<2x4x9x64xbf16>)
  return
}

// -----

func.func @scale_form(%o0: memref<2x4x9x64xf8E4M3FN>, %l0: memref<2x4x9xf32>, %s0: tensor<f32>, %o: memref<2x4x9x64xbf16>) {
  // expected-error@below {{'attn.merge' op expected all operands to be tensors or all to be memrefs, found scale 0 of type 'tensor<f32>' and output 0 of type 'memref<2x4x9x64xf8E4M3FN>'}}
  attn.merge ins(%o0, %l0 : memref<2x4x9x64xf8E4M3FN>, memref<2x4x9xf32>)
      scales(%s0 : tensor<f32>)
      outs(%o : memref<2x4x9x64xbf16>)
  return
}

// -----

func.func @two_widths(%o0: memref<2x4x9x64xf8E4M3FN>, %l0: memref<2x4x9xf32>, %o1: memref<2x4x9x64xf8E5M2>, %l1: memref<2x4x9xf32>, %s0: memref<f32>, %s1: memref<f32>, %o: memref<2x4x9x64xbf16>) {
  // expected-error@below {{'attn.merge' op expected output 1 elements of 'f8E4M3FN', found 'f8E5M2'}}
  attn.merge ins(%o0, %l0, %o1, %l1 : memref<2x4x9x64xf8E4M3FN>, memref<2x4x9xf32>, memref<2x4x9x64xf8E5M2>, memref<2x4x9xf32>)
      scales(%s0, %s1 : memref<f32>, memref<f32>)
      outs(%o : memref<2x4x9x64xbf16>)
  return
}

// -----

func.func @no_output_scale(%o0: memref<2x4x9x64xf16>, %l0: memref<2x4x9xf32>, %o: memref<2x4x9x64xf8E4M3FN>) {
  // expected-error@below {{'attn.merge' op expected an output_scale in 'with' beside an output of 'f8E4M3FN', found none}}
  attn.merge ins(%o0, %l0 : memref<2x4x9x64xf16>, memref<2x4x9xf32>)
      outs(%o : memref<2x4x9x64xf8E4M3FN>)
  return
}

// -----

func.func @output_scale_of_f16(%o0: memref<2x4x9x64xf16>, %l0: memref<2x4x9xf32>, %os: memref<f32>, %o: memref<2x4x9x64xf16>) {
  // expected-error@below {{'attn.merge' op expected no output_scale beside an output of 'f16', found one; it is of outputs of 8 bits}}
  attn.merge ins(%o0, %l0 : memref<2x4x9x64xf16>, memref<2x4x9xf32>)
      with(output_scale %os : memref<f32>)
      outs(%o : memref<2x4x9x64xf16>)
  return
}

// -----

func.func @output_scale_rank(%o0: memref<2x4x9x64xf16>, %l0: memref<2x4x9xf32>, %os: memref<2x4x9xf32>, %o: memref<2x4x9x64xf8E4M3FN>) {
  // expected-error@below {{'attn.merge' op expected output_scale to be of rank 0 or B x H, found 'memref<2x4x9xf32>'}}
  attn.merge ins(%o0, %l0 : memref<2x4x9x64xf16>, memref<2x4x9xf32>)
      with(output_scale %os : memref<2x4x9xf32>)
      outs(%o : memref<2x4x9x64xf8E4M3FN>)
  return
}

// -----

func.func @output_scale_size(%o0: memref<2x4x9x64xf16>, %l0: memref<2x4x9xf32>, %os: memref<3x4xf32>, %o: memref<2x4x9x64xf8E4M3FN>) {
  // expected-error@below {{'attn.merge' op expected equal batch sizes, found 2 in output 0 and 3 in output_scale}}
  attn.merge ins(%o0, %l0 : memref<2x4x9x64xf16>, memref<2x4x9xf32>)
      with(output_scale %os : memref<3x4xf32>)
      outs(%o : memref<2x4x9x64xf8E4M3FN>)
  return
}

// -----

func.func @integers(%o0: memref<2x4x9x64xf16>, %l0: memref<2x4x9xf32>, %os: memref<f32>, %o: memref<2x4x9x64xi8>) {
  // expected-error@below {{'attn.merge' op expected the merged output elements of 'f16', 'f32', 'f8E4M3FN' or 'f8E5M2', found 'i8'}}
  attn.merge ins(%o0, %l0 : memref<2x4x9x64xf16>, memref<2x4x9xf32>)
      with(output_scale %os : memref<f32>)
      outs(%o : memref<2x4x9x64xi8>)
  return
}
