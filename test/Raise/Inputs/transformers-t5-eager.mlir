// Written by `make-transformers.py`.
#map = affine_map<(d0, d1, d2) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d1, d2)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map6 = affine_map<(d0, d1, d2) -> (d2)>
#map7 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map8 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map9 = affine_map<(d0, d1) -> (0, d1)>
#map10 = affine_map<(d0, d1) -> (d0, 0)>
#map11 = affine_map<(d0, d1) -> (d0, d1)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map13 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
#map14 = affine_map<(d0, d1, d2, d3) -> ()>
#map15 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map16 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
#map17 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map18 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map19 = affine_map<(d0, d1, d2) -> (d1, d2)>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<64x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x4xf32>, tensor<32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<2x12xi64>) -> tensor<2x12x32xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<64x32xf32>, %arg1: tensor<32x32xf32>, %arg2: tensor<32x32xf32>, %arg3: tensor<32x32xf32>, %arg4: tensor<32x32xf32>, %arg5: tensor<32x4xf32>, %arg6: tensor<32xf32>, %arg7: tensor<32x32xf32>, %arg8: tensor<32x32xf32>, %arg9: tensor<32xf32>, %arg10: tensor<32xf32>, %arg11: tensor<2x12xi64>):
    %0 = "arith.constant"() <{value = 16 : i64}> : () -> i64
    %1 = "arith.constant"() <{value = 8 : i64}> : () -> i64
    %2 = "arith.constant"() <{value = 2 : i64}> : () -> i64
    %3 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %4 = "arith.constant"() <{value = 32 : index}> : () -> index
    %5 = "arith.constant"() <{value = 64 : index}> : () -> index
    %6 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %7 = "arith.constant"() <{value = 0xFF800000 : f32}> : () -> f32
    %8 = "arith.constant"() <{value = true}> : () -> i1
    %9 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<2x4x12x12xf32>}> : () -> tensor<2x4x12x12xf32>
    %10 = "arith.constant"() <{value = dense<-3.40282347E+38> : tensor<f32>}> : () -> tensor<f32>
    %11 = "arith.constant"() <{value = 0xFFF0000000000000 : f64}> : () -> f64
    %12 = "arith.constant"() <{value = 2.7725887222397811 : f64}> : () -> f64
    %13 = "arith.constant"() <{value = 9.9999999999999995E-7 : f64}> : () -> f64
    %14 = "arith.constant"() <{value = 3.200000e+01 : f32}> : () -> f32
    %15 = "arith.constant"() <{value = 8.000000e+00 : f32}> : () -> f32
    %16 = "arith.constant"() <{value = dense<15> : tensor<12x12xi64>}> : () -> tensor<12x12xi64>
    %17 = "tensor.empty"() : () -> tensor<2x12x32xf32>
    %18 = "linalg.generic"(%arg11, %17) <{indexing_maps = [#map, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg206: i64, %arg207: f32):
      %230 = "arith.index_cast"(%arg206) : (i64) -> index
      %231 = "linalg.index"() <{dim = 2 : i64}> : () -> index
      %232 = "arith.cmpi"(%230, %5) <{predicate = 2 : i64}> : (index, index) -> i1
      "cf.assert"(%232) <{msg = "index must be smaller than dim size"}> : (i1) -> ()
      %233 = "arith.cmpi"(%arg206, %3) <{predicate = 5 : i64}> : (i64, i64) -> i1
      "cf.assert"(%233) <{msg = "index must be larger or equal to 0"}> : (i1) -> ()
      %234 = "tensor.extract"(%arg0, %230, %231) : (tensor<64x32xf32>, index, index) -> f32
      "linalg.yield"(%234) : (f32) -> ()
    }) : (tensor<2x12xi64>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %19 = "tensor.empty"() : () -> tensor<12xi64>
    %20 = "linalg.generic"(%19) <{indexing_maps = [#map2], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 0, 1>}> ({
    ^bb0(%arg205: i64):
      %228 = "linalg.index"() <{dim = 0 : i64}> : () -> index
      %229 = "arith.index_cast"(%228) : (index) -> i64
      "linalg.yield"(%229) : (i64) -> ()
    }) : (tensor<12xi64>) -> tensor<12xi64>
    %21 = "tensor.expand_shape"(%20) <{reassociation = [[0, 1, 2, 3]], static_output_shape = array<i64: 1, 1, 12, 1>}> : (tensor<12xi64>) -> tensor<1x1x12x1xi64>
    %22 = "tensor.empty"() : () -> tensor<1x1x12x1xi1>
    %23 = "linalg.generic"(%21, %22) <{indexing_maps = [#map3, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg203: i64, %arg204: i1):
      %227 = "arith.cmpi"(%arg203, %3) <{predicate = 5 : i64}> : (i64, i64) -> i1
      "linalg.yield"(%227) : (i1) -> ()
    }) : (tensor<1x1x12x1xi64>, tensor<1x1x12x1xi1>) -> tensor<1x1x12x1xi1>
    %24 = "tensor.empty"() : () -> tensor<2x1x12x12xi1>
    %25 = "tensor.collapse_shape"(%23) <{reassociation = [[0, 1], [2, 3]]}> : (tensor<1x1x12x1xi1>) -> tensor<1x12xi1>
    %26 = "linalg.generic"(%25, %24) <{indexing_maps = [#map4, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg201: i1, %arg202: i1):
      "linalg.yield"(%arg201) : (i1) -> ()
    }) : (tensor<1x12xi1>, tensor<2x1x12x12xi1>) -> tensor<2x1x12x12xi1>
    %27 = "linalg.generic"(%18, %17) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg199: f32, %arg200: f32):
      %226 = "math.fpowi"(%arg199, %2) <{fastmath = #arith.fastmath<none>}> : (f32, i64) -> f32
      "linalg.yield"(%226) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %28 = "tensor.empty"() : () -> tensor<2x12x1xf32>
    %29 = "linalg.fill"(%6, %28) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg197: f32, %arg198: f32):
      "linalg.yield"(%arg197) : (f32) -> ()
    }) : (f32, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %30 = "linalg.generic"(%27, %29) <{indexing_maps = [#map1, #map5], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg195: f32, %arg196: f32):
      %225 = "arith.addf"(%arg195, %arg196) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%225) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %31 = "linalg.generic"(%30, %28) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg193: f32, %arg194: f32):
      %224 = "arith.divf"(%arg193, %14) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%224) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %32 = "linalg.generic"(%31, %28) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg191: f32, %arg192: f32):
      %222 = "arith.truncf"(%13) : (f64) -> f32
      %223 = "arith.addf"(%arg191, %222) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%223) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %33 = "linalg.generic"(%32, %28) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg189: f32, %arg190: f32):
      %221 = "math.rsqrt"(%arg189) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%221) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %34 = "linalg.generic"(%18, %33, %17) <{indexing_maps = [#map1, #map5, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg186: f32, %arg187: f32, %arg188: f32):
      %220 = "arith.mulf"(%arg186, %arg187) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%220) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x1xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %35 = "linalg.generic"(%arg6, %34, %17) <{indexing_maps = [#map6, #map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg183: f32, %arg184: f32, %arg185: f32):
      %219 = "arith.mulf"(%arg183, %arg184) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%219) : (f32) -> ()
    }) : (tensor<32xf32>, tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %36 = "tensor.empty"() : () -> tensor<32x32xf32>
    %37 = "linalg.transpose"(%arg1, %36) <{permutation = array<i64: 1, 0>}> ({
    ^bb0(%arg181: f32, %arg182: f32):
      "linalg.yield"(%arg181) : (f32) -> ()
    }) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %38 = "tensor.collapse_shape"(%35) <{reassociation = [[0, 1], [2]]}> : (tensor<2x12x32xf32>) -> tensor<24x32xf32>
    %39 = "tensor.empty"() : () -> tensor<24x32xf32>
    %40 = "linalg.fill"(%6, %39) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg179: f32, %arg180: f32):
      "linalg.yield"(%arg179) : (f32) -> ()
    }) : (f32, tensor<24x32xf32>) -> tensor<24x32xf32>
    %41 = "linalg.matmul"(%38, %37, %40) <{indexing_maps = [#map7, #map8, #map], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg176: f32, %arg177: f32, %arg178: f32):
      %217 = "arith.mulf"(%arg176, %arg177) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %218 = "arith.addf"(%arg178, %217) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%218) : (f32) -> ()
    }) : (tensor<24x32xf32>, tensor<32x32xf32>, tensor<24x32xf32>) -> tensor<24x32xf32>
    %42 = "tensor.expand_shape"(%41) <{reassociation = [[0, 1], [2, 3]], static_output_shape = array<i64: 2, 12, 4, 8>}> : (tensor<24x32xf32>) -> tensor<2x12x4x8xf32>
    %43 = "tensor.empty"() : () -> tensor<2x4x12x8xf32>
    %44 = "linalg.transpose"(%42, %43) <{permutation = array<i64: 0, 2, 1, 3>}> ({
    ^bb0(%arg174: f32, %arg175: f32):
      "linalg.yield"(%arg174) : (f32) -> ()
    }) : (tensor<2x12x4x8xf32>, tensor<2x4x12x8xf32>) -> tensor<2x4x12x8xf32>
    %45 = "linalg.transpose"(%arg2, %36) <{permutation = array<i64: 1, 0>}> ({
    ^bb0(%arg172: f32, %arg173: f32):
      "linalg.yield"(%arg172) : (f32) -> ()
    }) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %46 = "linalg.matmul"(%38, %45, %40) <{indexing_maps = [#map7, #map8, #map], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg169: f32, %arg170: f32, %arg171: f32):
      %215 = "arith.mulf"(%arg169, %arg170) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %216 = "arith.addf"(%arg171, %215) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%216) : (f32) -> ()
    }) : (tensor<24x32xf32>, tensor<32x32xf32>, tensor<24x32xf32>) -> tensor<24x32xf32>
    %47 = "tensor.expand_shape"(%46) <{reassociation = [[0, 1], [2, 3]], static_output_shape = array<i64: 2, 12, 4, 8>}> : (tensor<24x32xf32>) -> tensor<2x12x4x8xf32>
    %48 = "linalg.transpose"(%arg3, %36) <{permutation = array<i64: 1, 0>}> ({
    ^bb0(%arg167: f32, %arg168: f32):
      "linalg.yield"(%arg167) : (f32) -> ()
    }) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %49 = "linalg.matmul"(%38, %48, %40) <{indexing_maps = [#map7, #map8, #map], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg164: f32, %arg165: f32, %arg166: f32):
      %213 = "arith.mulf"(%arg164, %arg165) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %214 = "arith.addf"(%arg166, %213) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%214) : (f32) -> ()
    }) : (tensor<24x32xf32>, tensor<32x32xf32>, tensor<24x32xf32>) -> tensor<24x32xf32>
    %50 = "tensor.expand_shape"(%49) <{reassociation = [[0, 1], [2, 3]], static_output_shape = array<i64: 2, 12, 4, 8>}> : (tensor<24x32xf32>) -> tensor<2x12x4x8xf32>
    %51 = "linalg.transpose"(%50, %43) <{permutation = array<i64: 0, 2, 1, 3>}> ({
    ^bb0(%arg162: f32, %arg163: f32):
      "linalg.yield"(%arg162) : (f32) -> ()
    }) : (tensor<2x12x4x8xf32>, tensor<2x4x12x8xf32>) -> tensor<2x4x12x8xf32>
    %52 = "tensor.expand_shape"(%20) <{reassociation = [[0, 1]], static_output_shape = array<i64: 12, 1>}> : (tensor<12xi64>) -> tensor<12x1xi64>
    %53 = "tensor.expand_shape"(%20) <{reassociation = [[0, 1]], static_output_shape = array<i64: 1, 12>}> : (tensor<12xi64>) -> tensor<1x12xi64>
    %54 = "tensor.empty"() : () -> tensor<12x12xi64>
    %55 = "linalg.generic"(%53, %52, %54) <{indexing_maps = [#map9, #map10, #map11], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg159: i64, %arg160: i64, %arg161: i64):
      %212 = "arith.subi"(%arg159, %arg160) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      "linalg.yield"(%212) : (i64) -> ()
    }) : (tensor<1x12xi64>, tensor<12x1xi64>, tensor<12x12xi64>) -> tensor<12x12xi64>
    %56 = "tensor.empty"() : () -> tensor<12x12xi1>
    %57 = "linalg.generic"(%55, %56) <{indexing_maps = [#map11, #map11], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg157: i64, %arg158: i1):
      %211 = "arith.cmpi"(%arg157, %3) <{predicate = 4 : i64}> : (i64, i64) -> i1
      "linalg.yield"(%211) : (i1) -> ()
    }) : (tensor<12x12xi64>, tensor<12x12xi1>) -> tensor<12x12xi1>
    %58 = "linalg.generic"(%57, %54) <{indexing_maps = [#map11, #map11], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg155: i1, %arg156: i64):
      %210 = "arith.extui"(%arg155) : (i1) -> i64
      "linalg.yield"(%210) : (i64) -> ()
    }) : (tensor<12x12xi1>, tensor<12x12xi64>) -> tensor<12x12xi64>
    %59 = "linalg.generic"(%58, %54) <{indexing_maps = [#map11, #map11], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg153: i64, %arg154: i64):
      %209 = "arith.muli"(%arg153, %0) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      "linalg.yield"(%209) : (i64) -> ()
    }) : (tensor<12x12xi64>, tensor<12x12xi64>) -> tensor<12x12xi64>
    %60 = "linalg.generic"(%55, %54) <{indexing_maps = [#map11, #map11], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg151: i64, %arg152: i64):
      %208 = "math.absi"(%arg151) : (i64) -> i64
      "linalg.yield"(%208) : (i64) -> ()
    }) : (tensor<12x12xi64>, tensor<12x12xi64>) -> tensor<12x12xi64>
    %61 = "linalg.generic"(%60, %56) <{indexing_maps = [#map11, #map11], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg149: i64, %arg150: i1):
      %207 = "arith.cmpi"(%arg149, %1) <{predicate = 2 : i64}> : (i64, i64) -> i1
      "linalg.yield"(%207) : (i1) -> ()
    }) : (tensor<12x12xi64>, tensor<12x12xi1>) -> tensor<12x12xi1>
    %62 = "tensor.empty"() : () -> tensor<12x12xf32>
    %63 = "linalg.generic"(%60, %62) <{indexing_maps = [#map11, #map11], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg147: i64, %arg148: f32):
      %206 = "arith.sitofp"(%arg147) : (i64) -> f32
      "linalg.yield"(%206) : (f32) -> ()
    }) : (tensor<12x12xi64>, tensor<12x12xf32>) -> tensor<12x12xf32>
    %64 = "linalg.generic"(%63, %62) <{indexing_maps = [#map11, #map11], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg145: f32, %arg146: f32):
      %205 = "arith.divf"(%arg145, %15) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%205) : (f32) -> ()
    }) : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
    %65 = "linalg.generic"(%64, %62) <{indexing_maps = [#map11, #map11], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg143: f32, %arg144: f32):
      %204 = "math.log"(%arg143) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%204) : (f32) -> ()
    }) : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
    %66 = "linalg.generic"(%65, %62) <{indexing_maps = [#map11, #map11], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg141: f32, %arg142: f32):
      %202 = "arith.truncf"(%12) : (f64) -> f32
      %203 = "arith.divf"(%arg141, %202) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%203) : (f32) -> ()
    }) : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
    %67 = "linalg.generic"(%66, %62) <{indexing_maps = [#map11, #map11], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg139: f32, %arg140: f32):
      %201 = "arith.mulf"(%arg139, %15) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%201) : (f32) -> ()
    }) : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
    %68 = "linalg.generic"(%67, %54) <{indexing_maps = [#map11, #map11], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg137: f32, %arg138: i64):
      %200 = "arith.fptosi"(%arg137) : (f32) -> i64
      "linalg.yield"(%200) : (i64) -> ()
    }) : (tensor<12x12xf32>, tensor<12x12xi64>) -> tensor<12x12xi64>
    %69 = "linalg.generic"(%68, %54) <{indexing_maps = [#map11, #map11], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg135: i64, %arg136: i64):
      %199 = "arith.addi"(%arg135, %1) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      "linalg.yield"(%199) : (i64) -> ()
    }) : (tensor<12x12xi64>, tensor<12x12xi64>) -> tensor<12x12xi64>
    %70 = "linalg.generic"(%69, %16, %54) <{indexing_maps = [#map11, #map11, #map11], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg132: i64, %arg133: i64, %arg134: i64):
      %198 = "arith.minsi"(%arg132, %arg133) : (i64, i64) -> i64
      "linalg.yield"(%198) : (i64) -> ()
    }) : (tensor<12x12xi64>, tensor<12x12xi64>, tensor<12x12xi64>) -> tensor<12x12xi64>
    %71 = "linalg.generic"(%61, %60, %70, %54) <{indexing_maps = [#map11, #map11, #map11, #map11], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 3, 1>}> ({
    ^bb0(%arg128: i1, %arg129: i64, %arg130: i64, %arg131: i64):
      %197 = "arith.select"(%arg128, %arg129, %arg130) : (i1, i64, i64) -> i64
      "linalg.yield"(%197) : (i64) -> ()
    }) : (tensor<12x12xi1>, tensor<12x12xi64>, tensor<12x12xi64>, tensor<12x12xi64>) -> tensor<12x12xi64>
    %72 = "linalg.generic"(%59, %71, %54) <{indexing_maps = [#map11, #map11, #map11], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg125: i64, %arg126: i64, %arg127: i64):
      %196 = "arith.addi"(%arg125, %arg126) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      "linalg.yield"(%196) : (i64) -> ()
    }) : (tensor<12x12xi64>, tensor<12x12xi64>, tensor<12x12xi64>) -> tensor<12x12xi64>
    %73 = "tensor.empty"() : () -> tensor<12x12x4xf32>
    %74 = "linalg.generic"(%72, %73) <{indexing_maps = [#map, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg123: i64, %arg124: f32):
      %191 = "arith.index_cast"(%arg123) : (i64) -> index
      %192 = "linalg.index"() <{dim = 2 : i64}> : () -> index
      %193 = "arith.cmpi"(%191, %4) <{predicate = 2 : i64}> : (index, index) -> i1
      "cf.assert"(%193) <{msg = "index must be smaller than dim size"}> : (i1) -> ()
      %194 = "arith.cmpi"(%arg123, %3) <{predicate = 5 : i64}> : (i64, i64) -> i1
      "cf.assert"(%194) <{msg = "index must be larger or equal to 0"}> : (i1) -> ()
      %195 = "tensor.extract"(%arg5, %191, %192) : (tensor<32x4xf32>, index, index) -> f32
      "linalg.yield"(%195) : (f32) -> ()
    }) : (tensor<12x12xi64>, tensor<12x12x4xf32>) -> tensor<12x12x4xf32>
    %75 = "tensor.empty"() : () -> tensor<4x12x12xf32>
    %76 = "linalg.transpose"(%74, %75) <{permutation = array<i64: 2, 0, 1>}> ({
    ^bb0(%arg121: f32, %arg122: f32):
      "linalg.yield"(%arg121) : (f32) -> ()
    }) : (tensor<12x12x4xf32>, tensor<4x12x12xf32>) -> tensor<4x12x12xf32>
    %77 = "tensor.expand_shape"(%76) <{reassociation = [[0, 1], [2], [3]], static_output_shape = array<i64: 1, 4, 12, 12>}> : (tensor<4x12x12xf32>) -> tensor<1x4x12x12xf32>
    %78 = "tensor.empty"() : () -> tensor<2x4x12x12xf32>
    %79 = "linalg.generic"(%26, %77, %10, %78) <{indexing_maps = [#map12, #map13, #map14, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 3, 1>}> ({
    ^bb0(%arg117: i1, %arg118: f32, %arg119: f32, %arg120: f32):
      %190 = "arith.select"(%arg117, %arg118, %arg119) : (i1, f32, f32) -> f32
      "linalg.yield"(%190) : (f32) -> ()
    }) : (tensor<2x1x12x12xi1>, tensor<1x4x12x12xf32>, tensor<f32>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %80 = "tensor.empty"() : () -> tensor<2x4x8x12xf32>
    %81 = "linalg.transpose"(%47, %80) <{permutation = array<i64: 0, 2, 3, 1>}> ({
    ^bb0(%arg115: f32, %arg116: f32):
      "linalg.yield"(%arg115) : (f32) -> ()
    }) : (tensor<2x12x4x8xf32>, tensor<2x4x8x12xf32>) -> tensor<2x4x8x12xf32>
    %82 = "tensor.collapse_shape"(%44) <{reassociation = [[0, 1], [2], [3]]}> : (tensor<2x4x12x8xf32>) -> tensor<8x12x8xf32>
    %83 = "tensor.collapse_shape"(%81) <{reassociation = [[0, 1], [2], [3]]}> : (tensor<2x4x8x12xf32>) -> tensor<8x8x12xf32>
    %84 = "tensor.empty"() : () -> tensor<8x12x12xf32>
    %85 = "linalg.fill"(%6, %84) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg113: f32, %arg114: f32):
      "linalg.yield"(%arg113) : (f32) -> ()
    }) : (f32, tensor<8x12x12xf32>) -> tensor<8x12x12xf32>
    %86 = "linalg.batch_matmul"(%82, %83, %85) <{indexing_maps = [#map15, #map16, #map17], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg110: f32, %arg111: f32, %arg112: f32):
      %188 = "arith.mulf"(%arg110, %arg111) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %189 = "arith.addf"(%arg112, %188) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%189) : (f32) -> ()
    }) : (tensor<8x12x8xf32>, tensor<8x8x12xf32>, tensor<8x12x12xf32>) -> tensor<8x12x12xf32>
    %87 = "tensor.expand_shape"(%86) <{reassociation = [[0, 1], [2], [3]], static_output_shape = array<i64: 2, 4, 12, 12>}> : (tensor<8x12x12xf32>) -> tensor<2x4x12x12xf32>
    %88 = "linalg.generic"(%87, %79, %78) <{indexing_maps = [#map3, #map3, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg107: f32, %arg108: f32, %arg109: f32):
      %187 = "arith.addf"(%arg107, %arg108) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%187) : (f32) -> ()
    }) : (tensor<2x4x12x12xf32>, tensor<2x4x12x12xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %89 = "tensor.empty"() : () -> tensor<2x4x12xi64>
    %90 = "linalg.fill"(%3, %89) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg105: i64, %arg106: i64):
      "linalg.yield"(%arg105) : (i64) -> ()
    }) : (i64, tensor<2x4x12xi64>) -> tensor<2x4x12xi64>
    %91 = "tensor.empty"() : () -> tensor<2x4x12xf32>
    %92 = "linalg.fill"(%7, %91) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg103: f32, %arg104: f32):
      "linalg.yield"(%arg103) : (f32) -> ()
    }) : (f32, tensor<2x4x12xf32>) -> tensor<2x4x12xf32>
    %93:2 = "linalg.generic"(%88, %92, %90) <{indexing_maps = [#map3, #map17, #map17], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 2>}> ({
    ^bb0(%arg100: f32, %arg101: f32, %arg102: i64):
      %182 = "linalg.index"() <{dim = 3 : i64}> : () -> index
      %183 = "arith.index_cast"(%182) : (index) -> i64
      %184 = "arith.maximumf"(%arg100, %arg101) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %185 = "arith.cmpf"(%arg100, %arg101) <{fastmath = #arith.fastmath<none>, predicate = 2 : i64}> : (f32, f32) -> i1
      %186 = "arith.select"(%185, %183, %arg102) : (i1, i64, i64) -> i64
      "linalg.yield"(%184, %186) : (f32, i64) -> ()
    }) : (tensor<2x4x12x12xf32>, tensor<2x4x12xf32>, tensor<2x4x12xi64>) -> (tensor<2x4x12xf32>, tensor<2x4x12xi64>)
    %94 = "tensor.expand_shape"(%93#0) <{reassociation = [[0], [1], [2, 3]], static_output_shape = array<i64: 2, 4, 12, 1>}> : (tensor<2x4x12xf32>) -> tensor<2x4x12x1xf32>
    %95 = "linalg.generic"(%88, %94, %78) <{indexing_maps = [#map3, #map18, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg97: f32, %arg98: f32, %arg99: f32):
      %181 = "arith.subf"(%arg97, %arg98) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%181) : (f32) -> ()
    }) : (tensor<2x4x12x12xf32>, tensor<2x4x12x1xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %96 = "linalg.generic"(%95, %78) <{indexing_maps = [#map3, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg95: f32, %arg96: f32):
      %180 = "math.exp"(%arg95) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%180) : (f32) -> ()
    }) : (tensor<2x4x12x12xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %97 = "tensor.empty"() : () -> tensor<2x4x12x1xf32>
    %98 = "linalg.fill"(%6, %97) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg93: f32, %arg94: f32):
      "linalg.yield"(%arg93) : (f32) -> ()
    }) : (f32, tensor<2x4x12x1xf32>) -> tensor<2x4x12x1xf32>
    %99 = "linalg.generic"(%96, %98) <{indexing_maps = [#map3, #map18], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg91: f32, %arg92: f32):
      %179 = "arith.addf"(%arg91, %arg92) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%179) : (f32) -> ()
    }) : (tensor<2x4x12x12xf32>, tensor<2x4x12x1xf32>) -> tensor<2x4x12x1xf32>
    %100 = "linalg.generic"(%96, %99, %78) <{indexing_maps = [#map3, #map18, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg88: f32, %arg89: f32, %arg90: f32):
      %178 = "arith.divf"(%arg88, %arg89) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%178) : (f32) -> ()
    }) : (tensor<2x4x12x12xf32>, tensor<2x4x12x1xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %101 = "tensor.empty"() : () -> tensor<2x4x12x12xi1>
    %102 = "linalg.generic"(%88, %101) <{indexing_maps = [#map3, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg86: f32, %arg87: i1):
      %176 = "arith.extf"(%arg86) : (f32) -> f64
      %177 = "arith.cmpf"(%176, %11) <{fastmath = #arith.fastmath<none>, predicate = 1 : i64}> : (f64, f64) -> i1
      "linalg.yield"(%177) : (i1) -> ()
    }) : (tensor<2x4x12x12xf32>, tensor<2x4x12x12xi1>) -> tensor<2x4x12x12xi1>
    %103 = "tensor.empty"() : () -> tensor<2x4x12x1xi1>
    %104 = "linalg.fill"(%8, %103) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg84: i1, %arg85: i1):
      "linalg.yield"(%arg84) : (i1) -> ()
    }) : (i1, tensor<2x4x12x1xi1>) -> tensor<2x4x12x1xi1>
    %105 = "linalg.generic"(%102, %104) <{indexing_maps = [#map3, #map18], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg82: i1, %arg83: i1):
      %175 = "arith.andi"(%arg82, %arg83) : (i1, i1) -> i1
      "linalg.yield"(%175) : (i1) -> ()
    }) : (tensor<2x4x12x12xi1>, tensor<2x4x12x1xi1>) -> tensor<2x4x12x1xi1>
    %106 = "linalg.generic"(%105, %9, %100, %78) <{indexing_maps = [#map18, #map3, #map3, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 3, 1>}> ({
    ^bb0(%arg78: i1, %arg79: f32, %arg80: f32, %arg81: f32):
      %174 = "arith.select"(%arg78, %arg79, %arg80) : (i1, f32, f32) -> f32
      "linalg.yield"(%174) : (f32) -> ()
    }) : (tensor<2x4x12x1xi1>, tensor<2x4x12x12xf32>, tensor<2x4x12x12xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %107 = "tensor.collapse_shape"(%106) <{reassociation = [[0, 1], [2], [3]]}> : (tensor<2x4x12x12xf32>) -> tensor<8x12x12xf32>
    %108 = "tensor.collapse_shape"(%51) <{reassociation = [[0, 1], [2], [3]]}> : (tensor<2x4x12x8xf32>) -> tensor<8x12x8xf32>
    %109 = "tensor.empty"() : () -> tensor<8x12x8xf32>
    %110 = "linalg.fill"(%6, %109) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg76: f32, %arg77: f32):
      "linalg.yield"(%arg76) : (f32) -> ()
    }) : (f32, tensor<8x12x8xf32>) -> tensor<8x12x8xf32>
    %111 = "linalg.batch_matmul"(%107, %108, %110) <{indexing_maps = [#map15, #map16, #map17], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg73: f32, %arg74: f32, %arg75: f32):
      %172 = "arith.mulf"(%arg73, %arg74) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %173 = "arith.addf"(%arg75, %172) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%173) : (f32) -> ()
    }) : (tensor<8x12x12xf32>, tensor<8x12x8xf32>, tensor<8x12x8xf32>) -> tensor<8x12x8xf32>
    %112 = "tensor.expand_shape"(%111) <{reassociation = [[0, 1], [2], [3]], static_output_shape = array<i64: 2, 4, 12, 8>}> : (tensor<8x12x8xf32>) -> tensor<2x4x12x8xf32>
    %113 = "tensor.empty"() : () -> tensor<2x12x4x8xf32>
    %114 = "linalg.transpose"(%112, %113) <{permutation = array<i64: 0, 2, 1, 3>}> ({
    ^bb0(%arg71: f32, %arg72: f32):
      "linalg.yield"(%arg71) : (f32) -> ()
    }) : (tensor<2x4x12x8xf32>, tensor<2x12x4x8xf32>) -> tensor<2x12x4x8xf32>
    %115 = "tensor.collapse_shape"(%114) <{reassociation = [[0], [1], [2, 3]]}> : (tensor<2x12x4x8xf32>) -> tensor<2x12x32xf32>
    %116 = "linalg.transpose"(%arg4, %36) <{permutation = array<i64: 1, 0>}> ({
    ^bb0(%arg69: f32, %arg70: f32):
      "linalg.yield"(%arg69) : (f32) -> ()
    }) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %117 = "tensor.empty"() : () -> tensor<2x32x32xf32>
    %118 = "linalg.generic"(%116, %117) <{indexing_maps = [#map19, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg67: f32, %arg68: f32):
      "linalg.yield"(%arg67) : (f32) -> ()
    }) : (tensor<32x32xf32>, tensor<2x32x32xf32>) -> tensor<2x32x32xf32>
    %119 = "linalg.fill"(%6, %17) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg65: f32, %arg66: f32):
      "linalg.yield"(%arg65) : (f32) -> ()
    }) : (f32, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %120 = "linalg.batch_matmul"(%115, %118, %119) <{indexing_maps = [#map15, #map16, #map17], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg62: f32, %arg63: f32, %arg64: f32):
      %170 = "arith.mulf"(%arg62, %arg63) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %171 = "arith.addf"(%arg64, %170) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%171) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x32x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %121 = "linalg.generic"(%18, %120, %17) <{indexing_maps = [#map1, #map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg59: f32, %arg60: f32, %arg61: f32):
      %169 = "arith.addf"(%arg59, %arg60) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%169) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %122 = "linalg.generic"(%121, %17) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg57: f32, %arg58: f32):
      %168 = "math.fpowi"(%arg57, %2) <{fastmath = #arith.fastmath<none>}> : (f32, i64) -> f32
      "linalg.yield"(%168) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %123 = "linalg.generic"(%122, %29) <{indexing_maps = [#map1, #map5], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg55: f32, %arg56: f32):
      %167 = "arith.addf"(%arg55, %arg56) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%167) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %124 = "linalg.generic"(%123, %28) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg53: f32, %arg54: f32):
      %166 = "arith.divf"(%arg53, %14) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%166) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %125 = "linalg.generic"(%124, %28) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg51: f32, %arg52: f32):
      %164 = "arith.truncf"(%13) : (f64) -> f32
      %165 = "arith.addf"(%arg51, %164) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%165) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %126 = "linalg.generic"(%125, %28) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg49: f32, %arg50: f32):
      %163 = "math.rsqrt"(%arg49) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%163) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %127 = "linalg.generic"(%121, %126, %17) <{indexing_maps = [#map1, #map5, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg46: f32, %arg47: f32, %arg48: f32):
      %162 = "arith.mulf"(%arg46, %arg47) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%162) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x1xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %128 = "linalg.generic"(%arg9, %127, %17) <{indexing_maps = [#map6, #map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg43: f32, %arg44: f32, %arg45: f32):
      %161 = "arith.mulf"(%arg43, %arg44) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%161) : (f32) -> ()
    }) : (tensor<32xf32>, tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %129 = "linalg.transpose"(%arg7, %36) <{permutation = array<i64: 1, 0>}> ({
    ^bb0(%arg41: f32, %arg42: f32):
      "linalg.yield"(%arg41) : (f32) -> ()
    }) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %130 = "tensor.collapse_shape"(%128) <{reassociation = [[0, 1], [2]]}> : (tensor<2x12x32xf32>) -> tensor<24x32xf32>
    %131 = "linalg.matmul"(%130, %129, %40) <{indexing_maps = [#map7, #map8, #map], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg38: f32, %arg39: f32, %arg40: f32):
      %159 = "arith.mulf"(%arg38, %arg39) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %160 = "arith.addf"(%arg40, %159) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%160) : (f32) -> ()
    }) : (tensor<24x32xf32>, tensor<32x32xf32>, tensor<24x32xf32>) -> tensor<24x32xf32>
    %132 = "tensor.expand_shape"(%131) <{reassociation = [[0, 1], [2]], static_output_shape = array<i64: 2, 12, 32>}> : (tensor<24x32xf32>) -> tensor<2x12x32xf32>
    %133 = "linalg.generic"(%132, %17) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg36: f32, %arg37: f32):
      %157 = "arith.cmpf"(%arg36, %6) <{fastmath = #arith.fastmath<none>, predicate = 9 : i64}> : (f32, f32) -> i1
      %158 = "arith.select"(%157, %arg36, %6) : (i1, f32, f32) -> f32
      "linalg.yield"(%158) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %134 = "linalg.transpose"(%arg8, %36) <{permutation = array<i64: 1, 0>}> ({
    ^bb0(%arg34: f32, %arg35: f32):
      "linalg.yield"(%arg34) : (f32) -> ()
    }) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %135 = "tensor.collapse_shape"(%133) <{reassociation = [[0, 1], [2]]}> : (tensor<2x12x32xf32>) -> tensor<24x32xf32>
    %136 = "linalg.matmul"(%135, %134, %40) <{indexing_maps = [#map7, #map8, #map], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg31: f32, %arg32: f32, %arg33: f32):
      %155 = "arith.mulf"(%arg31, %arg32) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %156 = "arith.addf"(%arg33, %155) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%156) : (f32) -> ()
    }) : (tensor<24x32xf32>, tensor<32x32xf32>, tensor<24x32xf32>) -> tensor<24x32xf32>
    %137 = "tensor.expand_shape"(%136) <{reassociation = [[0, 1], [2]], static_output_shape = array<i64: 2, 12, 32>}> : (tensor<24x32xf32>) -> tensor<2x12x32xf32>
    %138 = "linalg.generic"(%121, %137, %17) <{indexing_maps = [#map1, #map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg28: f32, %arg29: f32, %arg30: f32):
      %154 = "arith.addf"(%arg28, %arg29) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%154) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %139 = "linalg.generic"(%138, %17) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg26: f32, %arg27: f32):
      %153 = "math.fpowi"(%arg26, %2) <{fastmath = #arith.fastmath<none>}> : (f32, i64) -> f32
      "linalg.yield"(%153) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %140 = "linalg.generic"(%139, %29) <{indexing_maps = [#map1, #map5], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg24: f32, %arg25: f32):
      %152 = "arith.addf"(%arg24, %arg25) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%152) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %141 = "linalg.generic"(%140, %28) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg22: f32, %arg23: f32):
      %151 = "arith.divf"(%arg22, %14) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%151) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %142 = "linalg.generic"(%141, %28) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg20: f32, %arg21: f32):
      %149 = "arith.truncf"(%13) : (f64) -> f32
      %150 = "arith.addf"(%arg20, %149) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%150) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %143 = "linalg.generic"(%142, %28) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg18: f32, %arg19: f32):
      %148 = "math.rsqrt"(%arg18) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%148) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %144 = "linalg.generic"(%138, %143, %17) <{indexing_maps = [#map1, #map5, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg15: f32, %arg16: f32, %arg17: f32):
      %147 = "arith.mulf"(%arg15, %arg16) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%147) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x1xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %145 = "linalg.generic"(%arg10, %144, %17) <{indexing_maps = [#map6, #map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg12: f32, %arg13: f32, %arg14: f32):
      %146 = "arith.mulf"(%arg12, %arg13) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%146) : (f32) -> ()
    }) : (tensor<32xf32>, tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    "func.return"(%145) : (tensor<2x12x32xf32>) -> ()
  }) : () -> ()
}) : () -> ()
