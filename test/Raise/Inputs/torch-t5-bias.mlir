// Written by `make-torch.py` with torch 2.15.0+cu132 and torch-mlir 20261001.
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (0, d1)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<2x12x32xf32>, %arg1: tensor<2x18x32xf32>, %arg2: tensor<32x32xf32>, %arg3: tensor<32x32xf32>, %arg4: tensor<32x32xf32>, %arg5: tensor<8x2xf32>) -> tensor<2x2x12x16xf32> {
    %c4_i64 = arith.constant 4 : i64
    %c-4_i64 = arith.constant -4 : i64
    %c3_i64 = arith.constant 3 : i64
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %c8_i64 = arith.constant 8 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<2x12x32xf32> into tensor<24x32xf32>
    %0 = tensor.empty() : tensor<24x32xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<24x32xf32>) -> tensor<24x32xf32>
    %2 = linalg.matmul ins(%collapsed, %arg2 : tensor<24x32xf32>, tensor<32x32xf32>) outs(%1 : tensor<24x32xf32>) -> tensor<24x32xf32>
    %expanded = tensor.expand_shape %2 [[0, 1], [2, 3]] output_shape [2, 12, 2, 16] : tensor<24x32xf32> into tensor<2x12x2x16xf32>
    %3 = tensor.empty() : tensor<2x2x12x16xf32>
    %transposed = linalg.transpose ins(%expanded : tensor<2x12x2x16xf32>) outs(%3 : tensor<2x2x12x16xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_1 = tensor.collapse_shape %arg1 [[0, 1], [2]] : tensor<2x18x32xf32> into tensor<36x32xf32>
    %4 = tensor.empty() : tensor<36x32xf32>
    %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<36x32xf32>) -> tensor<36x32xf32>
    %6 = linalg.matmul ins(%collapsed_1, %arg3 : tensor<36x32xf32>, tensor<32x32xf32>) outs(%5 : tensor<36x32xf32>) -> tensor<36x32xf32>
    %expanded_2 = tensor.expand_shape %6 [[0, 1], [2, 3]] output_shape [2, 18, 2, 16] : tensor<36x32xf32> into tensor<2x18x2x16xf32>
    %7 = linalg.matmul ins(%collapsed_1, %arg4 : tensor<36x32xf32>, tensor<32x32xf32>) outs(%5 : tensor<36x32xf32>) -> tensor<36x32xf32>
    %expanded_3 = tensor.expand_shape %7 [[0, 1], [2, 3]] output_shape [2, 18, 2, 16] : tensor<36x32xf32> into tensor<2x18x2x16xf32>
    %8 = tensor.empty() : tensor<2x2x18x16xf32>
    %transposed_4 = linalg.transpose ins(%expanded_3 : tensor<2x18x2x16xf32>) outs(%8 : tensor<2x2x18x16xf32>) permutation = [0, 2, 1, 3] 
    %9 = tensor.empty() : tensor<18xi64>
    %10 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%9 : tensor<18xi64>) {
    ^bb0(%out: i64):
      %40 = linalg.index 0 : index
      %41 = arith.index_cast %40 : index to i64
      linalg.yield %41 : i64
    } -> tensor<18xi64>
    %expanded_5 = tensor.expand_shape %10 [[0, 1]] output_shape [1, 18] : tensor<18xi64> into tensor<1x18xi64>
    %11 = tensor.empty() : tensor<12xi64>
    %12 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%11 : tensor<12xi64>) {
    ^bb0(%out: i64):
      %40 = linalg.index 0 : index
      %41 = arith.index_cast %40 : index to i64
      linalg.yield %41 : i64
    } -> tensor<12xi64>
    %expanded_6 = tensor.expand_shape %12 [[0, 1]] output_shape [12, 1] : tensor<12xi64> into tensor<12x1xi64>
    %13 = tensor.empty() : tensor<12x18xi64>
    %14 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded_5, %expanded_6 : tensor<1x18xi64>, tensor<12x1xi64>) outs(%13 : tensor<12x18xi64>) {
    ^bb0(%in: i64, %in_17: i64, %out: i64):
      %40 = arith.subi %in, %in_17 : i64
      linalg.yield %40 : i64
    } -> tensor<12x18xi64>
    %15 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<12x18xi64>) outs(%13 : tensor<12x18xi64>) {
    ^bb0(%in: i64, %out: i64):
      %40 = arith.maxsi %in, %c-4_i64 : i64
      %41 = arith.minsi %40, %c3_i64 : i64
      linalg.yield %41 : i64
    } -> tensor<12x18xi64>
    %16 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%15 : tensor<12x18xi64>) outs(%13 : tensor<12x18xi64>) {
    ^bb0(%in: i64, %out: i64):
      %40 = arith.addi %in, %c4_i64 : i64
      linalg.yield %40 : i64
    } -> tensor<12x18xi64>
    %17 = tensor.empty() : tensor<12x18x2xf32>
    %18 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<12x18xi64>) outs(%17 : tensor<12x18x2xf32>) {
    ^bb0(%in: i64, %out: f32):
      %40 = arith.cmpi slt, %in, %c0_i64 : i64
      %41 = arith.addi %in, %c8_i64 : i64
      %42 = arith.select %40, %41, %in : i64
      %43 = arith.index_cast %42 : i64 to index
      %44 = linalg.index 2 : index
      %extracted = tensor.extract %arg5[%43, %44] : tensor<8x2xf32>
      linalg.yield %extracted : f32
    } -> tensor<12x18x2xf32>
    %19 = tensor.empty() : tensor<2x12x18xf32>
    %transposed_7 = linalg.transpose ins(%18 : tensor<12x18x2xf32>) outs(%19 : tensor<2x12x18xf32>) permutation = [2, 0, 1] 
    %expanded_8 = tensor.expand_shape %transposed_7 [[0, 1], [2], [3]] output_shape [1, 2, 12, 18] : tensor<2x12x18xf32> into tensor<1x2x12x18xf32>
    %20 = tensor.empty() : tensor<2x2x16x18xf32>
    %transposed_9 = linalg.transpose ins(%expanded_2 : tensor<2x18x2x16xf32>) outs(%20 : tensor<2x2x16x18xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_10 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<2x2x12x16xf32> into tensor<4x12x16xf32>
    %collapsed_11 = tensor.collapse_shape %transposed_9 [[0, 1], [2], [3]] : tensor<2x2x16x18xf32> into tensor<4x16x18xf32>
    %21 = tensor.empty() : tensor<4x12x18xf32>
    %22 = linalg.fill ins(%cst : f32) outs(%21 : tensor<4x12x18xf32>) -> tensor<4x12x18xf32>
    %23 = linalg.batch_matmul ins(%collapsed_10, %collapsed_11 : tensor<4x12x16xf32>, tensor<4x16x18xf32>) outs(%22 : tensor<4x12x18xf32>) -> tensor<4x12x18xf32>
    %expanded_12 = tensor.expand_shape %23 [[0, 1], [2], [3]] output_shape [2, 2, 12, 18] : tensor<4x12x18xf32> into tensor<2x2x12x18xf32>
    %24 = tensor.empty() : tensor<2x2x12x18xf32>
    %25 = linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_12, %expanded_8 : tensor<2x2x12x18xf32>, tensor<1x2x12x18xf32>) outs(%24 : tensor<2x2x12x18xf32>) {
    ^bb0(%in: f32, %in_17: f32, %out: f32):
      %40 = arith.addf %in, %in_17 : f32
      linalg.yield %40 : f32
    } -> tensor<2x2x12x18xf32>
    %26 = tensor.empty() : tensor<2x2x12xi64>
    %27 = linalg.fill ins(%c0_i64 : i64) outs(%26 : tensor<2x2x12xi64>) -> tensor<2x2x12xi64>
    %28 = tensor.empty() : tensor<2x2x12xf32>
    %29 = linalg.fill ins(%cst_0 : f32) outs(%28 : tensor<2x2x12xf32>) -> tensor<2x2x12xf32>
    %30:2 = linalg.generic {indexing_maps = [#map6, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%25 : tensor<2x2x12x18xf32>) outs(%29, %27 : tensor<2x2x12xf32>, tensor<2x2x12xi64>) {
    ^bb0(%in: f32, %out: f32, %out_17: i64):
      %40 = linalg.index 3 : index
      %41 = arith.index_cast %40 : index to i64
      %42 = arith.maximumf %in, %out : f32
      %43 = arith.cmpf ogt, %in, %out : f32
      %44 = arith.select %43, %41, %out_17 : i64
      linalg.yield %42, %44 : f32, i64
    } -> (tensor<2x2x12xf32>, tensor<2x2x12xi64>)
    %expanded_13 = tensor.expand_shape %30#0 [[0], [1], [2, 3]] output_shape [2, 2, 12, 1] : tensor<2x2x12xf32> into tensor<2x2x12x1xf32>
    %31 = linalg.generic {indexing_maps = [#map6, #map9, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25, %expanded_13 : tensor<2x2x12x18xf32>, tensor<2x2x12x1xf32>) outs(%24 : tensor<2x2x12x18xf32>) {
    ^bb0(%in: f32, %in_17: f32, %out: f32):
      %40 = arith.subf %in, %in_17 : f32
      linalg.yield %40 : f32
    } -> tensor<2x2x12x18xf32>
    %32 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31 : tensor<2x2x12x18xf32>) outs(%24 : tensor<2x2x12x18xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = math.exp %in : f32
      linalg.yield %40 : f32
    } -> tensor<2x2x12x18xf32>
    %33 = tensor.empty() : tensor<2x2x12x1xf32>
    %34 = linalg.fill ins(%cst : f32) outs(%33 : tensor<2x2x12x1xf32>) -> tensor<2x2x12x1xf32>
    %35 = linalg.generic {indexing_maps = [#map6, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%32 : tensor<2x2x12x18xf32>) outs(%34 : tensor<2x2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = arith.addf %in, %out : f32
      linalg.yield %40 : f32
    } -> tensor<2x2x12x1xf32>
    %36 = linalg.generic {indexing_maps = [#map6, #map9, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32, %35 : tensor<2x2x12x18xf32>, tensor<2x2x12x1xf32>) outs(%24 : tensor<2x2x12x18xf32>) {
    ^bb0(%in: f32, %in_17: f32, %out: f32):
      %40 = arith.divf %in, %in_17 : f32
      linalg.yield %40 : f32
    } -> tensor<2x2x12x18xf32>
    %collapsed_14 = tensor.collapse_shape %36 [[0, 1], [2], [3]] : tensor<2x2x12x18xf32> into tensor<4x12x18xf32>
    %collapsed_15 = tensor.collapse_shape %transposed_4 [[0, 1], [2], [3]] : tensor<2x2x18x16xf32> into tensor<4x18x16xf32>
    %37 = tensor.empty() : tensor<4x12x16xf32>
    %38 = linalg.fill ins(%cst : f32) outs(%37 : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
    %39 = linalg.batch_matmul ins(%collapsed_14, %collapsed_15 : tensor<4x12x18xf32>, tensor<4x18x16xf32>) outs(%38 : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
    %expanded_16 = tensor.expand_shape %39 [[0, 1], [2], [3]] output_shape [2, 2, 12, 16] : tensor<4x12x16xf32> into tensor<2x2x12x16xf32>
    return %expanded_16 : tensor<2x2x12x16xf32>
  }
}
