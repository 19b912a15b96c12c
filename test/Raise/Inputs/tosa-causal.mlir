// As exporters print causal attention in f16: the mask is a constant of i1, and the softmax is of f32.
func.func @main(%q: tensor<6x5x16xf16>, %k: tensor<6x5x16xf16>, %v: tensor<6x5x9xf16>) -> tensor<6x5x9xf16> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf16>}> : () -> tensor<1xf16>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %scale = "tosa.const"() <{values = dense<0.25> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %least = "tosa.const"() <{values = dense<0xFF800000> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %mask = "tosa.const"() <{values = dense<[[[true, false, false, false, false], [true, true, false, false, false],
      [true, true, true, false, false], [true, true, true, true, false], [true, true, true, true, true]]]> : tensor<1x5x5xi1>}> : () -> tensor<1x5x5xi1>
  %kt = tosa.transpose %k {perms = array<i32: 0, 2, 1>} : (tensor<6x5x16xf16>) -> tensor<6x16x5xf16>
  %s = tosa.matmul %q, %kt, %zp, %zp : (tensor<6x5x16xf16>, tensor<6x16x5xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<6x5x5xf32>
  %t = tosa.mul %s, %scale, %shift : (tensor<6x5x5xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<6x5x5xf32>
  %u = tosa.select %mask, %t, %least : (tensor<1x5x5xi1>, tensor<6x5x5xf32>, tensor<1x1x1xf32>) -> tensor<6x5x5xf32>
  %max = tosa.reduce_max %u {axis = 2 : i32} : (tensor<6x5x5xf32>) -> tensor<6x5x1xf32>
  %d = tosa.sub %u, %max : (tensor<6x5x5xf32>, tensor<6x5x1xf32>) -> tensor<6x5x5xf32>
  %e = tosa.exp %d : (tensor<6x5x5xf32>) -> tensor<6x5x5xf32>
  %sum = tosa.reduce_sum %e {axis = 2 : i32} : (tensor<6x5x5xf32>) -> tensor<6x5x1xf32>
  %r = tosa.reciprocal %sum : (tensor<6x5x1xf32>) -> tensor<6x5x1xf32>
  %p = tosa.mul %e, %r, %shift : (tensor<6x5x5xf32>, tensor<6x5x1xf32>, tensor<1xi8>) -> tensor<6x5x5xf32>
  %h = tosa.cast %p : (tensor<6x5x5xf32>) -> tensor<6x5x5xf16>
  %o = tosa.matmul %h, %v, %zp, %zp : (tensor<6x5x5xf16>, tensor<6x5x9xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<6x5x9xf32>
  %c = tosa.cast %o : (tensor<6x5x9xf32>) -> tensor<6x5x9xf16>
  return %c : tensor<6x5x9xf16>
}
