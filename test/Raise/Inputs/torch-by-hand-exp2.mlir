// Written by `make-torch.py` with torch 2.15.0+cu132 and torch-mlir 20261001.
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<2x4x24x16xf32>, %arg1: tensor<2x4x24x16xf32>, %arg2: tensor<2x4x24x16xf32>) -> tensor<2x4x24x16xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 0.36067376000000001 : f64
    %cst_2 = arith.constant 2.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x4x16x24xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<2x4x24x16xf32>) outs(%0 : tensor<2x4x16x24xf32>) permutation = [0, 1, 3, 2] 
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<2x4x24x16xf32> into tensor<8x24x16xf32>
    %collapsed_3 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<2x4x16x24xf32> into tensor<8x16x24xf32>
    %1 = tensor.empty() : tensor<8x24x24xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<8x24x24xf32>) -> tensor<8x24x24xf32>
    %3 = linalg.batch_matmul ins(%collapsed, %collapsed_3 : tensor<8x24x16xf32>, tensor<8x16x24xf32>) outs(%2 : tensor<8x24x24xf32>) -> tensor<8x24x24xf32>
    %expanded = tensor.expand_shape %3 [[0, 1], [2], [3]] output_shape [2, 4, 24, 24] : tensor<8x24x24xf32> into tensor<2x4x24x24xf32>
    %4 = tensor.empty() : tensor<2x4x24x24xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x4x24x24xf32>) outs(%4 : tensor<2x4x24x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %21 = arith.truncf %cst_1 : f64 to f32
      %22 = arith.mulf %in, %21 : f32
      linalg.yield %22 : f32
    } -> tensor<2x4x24x24xf32>
    %6 = tensor.empty() : tensor<2x4x24xi64>
    %7 = linalg.fill ins(%c0_i64 : i64) outs(%6 : tensor<2x4x24xi64>) -> tensor<2x4x24xi64>
    %8 = tensor.empty() : tensor<2x4x24xf32>
    %9 = linalg.fill ins(%cst_0 : f32) outs(%8 : tensor<2x4x24xf32>) -> tensor<2x4x24xf32>
    %10:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%5 : tensor<2x4x24x24xf32>) outs(%9, %7 : tensor<2x4x24xf32>, tensor<2x4x24xi64>) {
    ^bb0(%in: f32, %out: f32, %out_8: i64):
      %21 = linalg.index 3 : index
      %22 = arith.index_cast %21 : index to i64
      %23 = arith.maximumf %in, %out : f32
      %24 = arith.cmpf ogt, %in, %out : f32
      %25 = arith.select %24, %22, %out_8 : i64
      linalg.yield %23, %25 : f32, i64
    } -> (tensor<2x4x24xf32>, tensor<2x4x24xi64>)
    %expanded_4 = tensor.expand_shape %10#0 [[0], [1], [2, 3]] output_shape [2, 4, 24, 1] : tensor<2x4x24xf32> into tensor<2x4x24x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %expanded_4 : tensor<2x4x24x24xf32>, tensor<2x4x24x1xf32>) outs(%4 : tensor<2x4x24x24xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %21 = arith.subf %in, %in_8 : f32
      linalg.yield %21 : f32
    } -> tensor<2x4x24x24xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<2x4x24x24xf32>) outs(%4 : tensor<2x4x24x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %21 = math.powf %cst_2, %in : f32
      linalg.yield %21 : f32
    } -> tensor<2x4x24x24xf32>
    %collapsed_5 = tensor.collapse_shape %12 [[0, 1], [2], [3]] : tensor<2x4x24x24xf32> into tensor<8x24x24xf32>
    %collapsed_6 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<2x4x24x16xf32> into tensor<8x24x16xf32>
    %13 = tensor.empty() : tensor<8x24x16xf32>
    %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<8x24x16xf32>) -> tensor<8x24x16xf32>
    %15 = linalg.batch_matmul ins(%collapsed_5, %collapsed_6 : tensor<8x24x24xf32>, tensor<8x24x16xf32>) outs(%14 : tensor<8x24x16xf32>) -> tensor<8x24x16xf32>
    %expanded_7 = tensor.expand_shape %15 [[0, 1], [2], [3]] output_shape [2, 4, 24, 16] : tensor<8x24x16xf32> into tensor<2x4x24x16xf32>
    %16 = tensor.empty() : tensor<2x4x24x1xf32>
    %17 = linalg.fill ins(%cst : f32) outs(%16 : tensor<2x4x24x1xf32>) -> tensor<2x4x24x1xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%12 : tensor<2x4x24x24xf32>) outs(%17 : tensor<2x4x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %21 = arith.addf %in, %out : f32
      linalg.yield %21 : f32
    } -> tensor<2x4x24x1xf32>
    %19 = tensor.empty() : tensor<2x4x24x16xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_7, %18 : tensor<2x4x24x16xf32>, tensor<2x4x24x1xf32>) outs(%19 : tensor<2x4x24x16xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %21 = arith.divf %in, %in_8 : f32
      linalg.yield %21 : f32
    } -> tensor<2x4x24x16xf32>
    return %20 : tensor<2x4x24x16xf32>
  }
}
