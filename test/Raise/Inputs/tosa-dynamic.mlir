// Attention of batches and sequences of dynamic sizes, which upstream broadcasts in branches.
func.func @main(%q: tensor<?x?x16xf32>, %k: tensor<?x16x?xf32>, %v: tensor<?x?x16xf32>) -> tensor<?x?x16xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s = tosa.matmul %q, %k, %zp, %zp : (tensor<?x?x16xf32>, tensor<?x16x?xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?xf32>
  %max = tosa.reduce_max %s {axis = 2 : i32} : (tensor<?x?x?xf32>) -> tensor<?x?x1xf32>
  %d = tosa.sub %s, %max : (tensor<?x?x?xf32>, tensor<?x?x1xf32>) -> tensor<?x?x?xf32>
  %e = tosa.exp %d : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %sum = tosa.reduce_sum %e {axis = 2 : i32} : (tensor<?x?x?xf32>) -> tensor<?x?x1xf32>
  %r = tosa.reciprocal %sum : (tensor<?x?x1xf32>) -> tensor<?x?x1xf32>
  %p = tosa.mul %e, %r, %shift : (tensor<?x?x?xf32>, tensor<?x?x1xf32>, tensor<1xi8>) -> tensor<?x?x?xf32>
  %o = tosa.matmul %p, %v, %zp, %zp : (tensor<?x?x?xf32>, tensor<?x?x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x16xf32>
  return %o : tensor<?x?x16xf32>
}
