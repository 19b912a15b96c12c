// Written by `make-torch.py` with torch 2.15.0+cu132 and torch-mlir 20261001.
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0, d1) -> (0, d1)>
#map5 = affine_map<(d0, d1) -> (d0, 0)>
#map6 = affine_map<(d0, d1) -> ()>
#map7 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<1x32x64xbf16>, %arg1: tensor<64x64xbf16>, %arg2: tensor<32x64xbf16>, %arg3: tensor<32x64xbf16>) -> tensor<1x32x4x16xbf16> {
    %c8_i64 = arith.constant 8 : i64
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %true = arith.constant true
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense<-3.389530e+38> : tensor<bf16>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<32x32xbf16>
    %cst_3 = arith.constant 2.500000e-01 : bf16
    %0 = tensor.empty() : tensor<64x64xbf16>
    %transposed = linalg.transpose ins(%arg1 : tensor<64x64xbf16>) outs(%0 : tensor<64x64xbf16>) permutation = [1, 0] 
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<1x32x64xbf16> into tensor<32x64xbf16>
    %1 = tensor.empty() : tensor<32x64xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %3 = linalg.matmul ins(%collapsed, %transposed : tensor<32x64xbf16>, tensor<64x64xbf16>) outs(%2 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %4 = tensor.empty() : tensor<32x64xbf16>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<32x64xf32>) outs(%4 : tensor<32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %58 = arith.truncf %in : f32 to bf16
      linalg.yield %58 : bf16
    } -> tensor<32x64xbf16>
    %expanded = tensor.expand_shape %5 [[0, 1], [2, 3]] output_shape [1, 32, 4, 16] : tensor<32x64xbf16> into tensor<1x32x4x16xbf16>
    %6 = tensor.empty() : tensor<1x4x32x16xbf16>
    %transposed_4 = linalg.transpose ins(%expanded : tensor<1x32x4x16xbf16>) outs(%6 : tensor<1x4x32x16xbf16>) permutation = [0, 2, 1, 3] 
    %7 = tensor.empty() : tensor<64x32xbf16>
    %transposed_5 = linalg.transpose ins(%arg2 : tensor<32x64xbf16>) outs(%7 : tensor<64x32xbf16>) permutation = [1, 0] 
    %8 = tensor.empty() : tensor<32x32xf32>
    %9 = linalg.fill ins(%cst : f32) outs(%8 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %10 = linalg.matmul ins(%collapsed, %transposed_5 : tensor<32x64xbf16>, tensor<64x32xbf16>) outs(%9 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %11 = tensor.empty() : tensor<32x32xbf16>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<32x32xf32>) outs(%11 : tensor<32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %58 = arith.truncf %in : f32 to bf16
      linalg.yield %58 : bf16
    } -> tensor<32x32xbf16>
    %expanded_6 = tensor.expand_shape %12 [[0, 1], [2, 3]] output_shape [1, 32, 2, 16] : tensor<32x32xbf16> into tensor<1x32x2x16xbf16>
    %13 = tensor.empty() : tensor<1x2x32x16xbf16>
    %transposed_7 = linalg.transpose ins(%expanded_6 : tensor<1x32x2x16xbf16>) outs(%13 : tensor<1x2x32x16xbf16>) permutation = [0, 2, 1, 3] 
    %transposed_8 = linalg.transpose ins(%arg3 : tensor<32x64xbf16>) outs(%7 : tensor<64x32xbf16>) permutation = [1, 0] 
    %14 = linalg.matmul ins(%collapsed, %transposed_8 : tensor<32x64xbf16>, tensor<64x32xbf16>) outs(%9 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<32x32xf32>) outs(%11 : tensor<32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %58 = arith.truncf %in : f32 to bf16
      linalg.yield %58 : bf16
    } -> tensor<32x32xbf16>
    %expanded_9 = tensor.expand_shape %15 [[0, 1], [2, 3]] output_shape [1, 32, 2, 16] : tensor<32x32xbf16> into tensor<1x32x2x16xbf16>
    %transposed_10 = linalg.transpose ins(%expanded_9 : tensor<1x32x2x16xbf16>) outs(%13 : tensor<1x2x32x16xbf16>) permutation = [0, 2, 1, 3] 
    %16 = tensor.empty() : tensor<1x2x2x32x16xbf16>
    %17 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_7 : tensor<1x2x32x16xbf16>) outs(%16 : tensor<1x2x2x32x16xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<1x2x2x32x16xbf16>
    %collapsed_11 = tensor.collapse_shape %17 [[0], [1, 2], [3], [4]] : tensor<1x2x2x32x16xbf16> into tensor<1x4x32x16xbf16>
    %18 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_10 : tensor<1x2x32x16xbf16>) outs(%16 : tensor<1x2x2x32x16xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<1x2x2x32x16xbf16>
    %19 = tensor.empty() : tensor<32xi64>
    %20 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel"]} outs(%19 : tensor<32xi64>) {
    ^bb0(%out: i64):
      %58 = linalg.index 0 : index
      %59 = arith.index_cast %58 : index to i64
      linalg.yield %59 : i64
    } -> tensor<32xi64>
    %expanded_12 = tensor.expand_shape %20 [[0, 1]] output_shape [32, 1] : tensor<32xi64> into tensor<32x1xi64>
    %expanded_13 = tensor.expand_shape %20 [[0, 1]] output_shape [1, 32] : tensor<32xi64> into tensor<1x32xi64>
    %21 = tensor.empty() : tensor<32x32xi1>
    %22 = linalg.generic {indexing_maps = [#map4, #map5, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded_13, %expanded_12 : tensor<1x32xi64>, tensor<32x1xi64>) outs(%21 : tensor<32x32xi1>) {
    ^bb0(%in: i64, %in_23: i64, %out: i1):
      %58 = arith.cmpi sle, %in, %in_23 : i64
      linalg.yield %58 : i1
    } -> tensor<32x32xi1>
    %23 = tensor.empty() : tensor<32x32xi64>
    %24 = linalg.generic {indexing_maps = [#map5, #map4, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded_12, %expanded_13 : tensor<32x1xi64>, tensor<1x32xi64>) outs(%23 : tensor<32x32xi64>) {
    ^bb0(%in: i64, %in_23: i64, %out: i64):
      %58 = arith.subi %in, %in_23 : i64
      linalg.yield %58 : i64
    } -> tensor<32x32xi64>
    %25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%24 : tensor<32x32xi64>) outs(%21 : tensor<32x32xi1>) {
    ^bb0(%in: i64, %out: i1):
      %58 = arith.cmpi slt, %in, %c8_i64 : i64
      linalg.yield %58 : i1
    } -> tensor<32x32xi1>
    %26 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%22, %25 : tensor<32x32xi1>, tensor<32x32xi1>) outs(%21 : tensor<32x32xi1>) {
    ^bb0(%in: i1, %in_23: i1, %out: i1):
      %58 = arith.andi %in, %in_23 : i1
      linalg.yield %58 : i1
    } -> tensor<32x32xi1>
    %27 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%26 : tensor<32x32xi1>) outs(%21 : tensor<32x32xi1>) {
    ^bb0(%in: i1, %out: i1):
      %58 = arith.xori %in, %true : i1
      linalg.yield %58 : i1
    } -> tensor<32x32xi1>
    %28 = linalg.generic {indexing_maps = [#map, #map6, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%27, %cst_1, %cst_2 : tensor<32x32xi1>, tensor<bf16>, tensor<32x32xbf16>) outs(%11 : tensor<32x32xbf16>) {
    ^bb0(%in: i1, %in_23: bf16, %in_24: bf16, %out: bf16):
      %58 = arith.select %in, %in_23, %in_24 : bf16
      linalg.yield %58 : bf16
    } -> tensor<32x32xbf16>
    %29 = tensor.empty() : tensor<1x4x16x32xbf16>
    %transposed_14 = linalg.transpose ins(%collapsed_11 : tensor<1x4x32x16xbf16>) outs(%29 : tensor<1x4x16x32xbf16>) permutation = [0, 1, 3, 2] 
    %collapsed_15 = tensor.collapse_shape %transposed_4 [[0, 1], [2], [3]] : tensor<1x4x32x16xbf16> into tensor<4x32x16xbf16>
    %collapsed_16 = tensor.collapse_shape %transposed_14 [[0, 1], [2], [3]] : tensor<1x4x16x32xbf16> into tensor<4x16x32xbf16>
    %30 = tensor.empty() : tensor<4x32x32xf32>
    %31 = linalg.fill ins(%cst : f32) outs(%30 : tensor<4x32x32xf32>) -> tensor<4x32x32xf32>
    %32 = linalg.batch_matmul ins(%collapsed_15, %collapsed_16 : tensor<4x32x16xbf16>, tensor<4x16x32xbf16>) outs(%31 : tensor<4x32x32xf32>) -> tensor<4x32x32xf32>
    %33 = tensor.empty() : tensor<4x32x32xbf16>
    %34 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%32 : tensor<4x32x32xf32>) outs(%33 : tensor<4x32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %58 = arith.truncf %in : f32 to bf16
      linalg.yield %58 : bf16
    } -> tensor<4x32x32xbf16>
    %expanded_17 = tensor.expand_shape %34 [[0, 1], [2], [3]] output_shape [1, 4, 32, 32] : tensor<4x32x32xbf16> into tensor<1x4x32x32xbf16>
    %35 = tensor.empty() : tensor<1x4x32x32xbf16>
    %36 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_17 : tensor<1x4x32x32xbf16>) outs(%35 : tensor<1x4x32x32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %58 = arith.mulf %in, %cst_3 : bf16
      linalg.yield %58 : bf16
    } -> tensor<1x4x32x32xbf16>
    %37 = linalg.generic {indexing_maps = [#map8, #map9, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36, %28 : tensor<1x4x32x32xbf16>, tensor<32x32xbf16>) outs(%35 : tensor<1x4x32x32xbf16>) {
    ^bb0(%in: bf16, %in_23: bf16, %out: bf16):
      %58 = arith.addf %in, %in_23 : bf16
      linalg.yield %58 : bf16
    } -> tensor<1x4x32x32xbf16>
    %38 = tensor.empty() : tensor<1x4x32x32xf32>
    %39 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37 : tensor<1x4x32x32xbf16>) outs(%38 : tensor<1x4x32x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %58 = arith.extf %in : bf16 to f32
      linalg.yield %58 : f32
    } -> tensor<1x4x32x32xf32>
    %40 = tensor.empty() : tensor<1x4x32xi64>
    %41 = linalg.fill ins(%c0_i64 : i64) outs(%40 : tensor<1x4x32xi64>) -> tensor<1x4x32xi64>
    %42 = tensor.empty() : tensor<1x4x32xf32>
    %43 = linalg.fill ins(%cst_0 : f32) outs(%42 : tensor<1x4x32xf32>) -> tensor<1x4x32xf32>
    %44:2 = linalg.generic {indexing_maps = [#map8, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%39 : tensor<1x4x32x32xf32>) outs(%43, %41 : tensor<1x4x32xf32>, tensor<1x4x32xi64>) {
    ^bb0(%in: f32, %out: f32, %out_23: i64):
      %58 = linalg.index 3 : index
      %59 = arith.index_cast %58 : index to i64
      %60 = arith.maximumf %in, %out : f32
      %61 = arith.cmpf ogt, %in, %out : f32
      %62 = arith.select %61, %59, %out_23 : i64
      linalg.yield %60, %62 : f32, i64
    } -> (tensor<1x4x32xf32>, tensor<1x4x32xi64>)
    %expanded_18 = tensor.expand_shape %44#0 [[0], [1], [2, 3]] output_shape [1, 4, 32, 1] : tensor<1x4x32xf32> into tensor<1x4x32x1xf32>
    %45 = linalg.generic {indexing_maps = [#map8, #map11, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39, %expanded_18 : tensor<1x4x32x32xf32>, tensor<1x4x32x1xf32>) outs(%38 : tensor<1x4x32x32xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %58 = arith.subf %in, %in_23 : f32
      linalg.yield %58 : f32
    } -> tensor<1x4x32x32xf32>
    %46 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45 : tensor<1x4x32x32xf32>) outs(%38 : tensor<1x4x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %58 = math.exp %in : f32
      linalg.yield %58 : f32
    } -> tensor<1x4x32x32xf32>
    %47 = tensor.empty() : tensor<1x4x32x1xf32>
    %48 = linalg.fill ins(%cst : f32) outs(%47 : tensor<1x4x32x1xf32>) -> tensor<1x4x32x1xf32>
    %49 = linalg.generic {indexing_maps = [#map8, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%46 : tensor<1x4x32x32xf32>) outs(%48 : tensor<1x4x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %58 = arith.addf %in, %out : f32
      linalg.yield %58 : f32
    } -> tensor<1x4x32x1xf32>
    %50 = linalg.generic {indexing_maps = [#map8, #map11, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46, %49 : tensor<1x4x32x32xf32>, tensor<1x4x32x1xf32>) outs(%38 : tensor<1x4x32x32xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %58 = arith.divf %in, %in_23 : f32
      linalg.yield %58 : f32
    } -> tensor<1x4x32x32xf32>
    %51 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%50 : tensor<1x4x32x32xf32>) outs(%35 : tensor<1x4x32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %58 = arith.truncf %in : f32 to bf16
      linalg.yield %58 : bf16
    } -> tensor<1x4x32x32xbf16>
    %collapsed_19 = tensor.collapse_shape %51 [[0, 1], [2], [3]] : tensor<1x4x32x32xbf16> into tensor<4x32x32xbf16>
    %collapsed_20 = tensor.collapse_shape %18 [[0, 1, 2], [3], [4]] : tensor<1x2x2x32x16xbf16> into tensor<4x32x16xbf16>
    %52 = tensor.empty() : tensor<4x32x16xf32>
    %53 = linalg.fill ins(%cst : f32) outs(%52 : tensor<4x32x16xf32>) -> tensor<4x32x16xf32>
    %54 = linalg.batch_matmul ins(%collapsed_19, %collapsed_20 : tensor<4x32x32xbf16>, tensor<4x32x16xbf16>) outs(%53 : tensor<4x32x16xf32>) -> tensor<4x32x16xf32>
    %55 = tensor.empty() : tensor<4x32x16xbf16>
    %56 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%54 : tensor<4x32x16xf32>) outs(%55 : tensor<4x32x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %58 = arith.truncf %in : f32 to bf16
      linalg.yield %58 : bf16
    } -> tensor<4x32x16xbf16>
    %expanded_21 = tensor.expand_shape %56 [[0, 1], [2], [3]] output_shape [1, 4, 32, 16] : tensor<4x32x16xbf16> into tensor<1x4x32x16xbf16>
    %57 = tensor.empty() : tensor<1x32x4x16xbf16>
    %transposed_22 = linalg.transpose ins(%expanded_21 : tensor<1x4x32x16xbf16>) outs(%57 : tensor<1x32x4x16xbf16>) permutation = [0, 2, 1, 3] 
    return %transposed_22 : tensor<1x32x4x16xbf16>
  }
}
