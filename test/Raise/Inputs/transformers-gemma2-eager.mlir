// Written by `make-transformers.py`.
#map = affine_map<(d0, d1, d2) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> ()>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0, d1) -> (d1)>
#map5 = affine_map<(d0, d1) -> (d0, d1)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, 0)>
#map7 = affine_map<(d0, d1, d2, d3) -> (0, 0, d2, 0)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (0, 0, 0, d3)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map12 = affine_map<(d0, d1, d2, d3) -> ()>
#map13 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map14 = affine_map<(d0, d1, d2) -> (d2)>
#map15 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map16 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map17 = affine_map<(d0, d1, d2, d3) -> (0, 0, d2, d3)>
#map18 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map19 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map20 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map21 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
#map22 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map23 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<64x32xf32>, tensor<32x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<f32>, tensor<4xf32>, tensor<4xf32>, tensor<2x12xi64>) -> tensor<2x12x32xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<64x32xf32>, %arg1: tensor<32x32xf32>, %arg2: tensor<16x32xf32>, %arg3: tensor<16x32xf32>, %arg4: tensor<32x32xf32>, %arg5: tensor<32x32xf32>, %arg6: tensor<32x32xf32>, %arg7: tensor<32x32xf32>, %arg8: tensor<32xf32>, %arg9: tensor<32xf32>, %arg10: tensor<32xf32>, %arg11: tensor<32xf32>, %arg12: tensor<32xf32>, %arg13: tensor<f32>, %arg14: tensor<4xf32>, %arg15: tensor<4xf32>, %arg16: tensor<2x12xi64>):
    %0 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %1 = "arith.constant"() <{value = 4 : i64}> : () -> i64
    %2 = "arith.constant"() <{value = 2 : i64}> : () -> i64
    %3 = "arith.constant"() <{value = 1 : i64}> : () -> i64
    %4 = "arith.constant"() <{value = 12 : i64}> : () -> i64
    %5 = "arith.constant"() <{value = 64 : index}> : () -> index
    %6 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %7 = "arith.constant"() <{value = 0xFF800000 : f32}> : () -> f32
    %8 = "arith.constant"() <{value = 3 : i64}> : () -> i64
    %9 = "arith.constant"() <{value = 4.471500e-02 : f32}> : () -> f32
    %10 = "arith.constant"() <{value = 7.977240e-01 : f32}> : () -> f32
    %11 = "arith.constant"() <{value = 1.000000e+00 : f32}> : () -> f32
    %12 = "arith.constant"() <{value = 5.000000e-01 : f32}> : () -> f32
    %13 = "arith.constant"() <{value = dense<-3.40282347E+38> : tensor<f32>}> : () -> tensor<f32>
    %14 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %15 = "arith.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %16 = "arith.constant"() <{value = 9.9999999999999995E-7 : f64}> : () -> f64
    %17 = "arith.constant"() <{value = 3.200000e+01 : f32}> : () -> f32
    %18 = "arith.constant"() <{value = 6.250000e-02 : f32}> : () -> f32
    %19 = "arith.constant"() <{value = 5.000000e+01 : f32}> : () -> f32
    %20 = "tensor.empty"() : () -> tensor<2x12x32xf32>
    %21 = "linalg.generic"(%arg16, %20) <{indexing_maps = [#map, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg305: i64, %arg306: f32):
      %365 = "arith.index_cast"(%arg305) : (i64) -> index
      %366 = "linalg.index"() <{dim = 2 : i64}> : () -> index
      %367 = "arith.cmpi"(%365, %5) <{predicate = 2 : i64}> : (index, index) -> i1
      "cf.assert"(%367) <{msg = "index must be smaller than dim size"}> : (i1) -> ()
      %368 = "arith.cmpi"(%arg305, %0) <{predicate = 5 : i64}> : (i64, i64) -> i1
      "cf.assert"(%368) <{msg = "index must be larger or equal to 0"}> : (i1) -> ()
      %369 = "tensor.extract"(%arg0, %365, %366) : (tensor<64x32xf32>, index, index) -> f32
      "linalg.yield"(%369) : (f32) -> ()
    }) : (tensor<2x12xi64>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %22 = "linalg.generic"(%21, %arg13, %20) <{indexing_maps = [#map1, #map2, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg302: f32, %arg303: f32, %arg304: f32):
      %364 = "arith.mulf"(%arg302, %arg303) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%364) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<f32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %23 = "tensor.empty"() : () -> tensor<12xi64>
    %24 = "linalg.generic"(%23) <{indexing_maps = [#map3], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 0, 1>}> ({
    ^bb0(%arg301: i64):
      %362 = "linalg.index"() <{dim = 0 : i64}> : () -> index
      %363 = "arith.index_cast"(%362) : (index) -> i64
      "linalg.yield"(%363) : (i64) -> ()
    }) : (tensor<12xi64>) -> tensor<12xi64>
    %25 = "tensor.empty"() : () -> tensor<2x12xi64>
    %26 = "linalg.generic"(%24, %25) <{indexing_maps = [#map4, #map5], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg299: i64, %arg300: i64):
      "linalg.yield"(%arg299) : (i64) -> ()
    }) : (tensor<12xi64>, tensor<2x12xi64>) -> tensor<2x12xi64>
    %27 = "tensor.extract_slice"(%26) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 2, 1>, static_strides = array<i64: 1, 1>}> : (tensor<2x12xi64>) -> tensor<2x1xi64>
    %28 = "tensor.empty"() : () -> tensor<2x1xi64>
    %29 = "linalg.generic"(%27, %28) <{indexing_maps = [#map5, #map5], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg297: i64, %arg298: i64):
      %361 = "arith.subi"(%arg297, %3) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      "linalg.yield"(%361) : (i64) -> ()
    }) : (tensor<2x1xi64>, tensor<2x1xi64>) -> tensor<2x1xi64>
    %30 = "tensor.concat"(%29, %26) <{dim = 1 : i64}> : (tensor<2x1xi64>, tensor<2x12xi64>) -> tensor<2x13xi64>
    %31 = "tensor.extract_slice"(%30) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 2, 12>, static_strides = array<i64: 1, 1>}> : (tensor<2x13xi64>) -> tensor<2x12xi64>
    %32 = "tensor.extract_slice"(%30) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 1>, static_sizes = array<i64: 2, 12>, static_strides = array<i64: 1, 1>}> : (tensor<2x13xi64>) -> tensor<2x12xi64>
    %33 = "linalg.generic"(%32, %31, %25) <{indexing_maps = [#map5, #map5, #map5], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg294: i64, %arg295: i64, %arg296: i64):
      %360 = "arith.subi"(%arg294, %arg295) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      "linalg.yield"(%360) : (i64) -> ()
    }) : (tensor<2x12xi64>, tensor<2x12xi64>, tensor<2x12xi64>) -> tensor<2x12xi64>
    %34 = "tensor.empty"() : () -> tensor<2x12xi1>
    %35 = "linalg.generic"(%33, %34) <{indexing_maps = [#map5, #map5], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg292: i64, %arg293: i1):
      %359 = "arith.cmpi"(%arg292, %3) <{predicate = 1 : i64}> : (i64, i64) -> i1
      "linalg.yield"(%359) : (i1) -> ()
    }) : (tensor<2x12xi64>, tensor<2x12xi1>) -> tensor<2x12xi1>
    %36 = "linalg.generic"(%35, %25) <{indexing_maps = [#map5, #map5], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg290: i1, %arg291: i64):
      %358 = "arith.extui"(%arg290) : (i1) -> i64
      "linalg.yield"(%358) : (i64) -> ()
    }) : (tensor<2x12xi1>, tensor<2x12xi64>) -> tensor<2x12xi64>
    %37 = "linalg.fill"(%0, %25) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg288: i64, %arg289: i64):
      "linalg.yield"(%arg288) : (i64) -> ()
    }) : (i64, tensor<2x12xi64>) -> tensor<2x12xi64>
    %38 = "tensor.empty"() : () -> tensor<2xi64>
    %39 = "linalg.fill"(%0, %38) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg286: i64, %arg287: i64):
      "linalg.yield"(%arg286) : (i64) -> ()
    }) : (i64, tensor<2xi64>) -> tensor<2xi64>
    %40:2 = "tm_tensor.scan"(%36, %37, %39) <{dimension = 1 : i64, inclusive = true, operandSegmentSizes = array<i32: 1, 2>}> ({
    ^bb0(%arg284: i64, %arg285: i64):
      %357 = "arith.addi"(%arg284, %arg285) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      "tm_tensor.yield"(%357) : (i64) -> ()
    }) : (tensor<2x12xi64>, tensor<2x12xi64>, tensor<2xi64>) -> (tensor<2x12xi64>, tensor<2xi64>)
    %41 = "linalg.generic"(%38) <{indexing_maps = [#map3], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 0, 1>}> ({
    ^bb0(%arg283: i64):
      %355 = "linalg.index"() <{dim = 0 : i64}> : () -> index
      %356 = "arith.index_cast"(%355) : (index) -> i64
      "linalg.yield"(%356) : (i64) -> ()
    }) : (tensor<2xi64>) -> tensor<2xi64>
    %42 = "tensor.expand_shape"(%41) <{reassociation = [[0, 1, 2, 3]], static_output_shape = array<i64: 2, 1, 1, 1>}> : (tensor<2xi64>) -> tensor<2x1x1x1xi64>
    %43 = "tensor.expand_shape"(%24) <{reassociation = [[0, 1, 2, 3]], static_output_shape = array<i64: 1, 1, 12, 1>}> : (tensor<12xi64>) -> tensor<1x1x12x1xi64>
    %44 = "tensor.expand_shape"(%24) <{reassociation = [[0, 1, 2, 3]], static_output_shape = array<i64: 1, 1, 1, 12>}> : (tensor<12xi64>) -> tensor<1x1x1x12xi64>
    %45 = "tensor.empty"() : () -> tensor<2x1x12x1xi64>
    %46 = "linalg.generic"(%42, %43, %45) <{indexing_maps = [#map6, #map7, #map8], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg280: i64, %arg281: i64, %arg282: i64):
      %346 = "arith.cmpi"(%arg280, %0) <{predicate = 2 : i64}> : (i64, i64) -> i1
      %347 = "arith.addi"(%arg280, %2) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      %348 = "arith.select"(%346, %347, %arg280) : (i1, i64, i64) -> i64
      %349 = "arith.index_cast"(%348) : (i64) -> index
      %350 = "arith.cmpi"(%arg281, %0) <{predicate = 2 : i64}> : (i64, i64) -> i1
      %351 = "arith.addi"(%arg281, %4) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      %352 = "arith.select"(%350, %351, %arg281) : (i1, i64, i64) -> i64
      %353 = "arith.index_cast"(%352) : (i64) -> index
      %354 = "tensor.extract"(%40#0, %349, %353) : (tensor<2x12xi64>, index, index) -> i64
      "linalg.yield"(%354) : (i64) -> ()
    }) : (tensor<2x1x1x1xi64>, tensor<1x1x12x1xi64>, tensor<2x1x12x1xi64>) -> tensor<2x1x12x1xi64>
    %47 = "tensor.empty"() : () -> tensor<2x1x1x12xi64>
    %48 = "linalg.generic"(%42, %44, %47) <{indexing_maps = [#map6, #map9, #map8], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg277: i64, %arg278: i64, %arg279: i64):
      %337 = "arith.cmpi"(%arg277, %0) <{predicate = 2 : i64}> : (i64, i64) -> i1
      %338 = "arith.addi"(%arg277, %2) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      %339 = "arith.select"(%337, %338, %arg277) : (i1, i64, i64) -> i64
      %340 = "arith.index_cast"(%339) : (i64) -> index
      %341 = "arith.cmpi"(%arg278, %0) <{predicate = 2 : i64}> : (i64, i64) -> i1
      %342 = "arith.addi"(%arg278, %4) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      %343 = "arith.select"(%341, %342, %arg278) : (i1, i64, i64) -> i64
      %344 = "arith.index_cast"(%343) : (i64) -> index
      %345 = "tensor.extract"(%40#0, %340, %344) : (tensor<2x12xi64>, index, index) -> i64
      "linalg.yield"(%345) : (i64) -> ()
    }) : (tensor<2x1x1x1xi64>, tensor<1x1x1x12xi64>, tensor<2x1x1x12xi64>) -> tensor<2x1x1x12xi64>
    %49 = "tensor.empty"() : () -> tensor<2x1x12x12xi1>
    %50 = "linalg.generic"(%46, %48, %49) <{indexing_maps = [#map10, #map11, #map8], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg274: i64, %arg275: i64, %arg276: i1):
      %336 = "arith.cmpi"(%arg274, %arg275) <{predicate = 0 : i64}> : (i64, i64) -> i1
      "linalg.yield"(%336) : (i1) -> ()
    }) : (tensor<2x1x12x1xi64>, tensor<2x1x1x12xi64>, tensor<2x1x12x12xi1>) -> tensor<2x1x12x12xi1>
    %51 = "linalg.generic"(%15, %50, %49) <{indexing_maps = [#map12, #map8, #map8], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg271: i1, %arg272: i1, %arg273: i1):
      %335 = "arith.andi"(%arg271, %arg272) : (i1, i1) -> i1
      "linalg.yield"(%335) : (i1) -> ()
    }) : (tensor<i1>, tensor<2x1x12x12xi1>, tensor<2x1x12x12xi1>) -> tensor<2x1x12x12xi1>
    %52 = "linalg.generic"(%42, %43, %45) <{indexing_maps = [#map6, #map7, #map8], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg268: i64, %arg269: i64, %arg270: i64):
      %326 = "arith.cmpi"(%arg268, %0) <{predicate = 2 : i64}> : (i64, i64) -> i1
      %327 = "arith.addi"(%arg268, %2) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      %328 = "arith.select"(%326, %327, %arg268) : (i1, i64, i64) -> i64
      %329 = "arith.index_cast"(%328) : (i64) -> index
      %330 = "arith.cmpi"(%arg269, %0) <{predicate = 2 : i64}> : (i64, i64) -> i1
      %331 = "arith.addi"(%arg269, %4) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      %332 = "arith.select"(%330, %331, %arg269) : (i1, i64, i64) -> i64
      %333 = "arith.index_cast"(%332) : (i64) -> index
      %334 = "tensor.extract"(%26, %329, %333) : (tensor<2x12xi64>, index, index) -> i64
      "linalg.yield"(%334) : (i64) -> ()
    }) : (tensor<2x1x1x1xi64>, tensor<1x1x12x1xi64>, tensor<2x1x12x1xi64>) -> tensor<2x1x12x1xi64>
    %53 = "linalg.generic"(%42, %44, %47) <{indexing_maps = [#map6, #map9, #map8], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg265: i64, %arg266: i64, %arg267: i64):
      %317 = "arith.cmpi"(%arg265, %0) <{predicate = 2 : i64}> : (i64, i64) -> i1
      %318 = "arith.addi"(%arg265, %2) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      %319 = "arith.select"(%317, %318, %arg265) : (i1, i64, i64) -> i64
      %320 = "arith.index_cast"(%319) : (i64) -> index
      %321 = "arith.cmpi"(%arg266, %0) <{predicate = 2 : i64}> : (i64, i64) -> i1
      %322 = "arith.addi"(%arg266, %4) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      %323 = "arith.select"(%321, %322, %arg266) : (i1, i64, i64) -> i64
      %324 = "arith.index_cast"(%323) : (i64) -> index
      %325 = "tensor.extract"(%26, %320, %324) : (tensor<2x12xi64>, index, index) -> i64
      "linalg.yield"(%325) : (i64) -> ()
    }) : (tensor<2x1x1x1xi64>, tensor<1x1x1x12xi64>, tensor<2x1x1x12xi64>) -> tensor<2x1x1x12xi64>
    %54 = "linalg.generic"(%52, %45) <{indexing_maps = [#map8, #map8], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg263: i64, %arg264: i64):
      %316 = "arith.subi"(%arg263, %1) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      "linalg.yield"(%316) : (i64) -> ()
    }) : (tensor<2x1x12x1xi64>, tensor<2x1x12x1xi64>) -> tensor<2x1x12x1xi64>
    %55 = "linalg.generic"(%53, %54, %49) <{indexing_maps = [#map11, #map10, #map8], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg260: i64, %arg261: i64, %arg262: i1):
      %315 = "arith.cmpi"(%arg260, %arg261) <{predicate = 4 : i64}> : (i64, i64) -> i1
      "linalg.yield"(%315) : (i1) -> ()
    }) : (tensor<2x1x1x12xi64>, tensor<2x1x12x1xi64>, tensor<2x1x12x12xi1>) -> tensor<2x1x12x12xi1>
    %56 = "linalg.generic"(%15, %55, %49) <{indexing_maps = [#map12, #map8, #map8], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg257: i1, %arg258: i1, %arg259: i1):
      %314 = "arith.andi"(%arg257, %arg258) : (i1, i1) -> i1
      "linalg.yield"(%314) : (i1) -> ()
    }) : (tensor<i1>, tensor<2x1x12x12xi1>, tensor<2x1x12x12xi1>) -> tensor<2x1x12x12xi1>
    %57 = "linalg.generic"(%53, %52, %49) <{indexing_maps = [#map11, #map10, #map8], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg254: i64, %arg255: i64, %arg256: i1):
      %313 = "arith.cmpi"(%arg254, %arg255) <{predicate = 3 : i64}> : (i64, i64) -> i1
      "linalg.yield"(%313) : (i1) -> ()
    }) : (tensor<2x1x1x12xi64>, tensor<2x1x12x1xi64>, tensor<2x1x12x12xi1>) -> tensor<2x1x12x12xi1>
    %58 = "linalg.generic"(%56, %57, %49) <{indexing_maps = [#map8, #map8, #map8], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg251: i1, %arg252: i1, %arg253: i1):
      %312 = "arith.andi"(%arg251, %arg252) : (i1, i1) -> i1
      "linalg.yield"(%312) : (i1) -> ()
    }) : (tensor<2x1x12x12xi1>, tensor<2x1x12x12xi1>, tensor<2x1x12x12xi1>) -> tensor<2x1x12x12xi1>
    %59 = "linalg.generic"(%51, %58, %49) <{indexing_maps = [#map8, #map8, #map8], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg248: i1, %arg249: i1, %arg250: i1):
      %311 = "arith.andi"(%arg248, %arg249) : (i1, i1) -> i1
      "linalg.yield"(%311) : (i1) -> ()
    }) : (tensor<2x1x12x12xi1>, tensor<2x1x12x12xi1>, tensor<2x1x12x12xi1>) -> tensor<2x1x12x12xi1>
    %60 = "tensor.empty"() : () -> tensor<2x1x12x12xf32>
    %61 = "linalg.generic"(%59, %14, %13, %60) <{indexing_maps = [#map8, #map12, #map12, #map8], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 3, 1>}> ({
    ^bb0(%arg244: i1, %arg245: f32, %arg246: f32, %arg247: f32):
      %310 = "arith.select"(%arg244, %arg245, %arg246) : (i1, f32, f32) -> f32
      "linalg.yield"(%310) : (f32) -> ()
    }) : (tensor<2x1x12x12xi1>, tensor<f32>, tensor<f32>, tensor<2x1x12x12xf32>) -> tensor<2x1x12x12xf32>
    %62 = "tensor.expand_shape"(%24) <{reassociation = [[0, 1, 2]], static_output_shape = array<i64: 1, 12, 1>}> : (tensor<12xi64>) -> tensor<1x12x1xi64>
    %63 = "tensor.empty"() : () -> tensor<1x12x1xf32>
    %64 = "linalg.generic"(%62, %63) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg242: i64, %arg243: f32):
      %309 = "arith.sitofp"(%arg242) : (i64) -> f32
      "linalg.yield"(%309) : (f32) -> ()
    }) : (tensor<1x12x1xi64>, tensor<1x12x1xf32>) -> tensor<1x12x1xf32>
    %65 = "tensor.empty"() : () -> tensor<1x12x4xf32>
    %66 = "linalg.generic"(%64, %arg14, %65) <{indexing_maps = [#map13, #map14, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg239: f32, %arg240: f32, %arg241: f32):
      %308 = "arith.mulf"(%arg239, %arg240) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%308) : (f32) -> ()
    }) : (tensor<1x12x1xf32>, tensor<4xf32>, tensor<1x12x4xf32>) -> tensor<1x12x4xf32>
    %67 = "tensor.concat"(%66, %66) <{dim = 2 : i64}> : (tensor<1x12x4xf32>, tensor<1x12x4xf32>) -> tensor<1x12x8xf32>
    %68 = "tensor.empty"() : () -> tensor<1x12x8xf32>
    %69 = "linalg.generic"(%67, %68) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg237: f32, %arg238: f32):
      %307 = "math.cos"(%arg237) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%307) : (f32) -> ()
    }) : (tensor<1x12x8xf32>, tensor<1x12x8xf32>) -> tensor<1x12x8xf32>
    %70 = "linalg.generic"(%67, %68) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg235: f32, %arg236: f32):
      %306 = "math.sin"(%arg235) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%306) : (f32) -> ()
    }) : (tensor<1x12x8xf32>, tensor<1x12x8xf32>) -> tensor<1x12x8xf32>
    %71 = "linalg.generic"(%22, %20) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg233: f32, %arg234: f32):
      %305 = "math.fpowi"(%arg233, %2) <{fastmath = #arith.fastmath<none>}> : (f32, i64) -> f32
      "linalg.yield"(%305) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %72 = "tensor.empty"() : () -> tensor<2x12x1xf32>
    %73 = "linalg.fill"(%6, %72) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg231: f32, %arg232: f32):
      "linalg.yield"(%arg231) : (f32) -> ()
    }) : (f32, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %74 = "linalg.generic"(%71, %73) <{indexing_maps = [#map1, #map13], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg229: f32, %arg230: f32):
      %304 = "arith.addf"(%arg229, %arg230) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%304) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %75 = "linalg.generic"(%74, %72) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg227: f32, %arg228: f32):
      %303 = "arith.divf"(%arg227, %17) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%303) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %76 = "linalg.generic"(%75, %72) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg225: f32, %arg226: f32):
      %301 = "arith.truncf"(%16) : (f64) -> f32
      %302 = "arith.addf"(%arg225, %301) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%302) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %77 = "linalg.generic"(%76, %72) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg223: f32, %arg224: f32):
      %300 = "math.rsqrt"(%arg223) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%300) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %78 = "linalg.generic"(%22, %77, %20) <{indexing_maps = [#map1, #map13, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg220: f32, %arg221: f32, %arg222: f32):
      %299 = "arith.mulf"(%arg220, %arg221) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%299) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x1xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %79 = "tensor.empty"() : () -> tensor<32xf32>
    %80 = "linalg.generic"(%arg8, %79) <{indexing_maps = [#map3, #map3], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg218: f32, %arg219: f32):
      %298 = "arith.addf"(%arg218, %11) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%298) : (f32) -> ()
    }) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %81 = "linalg.generic"(%78, %80, %20) <{indexing_maps = [#map1, #map14, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg215: f32, %arg216: f32, %arg217: f32):
      %297 = "arith.mulf"(%arg215, %arg216) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%297) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %82 = "tensor.empty"() : () -> tensor<32x32xf32>
    %83 = "linalg.transpose"(%arg1, %82) <{permutation = array<i64: 1, 0>}> ({
    ^bb0(%arg213: f32, %arg214: f32):
      "linalg.yield"(%arg213) : (f32) -> ()
    }) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %84 = "tensor.collapse_shape"(%81) <{reassociation = [[0, 1], [2]]}> : (tensor<2x12x32xf32>) -> tensor<24x32xf32>
    %85 = "tensor.empty"() : () -> tensor<24x32xf32>
    %86 = "linalg.fill"(%6, %85) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg211: f32, %arg212: f32):
      "linalg.yield"(%arg211) : (f32) -> ()
    }) : (f32, tensor<24x32xf32>) -> tensor<24x32xf32>
    %87 = "linalg.matmul"(%84, %83, %86) <{indexing_maps = [#map15, #map16, #map], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg208: f32, %arg209: f32, %arg210: f32):
      %295 = "arith.mulf"(%arg208, %arg209) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %296 = "arith.addf"(%arg210, %295) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%296) : (f32) -> ()
    }) : (tensor<24x32xf32>, tensor<32x32xf32>, tensor<24x32xf32>) -> tensor<24x32xf32>
    %88 = "tensor.expand_shape"(%87) <{reassociation = [[0, 1], [2, 3]], static_output_shape = array<i64: 2, 12, 4, 8>}> : (tensor<24x32xf32>) -> tensor<2x12x4x8xf32>
    %89 = "tensor.empty"() : () -> tensor<2x4x12x8xf32>
    %90 = "linalg.transpose"(%88, %89) <{permutation = array<i64: 0, 2, 1, 3>}> ({
    ^bb0(%arg206: f32, %arg207: f32):
      "linalg.yield"(%arg206) : (f32) -> ()
    }) : (tensor<2x12x4x8xf32>, tensor<2x4x12x8xf32>) -> tensor<2x4x12x8xf32>
    %91 = "tensor.empty"() : () -> tensor<32x16xf32>
    %92 = "linalg.transpose"(%arg2, %91) <{permutation = array<i64: 1, 0>}> ({
    ^bb0(%arg204: f32, %arg205: f32):
      "linalg.yield"(%arg204) : (f32) -> ()
    }) : (tensor<16x32xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    %93 = "tensor.empty"() : () -> tensor<24x16xf32>
    %94 = "linalg.fill"(%6, %93) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg202: f32, %arg203: f32):
      "linalg.yield"(%arg202) : (f32) -> ()
    }) : (f32, tensor<24x16xf32>) -> tensor<24x16xf32>
    %95 = "linalg.matmul"(%84, %92, %94) <{indexing_maps = [#map15, #map16, #map], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg199: f32, %arg200: f32, %arg201: f32):
      %293 = "arith.mulf"(%arg199, %arg200) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %294 = "arith.addf"(%arg201, %293) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%294) : (f32) -> ()
    }) : (tensor<24x32xf32>, tensor<32x16xf32>, tensor<24x16xf32>) -> tensor<24x16xf32>
    %96 = "tensor.expand_shape"(%95) <{reassociation = [[0, 1], [2, 3]], static_output_shape = array<i64: 2, 12, 2, 8>}> : (tensor<24x16xf32>) -> tensor<2x12x2x8xf32>
    %97 = "tensor.empty"() : () -> tensor<2x2x12x8xf32>
    %98 = "linalg.transpose"(%96, %97) <{permutation = array<i64: 0, 2, 1, 3>}> ({
    ^bb0(%arg197: f32, %arg198: f32):
      "linalg.yield"(%arg197) : (f32) -> ()
    }) : (tensor<2x12x2x8xf32>, tensor<2x2x12x8xf32>) -> tensor<2x2x12x8xf32>
    %99 = "linalg.transpose"(%arg3, %91) <{permutation = array<i64: 1, 0>}> ({
    ^bb0(%arg195: f32, %arg196: f32):
      "linalg.yield"(%arg195) : (f32) -> ()
    }) : (tensor<16x32xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    %100 = "linalg.matmul"(%84, %99, %94) <{indexing_maps = [#map15, #map16, #map], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg192: f32, %arg193: f32, %arg194: f32):
      %291 = "arith.mulf"(%arg192, %arg193) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %292 = "arith.addf"(%arg194, %291) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%292) : (f32) -> ()
    }) : (tensor<24x32xf32>, tensor<32x16xf32>, tensor<24x16xf32>) -> tensor<24x16xf32>
    %101 = "tensor.expand_shape"(%100) <{reassociation = [[0, 1], [2, 3]], static_output_shape = array<i64: 2, 12, 2, 8>}> : (tensor<24x16xf32>) -> tensor<2x12x2x8xf32>
    %102 = "linalg.transpose"(%101, %97) <{permutation = array<i64: 0, 2, 1, 3>}> ({
    ^bb0(%arg190: f32, %arg191: f32):
      "linalg.yield"(%arg190) : (f32) -> ()
    }) : (tensor<2x12x2x8xf32>, tensor<2x2x12x8xf32>) -> tensor<2x2x12x8xf32>
    %103 = "tensor.expand_shape"(%69) <{reassociation = [[0], [1, 2], [3]], static_output_shape = array<i64: 1, 1, 12, 8>}> : (tensor<1x12x8xf32>) -> tensor<1x1x12x8xf32>
    %104 = "tensor.expand_shape"(%70) <{reassociation = [[0], [1, 2], [3]], static_output_shape = array<i64: 1, 1, 12, 8>}> : (tensor<1x12x8xf32>) -> tensor<1x1x12x8xf32>
    %105 = "linalg.generic"(%90, %103, %89) <{indexing_maps = [#map8, #map17, #map8], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg187: f32, %arg188: f32, %arg189: f32):
      %290 = "arith.mulf"(%arg187, %arg188) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%290) : (f32) -> ()
    }) : (tensor<2x4x12x8xf32>, tensor<1x1x12x8xf32>, tensor<2x4x12x8xf32>) -> tensor<2x4x12x8xf32>
    %106 = "tensor.extract_slice"(%90) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: 2, 4, 12, 4>, static_strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x4x12x8xf32>) -> tensor<2x4x12x4xf32>
    %107 = "tensor.extract_slice"(%90) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0, 0, 4>, static_sizes = array<i64: 2, 4, 12, 4>, static_strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x4x12x8xf32>) -> tensor<2x4x12x4xf32>
    %108 = "tensor.empty"() : () -> tensor<2x4x12x4xf32>
    %109 = "linalg.generic"(%107, %108) <{indexing_maps = [#map8, #map8], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg185: f32, %arg186: f32):
      %289 = "arith.negf"(%arg185) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%289) : (f32) -> ()
    }) : (tensor<2x4x12x4xf32>, tensor<2x4x12x4xf32>) -> tensor<2x4x12x4xf32>
    %110 = "tensor.concat"(%109, %106) <{dim = 3 : i64}> : (tensor<2x4x12x4xf32>, tensor<2x4x12x4xf32>) -> tensor<2x4x12x8xf32>
    %111 = "linalg.generic"(%110, %104, %89) <{indexing_maps = [#map8, #map17, #map8], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg182: f32, %arg183: f32, %arg184: f32):
      %288 = "arith.mulf"(%arg182, %arg183) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%288) : (f32) -> ()
    }) : (tensor<2x4x12x8xf32>, tensor<1x1x12x8xf32>, tensor<2x4x12x8xf32>) -> tensor<2x4x12x8xf32>
    %112 = "linalg.generic"(%105, %111, %89) <{indexing_maps = [#map8, #map8, #map8], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg179: f32, %arg180: f32, %arg181: f32):
      %287 = "arith.addf"(%arg179, %arg180) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%287) : (f32) -> ()
    }) : (tensor<2x4x12x8xf32>, tensor<2x4x12x8xf32>, tensor<2x4x12x8xf32>) -> tensor<2x4x12x8xf32>
    %113 = "linalg.generic"(%98, %103, %97) <{indexing_maps = [#map8, #map17, #map8], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg176: f32, %arg177: f32, %arg178: f32):
      %286 = "arith.mulf"(%arg176, %arg177) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%286) : (f32) -> ()
    }) : (tensor<2x2x12x8xf32>, tensor<1x1x12x8xf32>, tensor<2x2x12x8xf32>) -> tensor<2x2x12x8xf32>
    %114 = "tensor.extract_slice"(%98) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: 2, 2, 12, 4>, static_strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x2x12x8xf32>) -> tensor<2x2x12x4xf32>
    %115 = "tensor.extract_slice"(%98) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0, 0, 4>, static_sizes = array<i64: 2, 2, 12, 4>, static_strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x2x12x8xf32>) -> tensor<2x2x12x4xf32>
    %116 = "tensor.empty"() : () -> tensor<2x2x12x4xf32>
    %117 = "linalg.generic"(%115, %116) <{indexing_maps = [#map8, #map8], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg174: f32, %arg175: f32):
      %285 = "arith.negf"(%arg174) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%285) : (f32) -> ()
    }) : (tensor<2x2x12x4xf32>, tensor<2x2x12x4xf32>) -> tensor<2x2x12x4xf32>
    %118 = "tensor.concat"(%117, %114) <{dim = 3 : i64}> : (tensor<2x2x12x4xf32>, tensor<2x2x12x4xf32>) -> tensor<2x2x12x8xf32>
    %119 = "linalg.generic"(%118, %104, %97) <{indexing_maps = [#map8, #map17, #map8], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg171: f32, %arg172: f32, %arg173: f32):
      %284 = "arith.mulf"(%arg171, %arg172) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%284) : (f32) -> ()
    }) : (tensor<2x2x12x8xf32>, tensor<1x1x12x8xf32>, tensor<2x2x12x8xf32>) -> tensor<2x2x12x8xf32>
    %120 = "linalg.generic"(%113, %119, %97) <{indexing_maps = [#map8, #map8, #map8], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg168: f32, %arg169: f32, %arg170: f32):
      %283 = "arith.addf"(%arg168, %arg169) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%283) : (f32) -> ()
    }) : (tensor<2x2x12x8xf32>, tensor<2x2x12x8xf32>, tensor<2x2x12x8xf32>) -> tensor<2x2x12x8xf32>
    %121 = "tensor.empty"() : () -> tensor<2x2x2x12x8xf32>
    %122 = "linalg.generic"(%120, %121) <{indexing_maps = [#map18, #map19], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg166: f32, %arg167: f32):
      "linalg.yield"(%arg166) : (f32) -> ()
    }) : (tensor<2x2x12x8xf32>, tensor<2x2x2x12x8xf32>) -> tensor<2x2x2x12x8xf32>
    %123 = "tensor.collapse_shape"(%122) <{reassociation = [[0], [1, 2], [3], [4]]}> : (tensor<2x2x2x12x8xf32>) -> tensor<2x4x12x8xf32>
    %124 = "linalg.generic"(%102, %121) <{indexing_maps = [#map18, #map19], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg164: f32, %arg165: f32):
      "linalg.yield"(%arg164) : (f32) -> ()
    }) : (tensor<2x2x12x8xf32>, tensor<2x2x2x12x8xf32>) -> tensor<2x2x2x12x8xf32>
    %125 = "tensor.empty"() : () -> tensor<2x4x8x12xf32>
    %126 = "linalg.transpose"(%123, %125) <{permutation = array<i64: 0, 1, 3, 2>}> ({
    ^bb0(%arg162: f32, %arg163: f32):
      "linalg.yield"(%arg162) : (f32) -> ()
    }) : (tensor<2x4x12x8xf32>, tensor<2x4x8x12xf32>) -> tensor<2x4x8x12xf32>
    %127 = "tensor.collapse_shape"(%112) <{reassociation = [[0, 1], [2], [3]]}> : (tensor<2x4x12x8xf32>) -> tensor<8x12x8xf32>
    %128 = "tensor.collapse_shape"(%126) <{reassociation = [[0, 1], [2], [3]]}> : (tensor<2x4x8x12xf32>) -> tensor<8x8x12xf32>
    %129 = "tensor.empty"() : () -> tensor<8x12x12xf32>
    %130 = "linalg.fill"(%6, %129) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg160: f32, %arg161: f32):
      "linalg.yield"(%arg160) : (f32) -> ()
    }) : (f32, tensor<8x12x12xf32>) -> tensor<8x12x12xf32>
    %131 = "linalg.batch_matmul"(%127, %128, %130) <{indexing_maps = [#map20, #map21, #map22], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg157: f32, %arg158: f32, %arg159: f32):
      %281 = "arith.mulf"(%arg157, %arg158) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %282 = "arith.addf"(%arg159, %281) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%282) : (f32) -> ()
    }) : (tensor<8x12x8xf32>, tensor<8x8x12xf32>, tensor<8x12x12xf32>) -> tensor<8x12x12xf32>
    %132 = "tensor.expand_shape"(%131) <{reassociation = [[0, 1], [2], [3]], static_output_shape = array<i64: 2, 4, 12, 12>}> : (tensor<8x12x12xf32>) -> tensor<2x4x12x12xf32>
    %133 = "tensor.empty"() : () -> tensor<2x4x12x12xf32>
    %134 = "linalg.generic"(%132, %133) <{indexing_maps = [#map8, #map8], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg155: f32, %arg156: f32):
      %280 = "arith.mulf"(%arg155, %18) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%280) : (f32) -> ()
    }) : (tensor<2x4x12x12xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %135 = "linalg.generic"(%134, %133) <{indexing_maps = [#map8, #map8], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg153: f32, %arg154: f32):
      %279 = "arith.divf"(%arg153, %19) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%279) : (f32) -> ()
    }) : (tensor<2x4x12x12xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %136 = "linalg.generic"(%135, %133) <{indexing_maps = [#map8, #map8], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg151: f32, %arg152: f32):
      %278 = "math.tanh"(%arg151) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%278) : (f32) -> ()
    }) : (tensor<2x4x12x12xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %137 = "linalg.generic"(%136, %133) <{indexing_maps = [#map8, #map8], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg149: f32, %arg150: f32):
      %277 = "arith.mulf"(%arg149, %19) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%277) : (f32) -> ()
    }) : (tensor<2x4x12x12xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %138 = "linalg.generic"(%137, %61, %133) <{indexing_maps = [#map8, #map23, #map8], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg146: f32, %arg147: f32, %arg148: f32):
      %276 = "arith.addf"(%arg146, %arg147) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%276) : (f32) -> ()
    }) : (tensor<2x4x12x12xf32>, tensor<2x1x12x12xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %139 = "tensor.empty"() : () -> tensor<2x4x12xi64>
    %140 = "linalg.fill"(%0, %139) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg144: i64, %arg145: i64):
      "linalg.yield"(%arg144) : (i64) -> ()
    }) : (i64, tensor<2x4x12xi64>) -> tensor<2x4x12xi64>
    %141 = "tensor.empty"() : () -> tensor<2x4x12xf32>
    %142 = "linalg.fill"(%7, %141) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg142: f32, %arg143: f32):
      "linalg.yield"(%arg142) : (f32) -> ()
    }) : (f32, tensor<2x4x12xf32>) -> tensor<2x4x12xf32>
    %143:2 = "linalg.generic"(%138, %142, %140) <{indexing_maps = [#map8, #map22, #map22], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 2>}> ({
    ^bb0(%arg139: f32, %arg140: f32, %arg141: i64):
      %271 = "linalg.index"() <{dim = 3 : i64}> : () -> index
      %272 = "arith.index_cast"(%271) : (index) -> i64
      %273 = "arith.maximumf"(%arg139, %arg140) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %274 = "arith.cmpf"(%arg139, %arg140) <{fastmath = #arith.fastmath<none>, predicate = 2 : i64}> : (f32, f32) -> i1
      %275 = "arith.select"(%274, %272, %arg141) : (i1, i64, i64) -> i64
      "linalg.yield"(%273, %275) : (f32, i64) -> ()
    }) : (tensor<2x4x12x12xf32>, tensor<2x4x12xf32>, tensor<2x4x12xi64>) -> (tensor<2x4x12xf32>, tensor<2x4x12xi64>)
    %144 = "tensor.expand_shape"(%143#0) <{reassociation = [[0], [1], [2, 3]], static_output_shape = array<i64: 2, 4, 12, 1>}> : (tensor<2x4x12xf32>) -> tensor<2x4x12x1xf32>
    %145 = "linalg.generic"(%138, %144, %133) <{indexing_maps = [#map8, #map10, #map8], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg136: f32, %arg137: f32, %arg138: f32):
      %270 = "arith.subf"(%arg136, %arg137) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%270) : (f32) -> ()
    }) : (tensor<2x4x12x12xf32>, tensor<2x4x12x1xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %146 = "linalg.generic"(%145, %133) <{indexing_maps = [#map8, #map8], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg134: f32, %arg135: f32):
      %269 = "math.exp"(%arg134) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%269) : (f32) -> ()
    }) : (tensor<2x4x12x12xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %147 = "tensor.empty"() : () -> tensor<2x4x12x1xf32>
    %148 = "linalg.fill"(%6, %147) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg132: f32, %arg133: f32):
      "linalg.yield"(%arg132) : (f32) -> ()
    }) : (f32, tensor<2x4x12x1xf32>) -> tensor<2x4x12x1xf32>
    %149 = "linalg.generic"(%146, %148) <{indexing_maps = [#map8, #map10], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg130: f32, %arg131: f32):
      %268 = "arith.addf"(%arg130, %arg131) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%268) : (f32) -> ()
    }) : (tensor<2x4x12x12xf32>, tensor<2x4x12x1xf32>) -> tensor<2x4x12x1xf32>
    %150 = "linalg.generic"(%146, %149, %133) <{indexing_maps = [#map8, #map10, #map8], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg127: f32, %arg128: f32, %arg129: f32):
      %267 = "arith.divf"(%arg127, %arg128) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%267) : (f32) -> ()
    }) : (tensor<2x4x12x12xf32>, tensor<2x4x12x1xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %151 = "tensor.collapse_shape"(%150) <{reassociation = [[0, 1], [2], [3]]}> : (tensor<2x4x12x12xf32>) -> tensor<8x12x12xf32>
    %152 = "tensor.collapse_shape"(%124) <{reassociation = [[0, 1, 2], [3], [4]]}> : (tensor<2x2x2x12x8xf32>) -> tensor<8x12x8xf32>
    %153 = "tensor.empty"() : () -> tensor<8x12x8xf32>
    %154 = "linalg.fill"(%6, %153) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg125: f32, %arg126: f32):
      "linalg.yield"(%arg125) : (f32) -> ()
    }) : (f32, tensor<8x12x8xf32>) -> tensor<8x12x8xf32>
    %155 = "linalg.batch_matmul"(%151, %152, %154) <{indexing_maps = [#map20, #map21, #map22], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg122: f32, %arg123: f32, %arg124: f32):
      %265 = "arith.mulf"(%arg122, %arg123) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %266 = "arith.addf"(%arg124, %265) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%266) : (f32) -> ()
    }) : (tensor<8x12x12xf32>, tensor<8x12x8xf32>, tensor<8x12x8xf32>) -> tensor<8x12x8xf32>
    %156 = "tensor.expand_shape"(%155) <{reassociation = [[0, 1], [2], [3]], static_output_shape = array<i64: 2, 4, 12, 8>}> : (tensor<8x12x8xf32>) -> tensor<2x4x12x8xf32>
    %157 = "tensor.empty"() : () -> tensor<2x12x4x8xf32>
    %158 = "linalg.transpose"(%156, %157) <{permutation = array<i64: 0, 2, 1, 3>}> ({
    ^bb0(%arg120: f32, %arg121: f32):
      "linalg.yield"(%arg120) : (f32) -> ()
    }) : (tensor<2x4x12x8xf32>, tensor<2x12x4x8xf32>) -> tensor<2x12x4x8xf32>
    %159 = "linalg.transpose"(%arg4, %82) <{permutation = array<i64: 1, 0>}> ({
    ^bb0(%arg118: f32, %arg119: f32):
      "linalg.yield"(%arg118) : (f32) -> ()
    }) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %160 = "tensor.collapse_shape"(%158) <{reassociation = [[0, 1], [2, 3]]}> : (tensor<2x12x4x8xf32>) -> tensor<24x32xf32>
    %161 = "linalg.matmul"(%160, %159, %86) <{indexing_maps = [#map15, #map16, #map], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg115: f32, %arg116: f32, %arg117: f32):
      %263 = "arith.mulf"(%arg115, %arg116) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %264 = "arith.addf"(%arg117, %263) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%264) : (f32) -> ()
    }) : (tensor<24x32xf32>, tensor<32x32xf32>, tensor<24x32xf32>) -> tensor<24x32xf32>
    %162 = "tensor.expand_shape"(%161) <{reassociation = [[0, 1], [2]], static_output_shape = array<i64: 2, 12, 32>}> : (tensor<24x32xf32>) -> tensor<2x12x32xf32>
    %163 = "linalg.generic"(%162, %20) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg113: f32, %arg114: f32):
      %262 = "math.fpowi"(%arg113, %2) <{fastmath = #arith.fastmath<none>}> : (f32, i64) -> f32
      "linalg.yield"(%262) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %164 = "linalg.generic"(%163, %73) <{indexing_maps = [#map1, #map13], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg111: f32, %arg112: f32):
      %261 = "arith.addf"(%arg111, %arg112) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%261) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %165 = "linalg.generic"(%164, %72) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg109: f32, %arg110: f32):
      %260 = "arith.divf"(%arg109, %17) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%260) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %166 = "linalg.generic"(%165, %72) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg107: f32, %arg108: f32):
      %258 = "arith.truncf"(%16) : (f64) -> f32
      %259 = "arith.addf"(%arg107, %258) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%259) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %167 = "linalg.generic"(%166, %72) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg105: f32, %arg106: f32):
      %257 = "math.rsqrt"(%arg105) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%257) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %168 = "linalg.generic"(%162, %167, %20) <{indexing_maps = [#map1, #map13, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg102: f32, %arg103: f32, %arg104: f32):
      %256 = "arith.mulf"(%arg102, %arg103) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%256) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x1xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %169 = "linalg.generic"(%arg9, %79) <{indexing_maps = [#map3, #map3], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg100: f32, %arg101: f32):
      %255 = "arith.addf"(%arg100, %11) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%255) : (f32) -> ()
    }) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %170 = "linalg.generic"(%168, %169, %20) <{indexing_maps = [#map1, #map14, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg97: f32, %arg98: f32, %arg99: f32):
      %254 = "arith.mulf"(%arg97, %arg98) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%254) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %171 = "linalg.generic"(%22, %170, %20) <{indexing_maps = [#map1, #map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg94: f32, %arg95: f32, %arg96: f32):
      %253 = "arith.addf"(%arg94, %arg95) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%253) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %172 = "linalg.generic"(%171, %20) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg92: f32, %arg93: f32):
      %252 = "math.fpowi"(%arg92, %2) <{fastmath = #arith.fastmath<none>}> : (f32, i64) -> f32
      "linalg.yield"(%252) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %173 = "linalg.generic"(%172, %73) <{indexing_maps = [#map1, #map13], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg90: f32, %arg91: f32):
      %251 = "arith.addf"(%arg90, %arg91) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%251) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %174 = "linalg.generic"(%173, %72) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg88: f32, %arg89: f32):
      %250 = "arith.divf"(%arg88, %17) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%250) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %175 = "linalg.generic"(%174, %72) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg86: f32, %arg87: f32):
      %248 = "arith.truncf"(%16) : (f64) -> f32
      %249 = "arith.addf"(%arg86, %248) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%249) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %176 = "linalg.generic"(%175, %72) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg84: f32, %arg85: f32):
      %247 = "math.rsqrt"(%arg84) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%247) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %177 = "linalg.generic"(%171, %176, %20) <{indexing_maps = [#map1, #map13, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg81: f32, %arg82: f32, %arg83: f32):
      %246 = "arith.mulf"(%arg81, %arg82) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%246) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x1xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %178 = "linalg.generic"(%arg10, %79) <{indexing_maps = [#map3, #map3], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg79: f32, %arg80: f32):
      %245 = "arith.addf"(%arg79, %11) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%245) : (f32) -> ()
    }) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %179 = "linalg.generic"(%177, %178, %20) <{indexing_maps = [#map1, #map14, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg76: f32, %arg77: f32, %arg78: f32):
      %244 = "arith.mulf"(%arg76, %arg77) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%244) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %180 = "linalg.transpose"(%arg5, %82) <{permutation = array<i64: 1, 0>}> ({
    ^bb0(%arg74: f32, %arg75: f32):
      "linalg.yield"(%arg74) : (f32) -> ()
    }) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %181 = "tensor.collapse_shape"(%179) <{reassociation = [[0, 1], [2]]}> : (tensor<2x12x32xf32>) -> tensor<24x32xf32>
    %182 = "linalg.matmul"(%181, %180, %86) <{indexing_maps = [#map15, #map16, #map], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg71: f32, %arg72: f32, %arg73: f32):
      %242 = "arith.mulf"(%arg71, %arg72) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %243 = "arith.addf"(%arg73, %242) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%243) : (f32) -> ()
    }) : (tensor<24x32xf32>, tensor<32x32xf32>, tensor<24x32xf32>) -> tensor<24x32xf32>
    %183 = "tensor.expand_shape"(%182) <{reassociation = [[0, 1], [2]], static_output_shape = array<i64: 2, 12, 32>}> : (tensor<24x32xf32>) -> tensor<2x12x32xf32>
    %184 = "linalg.generic"(%183, %20) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg69: f32, %arg70: f32):
      %234 = "math.fpowi"(%arg69, %8) <{fastmath = #arith.fastmath<none>}> : (f32, i64) -> f32
      %235 = "arith.mulf"(%234, %9) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %236 = "arith.addf"(%arg69, %235) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %237 = "arith.mulf"(%236, %10) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %238 = "math.tanh"(%237) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      %239 = "arith.addf"(%238, %11) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %240 = "arith.mulf"(%239, %12) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %241 = "arith.mulf"(%arg69, %240) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%241) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %185 = "linalg.transpose"(%arg6, %82) <{permutation = array<i64: 1, 0>}> ({
    ^bb0(%arg67: f32, %arg68: f32):
      "linalg.yield"(%arg67) : (f32) -> ()
    }) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %186 = "linalg.matmul"(%181, %185, %86) <{indexing_maps = [#map15, #map16, #map], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg64: f32, %arg65: f32, %arg66: f32):
      %232 = "arith.mulf"(%arg64, %arg65) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %233 = "arith.addf"(%arg66, %232) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%233) : (f32) -> ()
    }) : (tensor<24x32xf32>, tensor<32x32xf32>, tensor<24x32xf32>) -> tensor<24x32xf32>
    %187 = "tensor.expand_shape"(%186) <{reassociation = [[0, 1], [2]], static_output_shape = array<i64: 2, 12, 32>}> : (tensor<24x32xf32>) -> tensor<2x12x32xf32>
    %188 = "linalg.generic"(%184, %187, %20) <{indexing_maps = [#map1, #map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg61: f32, %arg62: f32, %arg63: f32):
      %231 = "arith.mulf"(%arg61, %arg62) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%231) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %189 = "linalg.transpose"(%arg7, %82) <{permutation = array<i64: 1, 0>}> ({
    ^bb0(%arg59: f32, %arg60: f32):
      "linalg.yield"(%arg59) : (f32) -> ()
    }) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %190 = "tensor.collapse_shape"(%188) <{reassociation = [[0, 1], [2]]}> : (tensor<2x12x32xf32>) -> tensor<24x32xf32>
    %191 = "linalg.matmul"(%190, %189, %86) <{indexing_maps = [#map15, #map16, #map], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg56: f32, %arg57: f32, %arg58: f32):
      %229 = "arith.mulf"(%arg56, %arg57) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %230 = "arith.addf"(%arg58, %229) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%230) : (f32) -> ()
    }) : (tensor<24x32xf32>, tensor<32x32xf32>, tensor<24x32xf32>) -> tensor<24x32xf32>
    %192 = "tensor.expand_shape"(%191) <{reassociation = [[0, 1], [2]], static_output_shape = array<i64: 2, 12, 32>}> : (tensor<24x32xf32>) -> tensor<2x12x32xf32>
    %193 = "linalg.generic"(%192, %20) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg54: f32, %arg55: f32):
      %228 = "math.fpowi"(%arg54, %2) <{fastmath = #arith.fastmath<none>}> : (f32, i64) -> f32
      "linalg.yield"(%228) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %194 = "linalg.generic"(%193, %73) <{indexing_maps = [#map1, #map13], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg52: f32, %arg53: f32):
      %227 = "arith.addf"(%arg52, %arg53) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%227) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %195 = "linalg.generic"(%194, %72) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg50: f32, %arg51: f32):
      %226 = "arith.divf"(%arg50, %17) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%226) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %196 = "linalg.generic"(%195, %72) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg48: f32, %arg49: f32):
      %224 = "arith.truncf"(%16) : (f64) -> f32
      %225 = "arith.addf"(%arg48, %224) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%225) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %197 = "linalg.generic"(%196, %72) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg46: f32, %arg47: f32):
      %223 = "math.rsqrt"(%arg46) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%223) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %198 = "linalg.generic"(%192, %197, %20) <{indexing_maps = [#map1, #map13, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg43: f32, %arg44: f32, %arg45: f32):
      %222 = "arith.mulf"(%arg43, %arg44) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%222) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x1xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %199 = "linalg.generic"(%arg11, %79) <{indexing_maps = [#map3, #map3], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg41: f32, %arg42: f32):
      %221 = "arith.addf"(%arg41, %11) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%221) : (f32) -> ()
    }) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %200 = "linalg.generic"(%198, %199, %20) <{indexing_maps = [#map1, #map14, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg38: f32, %arg39: f32, %arg40: f32):
      %220 = "arith.mulf"(%arg38, %arg39) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%220) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %201 = "linalg.generic"(%171, %200, %20) <{indexing_maps = [#map1, #map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg35: f32, %arg36: f32, %arg37: f32):
      %219 = "arith.addf"(%arg35, %arg36) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%219) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %202 = "linalg.generic"(%201, %20) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg33: f32, %arg34: f32):
      %218 = "math.fpowi"(%arg33, %2) <{fastmath = #arith.fastmath<none>}> : (f32, i64) -> f32
      "linalg.yield"(%218) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %203 = "linalg.generic"(%202, %73) <{indexing_maps = [#map1, #map13], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg31: f32, %arg32: f32):
      %217 = "arith.addf"(%arg31, %arg32) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%217) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %204 = "linalg.generic"(%203, %72) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg29: f32, %arg30: f32):
      %216 = "arith.divf"(%arg29, %17) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%216) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %205 = "linalg.generic"(%204, %72) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg27: f32, %arg28: f32):
      %214 = "arith.truncf"(%16) : (f64) -> f32
      %215 = "arith.addf"(%arg27, %214) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%215) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %206 = "linalg.generic"(%205, %72) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg25: f32, %arg26: f32):
      %213 = "math.rsqrt"(%arg25) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%213) : (f32) -> ()
    }) : (tensor<2x12x1xf32>, tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %207 = "linalg.generic"(%201, %206, %20) <{indexing_maps = [#map1, #map13, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg22: f32, %arg23: f32, %arg24: f32):
      %212 = "arith.mulf"(%arg22, %arg23) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%212) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<2x12x1xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %208 = "linalg.generic"(%arg12, %79) <{indexing_maps = [#map3, #map3], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg20: f32, %arg21: f32):
      %211 = "arith.addf"(%arg20, %11) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%211) : (f32) -> ()
    }) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %209 = "linalg.generic"(%207, %208, %20) <{indexing_maps = [#map1, #map14, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg17: f32, %arg18: f32, %arg19: f32):
      %210 = "arith.mulf"(%arg17, %arg18) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%210) : (f32) -> ()
    }) : (tensor<2x12x32xf32>, tensor<32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    "func.return"(%209) : (tensor<2x12x32xf32>) -> ()
  }) : () -> ()
}) : () -> ()
