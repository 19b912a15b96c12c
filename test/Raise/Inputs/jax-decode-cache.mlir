// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_decode_cache"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}, {}], function_type = (tensor<2x1x4x16xf32>, tensor<2x32x2x16xf32>, tensor<2x32x2x16xf32>, tensor<2x1x2x16xf32>, tensor<2x1x2x16xf32>, tensor<i32>) -> tensor<2x1x4x16xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg3: tensor<2x1x4x16xf32>, %arg4: tensor<2x32x2x16xf32>, %arg5: tensor<2x32x2x16xf32>, %arg6: tensor<2x1x2x16xf32>, %arg7: tensor<2x1x2x16xf32>, %arg8: tensor<i32>):
    %4 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %5 = "stablehlo.compare"(%arg8, %4) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %6 = "stablehlo.constant"() <{value = dense<32> : tensor<i32>}> : () -> tensor<i32>
    %7 = "stablehlo.add"(%arg8, %6) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %8 = "stablehlo.select"(%5, %7, %arg8) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %9 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %10 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %11 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %12 = "stablehlo.dynamic_update_slice"(%arg4, %arg6, %9, %8, %10, %11) : (tensor<2x32x2x16xf32>, tensor<2x1x2x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x32x2x16xf32>
    %13 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %14 = "stablehlo.compare"(%arg8, %13) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %15 = "stablehlo.constant"() <{value = dense<32> : tensor<i32>}> : () -> tensor<i32>
    %16 = "stablehlo.add"(%arg8, %15) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %17 = "stablehlo.select"(%14, %16, %arg8) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %18 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %19 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %20 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %21 = "stablehlo.dynamic_update_slice"(%arg5, %arg7, %18, %17, %19, %20) : (tensor<2x32x2x16xf32>, tensor<2x1x2x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x32x2x16xf32>
    %22 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<32xi32>
    %23 = "stablehlo.broadcast_in_dim"(%arg8) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %24 = "stablehlo.compare"(%22, %23) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi1>
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64: 3>}> : (tensor<32xi1>) -> tensor<2x1x1x32xi1>
    %26 = "stablehlo.reshape"(%arg3) : (tensor<2x1x4x16xf32>) -> tensor<2x1x2x2x16xf32>
    %27 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64: 0, 1, 3, 4>}> : (tensor<2x1x1x32xi1>) -> tensor<2x1x1x1x32xi1>
    %28 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<2x1x1x1x32xi1>) -> tensor<2x1x2x1x32xi1>
    %29 = "stablehlo.dot_general"(%26, %12) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x1x2x2x16xf32>, tensor<2x32x2x16xf32>) -> tensor<2x2x1x2x32xf32>
    %30 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x1x2x32xf32>
    %32 = "stablehlo.multiply"(%29, %31) : (tensor<2x2x1x2x32xf32>, tensor<2x2x1x2x32xf32>) -> tensor<2x2x1x2x32xf32>
    %33 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %34 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<2x2x1x32xi1>
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x2x1x32xi1>) -> tensor<1x2x2x1x32xi1>
    %36 = "stablehlo.transpose"(%28) <{permutation = array<i64: 2, 0, 1, 3, 4>}> : (tensor<2x1x2x1x32xi1>) -> tensor<2x2x1x1x32xi1>
    %37 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x2x1x32xi1>) -> tensor<2x2x2x1x32xi1>
    %38 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<2x2x1x1x32xi1>) -> tensor<2x2x2x1x32xi1>
    %39 = "stablehlo.and"(%37, %38) : (tensor<2x2x2x1x32xi1>, tensor<2x2x2x1x32xi1>) -> tensor<2x2x2x1x32xi1>
    %40 = "stablehlo.constant"() <{value = dense<-2.38197633E+38> : tensor<f32>}> : () -> tensor<f32>
    %41 = "func.call"(%39, %32, %40) <{callee = @_where}> : (tensor<2x2x2x1x32xi1>, tensor<2x2x1x2x32xf32>, tensor<f32>) -> tensor<2x2x2x1x32xf32>
    %42 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %43 = "stablehlo.reduce"(%41, %42) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %61 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%61) : (tensor<f32>) -> ()
    }) : (tensor<2x2x2x1x32xf32>, tensor<f32>) -> tensor<2x2x2x1xf32>
    %44 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %45 = "stablehlo.broadcast_in_dim"(%44) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x2x1xf32>
    %46 = "stablehlo.maximum"(%45, %43) : (tensor<2x2x2x1xf32>, tensor<2x2x2x1xf32>) -> tensor<2x2x2x1xf32>
    %47 = "stablehlo.broadcast_in_dim"(%46) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x2x2x1xf32>) -> tensor<2x2x2x1x1xf32>
    %48 = "stablehlo.broadcast_in_dim"(%47) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<2x2x2x1x1xf32>) -> tensor<2x2x2x1x32xf32>
    %49 = "stablehlo.subtract"(%41, %48) : (tensor<2x2x2x1x32xf32>, tensor<2x2x2x1x32xf32>) -> tensor<2x2x2x1x32xf32>
    %50 = "stablehlo.exponential"(%49) : (tensor<2x2x2x1x32xf32>) -> tensor<2x2x2x1x32xf32>
    %51 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %52 = "stablehlo.reduce"(%50, %51) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %60 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%60) : (tensor<f32>) -> ()
    }) : (tensor<2x2x2x1x32xf32>, tensor<f32>) -> tensor<2x2x2x1xf32>
    %53 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x2x2x1xf32>) -> tensor<2x2x2x1x1xf32>
    %54 = "stablehlo.broadcast_in_dim"(%53) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<2x2x2x1x1xf32>) -> tensor<2x2x2x1x32xf32>
    %55 = "stablehlo.divide"(%50, %54) : (tensor<2x2x2x1x32xf32>, tensor<2x2x2x1x32xf32>) -> tensor<2x2x2x1x32xf32>
    %56 = "stablehlo.dot_general"(%21, %55) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [1, 2], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [4]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x2x16xf32>, tensor<2x2x2x1x32xf32>) -> tensor<2x2x16x2x1xf32>
    %57 = "stablehlo.transpose"(%56) <{permutation = array<i64: 3, 0, 4, 1, 2>}> : (tensor<2x2x16x2x1xf32>) -> tensor<2x2x1x2x16xf32>
    %58 = "stablehlo.transpose"(%57) <{permutation = array<i64: 1, 2, 3, 0, 4>}> : (tensor<2x2x1x2x16xf32>) -> tensor<2x1x2x2x16xf32>
    %59 = "stablehlo.reshape"(%58) : (tensor<2x1x2x2x16xf32>) -> tensor<2x1x4x16xf32>
    "func.return"(%59) : (tensor<2x1x4x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x2x2x1x32xi1>, tensor<2x2x1x2x32xf32>, tensor<f32>) -> tensor<2x2x2x1x32xf32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x2x2x1x32xi1>, %arg1: tensor<2x2x1x2x32xf32>, %arg2: tensor<f32>):
    %0 = "stablehlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x1x32xf32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x2x1x32xf32>) -> tensor<2x2x2x1x32xf32>
    %2 = "stablehlo.transpose"(%arg1) <{permutation = array<i64: 3, 0, 1, 2, 4>}> : (tensor<2x2x1x2x32xf32>) -> tensor<2x2x2x1x32xf32>
    %3 = "stablehlo.select"(%arg0, %2, %1) : (tensor<2x2x2x1x32xi1>, tensor<2x2x2x1x32xf32>, tensor<2x2x2x1x32xf32>) -> tensor<2x2x2x1x32xf32>
    "func.return"(%3) : (tensor<2x2x2x1x32xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
