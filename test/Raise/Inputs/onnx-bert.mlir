// Written by `make-named.py`: a graph of ONNX by torch-mlir.
#map = affine_map<(d0, d1, d2) -> (d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> ()>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<2x20x32xf32>, %arg1: tensor<32x32xf32>, %arg2: tensor<32x32xf32>, %arg3: tensor<32x32xf32>, %arg4: tensor<32x32xf32>) -> tensor<2x20x32xf32> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense<5.000000e-01> : tensor<f32>
    %0 = tensor.empty() : tensor<2x32x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<32x32xf32>) outs(%0 : tensor<2x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x32x32xf32>
    %2 = tensor.empty() : tensor<2x20x32xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<2x20x32xf32>) -> tensor<2x20x32xf32>
    %4 = linalg.batch_matmul ins(%arg0, %1 : tensor<2x20x32xf32>, tensor<2x32x32xf32>) outs(%3 : tensor<2x20x32xf32>) -> tensor<2x20x32xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg2 : tensor<32x32xf32>) outs(%0 : tensor<2x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x32x32xf32>
    %6 = linalg.batch_matmul ins(%arg0, %5 : tensor<2x20x32xf32>, tensor<2x32x32xf32>) outs(%3 : tensor<2x20x32xf32>) -> tensor<2x20x32xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg3 : tensor<32x32xf32>) outs(%0 : tensor<2x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x32x32xf32>
    %8 = linalg.batch_matmul ins(%arg0, %7 : tensor<2x20x32xf32>, tensor<2x32x32xf32>) outs(%3 : tensor<2x20x32xf32>) -> tensor<2x20x32xf32>
    %expanded = tensor.expand_shape %4 [[0], [1], [2, 3]] output_shape [2, 20, 2, 16] : tensor<2x20x32xf32> into tensor<2x20x2x16xf32>
    %expanded_2 = tensor.expand_shape %6 [[0], [1], [2, 3]] output_shape [2, 20, 2, 16] : tensor<2x20x32xf32> into tensor<2x20x2x16xf32>
    %expanded_3 = tensor.expand_shape %8 [[0], [1], [2, 3]] output_shape [2, 20, 2, 16] : tensor<2x20x32xf32> into tensor<2x20x2x16xf32>
    %9 = tensor.empty() : tensor<2x2x20x16xf32>
    %transposed = linalg.transpose ins(%expanded : tensor<2x20x2x16xf32>) outs(%9 : tensor<2x2x20x16xf32>) permutation = [0, 2, 1, 3] 
    %10 = tensor.empty() : tensor<2x2x16x20xf32>
    %transposed_4 = linalg.transpose ins(%expanded_2 : tensor<2x20x2x16xf32>) outs(%10 : tensor<2x2x16x20xf32>) permutation = [0, 2, 3, 1] 
    %transposed_5 = linalg.transpose ins(%expanded_3 : tensor<2x20x2x16xf32>) outs(%9 : tensor<2x2x20x16xf32>) permutation = [0, 2, 1, 3] 
    %11 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed, %cst_1 : tensor<2x2x20x16xf32>, tensor<f32>) outs(%9 : tensor<2x2x20x16xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %34 = arith.mulf %in, %in_14 : f32
      linalg.yield %34 : f32
    } -> tensor<2x2x20x16xf32>
    %12 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_4, %cst_1 : tensor<2x2x16x20xf32>, tensor<f32>) outs(%10 : tensor<2x2x16x20xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %34 = arith.mulf %in, %in_14 : f32
      linalg.yield %34 : f32
    } -> tensor<2x2x16x20xf32>
    %collapsed = tensor.collapse_shape %11 [[0, 1], [2], [3]] : tensor<2x2x20x16xf32> into tensor<4x20x16xf32>
    %collapsed_6 = tensor.collapse_shape %12 [[0, 1], [2], [3]] : tensor<2x2x16x20xf32> into tensor<4x16x20xf32>
    %13 = tensor.empty() : tensor<4x20x20xf32>
    %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<4x20x20xf32>) -> tensor<4x20x20xf32>
    %15 = linalg.batch_matmul ins(%collapsed, %collapsed_6 : tensor<4x20x16xf32>, tensor<4x16x20xf32>) outs(%14 : tensor<4x20x20xf32>) -> tensor<4x20x20xf32>
    %expanded_7 = tensor.expand_shape %15 [[0, 1], [2], [3]] output_shape [2, 2, 20, 20] : tensor<4x20x20xf32> into tensor<2x2x20x20xf32>
    %16 = tensor.empty() : tensor<2x2x20xi64>
    %17 = linalg.fill ins(%c0_i64 : i64) outs(%16 : tensor<2x2x20xi64>) -> tensor<2x2x20xi64>
    %18 = tensor.empty() : tensor<2x2x20xf32>
    %19 = linalg.fill ins(%cst_0 : f32) outs(%18 : tensor<2x2x20xf32>) -> tensor<2x2x20xf32>
    %20:2 = linalg.generic {indexing_maps = [#map2, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expanded_7 : tensor<2x2x20x20xf32>) outs(%19, %17 : tensor<2x2x20xf32>, tensor<2x2x20xi64>) {
    ^bb0(%in: f32, %out: f32, %out_14: i64):
      %34 = linalg.index 3 : index
      %35 = arith.index_cast %34 : index to i64
      %36 = arith.maximumf %in, %out : f32
      %37 = arith.cmpf ogt, %in, %out : f32
      %38 = arith.select %37, %35, %out_14 : i64
      linalg.yield %36, %38 : f32, i64
    } -> (tensor<2x2x20xf32>, tensor<2x2x20xi64>)
    %expanded_8 = tensor.expand_shape %20#0 [[0], [1], [2, 3]] output_shape [2, 2, 20, 1] : tensor<2x2x20xf32> into tensor<2x2x20x1xf32>
    %21 = tensor.empty() : tensor<2x2x20x20xf32>
    %22 = linalg.generic {indexing_maps = [#map2, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_7, %expanded_8 : tensor<2x2x20x20xf32>, tensor<2x2x20x1xf32>) outs(%21 : tensor<2x2x20x20xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %34 = arith.subf %in, %in_14 : f32
      linalg.yield %34 : f32
    } -> tensor<2x2x20x20xf32>
    %23 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<2x2x20x20xf32>) outs(%21 : tensor<2x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %34 = math.exp %in : f32
      linalg.yield %34 : f32
    } -> tensor<2x2x20x20xf32>
    %24 = tensor.empty() : tensor<2x2x20x1xf32>
    %25 = linalg.fill ins(%cst : f32) outs(%24 : tensor<2x2x20x1xf32>) -> tensor<2x2x20x1xf32>
    %26 = linalg.generic {indexing_maps = [#map2, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%23 : tensor<2x2x20x20xf32>) outs(%25 : tensor<2x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %34 = arith.addf %in, %out : f32
      linalg.yield %34 : f32
    } -> tensor<2x2x20x1xf32>
    %27 = linalg.generic {indexing_maps = [#map2, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23, %26 : tensor<2x2x20x20xf32>, tensor<2x2x20x1xf32>) outs(%21 : tensor<2x2x20x20xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %34 = arith.divf %in, %in_14 : f32
      linalg.yield %34 : f32
    } -> tensor<2x2x20x20xf32>
    %collapsed_9 = tensor.collapse_shape %27 [[0, 1], [2], [3]] : tensor<2x2x20x20xf32> into tensor<4x20x20xf32>
    %collapsed_10 = tensor.collapse_shape %transposed_5 [[0, 1], [2], [3]] : tensor<2x2x20x16xf32> into tensor<4x20x16xf32>
    %28 = tensor.empty() : tensor<4x20x16xf32>
    %29 = linalg.fill ins(%cst : f32) outs(%28 : tensor<4x20x16xf32>) -> tensor<4x20x16xf32>
    %30 = linalg.batch_matmul ins(%collapsed_9, %collapsed_10 : tensor<4x20x20xf32>, tensor<4x20x16xf32>) outs(%29 : tensor<4x20x16xf32>) -> tensor<4x20x16xf32>
    %expanded_11 = tensor.expand_shape %30 [[0, 1], [2], [3]] output_shape [2, 2, 20, 16] : tensor<4x20x16xf32> into tensor<2x2x20x16xf32>
    %31 = tensor.empty() : tensor<2x20x2x16xf32>
    %transposed_12 = linalg.transpose ins(%expanded_11 : tensor<2x2x20x16xf32>) outs(%31 : tensor<2x20x2x16xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_13 = tensor.collapse_shape %transposed_12 [[0], [1], [2, 3]] : tensor<2x20x2x16xf32> into tensor<2x20x32xf32>
    %32 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg4 : tensor<32x32xf32>) outs(%0 : tensor<2x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x32x32xf32>
    %33 = linalg.batch_matmul ins(%collapsed_13, %32 : tensor<2x20x32xf32>, tensor<2x32x32xf32>) outs(%3 : tensor<2x20x32xf32>) -> tensor<2x20x32xf32>
    return %33 : tensor<2x20x32xf32>
  }
}

