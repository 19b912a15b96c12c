// Written by `make-torch.py` with torch 2.15.0+cu132 and torch-mlir 20261001.
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> ()>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<2x4x24x16xf32>, %arg1: tensor<2x4x24x16xf32>, %arg2: tensor<2x4x24x16xf32>) -> tensor<2x4x24x16xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_2 = arith.constant 0x7FF0000000000000 : f64
    %cst_3 = arith.constant 2.500000e-01 : f32
    %0 = tensor.empty() : tensor<2x4x16x24xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<2x4x24x16xf32>) outs(%0 : tensor<2x4x16x24xf32>) permutation = [0, 1, 3, 2] 
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<2x4x24x16xf32> into tensor<8x24x16xf32>
    %collapsed_4 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<2x4x16x24xf32> into tensor<8x16x24xf32>
    %1 = tensor.empty() : tensor<8x24x24xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<8x24x24xf32>) -> tensor<8x24x24xf32>
    %3 = linalg.batch_matmul ins(%collapsed, %collapsed_4 : tensor<8x24x16xf32>, tensor<8x16x24xf32>) outs(%2 : tensor<8x24x24xf32>) -> tensor<8x24x24xf32>
    %expanded = tensor.expand_shape %3 [[0, 1], [2], [3]] output_shape [2, 4, 24, 24] : tensor<8x24x24xf32> into tensor<2x4x24x24xf32>
    %4 = tensor.empty() : tensor<2x4x24x24xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x4x24x24xf32>) outs(%4 : tensor<2x4x24x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %27 = arith.mulf %in, %cst_3 : f32
      linalg.yield %27 : f32
    } -> tensor<2x4x24x24xf32>
    %6 = tensor.empty() : tensor<2x4x24xi64>
    %7 = linalg.fill ins(%c0_i64 : i64) outs(%6 : tensor<2x4x24xi64>) -> tensor<2x4x24xi64>
    %8 = tensor.empty() : tensor<2x4x24xf32>
    %9 = linalg.fill ins(%cst_0 : f32) outs(%8 : tensor<2x4x24xf32>) -> tensor<2x4x24xf32>
    %10:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%5 : tensor<2x4x24x24xf32>) outs(%9, %7 : tensor<2x4x24xf32>, tensor<2x4x24xi64>) {
    ^bb0(%in: f32, %out: f32, %out_9: i64):
      %27 = linalg.index 3 : index
      %28 = arith.index_cast %27 : index to i64
      %29 = arith.maximumf %in, %out : f32
      %30 = arith.cmpf ogt, %in, %out : f32
      %31 = arith.select %30, %28, %out_9 : i64
      linalg.yield %29, %31 : f32, i64
    } -> (tensor<2x4x24xf32>, tensor<2x4x24xi64>)
    %expanded_5 = tensor.expand_shape %10#0 [[0], [1], [2, 3]] output_shape [2, 4, 24, 1] : tensor<2x4x24xf32> into tensor<2x4x24x1xf32>
    %11 = tensor.empty() : tensor<2x4x24x1xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_5 : tensor<2x4x24x1xf32>) outs(%11 : tensor<2x4x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %27 = math.absf %in : f32
      linalg.yield %27 : f32
    } -> tensor<2x4x24x1xf32>
    %13 = tensor.empty() : tensor<2x4x24x1xi1>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<2x4x24x1xf32>) outs(%13 : tensor<2x4x24x1xi1>) {
    ^bb0(%in: f32, %out: i1):
      %27 = arith.extf %in : f32 to f64
      %28 = arith.cmpf oeq, %27, %cst_2 : f64
      linalg.yield %28 : i1
    } -> tensor<2x4x24x1xi1>
    %15 = linalg.generic {indexing_maps = [#map, #map2, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14, %cst_1, %expanded_5 : tensor<2x4x24x1xi1>, tensor<f32>, tensor<2x4x24x1xf32>) outs(%11 : tensor<2x4x24x1xf32>) {
    ^bb0(%in: i1, %in_9: f32, %in_10: f32, %out: f32):
      %27 = arith.select %in, %in_9, %in_10 : f32
      linalg.yield %27 : f32
    } -> tensor<2x4x24x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %15 : tensor<2x4x24x24xf32>, tensor<2x4x24x1xf32>) outs(%4 : tensor<2x4x24x24xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %27 = arith.subf %in, %in_9 : f32
      linalg.yield %27 : f32
    } -> tensor<2x4x24x24xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<2x4x24x24xf32>) outs(%4 : tensor<2x4x24x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %27 = math.exp %in : f32
      linalg.yield %27 : f32
    } -> tensor<2x4x24x24xf32>
    %18 = linalg.fill ins(%cst : f32) outs(%11 : tensor<2x4x24x1xf32>) -> tensor<2x4x24x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%17 : tensor<2x4x24x24xf32>) outs(%18 : tensor<2x4x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %27 = arith.addf %in, %out : f32
      linalg.yield %27 : f32
    } -> tensor<2x4x24x1xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<2x4x24x1xf32>) outs(%11 : tensor<2x4x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %27 = math.log %in : f32
      linalg.yield %27 : f32
    } -> tensor<2x4x24x1xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20, %15 : tensor<2x4x24x1xf32>, tensor<2x4x24x1xf32>) outs(%11 : tensor<2x4x24x1xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %27 = arith.addf %in, %in_9 : f32
      linalg.yield %27 : f32
    } -> tensor<2x4x24x1xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %21 : tensor<2x4x24x24xf32>, tensor<2x4x24x1xf32>) outs(%4 : tensor<2x4x24x24xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %27 = arith.subf %in, %in_9 : f32
      linalg.yield %27 : f32
    } -> tensor<2x4x24x24xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<2x4x24x24xf32>) outs(%4 : tensor<2x4x24x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %27 = math.exp %in : f32
      linalg.yield %27 : f32
    } -> tensor<2x4x24x24xf32>
    %collapsed_6 = tensor.collapse_shape %23 [[0, 1], [2], [3]] : tensor<2x4x24x24xf32> into tensor<8x24x24xf32>
    %collapsed_7 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<2x4x24x16xf32> into tensor<8x24x16xf32>
    %24 = tensor.empty() : tensor<8x24x16xf32>
    %25 = linalg.fill ins(%cst : f32) outs(%24 : tensor<8x24x16xf32>) -> tensor<8x24x16xf32>
    %26 = linalg.batch_matmul ins(%collapsed_6, %collapsed_7 : tensor<8x24x24xf32>, tensor<8x24x16xf32>) outs(%25 : tensor<8x24x16xf32>) -> tensor<8x24x16xf32>
    %expanded_8 = tensor.expand_shape %26 [[0, 1], [2], [3]] output_shape [2, 4, 24, 16] : tensor<8x24x16xf32> into tensor<2x4x24x16xf32>
    return %expanded_8 : tensor<2x4x24x16xf32>
  }
}
