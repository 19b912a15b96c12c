// Written by `make-torch.py` with torch 2.15.0+cu132 and torch-mlir 20261001.
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d1, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<2x4x24x16xf32>, %arg1: tensor<2x4x24x16xf32>, %arg2: tensor<2x4x24x16xf32>, %arg3: tensor<4xf32>) -> tensor<2x4x24x16xf32> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 2.500000e-01 : f32
    %0 = tensor.empty() : tensor<2x4x16x24xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<2x4x24x16xf32>) outs(%0 : tensor<2x4x16x24xf32>) permutation = [0, 1, 3, 2] 
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<2x4x24x16xf32> into tensor<8x24x16xf32>
    %collapsed_2 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<2x4x16x24xf32> into tensor<8x16x24xf32>
    %1 = tensor.empty() : tensor<8x24x24xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<8x24x24xf32>) -> tensor<8x24x24xf32>
    %3 = linalg.batch_matmul ins(%collapsed, %collapsed_2 : tensor<8x24x16xf32>, tensor<8x16x24xf32>) outs(%2 : tensor<8x24x24xf32>) -> tensor<8x24x24xf32>
    %expanded = tensor.expand_shape %3 [[0, 1], [2], [3]] output_shape [2, 4, 24, 24] : tensor<8x24x24xf32> into tensor<2x4x24x24xf32>
    %4 = tensor.empty() : tensor<2x4x24x24xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x4x24x24xf32>) outs(%4 : tensor<2x4x24x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %24 = arith.mulf %in, %cst_1 : f32
      linalg.yield %24 : f32
    } -> tensor<2x4x24x24xf32>
    %6 = tensor.empty() : tensor<2x4x24x1xf32>
    %expanded_3 = tensor.expand_shape %arg3 [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_3 : tensor<4x1xf32>) outs(%6 : tensor<2x4x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x24x1xf32>
    %concat = tensor.concat dim(3) %5, %7 : (tensor<2x4x24x24xf32>, tensor<2x4x24x1xf32>) -> tensor<2x4x24x25xf32>
    %8 = tensor.empty() : tensor<2x4x24xi64>
    %9 = linalg.fill ins(%c0_i64 : i64) outs(%8 : tensor<2x4x24xi64>) -> tensor<2x4x24xi64>
    %10 = tensor.empty() : tensor<2x4x24xf32>
    %11 = linalg.fill ins(%cst_0 : f32) outs(%10 : tensor<2x4x24xf32>) -> tensor<2x4x24xf32>
    %12:2 = linalg.generic {indexing_maps = [#map, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%concat : tensor<2x4x24x25xf32>) outs(%11, %9 : tensor<2x4x24xf32>, tensor<2x4x24xi64>) {
    ^bb0(%in: f32, %out: f32, %out_9: i64):
      %24 = linalg.index 3 : index
      %25 = arith.index_cast %24 : index to i64
      %26 = arith.maximumf %in, %out : f32
      %27 = arith.cmpf ogt, %in, %out : f32
      %28 = arith.select %27, %25, %out_9 : i64
      linalg.yield %26, %28 : f32, i64
    } -> (tensor<2x4x24xf32>, tensor<2x4x24xi64>)
    %expanded_4 = tensor.expand_shape %12#0 [[0], [1], [2, 3]] output_shape [2, 4, 24, 1] : tensor<2x4x24xf32> into tensor<2x4x24x1xf32>
    %13 = tensor.empty() : tensor<2x4x24x25xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat, %expanded_4 : tensor<2x4x24x25xf32>, tensor<2x4x24x1xf32>) outs(%13 : tensor<2x4x24x25xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %24 = arith.subf %in, %in_9 : f32
      linalg.yield %24 : f32
    } -> tensor<2x4x24x25xf32>
    %15:2 = linalg.generic {indexing_maps = [#map, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%14 : tensor<2x4x24x25xf32>) outs(%11, %9 : tensor<2x4x24xf32>, tensor<2x4x24xi64>) {
    ^bb0(%in: f32, %out: f32, %out_9: i64):
      %24 = linalg.index 3 : index
      %25 = arith.index_cast %24 : index to i64
      %26 = arith.maximumf %in, %out : f32
      %27 = arith.cmpf ogt, %in, %out : f32
      %28 = arith.select %27, %25, %out_9 : i64
      linalg.yield %26, %28 : f32, i64
    } -> (tensor<2x4x24xf32>, tensor<2x4x24xi64>)
    %expanded_5 = tensor.expand_shape %15#0 [[0], [1], [2, 3]] output_shape [2, 4, 24, 1] : tensor<2x4x24xf32> into tensor<2x4x24x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14, %expanded_5 : tensor<2x4x24x25xf32>, tensor<2x4x24x1xf32>) outs(%13 : tensor<2x4x24x25xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %24 = arith.subf %in, %in_9 : f32
      linalg.yield %24 : f32
    } -> tensor<2x4x24x25xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<2x4x24x25xf32>) outs(%13 : tensor<2x4x24x25xf32>) {
    ^bb0(%in: f32, %out: f32):
      %24 = math.exp %in : f32
      linalg.yield %24 : f32
    } -> tensor<2x4x24x25xf32>
    %18 = linalg.fill ins(%cst : f32) outs(%6 : tensor<2x4x24x1xf32>) -> tensor<2x4x24x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%17 : tensor<2x4x24x25xf32>) outs(%18 : tensor<2x4x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %24 = arith.addf %in, %out : f32
      linalg.yield %24 : f32
    } -> tensor<2x4x24x1xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17, %19 : tensor<2x4x24x25xf32>, tensor<2x4x24x1xf32>) outs(%13 : tensor<2x4x24x25xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %24 = arith.divf %in, %in_9 : f32
      linalg.yield %24 : f32
    } -> tensor<2x4x24x25xf32>
    %extracted_slice = tensor.extract_slice %20[0, 0, 0, 0] [2, 4, 24, 24] [1, 1, 1, 1] : tensor<2x4x24x25xf32> to tensor<2x4x24x24xf32>
    %collapsed_6 = tensor.collapse_shape %extracted_slice [[0, 1], [2], [3]] : tensor<2x4x24x24xf32> into tensor<8x24x24xf32>
    %collapsed_7 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<2x4x24x16xf32> into tensor<8x24x16xf32>
    %21 = tensor.empty() : tensor<8x24x16xf32>
    %22 = linalg.fill ins(%cst : f32) outs(%21 : tensor<8x24x16xf32>) -> tensor<8x24x16xf32>
    %23 = linalg.batch_matmul ins(%collapsed_6, %collapsed_7 : tensor<8x24x24xf32>, tensor<8x24x16xf32>) outs(%22 : tensor<8x24x16xf32>) -> tensor<8x24x16xf32>
    %expanded_8 = tensor.expand_shape %23 [[0, 1], [2], [3]] output_shape [2, 4, 24, 16] : tensor<8x24x16xf32> into tensor<2x4x24x16xf32>
    return %expanded_8 : tensor<2x4x24x16xf32>
  }
}
