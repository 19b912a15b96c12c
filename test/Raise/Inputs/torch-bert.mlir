// Written by `make-torch.py` with torch 2.15.0+cu132 and torch-mlir 20261001.
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> ()>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<2x20x32xf32>, %arg1: tensor<2x20xi32>, %arg2: tensor<32x32xf32>, %arg3: tensor<32x32xf32>, %arg4: tensor<32x32xf32>, %arg5: tensor<32x32xf32>) -> tensor<2x20x32xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense<1.000000e+00> : tensor<f32>
    %cst_2 = arith.constant 4.000000e+00 : f32
    %cst_3 = arith.constant -1.000000e+04 : f32
    %0 = tensor.empty() : tensor<32x32xf32>
    %transposed = linalg.transpose ins(%arg2 : tensor<32x32xf32>) outs(%0 : tensor<32x32xf32>) permutation = [1, 0] 
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<2x20x32xf32> into tensor<40x32xf32>
    %1 = tensor.empty() : tensor<40x32xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<40x32xf32>) -> tensor<40x32xf32>
    %3 = linalg.matmul ins(%collapsed, %transposed : tensor<40x32xf32>, tensor<32x32xf32>) outs(%2 : tensor<40x32xf32>) -> tensor<40x32xf32>
    %expanded = tensor.expand_shape %3 [[0, 1], [2, 3]] output_shape [2, 20, 2, 16] : tensor<40x32xf32> into tensor<2x20x2x16xf32>
    %4 = tensor.empty() : tensor<2x2x20x16xf32>
    %transposed_4 = linalg.transpose ins(%expanded : tensor<2x20x2x16xf32>) outs(%4 : tensor<2x2x20x16xf32>) permutation = [0, 2, 1, 3] 
    %transposed_5 = linalg.transpose ins(%arg3 : tensor<32x32xf32>) outs(%0 : tensor<32x32xf32>) permutation = [1, 0] 
    %5 = linalg.matmul ins(%collapsed, %transposed_5 : tensor<40x32xf32>, tensor<32x32xf32>) outs(%2 : tensor<40x32xf32>) -> tensor<40x32xf32>
    %expanded_6 = tensor.expand_shape %5 [[0, 1], [2, 3]] output_shape [2, 20, 2, 16] : tensor<40x32xf32> into tensor<2x20x2x16xf32>
    %transposed_7 = linalg.transpose ins(%arg4 : tensor<32x32xf32>) outs(%0 : tensor<32x32xf32>) permutation = [1, 0] 
    %6 = linalg.matmul ins(%collapsed, %transposed_7 : tensor<40x32xf32>, tensor<32x32xf32>) outs(%2 : tensor<40x32xf32>) -> tensor<40x32xf32>
    %expanded_8 = tensor.expand_shape %6 [[0, 1], [2, 3]] output_shape [2, 20, 2, 16] : tensor<40x32xf32> into tensor<2x20x2x16xf32>
    %transposed_9 = linalg.transpose ins(%expanded_8 : tensor<2x20x2x16xf32>) outs(%4 : tensor<2x2x20x16xf32>) permutation = [0, 2, 1, 3] 
    %7 = tensor.empty() : tensor<2x2x16x20xf32>
    %transposed_10 = linalg.transpose ins(%expanded_6 : tensor<2x20x2x16xf32>) outs(%7 : tensor<2x2x16x20xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_11 = tensor.collapse_shape %transposed_4 [[0, 1], [2], [3]] : tensor<2x2x20x16xf32> into tensor<4x20x16xf32>
    %collapsed_12 = tensor.collapse_shape %transposed_10 [[0, 1], [2], [3]] : tensor<2x2x16x20xf32> into tensor<4x16x20xf32>
    %8 = tensor.empty() : tensor<4x20x20xf32>
    %9 = linalg.fill ins(%cst : f32) outs(%8 : tensor<4x20x20xf32>) -> tensor<4x20x20xf32>
    %10 = linalg.batch_matmul ins(%collapsed_11, %collapsed_12 : tensor<4x20x16xf32>, tensor<4x16x20xf32>) outs(%9 : tensor<4x20x20xf32>) -> tensor<4x20x20xf32>
    %expanded_13 = tensor.expand_shape %10 [[0, 1], [2], [3]] output_shape [2, 2, 20, 20] : tensor<4x20x20xf32> into tensor<2x2x20x20xf32>
    %11 = tensor.empty() : tensor<2x2x20x20xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_13 : tensor<2x2x20x20xf32>) outs(%11 : tensor<2x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %34 = arith.divf %in, %cst_2 : f32
      linalg.yield %34 : f32
    } -> tensor<2x2x20x20xf32>
    %expanded_14 = tensor.expand_shape %arg1 [[0], [1, 2, 3]] output_shape [2, 1, 1, 20] : tensor<2x20xi32> into tensor<2x1x1x20xi32>
    %13 = tensor.empty() : tensor<2x1x1x20xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_14 : tensor<2x1x1x20xi32>) outs(%13 : tensor<2x1x1x20xf32>) {
    ^bb0(%in: i32, %out: f32):
      %34 = arith.sitofp %in : i32 to f32
      linalg.yield %34 : f32
    } -> tensor<2x1x1x20xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_1, %14 : tensor<f32>, tensor<2x1x1x20xf32>) outs(%13 : tensor<2x1x1x20xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %34 = arith.subf %in, %in_23 : f32
      linalg.yield %34 : f32
    } -> tensor<2x1x1x20xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<2x1x1x20xf32>) outs(%13 : tensor<2x1x1x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %34 = arith.mulf %in, %cst_3 : f32
      linalg.yield %34 : f32
    } -> tensor<2x1x1x20xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %16 : tensor<2x2x20x20xf32>, tensor<2x1x1x20xf32>) outs(%11 : tensor<2x2x20x20xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %34 = arith.addf %in, %in_23 : f32
      linalg.yield %34 : f32
    } -> tensor<2x2x20x20xf32>
    %18 = tensor.empty() : tensor<2x2x20xi64>
    %19 = linalg.fill ins(%c0_i64 : i64) outs(%18 : tensor<2x2x20xi64>) -> tensor<2x2x20xi64>
    %20 = tensor.empty() : tensor<2x2x20xf32>
    %21 = linalg.fill ins(%cst_0 : f32) outs(%20 : tensor<2x2x20xf32>) -> tensor<2x2x20xf32>
    %22:2 = linalg.generic {indexing_maps = [#map, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%17 : tensor<2x2x20x20xf32>) outs(%21, %19 : tensor<2x2x20xf32>, tensor<2x2x20xi64>) {
    ^bb0(%in: f32, %out: f32, %out_23: i64):
      %34 = linalg.index 3 : index
      %35 = arith.index_cast %34 : index to i64
      %36 = arith.maximumf %in, %out : f32
      %37 = arith.cmpf ogt, %in, %out : f32
      %38 = arith.select %37, %35, %out_23 : i64
      linalg.yield %36, %38 : f32, i64
    } -> (tensor<2x2x20xf32>, tensor<2x2x20xi64>)
    %expanded_15 = tensor.expand_shape %22#0 [[0], [1], [2, 3]] output_shape [2, 2, 20, 1] : tensor<2x2x20xf32> into tensor<2x2x20x1xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17, %expanded_15 : tensor<2x2x20x20xf32>, tensor<2x2x20x1xf32>) outs(%11 : tensor<2x2x20x20xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %34 = arith.subf %in, %in_23 : f32
      linalg.yield %34 : f32
    } -> tensor<2x2x20x20xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23 : tensor<2x2x20x20xf32>) outs(%11 : tensor<2x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %34 = math.exp %in : f32
      linalg.yield %34 : f32
    } -> tensor<2x2x20x20xf32>
    %25 = tensor.empty() : tensor<2x2x20x1xf32>
    %26 = linalg.fill ins(%cst : f32) outs(%25 : tensor<2x2x20x1xf32>) -> tensor<2x2x20x1xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%24 : tensor<2x2x20x20xf32>) outs(%26 : tensor<2x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %34 = arith.addf %in, %out : f32
      linalg.yield %34 : f32
    } -> tensor<2x2x20x1xf32>
    %28 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24, %27 : tensor<2x2x20x20xf32>, tensor<2x2x20x1xf32>) outs(%11 : tensor<2x2x20x20xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %34 = arith.divf %in, %in_23 : f32
      linalg.yield %34 : f32
    } -> tensor<2x2x20x20xf32>
    %collapsed_16 = tensor.collapse_shape %28 [[0, 1], [2], [3]] : tensor<2x2x20x20xf32> into tensor<4x20x20xf32>
    %collapsed_17 = tensor.collapse_shape %transposed_9 [[0, 1], [2], [3]] : tensor<2x2x20x16xf32> into tensor<4x20x16xf32>
    %29 = tensor.empty() : tensor<4x20x16xf32>
    %30 = linalg.fill ins(%cst : f32) outs(%29 : tensor<4x20x16xf32>) -> tensor<4x20x16xf32>
    %31 = linalg.batch_matmul ins(%collapsed_16, %collapsed_17 : tensor<4x20x20xf32>, tensor<4x20x16xf32>) outs(%30 : tensor<4x20x16xf32>) -> tensor<4x20x16xf32>
    %expanded_18 = tensor.expand_shape %31 [[0, 1], [2], [3]] output_shape [2, 2, 20, 16] : tensor<4x20x16xf32> into tensor<2x2x20x16xf32>
    %32 = tensor.empty() : tensor<2x20x2x16xf32>
    %transposed_19 = linalg.transpose ins(%expanded_18 : tensor<2x2x20x16xf32>) outs(%32 : tensor<2x20x2x16xf32>) permutation = [0, 2, 1, 3] 
    %transposed_20 = linalg.transpose ins(%arg5 : tensor<32x32xf32>) outs(%0 : tensor<32x32xf32>) permutation = [1, 0] 
    %collapsed_21 = tensor.collapse_shape %transposed_19 [[0, 1], [2, 3]] : tensor<2x20x2x16xf32> into tensor<40x32xf32>
    %33 = linalg.matmul ins(%collapsed_21, %transposed_20 : tensor<40x32xf32>, tensor<32x32xf32>) outs(%2 : tensor<40x32xf32>) -> tensor<40x32xf32>
    %expanded_22 = tensor.expand_shape %33 [[0, 1], [2]] output_shape [2, 20, 32] : tensor<40x32xf32> into tensor<2x20x32xf32>
    return %expanded_22 : tensor<2x20x32xf32>
  }
}
