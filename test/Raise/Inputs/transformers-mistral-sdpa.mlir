// Written by `make-transformers.py`.
#map = affine_map<(d0, d1, d2) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1) -> (d1)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, 0)>
#map6 = affine_map<(d0, d1, d2, d3) -> (0, 0, d2, 0)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (0, 0, 0, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map11 = affine_map<(d0, d1, d2, d3) -> ()>
#map12 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map13 = affine_map<(d0, d1, d2) -> (d2)>
#map14 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map15 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map16 = affine_map<(d0, d1, d2, d3) -> (0, 0, d2, d3)>
#map17 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map18 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map19 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map20 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
#map21 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map22 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map23 = affine_map<(d0, d1, d2) -> (d1, d2)>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<64x32xf32>, tensor<32x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2x12xi64>) -> tensor<2x12x32xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<64x32xf32>, %arg1: tensor<32x32xf32>, %arg2: tensor<16x32xf32>, %arg3: tensor<16x32xf32>, %arg4: tensor<32x32xf32>, %arg5: tensor<32x32xf32>, %arg6: tensor<32x32xf32>, %arg7: tensor<32x32xf32>, %arg8: tensor<32xf32>, %arg9: tensor<32xf32>, %arg10: tensor<32xf32>, %arg11: tensor<4xf32>, %arg12: tensor<4xf32>, %arg13: tensor<2x12xi64>):
    %0 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %1 = "arith.constant"() <{value = 4 : i64}> : () -> i64
    %2 = "arith.constant"() <{value = 2 : i64}> : () -> i64
    %3 = "arith.constant"() <{value = 1 : i64}> : () -> i64
    %4 = "arith.constant"() <{value = 12 : i64}> : () -> i64
    %5 = "arith.constant"() <{value = 64 : index}> : () -> index
    %6 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %7 = "arith.constant"() <{value = 0xFF800000 : f32}> : () -> f32
    %8 = "arith.constant"() <{value = true}> : () -> i1
    %9 = "arith.constant"() <{value = 1.000000e+00 : f32}> : () -> f32
    %10 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<2x4x12x12xf32>}> : () -> tensor<2x4x12x12xf32>
    %11 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %12 = "arith.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %13 = "arith.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %14 = "arith.constant"() <{value = 0.59460355750136051 : f64}> : () -> f64
    %15 = "arith.constant"() <{value = 0xFFF0000000000000 : f64}> : () -> f64
    %16 = "arith.constant"() <{value = 9.9999999999999995E-7 : f64}> : () -> f64
    %17 = "arith.constant"() <{value = 3.200000e+01 : f32}> : () -> f32
    %18 = "tensor.empty"() : () -> tensor<2x12x32xf32>
    %19 = "linalg.generic"(%arg13, %18) <{indexing_maps = [#map, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg270: i64, %arg271: f32):
      %328 = "arith.index_cast"(%arg270) : (i64) -> index
      %329 = "linalg.index"() <{dim = 2 : i64}> : () -> index
      %330 = "arith.cmpi"(%328, %5) <{predicate = 2 : i64}> : (index, index) -> i1
      "cf.assert"(%330) <{msg = "index must be smaller than dim size"}> : (i1) -> ()
      %331 = "arith.cmpi"(%arg270, %0) <{predicate = 5 : i64}> : (i64, i64) -> i1
      "cf.assert"(%331) <{msg = "index must be larger or equal to 0"}> : (i1) -> ()
      %332 = "tensor.extract"(%arg0, %328, %329) : (tensor<64x32xf32>, index, index) -> f32
      "linalg.yield"(%332) : (f32) -> ()
    }) : (tensor<2x12xi64>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %20 = "tensor.empty"() : () -> tensor<12xi64>
    %21 = "linalg.generic"(%20) <{indexing_maps = [#map2], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 0, 1>}> ({
    ^bb0(%arg269: i64):
      %326 = "linalg.index"() <{dim = 0 : i64}> : () -> index
      %327 = "arith.index_cast"(%326) : (index) -> i64
      "linalg.yield"(%327) : (i64) -> ()
    }) : (tensor<12xi64>) -> tensor<12xi64>
    %22 = "tensor.empty"() : () -> tensor<2x12xi64>
    %23 = "linalg.generic"(%21, %22) <{indexing_maps = [#map3, #map4], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg267: i64, %arg268: i64):
      "linalg.yield"(%arg267) : (i64) -> ()
    }) : (tensor<12xi64>, tensor<2x12xi64>) -> tensor<2x12xi64>
    %24 = "tensor.extract_slice"(%23) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 2, 1>, static_strides = array<i64: 1, 1>}> : (tensor<2x12xi64>) -> tensor<2x1xi64>
    %25 = "tensor.empty"() : () -> tensor<2x1xi64>
    %26 = "linalg.generic"(%24, %25) <{indexing_maps = [#map4, #map4], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg265: i64, %arg266: i64):
      %325 = "arith.subi"(%arg265, %3) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      "linalg.yield"(%325) : (i64) -> ()
    }) : (tensor<2x1xi64>, tensor<2x1xi64>) -> tensor<2x1xi64>
    %27 = "tensor.concat"(%26, %23) <{dim = 1 : i64}> : (tensor<2x1xi64>, tensor<2x12xi64>) -> tensor<2x13xi64>
    %28 = "tensor.extract_slice"(%27) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 2, 12>, static_strides = array<i64: 1, 1>}> : (tensor<2x13xi64>) -> tensor<2x12xi64>
    %29 = "tensor.extract_slice"(%27) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 1>, static_sizes = array<i64: 2, 12>, static_strides = array<i64: 1, 1>}> : (tensor<2x13xi64>) -> tensor<2x12xi64>
    %30 = "linalg.generic"(%29, %28, %22) <{indexing_maps = [#map4, #map4, #map4], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg262: i64, %arg263: i64, %arg264: i64):
      %324 = "arith.subi"(%arg262, %arg263) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      "linalg.yield"(%324) : (i64) -> ()
    }) : (tensor<2x12xi64>, tensor<2x12xi64>, tensor<2x12xi64>) -> tensor<2x12xi64>
    %31 = "tensor.empty"() : () -> tensor<2x12xi1>
    %32 = "linalg.generic"(%30, %31) <{indexing_maps = [#map4, #map4], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg260: i64, %arg261: i1):
      %323 = "arith.cmpi"(%arg260, %3) <{predicate = 1 : i64}> : (i64, i64) -> i1
      "linalg.yield"(%323) : (i1) -> ()
    }) : (tensor<2x12xi64>, tensor<2x12xi1>) -> tensor<2x12xi1>
    %33 = "linalg.generic"(%32, %22) <{indexing_maps = [#map4, #map4], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg258: i1, %arg259: i64):
      %322 = "arith.extui"(%arg258) : (i1) -> i64
      "linalg.yield"(%322) : (i64) -> ()
    }) : (tensor<2x12xi1>, tensor<2x12xi64>) -> tensor<2x12xi64>
    %34 = "linalg.fill"(%0, %22) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg256: i64, %arg257: i64):
      "linalg.yield"(%arg256) : (i64) -> ()
    }) : (i64, tensor<2x12xi64>) -> tensor<2x12xi64>
    %35 = "tensor.empty"() : () -> tensor<2xi64>
    %36 = "linalg.fill"(%0, %35) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg254: i64, %arg255: i64):
      "linalg.yield"(%arg254) : (i64) -> ()
    }) : (i64, tensor<2xi64>) -> tensor<2xi64>
    %37:2 = "tm_tensor.scan"(%33, %34, %36) <{dimension = 1 : i64, inclusive = true, operandSegmentSizes = array<i32: 1, 2>}> ({
    ^bb0(%arg252: i64, %arg253: i64):
      %321 = "arith.addi"(%arg252, %arg253) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      "tm_tensor.yield"(%321) : (i64) -> ()
    }) : (tensor<2x12xi64>, tensor<2x12xi64>, tensor<2xi64>) -> (tensor<2x12xi64>, tensor<2xi64>)
    %38 = "linalg.generic"(%35) <{indexing_maps = [#map2], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 0, 1>}> ({
    ^bb0(%arg251: i64):
      %319 = "linalg.index"() <{dim = 0 : i64}> : () -> index
      %320 = "arith.index_cast"(%319) : (index) -> i64
      "linalg.yield"(%320) : (i64) -> ()
    }) : (tensor<2xi64>) -> tensor<2xi64>
    %39 = "tensor.expand_shape"(%38) <{reassociation = [[0, 1, 2, 3]], static_output_shape = array<i64: 2, 1, 1, 1>}> : (tensor<2xi64>) -> tensor<2x1x1x1xi64>
    %40 = "tensor.expand_shape"(%21) <{reassociation = [[0, 1, 2, 3]], static_output_shape = array<i64: 1, 1, 12, 1>}> : (tensor<12xi64>) -> tensor<1x1x12x1xi64>
    %41 = "tensor.expand_shape"(%21) <{reassociation = [[0, 1, 2, 3]], static_output_shape = array<i64: 1, 1, 1, 12>}> : (tensor<12xi64>) -> tensor<1x1x1x12xi64>
    %42 = "tensor.empty"() : () -> tensor<2x1x12x1xi64>
    %43 = "linalg.generic"(%39, %40, %42) <{indexing_maps = [#map5, #map6, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg248: i64, %arg249: i64, %arg250: i64):
      %310 = "arith.cmpi"(%arg248, %0) <{predicate = 2 : i64}> : (i64, i64) -> i1
      %311 = "arith.addi"(%arg248, %2) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      %312 = "arith.select"(%310, %311, %arg248) : (i1, i64, i64) -> i64
      %313 = "arith.index_cast"(%312) : (i64) -> index
      %314 = "arith.cmpi"(%arg249, %0) <{predicate = 2 : i64}> : (i64, i64) -> i1
      %315 = "arith.addi"(%arg249, %4) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      %316 = "arith.select"(%314, %315, %arg249) : (i1, i64, i64) -> i64
      %317 = "arith.index_cast"(%316) : (i64) -> index
      %318 = "tensor.extract"(%37#0, %313, %317) : (tensor<2x12xi64>, index, index) -> i64
      "linalg.yield"(%318) : (i64) -> ()
    }) : (tensor<2x1x1x1xi64>, tensor<1x1x12x1xi64>, tensor<2x1x12x1xi64>) -> tensor<2x1x12x1xi64>
    %44 = "tensor.empty"() : () -> tensor<2x1x1x12xi64>
    %45 = "linalg.generic"(%39, %41, %44) <{indexing_maps = [#map5, #map8, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg245: i64, %arg246: i64, %arg247: i64):
      %301 = "arith.cmpi"(%arg245, %0) <{predicate = 2 : i64}> : (i64, i64) -> i1
      %302 = "arith.addi"(%arg245, %2) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      %303 = "arith.select"(%301, %302, %arg245) : (i1, i64, i64) -> i64
      %304 = "arith.index_cast"(%303) : (i64) -> index
      %305 = "arith.cmpi"(%arg246, %0) <{predicate = 2 : i64}> : (i64, i64) -> i1
      %306 = "arith.addi"(%arg246, %4) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      %307 = "arith.select"(%305, %306, %arg246) : (i1, i64, i64) -> i64
      %308 = "arith.index_cast"(%307) : (i64) -> index
      %309 = "tensor.extract"(%37#0, %304, %308) : (tensor<2x12xi64>, index, index) -> i64
      "linalg.yield"(%309) : (i64) -> ()
    }) : (tensor<2x1x1x1xi64>, tensor<1x1x1x12xi64>, tensor<2x1x1x12xi64>) -> tensor<2x1x1x12xi64>
    %46 = "tensor.empty"() : () -> tensor<2x1x12x12xi1>
    %47 = "linalg.generic"(%43, %45, %46) <{indexing_maps = [#map9, #map10, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg242: i64, %arg243: i64, %arg244: i1):
      %300 = "arith.cmpi"(%arg242, %arg243) <{predicate = 0 : i64}> : (i64, i64) -> i1
      "linalg.yield"(%300) : (i1) -> ()
    }) : (tensor<2x1x12x1xi64>, tensor<2x1x1x12xi64>, tensor<2x1x12x12xi1>) -> tensor<2x1x12x12xi1>
    %48 = "linalg.generic"(%13, %47, %46) <{indexing_maps = [#map11, #map7, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg239: i1, %arg240: i1, %arg241: i1):
      %299 = "arith.andi"(%arg239, %arg240) : (i1, i1) -> i1
      "linalg.yield"(%299) : (i1) -> ()
    }) : (tensor<i1>, tensor<2x1x12x12xi1>, tensor<2x1x12x12xi1>) -> tensor<2x1x12x12xi1>
    %49 = "linalg.generic"(%39, %40, %42) <{indexing_maps = [#map5, #map6, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg236: i64, %arg237: i64, %arg238: i64):
      %290 = "arith.cmpi"(%arg236, %0) <{predicate = 2 : i64}> : (i64, i64) -> i1
      %291 = "arith.addi"(%arg236, %2) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      %292 = "arith.select"(%290, %291, %arg236) : (i1, i64, i64) -> i64
      %293 = "arith.index_cast"(%292) : (i64) -> index
      %294 = "arith.cmpi"(%arg237, %0) <{predicate = 2 : i64}> : (i64, i64) -> i1
      %295 = "arith.addi"(%arg237, %4) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      %296 = "arith.select"(%294, %295, %arg237) : (i1, i64, i64) -> i64
      %297 = "arith.index_cast"(%296) : (i64) -> index
      %298 = "tensor.extract"(%23, %293, %297) : (tensor<2x12xi64>, index, index) -> i64
      "linalg.yield"(%298) : (i64) -> ()
    }) : (tensor<2x1x1x1xi64>, tensor<1x1x12x1xi64>, tensor<2x1x12x1xi64>) -> tensor<2x1x12x1xi64>
    %50 = "linalg.generic"(%39, %41, %44) <{indexing_maps = [#map5, #map8, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg233: i64, %arg234: i64, %arg235: i64):
      %281 = "arith.cmpi"(%arg233, %0) <{predicate = 2 : i64}> : (i64, i64) -> i1
      %282 = "arith.addi"(%arg233, %2) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      %283 = "arith.select"(%281, %282, %arg233) : (i1, i64, i64) -> i64
      %284 = "arith.index_cast"(%283) : (i64) -> index
      %285 = "arith.cmpi"(%arg234, %0) <{predicate = 2 : i64}> : (i64, i64) -> i1
      %286 = "arith.addi"(%arg234, %4) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      %287 = "arith.select"(%285, %286, %arg234) : (i1, i64, i64) -> i64
      %288 = "arith.index_cast"(%287) : (i64) -> index
      %289 = "tensor.extract"(%23, %284, %288) : (tensor<2x12xi64>, index, index) -> i64
      "linalg.yield"(%289) : (i64) -> ()
    }) : (tensor<2x1x1x1xi64>, tensor<1x1x1x12xi64>, tensor<2x1x1x12xi64>) -> tensor<2x1x1x12xi64>
    %51 = "linalg.generic"(%49, %42) <{indexing_maps = [#map7, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg231: i64, %arg232: i64):
      %280 = "arith.subi"(%arg231, %1) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      "linalg.yield"(%280) : (i64) -> ()
    }) : (tensor<2x1x12x1xi64>, tensor<2x1x12x1xi64>) -> tensor<2x1x12x1xi64>
    %52 = "linalg.generic"(%50, %51, %46) <{indexing_maps = [#map10, #map9, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg228: i64, %arg229: i64, %arg230: i1):
      %279 = "arith.cmpi"(%arg228, %arg229) <{predicate = 4 : i64}> : (i64, i64) -> i1
      "linalg.yield"(%279) : (i1) -> ()
    }) : (tensor<2x1x1x12xi64>, tensor<2x1x12x1xi64>, tensor<2x1x12x12xi1>) -> tensor<2x1x12x12xi1>
    %53 = "linalg.generic"(%13, %52, %46) <{indexing_maps = [#map11, #map7, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg225: i1, %arg226: i1, %arg227: i1):
      %278 = "arith.andi"(%arg225, %arg226) : (i1, i1) -> i1
      "linalg.yield"(%278) : (i1) -> ()
    }) : (tensor<i1>, tensor<2x1x12x12xi1>, tensor<2x1x12x12xi1>) -> tensor<2x1x12x12xi1>
    %54 = "linalg.generic"(%50, %49, %46) <{indexing_maps = [#map10, #map9, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg222: i64, %arg223: i64, %arg224: i1):
      %277 = "arith.cmpi"(%arg222, %arg223) <{predicate = 3 : i64}> : (i64, i64) -> i1
      "linalg.yield"(%277) : (i1) -> ()
    }) : (tensor<2x1x1x12xi64>, tensor<2x1x12x1xi64>, tensor<2x1x12x12xi1>) -> tensor<2x1x12x12xi1>
    %55 = "linalg.generic"(%53, %54, %46) <{indexing_maps = [#map7, #map7, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg219: i1, %arg220: i1, %arg221: i1):
      %276 = "arith.andi"(%arg219, %arg220) : (i1, i1) -> i1
      "linalg.yield"(%276) : (i1) -> ()
    }) : (tensor<2x1x12x12xi1>, tensor<2x1x12x12xi1>, tensor<2x1x12x12xi1>) -> tensor<2x1x12x12xi1>
    %56 = "linalg.generic"(%48, %55, %46) <{indexing_maps = [#map7, #map7, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg216: i1, %arg217: i1, %arg218: i1):
      %275 = "arith.andi"(%arg216, %arg217) : (i1, i1) -> i1
      "linalg.yield"(%275) : (i1) -> ()
    }) : (tensor<2x1x12x12xi1>, tensor<2x1x12x12xi1>, tensor<2x1x12x12xi1>) -> tensor<2x1x12x12xi1>
    %57 = "tensor.expand_shape"(%21) <{reassociation = [[0, 1, 2]], static_output_shape = array<i64: 1, 12, 1>}> : (tensor<12xi64>) -> tensor<1x12x1xi64>
    %58 = "tensor.empty"() : () -> tensor<1x12x1xf32>
    %59 = "linalg.generic"(%57, %58) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg214: i64, %arg215: f32):
      %274 = "arith.sitofp"(%arg214) : (i64) -> f32
      "linalg.yield"(%274) : (f32) -> ()
    }) : (tensor<1x12x1xi64>, tensor<1x12x1xf32>) -> tensor<1x12x1xf32>
    %60 = "tensor.empty"() : () -> tensor<1x12x4xf32>
    %61 = "linalg.generic"(%59, %arg11, %60) <{indexing_maps = [#map12, #map13, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg211: f32, %arg212: f32, %arg213: f32):
      %273 = "arith.mulf"(%arg211, %arg212) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%273) : (f32) -> ()
    }) : (tensor<1x12x1xf32>, tensor<4xf32>, tensor<1x12x4xf32>) -> tensor<1x12x4xf32>
    %62 = "tensor.concat"(%61, %61) <{dim = 2 : i64}> : (tensor<1x12x4xf32>, tensor<1x12x4xf32>) -> tensor<1x12x8xf32>
    %63 = "tensor.empty"() : () -> tensor<1x12x8xf32>
    %64 = "linalg.generic"(%62, %63) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg209: f32, %arg210: f32):
      %272 = "math.cos"(%arg209) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%272) : (f32) -> ()
    }) : (tensor<1x12x8xf32>, tensor<1x12x8xf32>) -> tensor<1x12x8xf32>
    %65 = "linalg.generic"(%62, %63) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg207: f32, %arg208: f32):
      %271 = "math.sin"(%arg207) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%271) : (f32) -> ()
    }) : (tensor<1x12x8xf32>, tensor<1x12x8xf32>) -> tensor<1x12x8xf32>
    %66 = "linalg.generic"(%19, %18) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg205: f32, %arg206: f32):
      %270 = "math.fpowi"(%arg205, %2) <{fastmath = #arith.fastmath<none>}> : (f32, i64) -> f32
      "linalg.yield"(%270) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %67 = "tensor.empty"() : () -> tensor<2x12x1xf32>
    %68 = "linalg.fill"(%6, %67) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg203: f32, %arg204: f32):
      "linalg.yield"(%arg203) : (f32) -> ()
    }) : (f32, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %69 = "linalg.generic"(%66, %68) <{indexing_maps = [#map1, #map12], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg201: f32, %arg202: f32):
      %269 = "arith.addf"(%arg201, %arg202) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%269) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %70 = "linalg.generic"(%69, %67) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg199: f32, %arg200: f32):
      %268 = "arith.divf"(%arg199, %17) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%268) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %71 = "linalg.generic"(%70, %67) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg197: f32, %arg198: f32):
      %266 = "arith.truncf"(%16) : (f64) -> f32
      %267 = "arith.addf"(%arg197, %266) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%267) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %72 = "linalg.generic"(%71, %67) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg195: f32, %arg196: f32):
      %265 = "math.rsqrt"(%arg195) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%265) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %73 = "linalg.generic"(%19, %72, %18) <{indexing_maps = [#map1, #map12, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg192: f32, %arg193: f32, %arg194: f32):
      %264 = "arith.mulf"(%arg192, %arg193) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%264) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x1xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %74 = "linalg.generic"(%arg8, %73, %18) <{indexing_maps = [#map13, #map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg189: f32, %arg190: f32, %arg191: f32):
      %263 = "arith.mulf"(%arg189, %arg190) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%263) : (f32) -> ()
    }) : (tensor<32xf32>, tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %75 = "tensor.empty"() : () -> tensor<32x32xf32>
    %76 = "linalg.transpose"(%arg1, %75) <{permutation = array<i64: 1, 0>}> ({
    ^bb0(%arg187: f32, %arg188: f32):
      "linalg.yield"(%arg187) : (f32) -> ()
    }) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %77 = "tensor.collapse_shape"(%74) <{reassociation = [[0, 1], [2]]}> : (tensor<2x12x32xf32>) -> tensor<24x32xf32>
    %78 = "tensor.empty"() : () -> tensor<24x32xf32>
    %79 = "linalg.fill"(%6, %78) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg185: f32, %arg186: f32):
      "linalg.yield"(%arg185) : (f32) -> ()
    }) : (f32, tensor<24x32xf32>) -> tensor<24x32xf32>
    %80 = "linalg.matmul"(%77, %76, %79) <{indexing_maps = [#map14, #map15, #map], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg182: f32, %arg183: f32, %arg184: f32):
      %261 = "arith.mulf"(%arg182, %arg183) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %262 = "arith.addf"(%arg184, %261) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%262) : (f32) -> ()
    }) : (tensor<24x32xf32>, tensor<32x32xf32>, tensor<24x32xf32>) -> tensor<24x32xf32>
    %81 = "tensor.expand_shape"(%80) <{reassociation = [[0, 1], [2, 3]], static_output_shape = array<i64: 2, 12, 4, 8>}> : (tensor<24x32xf32>) -> tensor<2x12x4x8xf32>
    %82 = "tensor.empty"() : () -> tensor<2x4x12x8xf32>
    %83 = "linalg.transpose"(%81, %82) <{permutation = array<i64: 0, 2, 1, 3>}> ({
    ^bb0(%arg180: f32, %arg181: f32):
      "linalg.yield"(%arg180) : (f32) -> ()
    }) : (tensor<2x12x4x8xf32>, tensor<2x4x12x8xf32>) -> tensor<2x4x12x8xf32>
    %84 = "tensor.empty"() : () -> tensor<32x16xf32>
    %85 = "linalg.transpose"(%arg2, %84) <{permutation = array<i64: 1, 0>}> ({
    ^bb0(%arg178: f32, %arg179: f32):
      "linalg.yield"(%arg178) : (f32) -> ()
    }) : (tensor<16x32xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    %86 = "tensor.empty"() : () -> tensor<24x16xf32>
    %87 = "linalg.fill"(%6, %86) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg176: f32, %arg177: f32):
      "linalg.yield"(%arg176) : (f32) -> ()
    }) : (f32, tensor<24x16xf32>) -> tensor<24x16xf32>
    %88 = "linalg.matmul"(%77, %85, %87) <{indexing_maps = [#map14, #map15, #map], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg173: f32, %arg174: f32, %arg175: f32):
      %259 = "arith.mulf"(%arg173, %arg174) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %260 = "arith.addf"(%arg175, %259) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%260) : (f32) -> ()
    }) : (tensor<24x32xf32>, tensor<32x16xf32>, tensor<24x16xf32>) -> tensor<24x16xf32>
    %89 = "tensor.expand_shape"(%88) <{reassociation = [[0, 1], [2, 3]], static_output_shape = array<i64: 2, 12, 2, 8>}> : (tensor<24x16xf32>) -> tensor<2x12x2x8xf32>
    %90 = "tensor.empty"() : () -> tensor<2x2x12x8xf32>
    %91 = "linalg.transpose"(%89, %90) <{permutation = array<i64: 0, 2, 1, 3>}> ({
    ^bb0(%arg171: f32, %arg172: f32):
      "linalg.yield"(%arg171) : (f32) -> ()
    }) : (tensor<2x12x2x8xf32>, tensor<2x2x12x8xf32>) -> tensor<2x2x12x8xf32>
    %92 = "linalg.transpose"(%arg3, %84) <{permutation = array<i64: 1, 0>}> ({
    ^bb0(%arg169: f32, %arg170: f32):
      "linalg.yield"(%arg169) : (f32) -> ()
    }) : (tensor<16x32xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    %93 = "linalg.matmul"(%77, %92, %87) <{indexing_maps = [#map14, #map15, #map], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg166: f32, %arg167: f32, %arg168: f32):
      %257 = "arith.mulf"(%arg166, %arg167) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %258 = "arith.addf"(%arg168, %257) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%258) : (f32) -> ()
    }) : (tensor<24x32xf32>, tensor<32x16xf32>, tensor<24x16xf32>) -> tensor<24x16xf32>
    %94 = "tensor.expand_shape"(%93) <{reassociation = [[0, 1], [2, 3]], static_output_shape = array<i64: 2, 12, 2, 8>}> : (tensor<24x16xf32>) -> tensor<2x12x2x8xf32>
    %95 = "linalg.transpose"(%94, %90) <{permutation = array<i64: 0, 2, 1, 3>}> ({
    ^bb0(%arg164: f32, %arg165: f32):
      "linalg.yield"(%arg164) : (f32) -> ()
    }) : (tensor<2x12x2x8xf32>, tensor<2x2x12x8xf32>) -> tensor<2x2x12x8xf32>
    %96 = "tensor.expand_shape"(%64) <{reassociation = [[0], [1, 2], [3]], static_output_shape = array<i64: 1, 1, 12, 8>}> : (tensor<1x12x8xf32>) -> tensor<1x1x12x8xf32>
    %97 = "tensor.expand_shape"(%65) <{reassociation = [[0], [1, 2], [3]], static_output_shape = array<i64: 1, 1, 12, 8>}> : (tensor<1x12x8xf32>) -> tensor<1x1x12x8xf32>
    %98 = "linalg.generic"(%83, %96, %82) <{indexing_maps = [#map7, #map16, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg161: f32, %arg162: f32, %arg163: f32):
      %256 = "arith.mulf"(%arg161, %arg162) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%256) : (f32) -> ()
    }) : (tensor<2x4x12x8xf32>, tensor<1x1x12x8xf32>, tensor<2x4x12x8xf32>) -> tensor<2x4x12x8xf32>
    %99 = "tensor.extract_slice"(%83) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: 2, 4, 12, 4>, static_strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x4x12x8xf32>) -> tensor<2x4x12x4xf32>
    %100 = "tensor.extract_slice"(%83) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0, 0, 4>, static_sizes = array<i64: 2, 4, 12, 4>, static_strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x4x12x8xf32>) -> tensor<2x4x12x4xf32>
    %101 = "tensor.empty"() : () -> tensor<2x4x12x4xf32>
    %102 = "linalg.generic"(%100, %101) <{indexing_maps = [#map7, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg159: f32, %arg160: f32):
      %255 = "arith.negf"(%arg159) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%255) : (f32) -> ()
    }) : (tensor<2x4x12x4xf32>, tensor<2x4x12x4xf32>) -> tensor<2x4x12x4xf32>
    %103 = "tensor.concat"(%102, %99) <{dim = 3 : i64}> : (tensor<2x4x12x4xf32>, tensor<2x4x12x4xf32>) -> tensor<2x4x12x8xf32>
    %104 = "linalg.generic"(%103, %97, %82) <{indexing_maps = [#map7, #map16, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg156: f32, %arg157: f32, %arg158: f32):
      %254 = "arith.mulf"(%arg156, %arg157) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%254) : (f32) -> ()
    }) : (tensor<2x4x12x8xf32>, tensor<1x1x12x8xf32>, tensor<2x4x12x8xf32>) -> tensor<2x4x12x8xf32>
    %105 = "linalg.generic"(%98, %104, %82) <{indexing_maps = [#map7, #map7, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg153: f32, %arg154: f32, %arg155: f32):
      %253 = "arith.addf"(%arg153, %arg154) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%253) : (f32) -> ()
    }) : (tensor<2x4x12x8xf32>, tensor<2x4x12x8xf32>, tensor<2x4x12x8xf32>) -> tensor<2x4x12x8xf32>
    %106 = "linalg.generic"(%91, %96, %90) <{indexing_maps = [#map7, #map16, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg150: f32, %arg151: f32, %arg152: f32):
      %252 = "arith.mulf"(%arg150, %arg151) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%252) : (f32) -> ()
    }) : (tensor<2x2x12x8xf32>, tensor<1x1x12x8xf32>, tensor<2x2x12x8xf32>) -> tensor<2x2x12x8xf32>
    %107 = "tensor.extract_slice"(%91) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: 2, 2, 12, 4>, static_strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x2x12x8xf32>) -> tensor<2x2x12x4xf32>
    %108 = "tensor.extract_slice"(%91) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0, 0, 4>, static_sizes = array<i64: 2, 2, 12, 4>, static_strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x2x12x8xf32>) -> tensor<2x2x12x4xf32>
    %109 = "tensor.empty"() : () -> tensor<2x2x12x4xf32>
    %110 = "linalg.generic"(%108, %109) <{indexing_maps = [#map7, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg148: f32, %arg149: f32):
      %251 = "arith.negf"(%arg148) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%251) : (f32) -> ()
    }) : (tensor<2x2x12x4xf32>, tensor<2x2x12x4xf32>) -> tensor<2x2x12x4xf32>
    %111 = "tensor.concat"(%110, %107) <{dim = 3 : i64}> : (tensor<2x2x12x4xf32>, tensor<2x2x12x4xf32>) -> tensor<2x2x12x8xf32>
    %112 = "linalg.generic"(%111, %97, %90) <{indexing_maps = [#map7, #map16, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg145: f32, %arg146: f32, %arg147: f32):
      %250 = "arith.mulf"(%arg145, %arg146) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%250) : (f32) -> ()
    }) : (tensor<2x2x12x8xf32>, tensor<1x1x12x8xf32>, tensor<2x2x12x8xf32>) -> tensor<2x2x12x8xf32>
    %113 = "linalg.generic"(%106, %112, %90) <{indexing_maps = [#map7, #map7, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg142: f32, %arg143: f32, %arg144: f32):
      %249 = "arith.addf"(%arg142, %arg143) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%249) : (f32) -> ()
    }) : (tensor<2x2x12x8xf32>, tensor<2x2x12x8xf32>, tensor<2x2x12x8xf32>) -> tensor<2x2x12x8xf32>
    %114 = "tensor.empty"() : () -> tensor<2x2x2x12x8xf32>
    %115 = "linalg.generic"(%113, %114) <{indexing_maps = [#map17, #map18], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg140: f32, %arg141: f32):
      "linalg.yield"(%arg140) : (f32) -> ()
    }) : (tensor<2x2x12x8xf32>, tensor<2x2x2x12x8xf32>) -> tensor<2x2x2x12x8xf32>
    %116 = "tensor.collapse_shape"(%115) <{reassociation = [[0], [1, 2], [3], [4]]}> : (tensor<2x2x2x12x8xf32>) -> tensor<2x4x12x8xf32>
    %117 = "linalg.generic"(%95, %114) <{indexing_maps = [#map17, #map18], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg138: f32, %arg139: f32):
      "linalg.yield"(%arg138) : (f32) -> ()
    }) : (tensor<2x2x12x8xf32>, tensor<2x2x2x12x8xf32>) -> tensor<2x2x2x12x8xf32>
    %118 = "tensor.empty"() : () -> tensor<2x1x12x12xf32>
    %119 = "linalg.generic"(%56, %11, %12, %118) <{indexing_maps = [#map7, #map11, #map11, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 3, 1>}> ({
    ^bb0(%arg134: i1, %arg135: f32, %arg136: f32, %arg137: f32):
      %248 = "arith.select"(%arg134, %arg135, %arg136) : (i1, f32, f32) -> f32
      "linalg.yield"(%248) : (f32) -> ()
    }) : (tensor<2x1x12x12xi1>, tensor<f32>, tensor<f32>, tensor<2x1x12x12xf32>) -> tensor<2x1x12x12xf32>
    %120 = "linalg.generic"(%105, %82) <{indexing_maps = [#map7, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg132: f32, %arg133: f32):
      %246 = "arith.truncf"(%14) : (f64) -> f32
      %247 = "arith.mulf"(%arg132, %246) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%247) : (f32) -> ()
    }) : (tensor<2x4x12x8xf32>, tensor<2x4x12x8xf32>) -> tensor<2x4x12x8xf32>
    %121 = "tensor.empty"() : () -> tensor<2x4x8x12xf32>
    %122 = "linalg.transpose"(%116, %121) <{permutation = array<i64: 0, 1, 3, 2>}> ({
    ^bb0(%arg130: f32, %arg131: f32):
      "linalg.yield"(%arg130) : (f32) -> ()
    }) : (tensor<2x4x12x8xf32>, tensor<2x4x8x12xf32>) -> tensor<2x4x8x12xf32>
    %123 = "linalg.generic"(%122, %121) <{indexing_maps = [#map7, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg128: f32, %arg129: f32):
      %244 = "arith.truncf"(%14) : (f64) -> f32
      %245 = "arith.mulf"(%arg128, %244) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%245) : (f32) -> ()
    }) : (tensor<2x4x8x12xf32>, tensor<2x4x8x12xf32>) -> tensor<2x4x8x12xf32>
    %124 = "tensor.collapse_shape"(%120) <{reassociation = [[0, 1], [2], [3]]}> : (tensor<2x4x12x8xf32>) -> tensor<8x12x8xf32>
    %125 = "tensor.collapse_shape"(%123) <{reassociation = [[0, 1], [2], [3]]}> : (tensor<2x4x8x12xf32>) -> tensor<8x8x12xf32>
    %126 = "tensor.empty"() : () -> tensor<8x12x12xf32>
    %127 = "linalg.fill"(%6, %126) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg126: f32, %arg127: f32):
      "linalg.yield"(%arg126) : (f32) -> ()
    }) : (f32, tensor<8x12x12xf32>) -> tensor<8x12x12xf32>
    %128 = "linalg.batch_matmul"(%124, %125, %127) <{indexing_maps = [#map19, #map20, #map21], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg123: f32, %arg124: f32, %arg125: f32):
      %242 = "arith.mulf"(%arg123, %arg124) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %243 = "arith.addf"(%arg125, %242) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%243) : (f32) -> ()
    }) : (tensor<8x12x8xf32>, tensor<8x8x12xf32>, tensor<8x12x12xf32>) -> tensor<8x12x12xf32>
    %129 = "tensor.expand_shape"(%128) <{reassociation = [[0, 1], [2], [3]], static_output_shape = array<i64: 2, 4, 12, 12>}> : (tensor<8x12x12xf32>) -> tensor<2x4x12x12xf32>
    %130 = "tensor.empty"() : () -> tensor<2x4x12x12xf32>
    %131 = "linalg.generic"(%129, %119, %130) <{indexing_maps = [#map7, #map22, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg120: f32, %arg121: f32, %arg122: f32):
      %241 = "arith.addf"(%arg120, %arg121) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%241) : (f32) -> ()
    }) : (tensor<2x4x12x12xf32>, tensor<2x1x12x12xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %132 = "tensor.empty"() : () -> tensor<2x4x12xi64>
    %133 = "linalg.fill"(%0, %132) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg118: i64, %arg119: i64):
      "linalg.yield"(%arg118) : (i64) -> ()
    }) : (i64, tensor<2x4x12xi64>) -> tensor<2x4x12xi64>
    %134 = "tensor.empty"() : () -> tensor<2x4x12xf32>
    %135 = "linalg.fill"(%7, %134) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg116: f32, %arg117: f32):
      "linalg.yield"(%arg116) : (f32) -> ()
    }) : (f32, tensor<2x4x12xf32>) -> tensor<2x4x12xf32>
    %136:2 = "linalg.generic"(%131, %135, %133) <{indexing_maps = [#map7, #map21, #map21], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 2>}> ({
    ^bb0(%arg113: f32, %arg114: f32, %arg115: i64):
      %236 = "linalg.index"() <{dim = 3 : i64}> : () -> index
      %237 = "arith.index_cast"(%236) : (index) -> i64
      %238 = "arith.maximumf"(%arg113, %arg114) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %239 = "arith.cmpf"(%arg113, %arg114) <{fastmath = #arith.fastmath<none>, predicate = 2 : i64}> : (f32, f32) -> i1
      %240 = "arith.select"(%239, %237, %arg115) : (i1, i64, i64) -> i64
      "linalg.yield"(%238, %240) : (f32, i64) -> ()
    }) : (tensor<2x4x12x12xf32>, tensor<2x4x12xf32>, tensor<2x4x12xi64>) -> (tensor<2x4x12xf32>, tensor<2x4x12xi64>)
    %137 = "tensor.expand_shape"(%136#0) <{reassociation = [[0], [1], [2, 3]], static_output_shape = array<i64: 2, 4, 12, 1>}> : (tensor<2x4x12xf32>) -> tensor<2x4x12x1xf32>
    %138 = "linalg.generic"(%131, %137, %130) <{indexing_maps = [#map7, #map9, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg110: f32, %arg111: f32, %arg112: f32):
      %235 = "arith.subf"(%arg110, %arg111) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%235) : (f32) -> ()
    }) : (tensor<2x4x12x12xf32>, tensor<2x4x12x1xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %139 = "linalg.generic"(%138, %130) <{indexing_maps = [#map7, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg108: f32, %arg109: f32):
      %234 = "math.exp"(%arg108) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%234) : (f32) -> ()
    }) : (tensor<2x4x12x12xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %140 = "tensor.empty"() : () -> tensor<2x4x12x1xf32>
    %141 = "linalg.fill"(%6, %140) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg106: f32, %arg107: f32):
      "linalg.yield"(%arg106) : (f32) -> ()
    }) : (f32, tensor<2x4x12x1xf32>) -> tensor<2x4x12x1xf32>
    %142 = "linalg.generic"(%139, %141) <{indexing_maps = [#map7, #map9], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg104: f32, %arg105: f32):
      %233 = "arith.addf"(%arg104, %arg105) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%233) : (f32) -> ()
    }) : (tensor<2x4x12x12xf32>, tensor<2x4x12x1xf32>) -> tensor<2x4x12x1xf32>
    %143 = "linalg.generic"(%139, %142, %130) <{indexing_maps = [#map7, #map9, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg101: f32, %arg102: f32, %arg103: f32):
      %232 = "arith.divf"(%arg101, %arg102) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%232) : (f32) -> ()
    }) : (tensor<2x4x12x12xf32>, tensor<2x4x12x1xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %144 = "tensor.empty"() : () -> tensor<2x4x12x12xi1>
    %145 = "linalg.generic"(%131, %144) <{indexing_maps = [#map7, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg99: f32, %arg100: i1):
      %230 = "arith.extf"(%arg99) : (f32) -> f64
      %231 = "arith.cmpf"(%230, %15) <{fastmath = #arith.fastmath<none>, predicate = 1 : i64}> : (f64, f64) -> i1
      "linalg.yield"(%231) : (i1) -> ()
    }) : (tensor<2x4x12x12xf32>, tensor<2x4x12x12xi1>) -> tensor<2x4x12x12xi1>
    %146 = "tensor.empty"() : () -> tensor<2x4x12x1xi1>
    %147 = "linalg.fill"(%8, %146) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg97: i1, %arg98: i1):
      "linalg.yield"(%arg97) : (i1) -> ()
    }) : (i1, tensor<2x4x12x1xi1>) -> tensor<2x4x12x1xi1>
    %148 = "linalg.generic"(%145, %147) <{indexing_maps = [#map7, #map9], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg95: i1, %arg96: i1):
      %229 = "arith.andi"(%arg95, %arg96) : (i1, i1) -> i1
      "linalg.yield"(%229) : (i1) -> ()
    }) : (tensor<2x4x12x12xi1>, tensor<2x4x12x1xi1>) -> tensor<2x4x12x1xi1>
    %149 = "linalg.generic"(%148, %10, %143, %130) <{indexing_maps = [#map9, #map7, #map7, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 3, 1>}> ({
    ^bb0(%arg91: i1, %arg92: f32, %arg93: f32, %arg94: f32):
      %228 = "arith.select"(%arg91, %arg92, %arg93) : (i1, f32, f32) -> f32
      "linalg.yield"(%228) : (f32) -> ()
    }) : (tensor<2x4x12x1xi1>, tensor<2x4x12x12xf32>, tensor<2x4x12x12xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %150 = "tensor.collapse_shape"(%149) <{reassociation = [[0, 1], [2], [3]]}> : (tensor<2x4x12x12xf32>) -> tensor<8x12x12xf32>
    %151 = "tensor.collapse_shape"(%117) <{reassociation = [[0, 1, 2], [3], [4]]}> : (tensor<2x2x2x12x8xf32>) -> tensor<8x12x8xf32>
    %152 = "tensor.empty"() : () -> tensor<8x12x8xf32>
    %153 = "linalg.fill"(%6, %152) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg89: f32, %arg90: f32):
      "linalg.yield"(%arg89) : (f32) -> ()
    }) : (f32, tensor<8x12x8xf32>) -> tensor<8x12x8xf32>
    %154 = "linalg.batch_matmul"(%150, %151, %153) <{indexing_maps = [#map19, #map20, #map21], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg86: f32, %arg87: f32, %arg88: f32):
      %226 = "arith.mulf"(%arg86, %arg87) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %227 = "arith.addf"(%arg88, %226) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%227) : (f32) -> ()
    }) : (tensor<8x12x12xf32>, tensor<8x12x8xf32>, tensor<8x12x8xf32>) -> tensor<8x12x8xf32>
    %155 = "tensor.expand_shape"(%154) <{reassociation = [[0, 1], [2], [3]], static_output_shape = array<i64: 2, 4, 12, 8>}> : (tensor<8x12x8xf32>) -> tensor<2x4x12x8xf32>
    %156 = "tensor.empty"() : () -> tensor<2x12x4x8xf32>
    %157 = "linalg.transpose"(%155, %156) <{permutation = array<i64: 0, 2, 1, 3>}> ({
    ^bb0(%arg84: f32, %arg85: f32):
      "linalg.yield"(%arg84) : (f32) -> ()
    }) : (tensor<2x4x12x8xf32>, tensor<2x12x4x8xf32>) -> tensor<2x12x4x8xf32>
    %158 = "tensor.collapse_shape"(%157) <{reassociation = [[0], [1], [2, 3]]}> : (tensor<2x12x4x8xf32>) -> tensor<2x12x32xf32>
    %159 = "linalg.transpose"(%arg4, %75) <{permutation = array<i64: 1, 0>}> ({
    ^bb0(%arg82: f32, %arg83: f32):
      "linalg.yield"(%arg82) : (f32) -> ()
    }) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %160 = "tensor.empty"() : () -> tensor<2x32x32xf32>
    %161 = "linalg.generic"(%159, %160) <{indexing_maps = [#map23, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg80: f32, %arg81: f32):
      "linalg.yield"(%arg80) : (f32) -> ()
    }) : (tensor<32x32xf32>, tensor<2x32x32xf32>) -> tensor<2x32x32xf32>
    %162 = "linalg.fill"(%6, %18) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg78: f32, %arg79: f32):
      "linalg.yield"(%arg78) : (f32) -> ()
    }) : (f32, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %163 = "linalg.batch_matmul"(%158, %161, %162) <{indexing_maps = [#map19, #map20, #map21], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg75: f32, %arg76: f32, %arg77: f32):
      %224 = "arith.mulf"(%arg75, %arg76) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %225 = "arith.addf"(%arg77, %224) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%225) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x32x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %164 = "linalg.generic"(%19, %163, %18) <{indexing_maps = [#map1, #map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg72: f32, %arg73: f32, %arg74: f32):
      %223 = "arith.addf"(%arg72, %arg73) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%223) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %165 = "linalg.generic"(%164, %18) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg70: f32, %arg71: f32):
      %222 = "math.fpowi"(%arg70, %2) <{fastmath = #arith.fastmath<none>}> : (f32, i64) -> f32
      "linalg.yield"(%222) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %166 = "linalg.generic"(%165, %68) <{indexing_maps = [#map1, #map12], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg68: f32, %arg69: f32):
      %221 = "arith.addf"(%arg68, %arg69) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%221) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %167 = "linalg.generic"(%166, %67) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg66: f32, %arg67: f32):
      %220 = "arith.divf"(%arg66, %17) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%220) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %168 = "linalg.generic"(%167, %67) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg64: f32, %arg65: f32):
      %218 = "arith.truncf"(%16) : (f64) -> f32
      %219 = "arith.addf"(%arg64, %218) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%219) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %169 = "linalg.generic"(%168, %67) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg62: f32, %arg63: f32):
      %217 = "math.rsqrt"(%arg62) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%217) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %170 = "linalg.generic"(%164, %169, %18) <{indexing_maps = [#map1, #map12, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg59: f32, %arg60: f32, %arg61: f32):
      %216 = "arith.mulf"(%arg59, %arg60) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%216) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x1xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %171 = "linalg.generic"(%arg9, %170, %18) <{indexing_maps = [#map13, #map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg56: f32, %arg57: f32, %arg58: f32):
      %215 = "arith.mulf"(%arg56, %arg57) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%215) : (f32) -> ()
    }) : (tensor<32xf32>, tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %172 = "linalg.transpose"(%arg5, %75) <{permutation = array<i64: 1, 0>}> ({
    ^bb0(%arg54: f32, %arg55: f32):
      "linalg.yield"(%arg54) : (f32) -> ()
    }) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %173 = "tensor.collapse_shape"(%171) <{reassociation = [[0, 1], [2]]}> : (tensor<2x12x32xf32>) -> tensor<24x32xf32>
    %174 = "linalg.matmul"(%173, %172, %79) <{indexing_maps = [#map14, #map15, #map], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg51: f32, %arg52: f32, %arg53: f32):
      %213 = "arith.mulf"(%arg51, %arg52) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %214 = "arith.addf"(%arg53, %213) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%214) : (f32) -> ()
    }) : (tensor<24x32xf32>, tensor<32x32xf32>, tensor<24x32xf32>) -> tensor<24x32xf32>
    %175 = "tensor.expand_shape"(%174) <{reassociation = [[0, 1], [2]], static_output_shape = array<i64: 2, 12, 32>}> : (tensor<24x32xf32>) -> tensor<2x12x32xf32>
    %176 = "linalg.generic"(%175, %18) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg49: f32, %arg50: f32):
      %209 = "arith.negf"(%arg49) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      %210 = "math.exp"(%209) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      %211 = "arith.addf"(%210, %9) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %212 = "arith.divf"(%9, %211) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%212) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %177 = "linalg.generic"(%175, %176, %18) <{indexing_maps = [#map1, #map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg46: f32, %arg47: f32, %arg48: f32):
      %208 = "arith.mulf"(%arg46, %arg47) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%208) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %178 = "linalg.transpose"(%arg6, %75) <{permutation = array<i64: 1, 0>}> ({
    ^bb0(%arg44: f32, %arg45: f32):
      "linalg.yield"(%arg44) : (f32) -> ()
    }) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %179 = "linalg.matmul"(%173, %178, %79) <{indexing_maps = [#map14, #map15, #map], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg41: f32, %arg42: f32, %arg43: f32):
      %206 = "arith.mulf"(%arg41, %arg42) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %207 = "arith.addf"(%arg43, %206) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%207) : (f32) -> ()
    }) : (tensor<24x32xf32>, tensor<32x32xf32>, tensor<24x32xf32>) -> tensor<24x32xf32>
    %180 = "tensor.expand_shape"(%179) <{reassociation = [[0, 1], [2]], static_output_shape = array<i64: 2, 12, 32>}> : (tensor<24x32xf32>) -> tensor<2x12x32xf32>
    %181 = "linalg.generic"(%177, %180, %18) <{indexing_maps = [#map1, #map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg38: f32, %arg39: f32, %arg40: f32):
      %205 = "arith.mulf"(%arg38, %arg39) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%205) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %182 = "linalg.transpose"(%arg7, %75) <{permutation = array<i64: 1, 0>}> ({
    ^bb0(%arg36: f32, %arg37: f32):
      "linalg.yield"(%arg36) : (f32) -> ()
    }) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %183 = "tensor.collapse_shape"(%181) <{reassociation = [[0, 1], [2]]}> : (tensor<2x12x32xf32>) -> tensor<24x32xf32>
    %184 = "linalg.matmul"(%183, %182, %79) <{indexing_maps = [#map14, #map15, #map], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg33: f32, %arg34: f32, %arg35: f32):
      %203 = "arith.mulf"(%arg33, %arg34) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %204 = "arith.addf"(%arg35, %203) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%204) : (f32) -> ()
    }) : (tensor<24x32xf32>, tensor<32x32xf32>, tensor<24x32xf32>) -> tensor<24x32xf32>
    %185 = "tensor.expand_shape"(%184) <{reassociation = [[0, 1], [2]], static_output_shape = array<i64: 2, 12, 32>}> : (tensor<24x32xf32>) -> tensor<2x12x32xf32>
    %186 = "linalg.generic"(%164, %185, %18) <{indexing_maps = [#map1, #map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg30: f32, %arg31: f32, %arg32: f32):
      %202 = "arith.addf"(%arg30, %arg31) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%202) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %187 = "linalg.generic"(%186, %18) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg28: f32, %arg29: f32):
      %201 = "math.fpowi"(%arg28, %2) <{fastmath = #arith.fastmath<none>}> : (f32, i64) -> f32
      "linalg.yield"(%201) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %188 = "linalg.generic"(%187, %68) <{indexing_maps = [#map1, #map12], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg26: f32, %arg27: f32):
      %200 = "arith.addf"(%arg26, %arg27) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%200) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %189 = "linalg.generic"(%188, %67) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg24: f32, %arg25: f32):
      %199 = "arith.divf"(%arg24, %17) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%199) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %190 = "linalg.generic"(%189, %67) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg22: f32, %arg23: f32):
      %197 = "arith.truncf"(%16) : (f64) -> f32
      %198 = "arith.addf"(%arg22, %197) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%198) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %191 = "linalg.generic"(%190, %67) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg20: f32, %arg21: f32):
      %196 = "math.rsqrt"(%arg20) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%196) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %192 = "linalg.generic"(%186, %191, %18) <{indexing_maps = [#map1, #map12, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg17: f32, %arg18: f32, %arg19: f32):
      %195 = "arith.mulf"(%arg17, %arg18) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%195) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x1xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %193 = "linalg.generic"(%arg10, %192, %18) <{indexing_maps = [#map13, #map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg14: f32, %arg15: f32, %arg16: f32):
      %194 = "arith.mulf"(%arg14, %arg15) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%194) : (f32) -> ()
    }) : (tensor<32xf32>, tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    "func.return"(%193) : (tensor<2x12x32xf32>) -> ()
  }) : () -> ()
}) : () -> ()
