// Written by `make-transformers.py`.
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map6 = affine_map<(d0, d1, d2) -> (d2)>
#map7 = affine_map<(d0) -> (d0)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> ()>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, 0)>
#map11 = affine_map<(d0, d1, d2, d3) -> (0, 0, 0, d3)>
#map12 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, 0)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map14 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map15 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map16 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map17 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
#map18 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map19 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map20 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<64x32xf32>, tensor<64x32xf32>, tensor<2x32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32x32xf32>, tensor<32xf32>, tensor<32x32xf32>, tensor<32xf32>, tensor<32x32xf32>, tensor<32xf32>, tensor<32x32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32x32xf32>, tensor<32xf32>, tensor<32x32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<1x64xi64>, tensor<1x64xi64>, tensor<2x12xi64>, tensor<2x12xi64>) -> tensor<2x12x32xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<64x32xf32>, %arg1: tensor<64x32xf32>, %arg2: tensor<2x32xf32>, %arg3: tensor<32xf32>, %arg4: tensor<32xf32>, %arg5: tensor<32x32xf32>, %arg6: tensor<32xf32>, %arg7: tensor<32x32xf32>, %arg8: tensor<32xf32>, %arg9: tensor<32x32xf32>, %arg10: tensor<32xf32>, %arg11: tensor<32x32xf32>, %arg12: tensor<32xf32>, %arg13: tensor<32xf32>, %arg14: tensor<32xf32>, %arg15: tensor<32x32xf32>, %arg16: tensor<32xf32>, %arg17: tensor<32x32xf32>, %arg18: tensor<32xf32>, %arg19: tensor<32xf32>, %arg20: tensor<32xf32>, %arg21: tensor<1x64xi64>, %arg22: tensor<1x64xi64>, %arg23: tensor<2x12xi64>, %arg24: tensor<2x12xi64>):
    %0 = "arith.constant"() <{value = 2 : i64}> : () -> i64
    %1 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %2 = "arith.constant"() <{value = 12 : i64}> : () -> i64
    %3 = "arith.constant"() <{value = 64 : index}> : () -> index
    %4 = "arith.constant"() <{value = 2 : index}> : () -> index
    %5 = "arith.constant"() <{value = 0.000000e+00 : f64}> : () -> f64
    %6 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %7 = "arith.constant"() <{value = 0xFF800000 : f32}> : () -> f32
    %8 = "arith.constant"() <{value = 1.000000e+00 : f32}> : () -> f32
    %9 = "arith.constant"() <{value = 5.000000e-01 : f32}> : () -> f32
    %10 = "arith.constant"() <{value = dense<-3.40282347E+38> : tensor<f32>}> : () -> tensor<f32>
    %11 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %12 = "arith.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %13 = "arith.constant"() <{value = 0.35355339059327379 : f64}> : () -> f64
    %14 = "arith.constant"() <{value = 9.9999999999999998E-13 : f64}> : () -> f64
    %15 = "arith.constant"() <{value = 0 : index}> : () -> index
    %16 = "arith.constant"() <{value = 3.200000e+01 : f64}> : () -> f64
    %17 = "arith.constant"() <{value = 3.200000e+01 : f32}> : () -> f32
    %18 = "arith.constant"() <{value = 1.41421354 : f32}> : () -> f32
    %19 = "tensor.extract_slice"(%arg21) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 1, 12>, static_strides = array<i64: 1, 1>}> : (tensor<1x64xi64>) -> tensor<1x12xi64>
    %20 = "tensor.empty"() : () -> tensor<1x12xi64>
    %21 = "linalg.fill"(%1, %20) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg290: i64, %arg291: i64):
      "linalg.yield"(%arg290) : (i64) -> ()
    }) : (i64, tensor<1x12xi64>) -> tensor<1x12xi64>
    %22 = "linalg.generic"(%19, %21) <{indexing_maps = [#map, #map], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg288: i64, %arg289: i64):
      %305 = "arith.index_cast"(%arg288) : (i64) -> index
      %306 = "arith.cmpi"(%305, %3) <{predicate = 2 : i64}> : (index, index) -> i1
      "cf.assert"(%306) <{msg = "index must be smaller than dim size"}> : (i1) -> ()
      %307 = "arith.cmpi"(%arg288, %1) <{predicate = 5 : i64}> : (i64, i64) -> i1
      "cf.assert"(%307) <{msg = "index must be larger or equal to 0"}> : (i1) -> ()
      %308 = "tensor.extract"(%arg22, %15, %305) : (tensor<1x64xi64>, index, index) -> i64
      "linalg.yield"(%308) : (i64) -> ()
    }) : (tensor<1x12xi64>, tensor<1x12xi64>) -> tensor<1x12xi64>
    %23 = "tensor.empty"() : () -> tensor<2x12xi64>
    %24 = "tensor.collapse_shape"(%22) <{reassociation = [[0, 1]]}> : (tensor<1x12xi64>) -> tensor<12xi64>
    %25 = "linalg.generic"(%24, %23) <{indexing_maps = [#map1, #map], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg286: i64, %arg287: i64):
      "linalg.yield"(%arg286) : (i64) -> ()
    }) : (tensor<12xi64>, tensor<2x12xi64>) -> tensor<2x12xi64>
    %26 = "tensor.empty"() : () -> tensor<2x12x32xf32>
    %27 = "linalg.generic"(%arg23, %26) <{indexing_maps = [#map2, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg284: i64, %arg285: f32):
      %300 = "arith.index_cast"(%arg284) : (i64) -> index
      %301 = "linalg.index"() <{dim = 2 : i64}> : () -> index
      %302 = "arith.cmpi"(%300, %3) <{predicate = 2 : i64}> : (index, index) -> i1
      "cf.assert"(%302) <{msg = "index must be smaller than dim size"}> : (i1) -> ()
      %303 = "arith.cmpi"(%arg284, %1) <{predicate = 5 : i64}> : (i64, i64) -> i1
      "cf.assert"(%303) <{msg = "index must be larger or equal to 0"}> : (i1) -> ()
      %304 = "tensor.extract"(%arg0, %300, %301) : (tensor<64x32xf32>, index, index) -> f32
      "linalg.yield"(%304) : (f32) -> ()
    }) : (tensor<2x12xi64>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %28 = "linalg.generic"(%25, %26) <{indexing_maps = [#map2, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg282: i64, %arg283: f32):
      %295 = "arith.index_cast"(%arg282) : (i64) -> index
      %296 = "linalg.index"() <{dim = 2 : i64}> : () -> index
      %297 = "arith.cmpi"(%295, %4) <{predicate = 2 : i64}> : (index, index) -> i1
      "cf.assert"(%297) <{msg = "index must be smaller than dim size"}> : (i1) -> ()
      %298 = "arith.cmpi"(%arg282, %1) <{predicate = 5 : i64}> : (i64, i64) -> i1
      "cf.assert"(%298) <{msg = "index must be larger or equal to 0"}> : (i1) -> ()
      %299 = "tensor.extract"(%arg2, %295, %296) : (tensor<2x32xf32>, index, index) -> f32
      "linalg.yield"(%299) : (f32) -> ()
    }) : (tensor<2x12xi64>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %29 = "linalg.generic"(%27, %28, %26) <{indexing_maps = [#map3, #map3, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg279: f32, %arg280: f32, %arg281: f32):
      %294 = "arith.addf"(%arg279, %arg280) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%294) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %30 = "tensor.empty"() : () -> tensor<1x12x32xf32>
    %31 = "linalg.generic"(%19, %30) <{indexing_maps = [#map2, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg277: i64, %arg278: f32):
      %289 = "arith.index_cast"(%arg277) : (i64) -> index
      %290 = "linalg.index"() <{dim = 2 : i64}> : () -> index
      %291 = "arith.cmpi"(%289, %3) <{predicate = 2 : i64}> : (index, index) -> i1
      "cf.assert"(%291) <{msg = "index must be smaller than dim size"}> : (i1) -> ()
      %292 = "arith.cmpi"(%arg277, %1) <{predicate = 5 : i64}> : (i64, i64) -> i1
      "cf.assert"(%292) <{msg = "index must be larger or equal to 0"}> : (i1) -> ()
      %293 = "tensor.extract"(%arg1, %289, %290) : (tensor<64x32xf32>, index, index) -> f32
      "linalg.yield"(%293) : (f32) -> ()
    }) : (tensor<1x12xi64>, tensor<1x12x32xf32>) -> tensor<1x12x32xf32>
    %32 = "linalg.generic"(%29, %31, %26) <{indexing_maps = [#map3, #map4, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg274: f32, %arg275: f32, %arg276: f32):
      %288 = "arith.addf"(%arg274, %arg275) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%288) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<1x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %33 = "tensor.empty"() : () -> tensor<2x12x32xf64>
    %34 = "linalg.generic"(%32, %33) <{indexing_maps = [#map3, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg272: f32, %arg273: f64):
      %287 = "arith.extf"(%arg272) : (f32) -> f64
      "linalg.yield"(%287) : (f64) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x32xf64>) -> tensor<2x12x32xf64>
    %35 = "tensor.empty"() : () -> tensor<2x12x1xf64>
    %36 = "linalg.fill"(%5, %35) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg270: f64, %arg271: f64):
      "linalg.yield"(%arg270) : (f64) -> ()
    }) : (f64, tensor<2x12x1xf64>) -> tensor<2x12x1xf64>
    %37 = "linalg.generic"(%34, %36) <{indexing_maps = [#map3, #map5], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg268: f64, %arg269: f64):
      %286 = "arith.addf"(%arg268, %arg269) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
      "linalg.yield"(%286) : (f64) -> ()
    }) : (tensor<2x12x32xf64>, tensor<2x12x1xf64>) -> tensor<2x12x1xf64>
    %38 = "linalg.generic"(%37, %35) <{indexing_maps = [#map3, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg266: f64, %arg267: f64):
      %285 = "arith.divf"(%arg266, %16) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
      "linalg.yield"(%285) : (f64) -> ()
    }) : (tensor<2x12x1xf64>, tensor<2x12x1xf64>) -> tensor<2x12x1xf64>
    %39 = "linalg.generic"(%34, %38, %33) <{indexing_maps = [#map3, #map5, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg263: f64, %arg264: f64, %arg265: f64):
      %284 = "arith.subf"(%arg263, %arg264) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
      "linalg.yield"(%284) : (f64) -> ()
    }) : (tensor<2x12x32xf64>, tensor<2x12x1xf64>, tensor<2x12x32xf64>) -> tensor<2x12x32xf64>
    %40 = "linalg.generic"(%39, %39, %33) <{indexing_maps = [#map3, #map3, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg260: f64, %arg261: f64, %arg262: f64):
      %283 = "arith.mulf"(%arg260, %arg261) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
      "linalg.yield"(%283) : (f64) -> ()
    }) : (tensor<2x12x32xf64>, tensor<2x12x32xf64>, tensor<2x12x32xf64>) -> tensor<2x12x32xf64>
    %41 = "linalg.generic"(%40, %36) <{indexing_maps = [#map3, #map5], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg258: f64, %arg259: f64):
      %282 = "arith.addf"(%arg258, %arg259) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
      "linalg.yield"(%282) : (f64) -> ()
    }) : (tensor<2x12x32xf64>, tensor<2x12x1xf64>) -> tensor<2x12x1xf64>
    %42 = "linalg.generic"(%41, %35) <{indexing_maps = [#map3, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg256: f64, %arg257: f64):
      %281 = "arith.divf"(%arg256, %16) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
      "linalg.yield"(%281) : (f64) -> ()
    }) : (tensor<2x12x1xf64>, tensor<2x12x1xf64>) -> tensor<2x12x1xf64>
    %43 = "tensor.empty"() : () -> tensor<2x12x1xf32>
    %44 = "linalg.generic"(%42, %43) <{indexing_maps = [#map3, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg254: f64, %arg255: f32):
      %280 = "arith.truncf"(%arg254) : (f64) -> f32
      "linalg.yield"(%280) : (f32) -> ()
    }) : (tensor<2x12x1xf64>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %45 = "linalg.fill"(%6, %43) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg252: f32, %arg253: f32):
      "linalg.yield"(%arg252) : (f32) -> ()
    }) : (f32, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %46 = "linalg.generic"(%32, %45) <{indexing_maps = [#map3, #map5], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg250: f32, %arg251: f32):
      %279 = "arith.addf"(%arg250, %arg251) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%279) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %47 = "linalg.generic"(%46, %43) <{indexing_maps = [#map3, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg248: f32, %arg249: f32):
      %278 = "arith.divf"(%arg248, %17) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%278) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %48 = "linalg.generic"(%44, %43) <{indexing_maps = [#map3, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg246: f32, %arg247: f32):
      %276 = "arith.truncf"(%14) : (f64) -> f32
      %277 = "arith.addf"(%arg246, %276) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%277) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %49 = "linalg.generic"(%48, %43) <{indexing_maps = [#map3, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg244: f32, %arg245: f32):
      %275 = "math.rsqrt"(%arg244) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%275) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %50 = "linalg.generic"(%32, %47, %26) <{indexing_maps = [#map3, #map5, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg241: f32, %arg242: f32, %arg243: f32):
      %274 = "arith.subf"(%arg241, %arg242) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%274) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x1xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %51 = "linalg.generic"(%50, %49, %26) <{indexing_maps = [#map3, #map5, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg238: f32, %arg239: f32, %arg240: f32):
      %273 = "arith.mulf"(%arg238, %arg239) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%273) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x1xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %52 = "linalg.generic"(%51, %arg3, %26) <{indexing_maps = [#map3, #map6, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg235: f32, %arg236: f32, %arg237: f32):
      %272 = "arith.mulf"(%arg235, %arg236) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%272) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %53 = "linalg.generic"(%52, %arg4, %26) <{indexing_maps = [#map3, #map6, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg232: f32, %arg233: f32, %arg234: f32):
      %271 = "arith.addf"(%arg232, %arg233) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%271) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %54 = "tensor.empty"() : () -> tensor<2x12xi1>
    %55 = "linalg.generic"(%arg24, %54) <{indexing_maps = [#map, #map], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg230: i64, %arg231: i1):
      %270 = "arith.cmpi"(%arg230, %1) <{predicate = 1 : i64}> : (i64, i64) -> i1
      "linalg.yield"(%270) : (i1) -> ()
    }) : (tensor<2x12xi64>, tensor<2x12xi1>) -> tensor<2x12xi1>
    %56 = "tensor.empty"() : () -> tensor<2xi64>
    %57 = "linalg.generic"(%56) <{indexing_maps = [#map7], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 0, 1>}> ({
    ^bb0(%arg229: i64):
      %268 = "linalg.index"() <{dim = 0 : i64}> : () -> index
      %269 = "arith.index_cast"(%268) : (index) -> i64
      "linalg.yield"(%269) : (i64) -> ()
    }) : (tensor<2xi64>) -> tensor<2xi64>
    %58 = "tensor.empty"() : () -> tensor<12xi64>
    %59 = "linalg.generic"(%58) <{indexing_maps = [#map7], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 0, 1>}> ({
    ^bb0(%arg228: i64):
      %266 = "linalg.index"() <{dim = 0 : i64}> : () -> index
      %267 = "arith.index_cast"(%266) : (index) -> i64
      "linalg.yield"(%267) : (i64) -> ()
    }) : (tensor<12xi64>) -> tensor<12xi64>
    %60 = "tensor.expand_shape"(%57) <{reassociation = [[0, 1, 2, 3]], static_output_shape = array<i64: 2, 1, 1, 1>}> : (tensor<2xi64>) -> tensor<2x1x1x1xi64>
    %61 = "tensor.expand_shape"(%59) <{reassociation = [[0, 1, 2, 3]], static_output_shape = array<i64: 1, 1, 12, 1>}> : (tensor<12xi64>) -> tensor<1x1x12x1xi64>
    %62 = "tensor.expand_shape"(%59) <{reassociation = [[0, 1, 2, 3]], static_output_shape = array<i64: 1, 1, 1, 12>}> : (tensor<12xi64>) -> tensor<1x1x1x12xi64>
    %63 = "tensor.empty"() : () -> tensor<1x1x12x1xi1>
    %64 = "linalg.generic"(%61, %63) <{indexing_maps = [#map8, #map8], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg226: i64, %arg227: i1):
      %265 = "arith.cmpi"(%arg226, %1) <{predicate = 5 : i64}> : (i64, i64) -> i1
      "linalg.yield"(%265) : (i1) -> ()
    }) : (tensor<1x1x12x1xi64>, tensor<1x1x12x1xi1>) -> tensor<1x1x12x1xi1>
    %65 = "linalg.generic"(%12, %64, %63) <{indexing_maps = [#map9, #map8, #map8], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg223: i1, %arg224: i1, %arg225: i1):
      %264 = "arith.andi"(%arg223, %arg224) : (i1, i1) -> i1
      "linalg.yield"(%264) : (i1) -> ()
    }) : (tensor<i1>, tensor<1x1x12x1xi1>, tensor<1x1x12x1xi1>) -> tensor<1x1x12x1xi1>
    %66 = "tensor.empty"() : () -> tensor<2x1x1x12xi1>
    %67 = "linalg.generic"(%60, %62, %66) <{indexing_maps = [#map10, #map11, #map8], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg220: i64, %arg221: i64, %arg222: i1):
      %255 = "arith.cmpi"(%arg220, %1) <{predicate = 2 : i64}> : (i64, i64) -> i1
      %256 = "arith.addi"(%arg220, %0) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      %257 = "arith.select"(%255, %256, %arg220) : (i1, i64, i64) -> i64
      %258 = "arith.index_cast"(%257) : (i64) -> index
      %259 = "arith.cmpi"(%arg221, %1) <{predicate = 2 : i64}> : (i64, i64) -> i1
      %260 = "arith.addi"(%arg221, %2) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      %261 = "arith.select"(%259, %260, %arg221) : (i1, i64, i64) -> i64
      %262 = "arith.index_cast"(%261) : (i64) -> index
      %263 = "tensor.extract"(%55, %258, %262) : (tensor<2x12xi1>, index, index) -> i1
      "linalg.yield"(%263) : (i1) -> ()
    }) : (tensor<2x1x1x1xi64>, tensor<1x1x1x12xi64>, tensor<2x1x1x12xi1>) -> tensor<2x1x1x12xi1>
    %68 = "tensor.empty"() : () -> tensor<2x1x12x12xi1>
    %69 = "linalg.generic"(%65, %67, %68) <{indexing_maps = [#map12, #map13, #map8], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg217: i1, %arg218: i1, %arg219: i1):
      %254 = "arith.andi"(%arg217, %arg218) : (i1, i1) -> i1
      "linalg.yield"(%254) : (i1) -> ()
    }) : (tensor<1x1x12x1xi1>, tensor<2x1x1x12xi1>, tensor<2x1x12x12xi1>) -> tensor<2x1x12x12xi1>
    %70 = "tensor.empty"() : () -> tensor<2x1x12x12xf32>
    %71 = "linalg.generic"(%69, %11, %10, %70) <{indexing_maps = [#map8, #map9, #map9, #map8], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 3, 1>}> ({
    ^bb0(%arg213: i1, %arg214: f32, %arg215: f32, %arg216: f32):
      %253 = "arith.select"(%arg213, %arg214, %arg215) : (i1, f32, f32) -> f32
      "linalg.yield"(%253) : (f32) -> ()
    }) : (tensor<2x1x12x12xi1>, tensor<f32>, tensor<f32>, tensor<2x1x12x12xf32>) -> tensor<2x1x12x12xf32>
    %72 = "tensor.collapse_shape"(%53) <{reassociation = [[0, 1], [2]]}> : (tensor<2x12x32xf32>) -> tensor<24x32xf32>
    %73 = "tensor.empty"() : () -> tensor<32x32xf32>
    %74 = "linalg.transpose"(%arg5, %73) <{permutation = array<i64: 1, 0>}> ({
    ^bb0(%arg211: f32, %arg212: f32):
      "linalg.yield"(%arg211) : (f32) -> ()
    }) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %75 = "tensor.empty"() : () -> tensor<24x32xf32>
    %76 = "linalg.fill"(%6, %75) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg209: f32, %arg210: f32):
      "linalg.yield"(%arg209) : (f32) -> ()
    }) : (f32, tensor<24x32xf32>) -> tensor<24x32xf32>
    %77 = "linalg.matmul"(%72, %74, %76) <{indexing_maps = [#map14, #map15, #map2], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg206: f32, %arg207: f32, %arg208: f32):
      %251 = "arith.mulf"(%arg206, %arg207) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %252 = "arith.addf"(%arg208, %251) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%252) : (f32) -> ()
    }) : (tensor<24x32xf32>, tensor<32x32xf32>, tensor<24x32xf32>) -> tensor<24x32xf32>
    %78 = "linalg.generic"(%arg6, %75) <{indexing_maps = [#map1, #map], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg204: f32, %arg205: f32):
      "linalg.yield"(%arg204) : (f32) -> ()
    }) : (tensor<32xf32>, tensor<24x32xf32>) -> tensor<24x32xf32>
    %79 = "linalg.generic"(%77, %78, %75) <{indexing_maps = [#map, #map, #map], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg201: f32, %arg202: f32, %arg203: f32):
      %250 = "arith.addf"(%arg201, %arg202) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%250) : (f32) -> ()
    }) : (tensor<24x32xf32>, tensor<24x32xf32>, tensor<24x32xf32>) -> tensor<24x32xf32>
    %80 = "tensor.expand_shape"(%79) <{reassociation = [[0, 1], [2, 3]], static_output_shape = array<i64: 2, 12, 4, 8>}> : (tensor<24x32xf32>) -> tensor<2x12x4x8xf32>
    %81 = "tensor.empty"() : () -> tensor<2x4x12x8xf32>
    %82 = "linalg.transpose"(%80, %81) <{permutation = array<i64: 0, 2, 1, 3>}> ({
    ^bb0(%arg199: f32, %arg200: f32):
      "linalg.yield"(%arg199) : (f32) -> ()
    }) : (tensor<2x12x4x8xf32>, tensor<2x4x12x8xf32>) -> tensor<2x4x12x8xf32>
    %83 = "linalg.transpose"(%arg7, %73) <{permutation = array<i64: 1, 0>}> ({
    ^bb0(%arg197: f32, %arg198: f32):
      "linalg.yield"(%arg197) : (f32) -> ()
    }) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %84 = "linalg.matmul"(%72, %83, %76) <{indexing_maps = [#map14, #map15, #map2], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg194: f32, %arg195: f32, %arg196: f32):
      %248 = "arith.mulf"(%arg194, %arg195) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %249 = "arith.addf"(%arg196, %248) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%249) : (f32) -> ()
    }) : (tensor<24x32xf32>, tensor<32x32xf32>, tensor<24x32xf32>) -> tensor<24x32xf32>
    %85 = "linalg.generic"(%arg8, %75) <{indexing_maps = [#map1, #map], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg192: f32, %arg193: f32):
      "linalg.yield"(%arg192) : (f32) -> ()
    }) : (tensor<32xf32>, tensor<24x32xf32>) -> tensor<24x32xf32>
    %86 = "linalg.generic"(%84, %85, %75) <{indexing_maps = [#map, #map, #map], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg189: f32, %arg190: f32, %arg191: f32):
      %247 = "arith.addf"(%arg189, %arg190) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%247) : (f32) -> ()
    }) : (tensor<24x32xf32>, tensor<24x32xf32>, tensor<24x32xf32>) -> tensor<24x32xf32>
    %87 = "tensor.expand_shape"(%86) <{reassociation = [[0, 1], [2, 3]], static_output_shape = array<i64: 2, 12, 4, 8>}> : (tensor<24x32xf32>) -> tensor<2x12x4x8xf32>
    %88 = "linalg.transpose"(%arg9, %73) <{permutation = array<i64: 1, 0>}> ({
    ^bb0(%arg187: f32, %arg188: f32):
      "linalg.yield"(%arg187) : (f32) -> ()
    }) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %89 = "linalg.matmul"(%72, %88, %76) <{indexing_maps = [#map14, #map15, #map2], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg184: f32, %arg185: f32, %arg186: f32):
      %245 = "arith.mulf"(%arg184, %arg185) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %246 = "arith.addf"(%arg186, %245) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%246) : (f32) -> ()
    }) : (tensor<24x32xf32>, tensor<32x32xf32>, tensor<24x32xf32>) -> tensor<24x32xf32>
    %90 = "linalg.generic"(%arg10, %75) <{indexing_maps = [#map1, #map], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg182: f32, %arg183: f32):
      "linalg.yield"(%arg182) : (f32) -> ()
    }) : (tensor<32xf32>, tensor<24x32xf32>) -> tensor<24x32xf32>
    %91 = "linalg.generic"(%89, %90, %75) <{indexing_maps = [#map, #map, #map], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg179: f32, %arg180: f32, %arg181: f32):
      %244 = "arith.addf"(%arg179, %arg180) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%244) : (f32) -> ()
    }) : (tensor<24x32xf32>, tensor<24x32xf32>, tensor<24x32xf32>) -> tensor<24x32xf32>
    %92 = "tensor.expand_shape"(%91) <{reassociation = [[0, 1], [2, 3]], static_output_shape = array<i64: 2, 12, 4, 8>}> : (tensor<24x32xf32>) -> tensor<2x12x4x8xf32>
    %93 = "linalg.transpose"(%92, %81) <{permutation = array<i64: 0, 2, 1, 3>}> ({
    ^bb0(%arg177: f32, %arg178: f32):
      "linalg.yield"(%arg177) : (f32) -> ()
    }) : (tensor<2x12x4x8xf32>, tensor<2x4x12x8xf32>) -> tensor<2x4x12x8xf32>
    %94 = "tensor.empty"() : () -> tensor<2x4x8x12xf32>
    %95 = "linalg.transpose"(%87, %94) <{permutation = array<i64: 0, 2, 3, 1>}> ({
    ^bb0(%arg175: f32, %arg176: f32):
      "linalg.yield"(%arg175) : (f32) -> ()
    }) : (tensor<2x12x4x8xf32>, tensor<2x4x8x12xf32>) -> tensor<2x4x8x12xf32>
    %96 = "tensor.collapse_shape"(%82) <{reassociation = [[0, 1], [2], [3]]}> : (tensor<2x4x12x8xf32>) -> tensor<8x12x8xf32>
    %97 = "tensor.collapse_shape"(%95) <{reassociation = [[0, 1], [2], [3]]}> : (tensor<2x4x8x12xf32>) -> tensor<8x8x12xf32>
    %98 = "tensor.empty"() : () -> tensor<8x12x12xf32>
    %99 = "linalg.fill"(%6, %98) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg173: f32, %arg174: f32):
      "linalg.yield"(%arg173) : (f32) -> ()
    }) : (f32, tensor<8x12x12xf32>) -> tensor<8x12x12xf32>
    %100 = "linalg.batch_matmul"(%96, %97, %99) <{indexing_maps = [#map16, #map17, #map18], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg170: f32, %arg171: f32, %arg172: f32):
      %242 = "arith.mulf"(%arg170, %arg171) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %243 = "arith.addf"(%arg172, %242) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%243) : (f32) -> ()
    }) : (tensor<8x12x8xf32>, tensor<8x8x12xf32>, tensor<8x12x12xf32>) -> tensor<8x12x12xf32>
    %101 = "tensor.expand_shape"(%100) <{reassociation = [[0, 1], [2], [3]], static_output_shape = array<i64: 2, 4, 12, 12>}> : (tensor<8x12x12xf32>) -> tensor<2x4x12x12xf32>
    %102 = "tensor.empty"() : () -> tensor<2x4x12x12xf32>
    %103 = "linalg.generic"(%101, %102) <{indexing_maps = [#map8, #map8], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg168: f32, %arg169: f32):
      %240 = "arith.truncf"(%13) : (f64) -> f32
      %241 = "arith.mulf"(%arg168, %240) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%241) : (f32) -> ()
    }) : (tensor<2x4x12x12xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %104 = "linalg.generic"(%103, %71, %102) <{indexing_maps = [#map8, #map19, #map8], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg165: f32, %arg166: f32, %arg167: f32):
      %239 = "arith.addf"(%arg165, %arg166) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%239) : (f32) -> ()
    }) : (tensor<2x4x12x12xf32>, tensor<2x1x12x12xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %105 = "tensor.empty"() : () -> tensor<2x4x12xi64>
    %106 = "linalg.fill"(%1, %105) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg163: i64, %arg164: i64):
      "linalg.yield"(%arg163) : (i64) -> ()
    }) : (i64, tensor<2x4x12xi64>) -> tensor<2x4x12xi64>
    %107 = "tensor.empty"() : () -> tensor<2x4x12xf32>
    %108 = "linalg.fill"(%7, %107) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg161: f32, %arg162: f32):
      "linalg.yield"(%arg161) : (f32) -> ()
    }) : (f32, tensor<2x4x12xf32>) -> tensor<2x4x12xf32>
    %109:2 = "linalg.generic"(%104, %108, %106) <{indexing_maps = [#map8, #map18, #map18], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 2>}> ({
    ^bb0(%arg158: f32, %arg159: f32, %arg160: i64):
      %234 = "linalg.index"() <{dim = 3 : i64}> : () -> index
      %235 = "arith.index_cast"(%234) : (index) -> i64
      %236 = "arith.maximumf"(%arg158, %arg159) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %237 = "arith.cmpf"(%arg158, %arg159) <{fastmath = #arith.fastmath<none>, predicate = 2 : i64}> : (f32, f32) -> i1
      %238 = "arith.select"(%237, %235, %arg160) : (i1, i64, i64) -> i64
      "linalg.yield"(%236, %238) : (f32, i64) -> ()
    }) : (tensor<2x4x12x12xf32>, tensor<2x4x12xf32>, tensor<2x4x12xi64>) -> (tensor<2x4x12xf32>, tensor<2x4x12xi64>)
    %110 = "tensor.expand_shape"(%109#0) <{reassociation = [[0], [1], [2, 3]], static_output_shape = array<i64: 2, 4, 12, 1>}> : (tensor<2x4x12xf32>) -> tensor<2x4x12x1xf32>
    %111 = "linalg.generic"(%104, %110, %102) <{indexing_maps = [#map8, #map20, #map8], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg155: f32, %arg156: f32, %arg157: f32):
      %233 = "arith.subf"(%arg155, %arg156) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%233) : (f32) -> ()
    }) : (tensor<2x4x12x12xf32>, tensor<2x4x12x1xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %112 = "linalg.generic"(%111, %102) <{indexing_maps = [#map8, #map8], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg153: f32, %arg154: f32):
      %232 = "math.exp"(%arg153) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%232) : (f32) -> ()
    }) : (tensor<2x4x12x12xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %113 = "tensor.empty"() : () -> tensor<2x4x12x1xf32>
    %114 = "linalg.fill"(%6, %113) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg151: f32, %arg152: f32):
      "linalg.yield"(%arg151) : (f32) -> ()
    }) : (f32, tensor<2x4x12x1xf32>) -> tensor<2x4x12x1xf32>
    %115 = "linalg.generic"(%112, %114) <{indexing_maps = [#map8, #map20], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg149: f32, %arg150: f32):
      %231 = "arith.addf"(%arg149, %arg150) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%231) : (f32) -> ()
    }) : (tensor<2x4x12x12xf32>, tensor<2x4x12x1xf32>) -> tensor<2x4x12x1xf32>
    %116 = "linalg.generic"(%112, %115, %102) <{indexing_maps = [#map8, #map20, #map8], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg146: f32, %arg147: f32, %arg148: f32):
      %230 = "arith.divf"(%arg146, %arg147) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%230) : (f32) -> ()
    }) : (tensor<2x4x12x12xf32>, tensor<2x4x12x1xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %117 = "tensor.collapse_shape"(%116) <{reassociation = [[0, 1], [2], [3]]}> : (tensor<2x4x12x12xf32>) -> tensor<8x12x12xf32>
    %118 = "tensor.collapse_shape"(%93) <{reassociation = [[0, 1], [2], [3]]}> : (tensor<2x4x12x8xf32>) -> tensor<8x12x8xf32>
    %119 = "tensor.empty"() : () -> tensor<8x12x8xf32>
    %120 = "linalg.fill"(%6, %119) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg144: f32, %arg145: f32):
      "linalg.yield"(%arg144) : (f32) -> ()
    }) : (f32, tensor<8x12x8xf32>) -> tensor<8x12x8xf32>
    %121 = "linalg.batch_matmul"(%117, %118, %120) <{indexing_maps = [#map16, #map17, #map18], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg141: f32, %arg142: f32, %arg143: f32):
      %228 = "arith.mulf"(%arg141, %arg142) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %229 = "arith.addf"(%arg143, %228) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%229) : (f32) -> ()
    }) : (tensor<8x12x12xf32>, tensor<8x12x8xf32>, tensor<8x12x8xf32>) -> tensor<8x12x8xf32>
    %122 = "tensor.expand_shape"(%121) <{reassociation = [[0, 1], [2], [3]], static_output_shape = array<i64: 2, 4, 12, 8>}> : (tensor<8x12x8xf32>) -> tensor<2x4x12x8xf32>
    %123 = "tensor.empty"() : () -> tensor<2x12x4x8xf32>
    %124 = "linalg.transpose"(%122, %123) <{permutation = array<i64: 0, 2, 1, 3>}> ({
    ^bb0(%arg139: f32, %arg140: f32):
      "linalg.yield"(%arg139) : (f32) -> ()
    }) : (tensor<2x4x12x8xf32>, tensor<2x12x4x8xf32>) -> tensor<2x12x4x8xf32>
    %125 = "tensor.collapse_shape"(%124) <{reassociation = [[0, 1], [2, 3]]}> : (tensor<2x12x4x8xf32>) -> tensor<24x32xf32>
    %126 = "linalg.transpose"(%arg11, %73) <{permutation = array<i64: 1, 0>}> ({
    ^bb0(%arg137: f32, %arg138: f32):
      "linalg.yield"(%arg137) : (f32) -> ()
    }) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %127 = "linalg.matmul"(%125, %126, %76) <{indexing_maps = [#map14, #map15, #map2], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg134: f32, %arg135: f32, %arg136: f32):
      %226 = "arith.mulf"(%arg134, %arg135) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %227 = "arith.addf"(%arg136, %226) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%227) : (f32) -> ()
    }) : (tensor<24x32xf32>, tensor<32x32xf32>, tensor<24x32xf32>) -> tensor<24x32xf32>
    %128 = "linalg.generic"(%arg12, %75) <{indexing_maps = [#map1, #map], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg132: f32, %arg133: f32):
      "linalg.yield"(%arg132) : (f32) -> ()
    }) : (tensor<32xf32>, tensor<24x32xf32>) -> tensor<24x32xf32>
    %129 = "linalg.generic"(%127, %128, %75) <{indexing_maps = [#map, #map, #map], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg129: f32, %arg130: f32, %arg131: f32):
      %225 = "arith.addf"(%arg129, %arg130) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%225) : (f32) -> ()
    }) : (tensor<24x32xf32>, tensor<24x32xf32>, tensor<24x32xf32>) -> tensor<24x32xf32>
    %130 = "tensor.expand_shape"(%129) <{reassociation = [[0, 1], [2]], static_output_shape = array<i64: 2, 12, 32>}> : (tensor<24x32xf32>) -> tensor<2x12x32xf32>
    %131 = "linalg.generic"(%130, %53, %26) <{indexing_maps = [#map3, #map3, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg126: f32, %arg127: f32, %arg128: f32):
      %224 = "arith.addf"(%arg126, %arg127) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%224) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %132 = "linalg.generic"(%131, %33) <{indexing_maps = [#map3, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg124: f32, %arg125: f64):
      %223 = "arith.extf"(%arg124) : (f32) -> f64
      "linalg.yield"(%223) : (f64) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x32xf64>) -> tensor<2x12x32xf64>
    %133 = "linalg.generic"(%132, %36) <{indexing_maps = [#map3, #map5], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg122: f64, %arg123: f64):
      %222 = "arith.addf"(%arg122, %arg123) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
      "linalg.yield"(%222) : (f64) -> ()
    }) : (tensor<2x12x32xf64>, tensor<2x12x1xf64>) -> tensor<2x12x1xf64>
    %134 = "linalg.generic"(%133, %35) <{indexing_maps = [#map3, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg120: f64, %arg121: f64):
      %221 = "arith.divf"(%arg120, %16) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
      "linalg.yield"(%221) : (f64) -> ()
    }) : (tensor<2x12x1xf64>, tensor<2x12x1xf64>) -> tensor<2x12x1xf64>
    %135 = "linalg.generic"(%132, %134, %33) <{indexing_maps = [#map3, #map5, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg117: f64, %arg118: f64, %arg119: f64):
      %220 = "arith.subf"(%arg117, %arg118) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
      "linalg.yield"(%220) : (f64) -> ()
    }) : (tensor<2x12x32xf64>, tensor<2x12x1xf64>, tensor<2x12x32xf64>) -> tensor<2x12x32xf64>
    %136 = "linalg.generic"(%135, %135, %33) <{indexing_maps = [#map3, #map3, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg114: f64, %arg115: f64, %arg116: f64):
      %219 = "arith.mulf"(%arg114, %arg115) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
      "linalg.yield"(%219) : (f64) -> ()
    }) : (tensor<2x12x32xf64>, tensor<2x12x32xf64>, tensor<2x12x32xf64>) -> tensor<2x12x32xf64>
    %137 = "linalg.generic"(%136, %36) <{indexing_maps = [#map3, #map5], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg112: f64, %arg113: f64):
      %218 = "arith.addf"(%arg112, %arg113) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
      "linalg.yield"(%218) : (f64) -> ()
    }) : (tensor<2x12x32xf64>, tensor<2x12x1xf64>) -> tensor<2x12x1xf64>
    %138 = "linalg.generic"(%137, %35) <{indexing_maps = [#map3, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg110: f64, %arg111: f64):
      %217 = "arith.divf"(%arg110, %16) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
      "linalg.yield"(%217) : (f64) -> ()
    }) : (tensor<2x12x1xf64>, tensor<2x12x1xf64>) -> tensor<2x12x1xf64>
    %139 = "linalg.generic"(%138, %43) <{indexing_maps = [#map3, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg108: f64, %arg109: f32):
      %216 = "arith.truncf"(%arg108) : (f64) -> f32
      "linalg.yield"(%216) : (f32) -> ()
    }) : (tensor<2x12x1xf64>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %140 = "linalg.generic"(%131, %45) <{indexing_maps = [#map3, #map5], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg106: f32, %arg107: f32):
      %215 = "arith.addf"(%arg106, %arg107) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%215) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %141 = "linalg.generic"(%140, %43) <{indexing_maps = [#map3, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg104: f32, %arg105: f32):
      %214 = "arith.divf"(%arg104, %17) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%214) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %142 = "linalg.generic"(%139, %43) <{indexing_maps = [#map3, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg102: f32, %arg103: f32):
      %212 = "arith.truncf"(%14) : (f64) -> f32
      %213 = "arith.addf"(%arg102, %212) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%213) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %143 = "linalg.generic"(%142, %43) <{indexing_maps = [#map3, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg100: f32, %arg101: f32):
      %211 = "math.rsqrt"(%arg100) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%211) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %144 = "linalg.generic"(%131, %141, %26) <{indexing_maps = [#map3, #map5, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg97: f32, %arg98: f32, %arg99: f32):
      %210 = "arith.subf"(%arg97, %arg98) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%210) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x1xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %145 = "linalg.generic"(%144, %143, %26) <{indexing_maps = [#map3, #map5, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg94: f32, %arg95: f32, %arg96: f32):
      %209 = "arith.mulf"(%arg94, %arg95) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%209) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x1xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %146 = "linalg.generic"(%145, %arg13, %26) <{indexing_maps = [#map3, #map6, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg91: f32, %arg92: f32, %arg93: f32):
      %208 = "arith.mulf"(%arg91, %arg92) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%208) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %147 = "linalg.generic"(%146, %arg14, %26) <{indexing_maps = [#map3, #map6, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg88: f32, %arg89: f32, %arg90: f32):
      %207 = "arith.addf"(%arg88, %arg89) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%207) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %148 = "tensor.collapse_shape"(%147) <{reassociation = [[0, 1], [2]]}> : (tensor<2x12x32xf32>) -> tensor<24x32xf32>
    %149 = "linalg.transpose"(%arg15, %73) <{permutation = array<i64: 1, 0>}> ({
    ^bb0(%arg86: f32, %arg87: f32):
      "linalg.yield"(%arg86) : (f32) -> ()
    }) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %150 = "linalg.matmul"(%148, %149, %76) <{indexing_maps = [#map14, #map15, #map2], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg83: f32, %arg84: f32, %arg85: f32):
      %205 = "arith.mulf"(%arg83, %arg84) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %206 = "arith.addf"(%arg85, %205) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%206) : (f32) -> ()
    }) : (tensor<24x32xf32>, tensor<32x32xf32>, tensor<24x32xf32>) -> tensor<24x32xf32>
    %151 = "linalg.generic"(%arg16, %75) <{indexing_maps = [#map1, #map], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg81: f32, %arg82: f32):
      "linalg.yield"(%arg81) : (f32) -> ()
    }) : (tensor<32xf32>, tensor<24x32xf32>) -> tensor<24x32xf32>
    %152 = "linalg.generic"(%150, %151, %75) <{indexing_maps = [#map, #map, #map], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg78: f32, %arg79: f32, %arg80: f32):
      %204 = "arith.addf"(%arg78, %arg79) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%204) : (f32) -> ()
    }) : (tensor<24x32xf32>, tensor<24x32xf32>, tensor<24x32xf32>) -> tensor<24x32xf32>
    %153 = "tensor.expand_shape"(%152) <{reassociation = [[0, 1], [2]], static_output_shape = array<i64: 2, 12, 32>}> : (tensor<24x32xf32>) -> tensor<2x12x32xf32>
    %154 = "linalg.generic"(%153, %26) <{indexing_maps = [#map3, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg76: f32, %arg77: f32):
      %199 = "arith.divf"(%arg76, %18) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %200 = "math.erf"(%199) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      %201 = "arith.addf"(%200, %8) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %202 = "arith.mulf"(%201, %9) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %203 = "arith.mulf"(%arg76, %202) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%203) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %155 = "tensor.collapse_shape"(%154) <{reassociation = [[0, 1], [2]]}> : (tensor<2x12x32xf32>) -> tensor<24x32xf32>
    %156 = "linalg.transpose"(%arg17, %73) <{permutation = array<i64: 1, 0>}> ({
    ^bb0(%arg74: f32, %arg75: f32):
      "linalg.yield"(%arg74) : (f32) -> ()
    }) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %157 = "linalg.matmul"(%155, %156, %76) <{indexing_maps = [#map14, #map15, #map2], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg71: f32, %arg72: f32, %arg73: f32):
      %197 = "arith.mulf"(%arg71, %arg72) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %198 = "arith.addf"(%arg73, %197) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%198) : (f32) -> ()
    }) : (tensor<24x32xf32>, tensor<32x32xf32>, tensor<24x32xf32>) -> tensor<24x32xf32>
    %158 = "linalg.generic"(%arg18, %75) <{indexing_maps = [#map1, #map], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg69: f32, %arg70: f32):
      "linalg.yield"(%arg69) : (f32) -> ()
    }) : (tensor<32xf32>, tensor<24x32xf32>) -> tensor<24x32xf32>
    %159 = "linalg.generic"(%157, %158, %75) <{indexing_maps = [#map, #map, #map], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg66: f32, %arg67: f32, %arg68: f32):
      %196 = "arith.addf"(%arg66, %arg67) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%196) : (f32) -> ()
    }) : (tensor<24x32xf32>, tensor<24x32xf32>, tensor<24x32xf32>) -> tensor<24x32xf32>
    %160 = "tensor.expand_shape"(%159) <{reassociation = [[0, 1], [2]], static_output_shape = array<i64: 2, 12, 32>}> : (tensor<24x32xf32>) -> tensor<2x12x32xf32>
    %161 = "linalg.generic"(%160, %147, %26) <{indexing_maps = [#map3, #map3, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg63: f32, %arg64: f32, %arg65: f32):
      %195 = "arith.addf"(%arg63, %arg64) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%195) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %162 = "linalg.generic"(%161, %33) <{indexing_maps = [#map3, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg61: f32, %arg62: f64):
      %194 = "arith.extf"(%arg61) : (f32) -> f64
      "linalg.yield"(%194) : (f64) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x32xf64>) -> tensor<2x12x32xf64>
    %163 = "linalg.generic"(%162, %36) <{indexing_maps = [#map3, #map5], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg59: f64, %arg60: f64):
      %193 = "arith.addf"(%arg59, %arg60) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
      "linalg.yield"(%193) : (f64) -> ()
    }) : (tensor<2x12x32xf64>, tensor<2x12x1xf64>) -> tensor<2x12x1xf64>
    %164 = "linalg.generic"(%163, %35) <{indexing_maps = [#map3, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg57: f64, %arg58: f64):
      %192 = "arith.divf"(%arg57, %16) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
      "linalg.yield"(%192) : (f64) -> ()
    }) : (tensor<2x12x1xf64>, tensor<2x12x1xf64>) -> tensor<2x12x1xf64>
    %165 = "linalg.generic"(%162, %164, %33) <{indexing_maps = [#map3, #map5, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg54: f64, %arg55: f64, %arg56: f64):
      %191 = "arith.subf"(%arg54, %arg55) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
      "linalg.yield"(%191) : (f64) -> ()
    }) : (tensor<2x12x32xf64>, tensor<2x12x1xf64>, tensor<2x12x32xf64>) -> tensor<2x12x32xf64>
    %166 = "linalg.generic"(%165, %165, %33) <{indexing_maps = [#map3, #map3, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg51: f64, %arg52: f64, %arg53: f64):
      %190 = "arith.mulf"(%arg51, %arg52) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
      "linalg.yield"(%190) : (f64) -> ()
    }) : (tensor<2x12x32xf64>, tensor<2x12x32xf64>, tensor<2x12x32xf64>) -> tensor<2x12x32xf64>
    %167 = "linalg.generic"(%166, %36) <{indexing_maps = [#map3, #map5], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg49: f64, %arg50: f64):
      %189 = "arith.addf"(%arg49, %arg50) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
      "linalg.yield"(%189) : (f64) -> ()
    }) : (tensor<2x12x32xf64>, tensor<2x12x1xf64>) -> tensor<2x12x1xf64>
    %168 = "linalg.generic"(%167, %35) <{indexing_maps = [#map3, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg47: f64, %arg48: f64):
      %188 = "arith.divf"(%arg47, %16) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
      "linalg.yield"(%188) : (f64) -> ()
    }) : (tensor<2x12x1xf64>, tensor<2x12x1xf64>) -> tensor<2x12x1xf64>
    %169 = "linalg.generic"(%168, %43) <{indexing_maps = [#map3, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg45: f64, %arg46: f32):
      %187 = "arith.truncf"(%arg45) : (f64) -> f32
      "linalg.yield"(%187) : (f32) -> ()
    }) : (tensor<2x12x1xf64>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %170 = "linalg.generic"(%161, %45) <{indexing_maps = [#map3, #map5], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg43: f32, %arg44: f32):
      %186 = "arith.addf"(%arg43, %arg44) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%186) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %171 = "linalg.generic"(%170, %43) <{indexing_maps = [#map3, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg41: f32, %arg42: f32):
      %185 = "arith.divf"(%arg41, %17) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%185) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %172 = "linalg.generic"(%169, %43) <{indexing_maps = [#map3, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg39: f32, %arg40: f32):
      %183 = "arith.truncf"(%14) : (f64) -> f32
      %184 = "arith.addf"(%arg39, %183) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%184) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %173 = "linalg.generic"(%172, %43) <{indexing_maps = [#map3, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg37: f32, %arg38: f32):
      %182 = "math.rsqrt"(%arg37) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%182) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %174 = "linalg.generic"(%161, %171, %26) <{indexing_maps = [#map3, #map5, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg34: f32, %arg35: f32, %arg36: f32):
      %181 = "arith.subf"(%arg34, %arg35) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%181) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x1xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %175 = "linalg.generic"(%174, %173, %26) <{indexing_maps = [#map3, #map5, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg31: f32, %arg32: f32, %arg33: f32):
      %180 = "arith.mulf"(%arg31, %arg32) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%180) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x1xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %176 = "linalg.generic"(%175, %arg19, %26) <{indexing_maps = [#map3, #map6, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg28: f32, %arg29: f32, %arg30: f32):
      %179 = "arith.mulf"(%arg28, %arg29) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%179) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %177 = "linalg.generic"(%176, %arg20, %26) <{indexing_maps = [#map3, #map6, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg25: f32, %arg26: f32, %arg27: f32):
      %178 = "arith.addf"(%arg25, %arg26) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%178) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    "func.return"(%177) : (tensor<2x12x32xf32>) -> ()
  }) : () -> ()
}) : () -> ()
