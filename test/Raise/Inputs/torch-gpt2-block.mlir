// Written by `make-torch.py` with torch 2.15.0+cu132 and torch-mlir 20261001.
#map = affine_map<(d0, d1) -> (d1)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0, d1) -> (0, d1)>
#map5 = affine_map<(d0, d1) -> (d0, 0)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> ()>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map10 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
module {
  func.func @main(%arg0: tensor<2x24x64xf32>, %arg1: tensor<192x64xf32>, %arg2: tensor<192xf32>, %arg3: tensor<64x64xf32>, %arg4: tensor<64xf32>) -> tensor<2x24x64xf32> {
    %c0_i64 = arith.constant 0 : i64
    %c1_i64 = arith.constant 1 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_2 = arith.constant dense<true> : tensor<24x24xi1>
    %cst_3 = arith.constant 2.500000e-01 : f32
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<2x24x64xf32> into tensor<48x64xf32>
    %0 = tensor.empty() : tensor<64x192xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<192x64xf32>) outs(%0 : tensor<64x192xf32>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<48x192xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<48x192xf32>) -> tensor<48x192xf32>
    %3 = linalg.matmul ins(%collapsed, %transposed : tensor<48x64xf32>, tensor<64x192xf32>) outs(%2 : tensor<48x192xf32>) -> tensor<48x192xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<192xf32>) outs(%1 : tensor<48x192xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<48x192xf32>
    %5 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%3, %4 : tensor<48x192xf32>, tensor<48x192xf32>) outs(%1 : tensor<48x192xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %44 = arith.addf %in, %in_25 : f32
      linalg.yield %44 : f32
    } -> tensor<48x192xf32>
    %expanded = tensor.expand_shape %5 [[0, 1], [2]] output_shape [2, 24, 192] : tensor<48x192xf32> into tensor<2x24x192xf32>
    %extracted_slice = tensor.extract_slice %expanded[0, 0, 0] [2, 24, 64] [1, 1, 1] : tensor<2x24x192xf32> to tensor<2x24x64xf32>
    %extracted_slice_4 = tensor.extract_slice %expanded[0, 0, 64] [2, 24, 64] [1, 1, 1] : tensor<2x24x192xf32> to tensor<2x24x64xf32>
    %extracted_slice_5 = tensor.extract_slice %expanded[0, 0, 128] [2, 24, 64] [1, 1, 1] : tensor<2x24x192xf32> to tensor<2x24x64xf32>
    %expanded_6 = tensor.expand_shape %extracted_slice [[0], [1], [2, 3]] output_shape [2, 24, 4, 16] : tensor<2x24x64xf32> into tensor<2x24x4x16xf32>
    %6 = tensor.empty() : tensor<2x4x24x16xf32>
    %transposed_7 = linalg.transpose ins(%expanded_6 : tensor<2x24x4x16xf32>) outs(%6 : tensor<2x4x24x16xf32>) permutation = [0, 2, 1, 3] 
    %expanded_8 = tensor.expand_shape %extracted_slice_4 [[0], [1], [2, 3]] output_shape [2, 24, 4, 16] : tensor<2x24x64xf32> into tensor<2x24x4x16xf32>
    %expanded_9 = tensor.expand_shape %extracted_slice_5 [[0], [1], [2, 3]] output_shape [2, 24, 4, 16] : tensor<2x24x64xf32> into tensor<2x24x4x16xf32>
    %transposed_10 = linalg.transpose ins(%expanded_9 : tensor<2x24x4x16xf32>) outs(%6 : tensor<2x4x24x16xf32>) permutation = [0, 2, 1, 3] 
    %7 = tensor.empty() : tensor<2x4x16x24xf32>
    %transposed_11 = linalg.transpose ins(%expanded_8 : tensor<2x24x4x16xf32>) outs(%7 : tensor<2x4x16x24xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_12 = tensor.collapse_shape %transposed_7 [[0, 1], [2], [3]] : tensor<2x4x24x16xf32> into tensor<8x24x16xf32>
    %collapsed_13 = tensor.collapse_shape %transposed_11 [[0, 1], [2], [3]] : tensor<2x4x16x24xf32> into tensor<8x16x24xf32>
    %8 = tensor.empty() : tensor<8x24x24xf32>
    %9 = linalg.fill ins(%cst : f32) outs(%8 : tensor<8x24x24xf32>) -> tensor<8x24x24xf32>
    %10 = linalg.batch_matmul ins(%collapsed_12, %collapsed_13 : tensor<8x24x16xf32>, tensor<8x16x24xf32>) outs(%9 : tensor<8x24x24xf32>) -> tensor<8x24x24xf32>
    %expanded_14 = tensor.expand_shape %10 [[0, 1], [2], [3]] output_shape [2, 4, 24, 24] : tensor<8x24x24xf32> into tensor<2x4x24x24xf32>
    %11 = tensor.empty() : tensor<2x4x24x24xf32>
    %12 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_14 : tensor<2x4x24x24xf32>) outs(%11 : tensor<2x4x24x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %44 = arith.mulf %in, %cst_3 : f32
      linalg.yield %44 : f32
    } -> tensor<2x4x24x24xf32>
    %13 = tensor.empty() : tensor<24xi64>
    %14 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel"]} outs(%13 : tensor<24xi64>) {
    ^bb0(%out: i64):
      %44 = linalg.index 0 : index
      %45 = arith.index_cast %44 : index to i64
      linalg.yield %45 : i64
    } -> tensor<24xi64>
    %expanded_15 = tensor.expand_shape %14 [[0, 1]] output_shape [1, 24] : tensor<24xi64> into tensor<1x24xi64>
    %expanded_16 = tensor.expand_shape %14 [[0, 1]] output_shape [24, 1] : tensor<24xi64> into tensor<24x1xi64>
    %15 = tensor.empty() : tensor<24x24xi64>
    %16 = linalg.generic {indexing_maps = [#map4, #map5, #map1], iterator_types = ["parallel", "parallel"]} ins(%expanded_15, %expanded_16 : tensor<1x24xi64>, tensor<24x1xi64>) outs(%15 : tensor<24x24xi64>) {
    ^bb0(%in: i64, %in_25: i64, %out: i64):
      %44 = arith.subi %in, %in_25 : i64
      linalg.yield %44 : i64
    } -> tensor<24x24xi64>
    %17 = tensor.empty() : tensor<24x24xi1>
    %18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<24x24xi64>) outs(%17 : tensor<24x24xi1>) {
    ^bb0(%in: i64, %out: i1):
      %44 = arith.cmpi sge, %in, %c1_i64 : i64
      linalg.yield %44 : i1
    } -> tensor<24x24xi1>
    %19 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%18, %cst_2 : tensor<24x24xi1>, tensor<24x24xi1>) outs(%17 : tensor<24x24xi1>) {
    ^bb0(%in: i1, %in_25: i1, %out: i1):
      %44 = arith.andi %in, %in_25 : i1
      linalg.yield %44 : i1
    } -> tensor<24x24xi1>
    %20 = linalg.generic {indexing_maps = [#map6, #map7, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %cst_1, %12 : tensor<24x24xi1>, tensor<f32>, tensor<2x4x24x24xf32>) outs(%11 : tensor<2x4x24x24xf32>) {
    ^bb0(%in: i1, %in_25: f32, %in_26: f32, %out: f32):
      %44 = arith.select %in, %in_25, %in_26 : f32
      linalg.yield %44 : f32
    } -> tensor<2x4x24x24xf32>
    %21 = tensor.empty() : tensor<2x4x24xi64>
    %22 = linalg.fill ins(%c0_i64 : i64) outs(%21 : tensor<2x4x24xi64>) -> tensor<2x4x24xi64>
    %23 = tensor.empty() : tensor<2x4x24xf32>
    %24 = linalg.fill ins(%cst_0 : f32) outs(%23 : tensor<2x4x24xf32>) -> tensor<2x4x24xf32>
    %25:2 = linalg.generic {indexing_maps = [#map2, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%20 : tensor<2x4x24x24xf32>) outs(%24, %22 : tensor<2x4x24xf32>, tensor<2x4x24xi64>) {
    ^bb0(%in: f32, %out: f32, %out_25: i64):
      %44 = linalg.index 3 : index
      %45 = arith.index_cast %44 : index to i64
      %46 = arith.maximumf %in, %out : f32
      %47 = arith.cmpf ogt, %in, %out : f32
      %48 = arith.select %47, %45, %out_25 : i64
      linalg.yield %46, %48 : f32, i64
    } -> (tensor<2x4x24xf32>, tensor<2x4x24xi64>)
    %expanded_17 = tensor.expand_shape %25#0 [[0], [1], [2, 3]] output_shape [2, 4, 24, 1] : tensor<2x4x24xf32> into tensor<2x4x24x1xf32>
    %26 = linalg.generic {indexing_maps = [#map2, #map9, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20, %expanded_17 : tensor<2x4x24x24xf32>, tensor<2x4x24x1xf32>) outs(%11 : tensor<2x4x24x24xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %44 = arith.subf %in, %in_25 : f32
      linalg.yield %44 : f32
    } -> tensor<2x4x24x24xf32>
    %27 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<2x4x24x24xf32>) outs(%11 : tensor<2x4x24x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %44 = math.exp %in : f32
      linalg.yield %44 : f32
    } -> tensor<2x4x24x24xf32>
    %28 = tensor.empty() : tensor<2x4x24x1xf32>
    %29 = linalg.fill ins(%cst : f32) outs(%28 : tensor<2x4x24x1xf32>) -> tensor<2x4x24x1xf32>
    %30 = linalg.generic {indexing_maps = [#map2, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%27 : tensor<2x4x24x24xf32>) outs(%29 : tensor<2x4x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %44 = arith.addf %in, %out : f32
      linalg.yield %44 : f32
    } -> tensor<2x4x24x1xf32>
    %31 = linalg.generic {indexing_maps = [#map2, #map9, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27, %30 : tensor<2x4x24x24xf32>, tensor<2x4x24x1xf32>) outs(%11 : tensor<2x4x24x24xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %44 = arith.divf %in, %in_25 : f32
      linalg.yield %44 : f32
    } -> tensor<2x4x24x24xf32>
    %collapsed_18 = tensor.collapse_shape %31 [[0, 1], [2], [3]] : tensor<2x4x24x24xf32> into tensor<8x24x24xf32>
    %collapsed_19 = tensor.collapse_shape %transposed_10 [[0, 1], [2], [3]] : tensor<2x4x24x16xf32> into tensor<8x24x16xf32>
    %32 = tensor.empty() : tensor<8x24x16xf32>
    %33 = linalg.fill ins(%cst : f32) outs(%32 : tensor<8x24x16xf32>) -> tensor<8x24x16xf32>
    %34 = linalg.batch_matmul ins(%collapsed_18, %collapsed_19 : tensor<8x24x24xf32>, tensor<8x24x16xf32>) outs(%33 : tensor<8x24x16xf32>) -> tensor<8x24x16xf32>
    %expanded_20 = tensor.expand_shape %34 [[0, 1], [2], [3]] output_shape [2, 4, 24, 16] : tensor<8x24x16xf32> into tensor<2x4x24x16xf32>
    %35 = tensor.empty() : tensor<2x24x4x16xf32>
    %transposed_21 = linalg.transpose ins(%expanded_20 : tensor<2x4x24x16xf32>) outs(%35 : tensor<2x24x4x16xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_22 = tensor.collapse_shape %transposed_21 [[0, 1], [2, 3]] : tensor<2x24x4x16xf32> into tensor<48x64xf32>
    %36 = tensor.empty() : tensor<64x64xf32>
    %transposed_23 = linalg.transpose ins(%arg3 : tensor<64x64xf32>) outs(%36 : tensor<64x64xf32>) permutation = [1, 0] 
    %37 = tensor.empty() : tensor<48x64xf32>
    %38 = linalg.fill ins(%cst : f32) outs(%37 : tensor<48x64xf32>) -> tensor<48x64xf32>
    %39 = linalg.matmul ins(%collapsed_22, %transposed_23 : tensor<48x64xf32>, tensor<64x64xf32>) outs(%38 : tensor<48x64xf32>) -> tensor<48x64xf32>
    %40 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg4 : tensor<64xf32>) outs(%37 : tensor<48x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<48x64xf32>
    %41 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%39, %40 : tensor<48x64xf32>, tensor<48x64xf32>) outs(%37 : tensor<48x64xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %44 = arith.addf %in, %in_25 : f32
      linalg.yield %44 : f32
    } -> tensor<48x64xf32>
    %expanded_24 = tensor.expand_shape %41 [[0, 1], [2]] output_shape [2, 24, 64] : tensor<48x64xf32> into tensor<2x24x64xf32>
    %42 = tensor.empty() : tensor<2x24x64xf32>
    %43 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_24 : tensor<2x24x64xf32>, tensor<2x24x64xf32>) outs(%42 : tensor<2x24x64xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %44 = arith.addf %in, %in_25 : f32
      linalg.yield %44 : f32
    } -> tensor<2x24x64xf32>
    return %43 : tensor<2x24x64xf32>
  }
}
