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
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<64x32xf32>, tensor<32x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2x12xi64>) -> tensor<2x12x32xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<64x32xf32>, %arg1: tensor<32x32xf32>, %arg2: tensor<16x32xf32>, %arg3: tensor<16x32xf32>, %arg4: tensor<32x32xf32>, %arg5: tensor<32x32xf32>, %arg6: tensor<32x32xf32>, %arg7: tensor<32x32xf32>, %arg8: tensor<32xf32>, %arg9: tensor<32xf32>, %arg10: tensor<32xf32>, %arg11: tensor<4xf32>, %arg12: tensor<4xf32>, %arg13: tensor<2x12xi64>):
    %0 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %1 = "arith.constant"() <{value = 2 : i64}> : () -> i64
    %2 = "arith.constant"() <{value = 1 : i64}> : () -> i64
    %3 = "arith.constant"() <{value = 12 : i64}> : () -> i64
    %4 = "arith.constant"() <{value = 64 : index}> : () -> index
    %5 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %6 = "arith.constant"() <{value = 0xFF800000 : f32}> : () -> f32
    %7 = "arith.constant"() <{value = 1.000000e+00 : f32}> : () -> f32
    %8 = "arith.constant"() <{value = dense<-3.40282347E+38> : tensor<f32>}> : () -> tensor<f32>
    %9 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %10 = "arith.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %11 = "arith.constant"() <{value = 0.35355339059327379 : f64}> : () -> f64
    %12 = "arith.constant"() <{value = 9.9999999999999995E-7 : f64}> : () -> f64
    %13 = "arith.constant"() <{value = 3.200000e+01 : f32}> : () -> f32
    %14 = "tensor.empty"() : () -> tensor<2x12x32xf32>
    %15 = "linalg.generic"(%arg13, %14) <{indexing_maps = [#map, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg243: i64, %arg244: f32):
      %301 = "arith.index_cast"(%arg243) : (i64) -> index
      %302 = "linalg.index"() <{dim = 2 : i64}> : () -> index
      %303 = "arith.cmpi"(%301, %4) <{predicate = 2 : i64}> : (index, index) -> i1
      "cf.assert"(%303) <{msg = "index must be smaller than dim size"}> : (i1) -> ()
      %304 = "arith.cmpi"(%arg243, %0) <{predicate = 5 : i64}> : (i64, i64) -> i1
      "cf.assert"(%304) <{msg = "index must be larger or equal to 0"}> : (i1) -> ()
      %305 = "tensor.extract"(%arg0, %301, %302) : (tensor<64x32xf32>, index, index) -> f32
      "linalg.yield"(%305) : (f32) -> ()
    }) : (tensor<2x12xi64>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %16 = "tensor.empty"() : () -> tensor<12xi64>
    %17 = "linalg.generic"(%16) <{indexing_maps = [#map2], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 0, 1>}> ({
    ^bb0(%arg242: i64):
      %299 = "linalg.index"() <{dim = 0 : i64}> : () -> index
      %300 = "arith.index_cast"(%299) : (index) -> i64
      "linalg.yield"(%300) : (i64) -> ()
    }) : (tensor<12xi64>) -> tensor<12xi64>
    %18 = "tensor.empty"() : () -> tensor<2x12xi64>
    %19 = "linalg.generic"(%17, %18) <{indexing_maps = [#map3, #map4], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg240: i64, %arg241: i64):
      "linalg.yield"(%arg240) : (i64) -> ()
    }) : (tensor<12xi64>, tensor<2x12xi64>) -> tensor<2x12xi64>
    %20 = "tensor.extract_slice"(%19) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 2, 1>, static_strides = array<i64: 1, 1>}> : (tensor<2x12xi64>) -> tensor<2x1xi64>
    %21 = "tensor.empty"() : () -> tensor<2x1xi64>
    %22 = "linalg.generic"(%20, %21) <{indexing_maps = [#map4, #map4], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg238: i64, %arg239: i64):
      %298 = "arith.subi"(%arg238, %2) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      "linalg.yield"(%298) : (i64) -> ()
    }) : (tensor<2x1xi64>, tensor<2x1xi64>) -> tensor<2x1xi64>
    %23 = "tensor.concat"(%22, %19) <{dim = 1 : i64}> : (tensor<2x1xi64>, tensor<2x12xi64>) -> tensor<2x13xi64>
    %24 = "tensor.extract_slice"(%23) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 2, 12>, static_strides = array<i64: 1, 1>}> : (tensor<2x13xi64>) -> tensor<2x12xi64>
    %25 = "tensor.extract_slice"(%23) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 1>, static_sizes = array<i64: 2, 12>, static_strides = array<i64: 1, 1>}> : (tensor<2x13xi64>) -> tensor<2x12xi64>
    %26 = "linalg.generic"(%25, %24, %18) <{indexing_maps = [#map4, #map4, #map4], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg235: i64, %arg236: i64, %arg237: i64):
      %297 = "arith.subi"(%arg235, %arg236) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      "linalg.yield"(%297) : (i64) -> ()
    }) : (tensor<2x12xi64>, tensor<2x12xi64>, tensor<2x12xi64>) -> tensor<2x12xi64>
    %27 = "tensor.empty"() : () -> tensor<2x12xi1>
    %28 = "linalg.generic"(%26, %27) <{indexing_maps = [#map4, #map4], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg233: i64, %arg234: i1):
      %296 = "arith.cmpi"(%arg233, %2) <{predicate = 1 : i64}> : (i64, i64) -> i1
      "linalg.yield"(%296) : (i1) -> ()
    }) : (tensor<2x12xi64>, tensor<2x12xi1>) -> tensor<2x12xi1>
    %29 = "linalg.generic"(%28, %18) <{indexing_maps = [#map4, #map4], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg231: i1, %arg232: i64):
      %295 = "arith.extui"(%arg231) : (i1) -> i64
      "linalg.yield"(%295) : (i64) -> ()
    }) : (tensor<2x12xi1>, tensor<2x12xi64>) -> tensor<2x12xi64>
    %30 = "linalg.fill"(%0, %18) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg229: i64, %arg230: i64):
      "linalg.yield"(%arg229) : (i64) -> ()
    }) : (i64, tensor<2x12xi64>) -> tensor<2x12xi64>
    %31 = "tensor.empty"() : () -> tensor<2xi64>
    %32 = "linalg.fill"(%0, %31) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg227: i64, %arg228: i64):
      "linalg.yield"(%arg227) : (i64) -> ()
    }) : (i64, tensor<2xi64>) -> tensor<2xi64>
    %33:2 = "tm_tensor.scan"(%29, %30, %32) <{dimension = 1 : i64, inclusive = true, operandSegmentSizes = array<i32: 1, 2>}> ({
    ^bb0(%arg225: i64, %arg226: i64):
      %294 = "arith.addi"(%arg225, %arg226) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      "tm_tensor.yield"(%294) : (i64) -> ()
    }) : (tensor<2x12xi64>, tensor<2x12xi64>, tensor<2xi64>) -> (tensor<2x12xi64>, tensor<2xi64>)
    %34 = "linalg.generic"(%31) <{indexing_maps = [#map2], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 0, 1>}> ({
    ^bb0(%arg224: i64):
      %292 = "linalg.index"() <{dim = 0 : i64}> : () -> index
      %293 = "arith.index_cast"(%292) : (index) -> i64
      "linalg.yield"(%293) : (i64) -> ()
    }) : (tensor<2xi64>) -> tensor<2xi64>
    %35 = "tensor.expand_shape"(%34) <{reassociation = [[0, 1, 2, 3]], static_output_shape = array<i64: 2, 1, 1, 1>}> : (tensor<2xi64>) -> tensor<2x1x1x1xi64>
    %36 = "tensor.expand_shape"(%17) <{reassociation = [[0, 1, 2, 3]], static_output_shape = array<i64: 1, 1, 12, 1>}> : (tensor<12xi64>) -> tensor<1x1x12x1xi64>
    %37 = "tensor.expand_shape"(%17) <{reassociation = [[0, 1, 2, 3]], static_output_shape = array<i64: 1, 1, 1, 12>}> : (tensor<12xi64>) -> tensor<1x1x1x12xi64>
    %38 = "tensor.empty"() : () -> tensor<2x1x12x1xi64>
    %39 = "linalg.generic"(%35, %36, %38) <{indexing_maps = [#map5, #map6, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg221: i64, %arg222: i64, %arg223: i64):
      %283 = "arith.cmpi"(%arg221, %0) <{predicate = 2 : i64}> : (i64, i64) -> i1
      %284 = "arith.addi"(%arg221, %1) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      %285 = "arith.select"(%283, %284, %arg221) : (i1, i64, i64) -> i64
      %286 = "arith.index_cast"(%285) : (i64) -> index
      %287 = "arith.cmpi"(%arg222, %0) <{predicate = 2 : i64}> : (i64, i64) -> i1
      %288 = "arith.addi"(%arg222, %3) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      %289 = "arith.select"(%287, %288, %arg222) : (i1, i64, i64) -> i64
      %290 = "arith.index_cast"(%289) : (i64) -> index
      %291 = "tensor.extract"(%33#0, %286, %290) : (tensor<2x12xi64>, index, index) -> i64
      "linalg.yield"(%291) : (i64) -> ()
    }) : (tensor<2x1x1x1xi64>, tensor<1x1x12x1xi64>, tensor<2x1x12x1xi64>) -> tensor<2x1x12x1xi64>
    %40 = "tensor.empty"() : () -> tensor<2x1x1x12xi64>
    %41 = "linalg.generic"(%35, %37, %40) <{indexing_maps = [#map5, #map8, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg218: i64, %arg219: i64, %arg220: i64):
      %274 = "arith.cmpi"(%arg218, %0) <{predicate = 2 : i64}> : (i64, i64) -> i1
      %275 = "arith.addi"(%arg218, %1) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      %276 = "arith.select"(%274, %275, %arg218) : (i1, i64, i64) -> i64
      %277 = "arith.index_cast"(%276) : (i64) -> index
      %278 = "arith.cmpi"(%arg219, %0) <{predicate = 2 : i64}> : (i64, i64) -> i1
      %279 = "arith.addi"(%arg219, %3) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      %280 = "arith.select"(%278, %279, %arg219) : (i1, i64, i64) -> i64
      %281 = "arith.index_cast"(%280) : (i64) -> index
      %282 = "tensor.extract"(%33#0, %277, %281) : (tensor<2x12xi64>, index, index) -> i64
      "linalg.yield"(%282) : (i64) -> ()
    }) : (tensor<2x1x1x1xi64>, tensor<1x1x1x12xi64>, tensor<2x1x1x12xi64>) -> tensor<2x1x1x12xi64>
    %42 = "tensor.empty"() : () -> tensor<2x1x12x12xi1>
    %43 = "linalg.generic"(%39, %41, %42) <{indexing_maps = [#map9, #map10, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg215: i64, %arg216: i64, %arg217: i1):
      %273 = "arith.cmpi"(%arg215, %arg216) <{predicate = 0 : i64}> : (i64, i64) -> i1
      "linalg.yield"(%273) : (i1) -> ()
    }) : (tensor<2x1x12x1xi64>, tensor<2x1x1x12xi64>, tensor<2x1x12x12xi1>) -> tensor<2x1x12x12xi1>
    %44 = "linalg.generic"(%10, %43, %42) <{indexing_maps = [#map11, #map7, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg212: i1, %arg213: i1, %arg214: i1):
      %272 = "arith.andi"(%arg212, %arg213) : (i1, i1) -> i1
      "linalg.yield"(%272) : (i1) -> ()
    }) : (tensor<i1>, tensor<2x1x12x12xi1>, tensor<2x1x12x12xi1>) -> tensor<2x1x12x12xi1>
    %45 = "linalg.generic"(%35, %36, %38) <{indexing_maps = [#map5, #map6, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg209: i64, %arg210: i64, %arg211: i64):
      %263 = "arith.cmpi"(%arg209, %0) <{predicate = 2 : i64}> : (i64, i64) -> i1
      %264 = "arith.addi"(%arg209, %1) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      %265 = "arith.select"(%263, %264, %arg209) : (i1, i64, i64) -> i64
      %266 = "arith.index_cast"(%265) : (i64) -> index
      %267 = "arith.cmpi"(%arg210, %0) <{predicate = 2 : i64}> : (i64, i64) -> i1
      %268 = "arith.addi"(%arg210, %3) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      %269 = "arith.select"(%267, %268, %arg210) : (i1, i64, i64) -> i64
      %270 = "arith.index_cast"(%269) : (i64) -> index
      %271 = "tensor.extract"(%19, %266, %270) : (tensor<2x12xi64>, index, index) -> i64
      "linalg.yield"(%271) : (i64) -> ()
    }) : (tensor<2x1x1x1xi64>, tensor<1x1x12x1xi64>, tensor<2x1x12x1xi64>) -> tensor<2x1x12x1xi64>
    %46 = "linalg.generic"(%35, %37, %40) <{indexing_maps = [#map5, #map8, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg206: i64, %arg207: i64, %arg208: i64):
      %254 = "arith.cmpi"(%arg206, %0) <{predicate = 2 : i64}> : (i64, i64) -> i1
      %255 = "arith.addi"(%arg206, %1) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      %256 = "arith.select"(%254, %255, %arg206) : (i1, i64, i64) -> i64
      %257 = "arith.index_cast"(%256) : (i64) -> index
      %258 = "arith.cmpi"(%arg207, %0) <{predicate = 2 : i64}> : (i64, i64) -> i1
      %259 = "arith.addi"(%arg207, %3) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      %260 = "arith.select"(%258, %259, %arg207) : (i1, i64, i64) -> i64
      %261 = "arith.index_cast"(%260) : (i64) -> index
      %262 = "tensor.extract"(%19, %257, %261) : (tensor<2x12xi64>, index, index) -> i64
      "linalg.yield"(%262) : (i64) -> ()
    }) : (tensor<2x1x1x1xi64>, tensor<1x1x1x12xi64>, tensor<2x1x1x12xi64>) -> tensor<2x1x1x12xi64>
    %47 = "linalg.generic"(%46, %45, %42) <{indexing_maps = [#map10, #map9, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg203: i64, %arg204: i64, %arg205: i1):
      %253 = "arith.cmpi"(%arg203, %arg204) <{predicate = 3 : i64}> : (i64, i64) -> i1
      "linalg.yield"(%253) : (i1) -> ()
    }) : (tensor<2x1x1x12xi64>, tensor<2x1x12x1xi64>, tensor<2x1x12x12xi1>) -> tensor<2x1x12x12xi1>
    %48 = "linalg.generic"(%44, %47, %42) <{indexing_maps = [#map7, #map7, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg200: i1, %arg201: i1, %arg202: i1):
      %252 = "arith.andi"(%arg200, %arg201) : (i1, i1) -> i1
      "linalg.yield"(%252) : (i1) -> ()
    }) : (tensor<2x1x12x12xi1>, tensor<2x1x12x12xi1>, tensor<2x1x12x12xi1>) -> tensor<2x1x12x12xi1>
    %49 = "tensor.empty"() : () -> tensor<2x1x12x12xf32>
    %50 = "linalg.generic"(%48, %9, %8, %49) <{indexing_maps = [#map7, #map11, #map11, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 3, 1>}> ({
    ^bb0(%arg196: i1, %arg197: f32, %arg198: f32, %arg199: f32):
      %251 = "arith.select"(%arg196, %arg197, %arg198) : (i1, f32, f32) -> f32
      "linalg.yield"(%251) : (f32) -> ()
    }) : (tensor<2x1x12x12xi1>, tensor<f32>, tensor<f32>, tensor<2x1x12x12xf32>) -> tensor<2x1x12x12xf32>
    %51 = "tensor.expand_shape"(%17) <{reassociation = [[0, 1, 2]], static_output_shape = array<i64: 1, 12, 1>}> : (tensor<12xi64>) -> tensor<1x12x1xi64>
    %52 = "tensor.empty"() : () -> tensor<1x12x1xf32>
    %53 = "linalg.generic"(%51, %52) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg194: i64, %arg195: f32):
      %250 = "arith.sitofp"(%arg194) : (i64) -> f32
      "linalg.yield"(%250) : (f32) -> ()
    }) : (tensor<1x12x1xi64>, tensor<1x12x1xf32>) -> tensor<1x12x1xf32>
    %54 = "tensor.empty"() : () -> tensor<1x12x4xf32>
    %55 = "linalg.generic"(%53, %arg11, %54) <{indexing_maps = [#map12, #map13, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg191: f32, %arg192: f32, %arg193: f32):
      %249 = "arith.mulf"(%arg191, %arg192) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%249) : (f32) -> ()
    }) : (tensor<1x12x1xf32>, tensor<4xf32>, tensor<1x12x4xf32>) -> tensor<1x12x4xf32>
    %56 = "tensor.concat"(%55, %55) <{dim = 2 : i64}> : (tensor<1x12x4xf32>, tensor<1x12x4xf32>) -> tensor<1x12x8xf32>
    %57 = "tensor.empty"() : () -> tensor<1x12x8xf32>
    %58 = "linalg.generic"(%56, %57) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg189: f32, %arg190: f32):
      %248 = "math.cos"(%arg189) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%248) : (f32) -> ()
    }) : (tensor<1x12x8xf32>, tensor<1x12x8xf32>) -> tensor<1x12x8xf32>
    %59 = "linalg.generic"(%56, %57) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg187: f32, %arg188: f32):
      %247 = "math.sin"(%arg187) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%247) : (f32) -> ()
    }) : (tensor<1x12x8xf32>, tensor<1x12x8xf32>) -> tensor<1x12x8xf32>
    %60 = "linalg.generic"(%15, %14) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg185: f32, %arg186: f32):
      %246 = "math.fpowi"(%arg185, %1) <{fastmath = #arith.fastmath<none>}> : (f32, i64) -> f32
      "linalg.yield"(%246) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %61 = "tensor.empty"() : () -> tensor<2x12x1xf32>
    %62 = "linalg.fill"(%5, %61) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg183: f32, %arg184: f32):
      "linalg.yield"(%arg183) : (f32) -> ()
    }) : (f32, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %63 = "linalg.generic"(%60, %62) <{indexing_maps = [#map1, #map12], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg181: f32, %arg182: f32):
      %245 = "arith.addf"(%arg181, %arg182) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%245) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %64 = "linalg.generic"(%63, %61) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg179: f32, %arg180: f32):
      %244 = "arith.divf"(%arg179, %13) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%244) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %65 = "linalg.generic"(%64, %61) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg177: f32, %arg178: f32):
      %242 = "arith.truncf"(%12) : (f64) -> f32
      %243 = "arith.addf"(%arg177, %242) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%243) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %66 = "linalg.generic"(%65, %61) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg175: f32, %arg176: f32):
      %241 = "math.rsqrt"(%arg175) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%241) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %67 = "linalg.generic"(%15, %66, %14) <{indexing_maps = [#map1, #map12, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg172: f32, %arg173: f32, %arg174: f32):
      %240 = "arith.mulf"(%arg172, %arg173) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%240) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x1xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %68 = "linalg.generic"(%arg8, %67, %14) <{indexing_maps = [#map13, #map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg169: f32, %arg170: f32, %arg171: f32):
      %239 = "arith.mulf"(%arg169, %arg170) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%239) : (f32) -> ()
    }) : (tensor<32xf32>, tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %69 = "tensor.empty"() : () -> tensor<32x32xf32>
    %70 = "linalg.transpose"(%arg1, %69) <{permutation = array<i64: 1, 0>}> ({
    ^bb0(%arg167: f32, %arg168: f32):
      "linalg.yield"(%arg167) : (f32) -> ()
    }) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %71 = "tensor.collapse_shape"(%68) <{reassociation = [[0, 1], [2]]}> : (tensor<2x12x32xf32>) -> tensor<24x32xf32>
    %72 = "tensor.empty"() : () -> tensor<24x32xf32>
    %73 = "linalg.fill"(%5, %72) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg165: f32, %arg166: f32):
      "linalg.yield"(%arg165) : (f32) -> ()
    }) : (f32, tensor<24x32xf32>) -> tensor<24x32xf32>
    %74 = "linalg.matmul"(%71, %70, %73) <{indexing_maps = [#map14, #map15, #map], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg162: f32, %arg163: f32, %arg164: f32):
      %237 = "arith.mulf"(%arg162, %arg163) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %238 = "arith.addf"(%arg164, %237) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%238) : (f32) -> ()
    }) : (tensor<24x32xf32>, tensor<32x32xf32>, tensor<24x32xf32>) -> tensor<24x32xf32>
    %75 = "tensor.expand_shape"(%74) <{reassociation = [[0, 1], [2, 3]], static_output_shape = array<i64: 2, 12, 4, 8>}> : (tensor<24x32xf32>) -> tensor<2x12x4x8xf32>
    %76 = "tensor.empty"() : () -> tensor<2x4x12x8xf32>
    %77 = "linalg.transpose"(%75, %76) <{permutation = array<i64: 0, 2, 1, 3>}> ({
    ^bb0(%arg160: f32, %arg161: f32):
      "linalg.yield"(%arg160) : (f32) -> ()
    }) : (tensor<2x12x4x8xf32>, tensor<2x4x12x8xf32>) -> tensor<2x4x12x8xf32>
    %78 = "tensor.empty"() : () -> tensor<32x16xf32>
    %79 = "linalg.transpose"(%arg2, %78) <{permutation = array<i64: 1, 0>}> ({
    ^bb0(%arg158: f32, %arg159: f32):
      "linalg.yield"(%arg158) : (f32) -> ()
    }) : (tensor<16x32xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    %80 = "tensor.empty"() : () -> tensor<24x16xf32>
    %81 = "linalg.fill"(%5, %80) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg156: f32, %arg157: f32):
      "linalg.yield"(%arg156) : (f32) -> ()
    }) : (f32, tensor<24x16xf32>) -> tensor<24x16xf32>
    %82 = "linalg.matmul"(%71, %79, %81) <{indexing_maps = [#map14, #map15, #map], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg153: f32, %arg154: f32, %arg155: f32):
      %235 = "arith.mulf"(%arg153, %arg154) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %236 = "arith.addf"(%arg155, %235) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%236) : (f32) -> ()
    }) : (tensor<24x32xf32>, tensor<32x16xf32>, tensor<24x16xf32>) -> tensor<24x16xf32>
    %83 = "tensor.expand_shape"(%82) <{reassociation = [[0, 1], [2, 3]], static_output_shape = array<i64: 2, 12, 2, 8>}> : (tensor<24x16xf32>) -> tensor<2x12x2x8xf32>
    %84 = "tensor.empty"() : () -> tensor<2x2x12x8xf32>
    %85 = "linalg.transpose"(%83, %84) <{permutation = array<i64: 0, 2, 1, 3>}> ({
    ^bb0(%arg151: f32, %arg152: f32):
      "linalg.yield"(%arg151) : (f32) -> ()
    }) : (tensor<2x12x2x8xf32>, tensor<2x2x12x8xf32>) -> tensor<2x2x12x8xf32>
    %86 = "linalg.transpose"(%arg3, %78) <{permutation = array<i64: 1, 0>}> ({
    ^bb0(%arg149: f32, %arg150: f32):
      "linalg.yield"(%arg149) : (f32) -> ()
    }) : (tensor<16x32xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    %87 = "linalg.matmul"(%71, %86, %81) <{indexing_maps = [#map14, #map15, #map], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg146: f32, %arg147: f32, %arg148: f32):
      %233 = "arith.mulf"(%arg146, %arg147) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %234 = "arith.addf"(%arg148, %233) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%234) : (f32) -> ()
    }) : (tensor<24x32xf32>, tensor<32x16xf32>, tensor<24x16xf32>) -> tensor<24x16xf32>
    %88 = "tensor.expand_shape"(%87) <{reassociation = [[0, 1], [2, 3]], static_output_shape = array<i64: 2, 12, 2, 8>}> : (tensor<24x16xf32>) -> tensor<2x12x2x8xf32>
    %89 = "linalg.transpose"(%88, %84) <{permutation = array<i64: 0, 2, 1, 3>}> ({
    ^bb0(%arg144: f32, %arg145: f32):
      "linalg.yield"(%arg144) : (f32) -> ()
    }) : (tensor<2x12x2x8xf32>, tensor<2x2x12x8xf32>) -> tensor<2x2x12x8xf32>
    %90 = "tensor.expand_shape"(%58) <{reassociation = [[0], [1, 2], [3]], static_output_shape = array<i64: 1, 1, 12, 8>}> : (tensor<1x12x8xf32>) -> tensor<1x1x12x8xf32>
    %91 = "tensor.expand_shape"(%59) <{reassociation = [[0], [1, 2], [3]], static_output_shape = array<i64: 1, 1, 12, 8>}> : (tensor<1x12x8xf32>) -> tensor<1x1x12x8xf32>
    %92 = "linalg.generic"(%77, %90, %76) <{indexing_maps = [#map7, #map16, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg141: f32, %arg142: f32, %arg143: f32):
      %232 = "arith.mulf"(%arg141, %arg142) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%232) : (f32) -> ()
    }) : (tensor<2x4x12x8xf32>, tensor<1x1x12x8xf32>, tensor<2x4x12x8xf32>) -> tensor<2x4x12x8xf32>
    %93 = "tensor.extract_slice"(%77) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: 2, 4, 12, 4>, static_strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x4x12x8xf32>) -> tensor<2x4x12x4xf32>
    %94 = "tensor.extract_slice"(%77) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0, 0, 4>, static_sizes = array<i64: 2, 4, 12, 4>, static_strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x4x12x8xf32>) -> tensor<2x4x12x4xf32>
    %95 = "tensor.empty"() : () -> tensor<2x4x12x4xf32>
    %96 = "linalg.generic"(%94, %95) <{indexing_maps = [#map7, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg139: f32, %arg140: f32):
      %231 = "arith.negf"(%arg139) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%231) : (f32) -> ()
    }) : (tensor<2x4x12x4xf32>, tensor<2x4x12x4xf32>) -> tensor<2x4x12x4xf32>
    %97 = "tensor.concat"(%96, %93) <{dim = 3 : i64}> : (tensor<2x4x12x4xf32>, tensor<2x4x12x4xf32>) -> tensor<2x4x12x8xf32>
    %98 = "linalg.generic"(%97, %91, %76) <{indexing_maps = [#map7, #map16, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg136: f32, %arg137: f32, %arg138: f32):
      %230 = "arith.mulf"(%arg136, %arg137) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%230) : (f32) -> ()
    }) : (tensor<2x4x12x8xf32>, tensor<1x1x12x8xf32>, tensor<2x4x12x8xf32>) -> tensor<2x4x12x8xf32>
    %99 = "linalg.generic"(%92, %98, %76) <{indexing_maps = [#map7, #map7, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg133: f32, %arg134: f32, %arg135: f32):
      %229 = "arith.addf"(%arg133, %arg134) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%229) : (f32) -> ()
    }) : (tensor<2x4x12x8xf32>, tensor<2x4x12x8xf32>, tensor<2x4x12x8xf32>) -> tensor<2x4x12x8xf32>
    %100 = "linalg.generic"(%85, %90, %84) <{indexing_maps = [#map7, #map16, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg130: f32, %arg131: f32, %arg132: f32):
      %228 = "arith.mulf"(%arg130, %arg131) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%228) : (f32) -> ()
    }) : (tensor<2x2x12x8xf32>, tensor<1x1x12x8xf32>, tensor<2x2x12x8xf32>) -> tensor<2x2x12x8xf32>
    %101 = "tensor.extract_slice"(%85) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: 2, 2, 12, 4>, static_strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x2x12x8xf32>) -> tensor<2x2x12x4xf32>
    %102 = "tensor.extract_slice"(%85) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0, 0, 4>, static_sizes = array<i64: 2, 2, 12, 4>, static_strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x2x12x8xf32>) -> tensor<2x2x12x4xf32>
    %103 = "tensor.empty"() : () -> tensor<2x2x12x4xf32>
    %104 = "linalg.generic"(%102, %103) <{indexing_maps = [#map7, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg128: f32, %arg129: f32):
      %227 = "arith.negf"(%arg128) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%227) : (f32) -> ()
    }) : (tensor<2x2x12x4xf32>, tensor<2x2x12x4xf32>) -> tensor<2x2x12x4xf32>
    %105 = "tensor.concat"(%104, %101) <{dim = 3 : i64}> : (tensor<2x2x12x4xf32>, tensor<2x2x12x4xf32>) -> tensor<2x2x12x8xf32>
    %106 = "linalg.generic"(%105, %91, %84) <{indexing_maps = [#map7, #map16, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg125: f32, %arg126: f32, %arg127: f32):
      %226 = "arith.mulf"(%arg125, %arg126) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%226) : (f32) -> ()
    }) : (tensor<2x2x12x8xf32>, tensor<1x1x12x8xf32>, tensor<2x2x12x8xf32>) -> tensor<2x2x12x8xf32>
    %107 = "linalg.generic"(%100, %106, %84) <{indexing_maps = [#map7, #map7, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg122: f32, %arg123: f32, %arg124: f32):
      %225 = "arith.addf"(%arg122, %arg123) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%225) : (f32) -> ()
    }) : (tensor<2x2x12x8xf32>, tensor<2x2x12x8xf32>, tensor<2x2x12x8xf32>) -> tensor<2x2x12x8xf32>
    %108 = "tensor.empty"() : () -> tensor<2x2x2x12x8xf32>
    %109 = "linalg.generic"(%107, %108) <{indexing_maps = [#map17, #map18], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg120: f32, %arg121: f32):
      "linalg.yield"(%arg120) : (f32) -> ()
    }) : (tensor<2x2x12x8xf32>, tensor<2x2x2x12x8xf32>) -> tensor<2x2x2x12x8xf32>
    %110 = "tensor.collapse_shape"(%109) <{reassociation = [[0], [1, 2], [3], [4]]}> : (tensor<2x2x2x12x8xf32>) -> tensor<2x4x12x8xf32>
    %111 = "linalg.generic"(%89, %108) <{indexing_maps = [#map17, #map18], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg118: f32, %arg119: f32):
      "linalg.yield"(%arg118) : (f32) -> ()
    }) : (tensor<2x2x12x8xf32>, tensor<2x2x2x12x8xf32>) -> tensor<2x2x2x12x8xf32>
    %112 = "tensor.empty"() : () -> tensor<2x4x8x12xf32>
    %113 = "linalg.transpose"(%110, %112) <{permutation = array<i64: 0, 1, 3, 2>}> ({
    ^bb0(%arg116: f32, %arg117: f32):
      "linalg.yield"(%arg116) : (f32) -> ()
    }) : (tensor<2x4x12x8xf32>, tensor<2x4x8x12xf32>) -> tensor<2x4x8x12xf32>
    %114 = "tensor.collapse_shape"(%99) <{reassociation = [[0, 1], [2], [3]]}> : (tensor<2x4x12x8xf32>) -> tensor<8x12x8xf32>
    %115 = "tensor.collapse_shape"(%113) <{reassociation = [[0, 1], [2], [3]]}> : (tensor<2x4x8x12xf32>) -> tensor<8x8x12xf32>
    %116 = "tensor.empty"() : () -> tensor<8x12x12xf32>
    %117 = "linalg.fill"(%5, %116) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg114: f32, %arg115: f32):
      "linalg.yield"(%arg114) : (f32) -> ()
    }) : (f32, tensor<8x12x12xf32>) -> tensor<8x12x12xf32>
    %118 = "linalg.batch_matmul"(%114, %115, %117) <{indexing_maps = [#map19, #map20, #map21], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg111: f32, %arg112: f32, %arg113: f32):
      %223 = "arith.mulf"(%arg111, %arg112) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %224 = "arith.addf"(%arg113, %223) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%224) : (f32) -> ()
    }) : (tensor<8x12x8xf32>, tensor<8x8x12xf32>, tensor<8x12x12xf32>) -> tensor<8x12x12xf32>
    %119 = "tensor.expand_shape"(%118) <{reassociation = [[0, 1], [2], [3]], static_output_shape = array<i64: 2, 4, 12, 12>}> : (tensor<8x12x12xf32>) -> tensor<2x4x12x12xf32>
    %120 = "tensor.empty"() : () -> tensor<2x4x12x12xf32>
    %121 = "linalg.generic"(%119, %120) <{indexing_maps = [#map7, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg109: f32, %arg110: f32):
      %221 = "arith.truncf"(%11) : (f64) -> f32
      %222 = "arith.mulf"(%arg109, %221) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%222) : (f32) -> ()
    }) : (tensor<2x4x12x12xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %122 = "linalg.generic"(%121, %50, %120) <{indexing_maps = [#map7, #map22, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg106: f32, %arg107: f32, %arg108: f32):
      %220 = "arith.addf"(%arg106, %arg107) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%220) : (f32) -> ()
    }) : (tensor<2x4x12x12xf32>, tensor<2x1x12x12xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %123 = "tensor.empty"() : () -> tensor<2x4x12xi64>
    %124 = "linalg.fill"(%0, %123) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg104: i64, %arg105: i64):
      "linalg.yield"(%arg104) : (i64) -> ()
    }) : (i64, tensor<2x4x12xi64>) -> tensor<2x4x12xi64>
    %125 = "tensor.empty"() : () -> tensor<2x4x12xf32>
    %126 = "linalg.fill"(%6, %125) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg102: f32, %arg103: f32):
      "linalg.yield"(%arg102) : (f32) -> ()
    }) : (f32, tensor<2x4x12xf32>) -> tensor<2x4x12xf32>
    %127:2 = "linalg.generic"(%122, %126, %124) <{indexing_maps = [#map7, #map21, #map21], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 2>}> ({
    ^bb0(%arg99: f32, %arg100: f32, %arg101: i64):
      %215 = "linalg.index"() <{dim = 3 : i64}> : () -> index
      %216 = "arith.index_cast"(%215) : (index) -> i64
      %217 = "arith.maximumf"(%arg99, %arg100) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %218 = "arith.cmpf"(%arg99, %arg100) <{fastmath = #arith.fastmath<none>, predicate = 2 : i64}> : (f32, f32) -> i1
      %219 = "arith.select"(%218, %216, %arg101) : (i1, i64, i64) -> i64
      "linalg.yield"(%217, %219) : (f32, i64) -> ()
    }) : (tensor<2x4x12x12xf32>, tensor<2x4x12xf32>, tensor<2x4x12xi64>) -> (tensor<2x4x12xf32>, tensor<2x4x12xi64>)
    %128 = "tensor.expand_shape"(%127#0) <{reassociation = [[0], [1], [2, 3]], static_output_shape = array<i64: 2, 4, 12, 1>}> : (tensor<2x4x12xf32>) -> tensor<2x4x12x1xf32>
    %129 = "linalg.generic"(%122, %128, %120) <{indexing_maps = [#map7, #map9, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg96: f32, %arg97: f32, %arg98: f32):
      %214 = "arith.subf"(%arg96, %arg97) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%214) : (f32) -> ()
    }) : (tensor<2x4x12x12xf32>, tensor<2x4x12x1xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %130 = "linalg.generic"(%129, %120) <{indexing_maps = [#map7, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg94: f32, %arg95: f32):
      %213 = "math.exp"(%arg94) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%213) : (f32) -> ()
    }) : (tensor<2x4x12x12xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %131 = "tensor.empty"() : () -> tensor<2x4x12x1xf32>
    %132 = "linalg.fill"(%5, %131) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg92: f32, %arg93: f32):
      "linalg.yield"(%arg92) : (f32) -> ()
    }) : (f32, tensor<2x4x12x1xf32>) -> tensor<2x4x12x1xf32>
    %133 = "linalg.generic"(%130, %132) <{indexing_maps = [#map7, #map9], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg90: f32, %arg91: f32):
      %212 = "arith.addf"(%arg90, %arg91) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%212) : (f32) -> ()
    }) : (tensor<2x4x12x12xf32>, tensor<2x4x12x1xf32>) -> tensor<2x4x12x1xf32>
    %134 = "linalg.generic"(%130, %133, %120) <{indexing_maps = [#map7, #map9, #map7], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg87: f32, %arg88: f32, %arg89: f32):
      %211 = "arith.divf"(%arg87, %arg88) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%211) : (f32) -> ()
    }) : (tensor<2x4x12x12xf32>, tensor<2x4x12x1xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %135 = "tensor.collapse_shape"(%134) <{reassociation = [[0, 1], [2], [3]]}> : (tensor<2x4x12x12xf32>) -> tensor<8x12x12xf32>
    %136 = "tensor.collapse_shape"(%111) <{reassociation = [[0, 1, 2], [3], [4]]}> : (tensor<2x2x2x12x8xf32>) -> tensor<8x12x8xf32>
    %137 = "tensor.empty"() : () -> tensor<8x12x8xf32>
    %138 = "linalg.fill"(%5, %137) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg85: f32, %arg86: f32):
      "linalg.yield"(%arg85) : (f32) -> ()
    }) : (f32, tensor<8x12x8xf32>) -> tensor<8x12x8xf32>
    %139 = "linalg.batch_matmul"(%135, %136, %138) <{indexing_maps = [#map19, #map20, #map21], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg82: f32, %arg83: f32, %arg84: f32):
      %209 = "arith.mulf"(%arg82, %arg83) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %210 = "arith.addf"(%arg84, %209) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%210) : (f32) -> ()
    }) : (tensor<8x12x12xf32>, tensor<8x12x8xf32>, tensor<8x12x8xf32>) -> tensor<8x12x8xf32>
    %140 = "tensor.expand_shape"(%139) <{reassociation = [[0, 1], [2], [3]], static_output_shape = array<i64: 2, 4, 12, 8>}> : (tensor<8x12x8xf32>) -> tensor<2x4x12x8xf32>
    %141 = "tensor.empty"() : () -> tensor<2x12x4x8xf32>
    %142 = "linalg.transpose"(%140, %141) <{permutation = array<i64: 0, 2, 1, 3>}> ({
    ^bb0(%arg80: f32, %arg81: f32):
      "linalg.yield"(%arg80) : (f32) -> ()
    }) : (tensor<2x4x12x8xf32>, tensor<2x12x4x8xf32>) -> tensor<2x12x4x8xf32>
    %143 = "linalg.transpose"(%arg4, %69) <{permutation = array<i64: 1, 0>}> ({
    ^bb0(%arg78: f32, %arg79: f32):
      "linalg.yield"(%arg78) : (f32) -> ()
    }) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %144 = "tensor.collapse_shape"(%142) <{reassociation = [[0, 1], [2, 3]]}> : (tensor<2x12x4x8xf32>) -> tensor<24x32xf32>
    %145 = "linalg.matmul"(%144, %143, %73) <{indexing_maps = [#map14, #map15, #map], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg75: f32, %arg76: f32, %arg77: f32):
      %207 = "arith.mulf"(%arg75, %arg76) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %208 = "arith.addf"(%arg77, %207) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%208) : (f32) -> ()
    }) : (tensor<24x32xf32>, tensor<32x32xf32>, tensor<24x32xf32>) -> tensor<24x32xf32>
    %146 = "tensor.expand_shape"(%145) <{reassociation = [[0, 1], [2]], static_output_shape = array<i64: 2, 12, 32>}> : (tensor<24x32xf32>) -> tensor<2x12x32xf32>
    %147 = "linalg.generic"(%15, %146, %14) <{indexing_maps = [#map1, #map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg72: f32, %arg73: f32, %arg74: f32):
      %206 = "arith.addf"(%arg72, %arg73) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%206) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %148 = "linalg.generic"(%147, %14) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg70: f32, %arg71: f32):
      %205 = "math.fpowi"(%arg70, %1) <{fastmath = #arith.fastmath<none>}> : (f32, i64) -> f32
      "linalg.yield"(%205) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %149 = "linalg.generic"(%148, %62) <{indexing_maps = [#map1, #map12], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg68: f32, %arg69: f32):
      %204 = "arith.addf"(%arg68, %arg69) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%204) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %150 = "linalg.generic"(%149, %61) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg66: f32, %arg67: f32):
      %203 = "arith.divf"(%arg66, %13) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%203) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %151 = "linalg.generic"(%150, %61) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg64: f32, %arg65: f32):
      %201 = "arith.truncf"(%12) : (f64) -> f32
      %202 = "arith.addf"(%arg64, %201) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%202) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %152 = "linalg.generic"(%151, %61) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg62: f32, %arg63: f32):
      %200 = "math.rsqrt"(%arg62) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%200) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %153 = "linalg.generic"(%147, %152, %14) <{indexing_maps = [#map1, #map12, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg59: f32, %arg60: f32, %arg61: f32):
      %199 = "arith.mulf"(%arg59, %arg60) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%199) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x1xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %154 = "linalg.generic"(%arg9, %153, %14) <{indexing_maps = [#map13, #map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg56: f32, %arg57: f32, %arg58: f32):
      %198 = "arith.mulf"(%arg56, %arg57) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%198) : (f32) -> ()
    }) : (tensor<32xf32>, tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %155 = "linalg.transpose"(%arg5, %69) <{permutation = array<i64: 1, 0>}> ({
    ^bb0(%arg54: f32, %arg55: f32):
      "linalg.yield"(%arg54) : (f32) -> ()
    }) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %156 = "tensor.collapse_shape"(%154) <{reassociation = [[0, 1], [2]]}> : (tensor<2x12x32xf32>) -> tensor<24x32xf32>
    %157 = "linalg.matmul"(%156, %155, %73) <{indexing_maps = [#map14, #map15, #map], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg51: f32, %arg52: f32, %arg53: f32):
      %196 = "arith.mulf"(%arg51, %arg52) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %197 = "arith.addf"(%arg53, %196) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%197) : (f32) -> ()
    }) : (tensor<24x32xf32>, tensor<32x32xf32>, tensor<24x32xf32>) -> tensor<24x32xf32>
    %158 = "tensor.expand_shape"(%157) <{reassociation = [[0, 1], [2]], static_output_shape = array<i64: 2, 12, 32>}> : (tensor<24x32xf32>) -> tensor<2x12x32xf32>
    %159 = "linalg.generic"(%158, %14) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg49: f32, %arg50: f32):
      %192 = "arith.negf"(%arg49) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      %193 = "math.exp"(%192) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      %194 = "arith.addf"(%193, %7) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %195 = "arith.divf"(%7, %194) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%195) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %160 = "linalg.generic"(%158, %159, %14) <{indexing_maps = [#map1, #map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg46: f32, %arg47: f32, %arg48: f32):
      %191 = "arith.mulf"(%arg46, %arg47) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%191) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %161 = "linalg.transpose"(%arg6, %69) <{permutation = array<i64: 1, 0>}> ({
    ^bb0(%arg44: f32, %arg45: f32):
      "linalg.yield"(%arg44) : (f32) -> ()
    }) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %162 = "linalg.matmul"(%156, %161, %73) <{indexing_maps = [#map14, #map15, #map], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg41: f32, %arg42: f32, %arg43: f32):
      %189 = "arith.mulf"(%arg41, %arg42) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %190 = "arith.addf"(%arg43, %189) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%190) : (f32) -> ()
    }) : (tensor<24x32xf32>, tensor<32x32xf32>, tensor<24x32xf32>) -> tensor<24x32xf32>
    %163 = "tensor.expand_shape"(%162) <{reassociation = [[0, 1], [2]], static_output_shape = array<i64: 2, 12, 32>}> : (tensor<24x32xf32>) -> tensor<2x12x32xf32>
    %164 = "linalg.generic"(%160, %163, %14) <{indexing_maps = [#map1, #map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg38: f32, %arg39: f32, %arg40: f32):
      %188 = "arith.mulf"(%arg38, %arg39) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%188) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %165 = "linalg.transpose"(%arg7, %69) <{permutation = array<i64: 1, 0>}> ({
    ^bb0(%arg36: f32, %arg37: f32):
      "linalg.yield"(%arg36) : (f32) -> ()
    }) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %166 = "tensor.collapse_shape"(%164) <{reassociation = [[0, 1], [2]]}> : (tensor<2x12x32xf32>) -> tensor<24x32xf32>
    %167 = "linalg.matmul"(%166, %165, %73) <{indexing_maps = [#map14, #map15, #map], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg33: f32, %arg34: f32, %arg35: f32):
      %186 = "arith.mulf"(%arg33, %arg34) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %187 = "arith.addf"(%arg35, %186) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%187) : (f32) -> ()
    }) : (tensor<24x32xf32>, tensor<32x32xf32>, tensor<24x32xf32>) -> tensor<24x32xf32>
    %168 = "tensor.expand_shape"(%167) <{reassociation = [[0, 1], [2]], static_output_shape = array<i64: 2, 12, 32>}> : (tensor<24x32xf32>) -> tensor<2x12x32xf32>
    %169 = "linalg.generic"(%147, %168, %14) <{indexing_maps = [#map1, #map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg30: f32, %arg31: f32, %arg32: f32):
      %185 = "arith.addf"(%arg30, %arg31) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%185) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %170 = "linalg.generic"(%169, %14) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg28: f32, %arg29: f32):
      %184 = "math.fpowi"(%arg28, %1) <{fastmath = #arith.fastmath<none>}> : (f32, i64) -> f32
      "linalg.yield"(%184) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %171 = "linalg.generic"(%170, %62) <{indexing_maps = [#map1, #map12], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg26: f32, %arg27: f32):
      %183 = "arith.addf"(%arg26, %arg27) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%183) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %172 = "linalg.generic"(%171, %61) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg24: f32, %arg25: f32):
      %182 = "arith.divf"(%arg24, %13) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%182) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %173 = "linalg.generic"(%172, %61) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg22: f32, %arg23: f32):
      %180 = "arith.truncf"(%12) : (f64) -> f32
      %181 = "arith.addf"(%arg22, %180) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%181) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %174 = "linalg.generic"(%173, %61) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg20: f32, %arg21: f32):
      %179 = "math.rsqrt"(%arg20) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%179) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %175 = "linalg.generic"(%169, %174, %14) <{indexing_maps = [#map1, #map12, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg17: f32, %arg18: f32, %arg19: f32):
      %178 = "arith.mulf"(%arg17, %arg18) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%178) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x1xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %176 = "linalg.generic"(%arg10, %175, %14) <{indexing_maps = [#map13, #map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg14: f32, %arg15: f32, %arg16: f32):
      %177 = "arith.mulf"(%arg14, %arg15) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%177) : (f32) -> ()
    }) : (tensor<32xf32>, tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    "func.return"(%176) : (tensor<2x12x32xf32>) -> ()
  }) : () -> ()
}) : () -> ()
