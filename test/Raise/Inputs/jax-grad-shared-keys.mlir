// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_grad_shared_keys"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}], function_type = (tensor<3x8x2x16xf32>, tensor<12x2x16xf32>, tensor<3x12x2x16xf32>, tensor<3x8x2x16xf32>) -> (tensor<3x8x2x16xf32>, tensor<3x8x2x16xf32>, tensor<12x2x16xf32>, tensor<3x12x2x16xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<3x8x2x16xf32>, %arg1: tensor<12x2x16xf32>, %arg2: tensor<3x12x2x16xf32>, %arg3: tensor<3x8x2x16xf32>):
    %0 = "stablehlo.dot_general"(%arg1, %arg0) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [1], rhs_batching_dimensions = [2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<12x2x16xf32>, tensor<3x8x2x16xf32>) -> tensor<2x12x3x8xf32>
    %1 = "stablehlo.transpose"(%0) <{permutation = array<i64: 2, 0, 3, 1>}> : (tensor<2x12x3x8xf32>) -> tensor<3x2x8x12xf32>
    %2 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x2x8x12xf32>
    %4 = "stablehlo.multiply"(%1, %3) : (tensor<3x2x8x12xf32>, tensor<3x2x8x12xf32>) -> tensor<3x2x8x12xf32>
    %5 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %6 = "stablehlo.reduce"(%4, %5) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %54 = "stablehlo.maximum"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%54) : (tensor<f32>) -> ()
    }) : (tensor<3x2x8x12xf32>, tensor<f32>) -> tensor<3x2x8xf32>
    %7 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x2x8xf32>
    %9 = "stablehlo.maximum"(%8, %6) : (tensor<3x2x8xf32>, tensor<3x2x8xf32>) -> tensor<3x2x8xf32>
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<3x2x8xf32>) -> tensor<3x2x8x1xf32>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<3x2x8x1xf32>) -> tensor<3x2x8x12xf32>
    %12 = "stablehlo.subtract"(%4, %11) : (tensor<3x2x8x12xf32>, tensor<3x2x8x12xf32>) -> tensor<3x2x8x12xf32>
    %13 = "stablehlo.exponential"(%12) : (tensor<3x2x8x12xf32>) -> tensor<3x2x8x12xf32>
    %14 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %15 = "stablehlo.reduce"(%13, %14) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %53 = "stablehlo.add"(%arg8, %arg9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%53) : (tensor<f32>) -> ()
    }) : (tensor<3x2x8x12xf32>, tensor<f32>) -> tensor<3x2x8xf32>
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<3x2x8xf32>) -> tensor<3x2x8x1xf32>
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<3x2x8x1xf32>) -> tensor<3x2x8x12xf32>
    %18 = "stablehlo.divide"(%13, %17) : (tensor<3x2x8x12xf32>, tensor<3x2x8x12xf32>) -> tensor<3x2x8x12xf32>
    %19 = "stablehlo.multiply"(%16, %16) : (tensor<3x2x8x1xf32>, tensor<3x2x8x1xf32>) -> tensor<3x2x8x1xf32>
    %20 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %21 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x2x8x1xf32>
    %22 = "stablehlo.divide"(%21, %19) : (tensor<3x2x8x1xf32>, tensor<3x2x8x1xf32>) -> tensor<3x2x8x1xf32>
    %23 = "stablehlo.dot_general"(%arg2, %18) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3x12x2x16xf32>, tensor<3x2x8x12xf32>) -> tensor<3x2x16x8xf32>
    %24 = "stablehlo.transpose"(%23) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<3x2x16x8xf32>) -> tensor<3x8x2x16xf32>
    %25 = "stablehlo.transpose"(%arg3) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<3x8x2x16xf32>) -> tensor<3x2x16x8xf32>
    %26 = "stablehlo.dot_general"(%25, %arg2) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3x2x16x8xf32>, tensor<3x12x2x16xf32>) -> tensor<3x2x8x12xf32>
    %27 = "stablehlo.dot_general"(%25, %18) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3x2x16x8xf32>, tensor<3x2x8x12xf32>) -> tensor<3x2x16x12xf32>
    %28 = "stablehlo.transpose"(%27) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<3x2x16x12xf32>) -> tensor<3x12x2x16xf32>
    %29 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<3x2x8x1xf32>) -> tensor<3x2x8x12xf32>
    %30 = "stablehlo.multiply"(%26, %29) : (tensor<3x2x8x12xf32>, tensor<3x2x8x12xf32>) -> tensor<3x2x8x12xf32>
    %31 = "stablehlo.multiply"(%30, %13) : (tensor<3x2x8x12xf32>, tensor<3x2x8x12xf32>) -> tensor<3x2x8x12xf32>
    %32 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %33 = "stablehlo.reduce"(%31, %32) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %52 = "stablehlo.add"(%arg6, %arg7) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%52) : (tensor<f32>) -> ()
    }) : (tensor<3x2x8x12xf32>, tensor<f32>) -> tensor<3x2x8xf32>
    %34 = "stablehlo.reshape"(%33) : (tensor<3x2x8xf32>) -> tensor<3x2x8x1xf32>
    %35 = "stablehlo.negate"(%34) : (tensor<3x2x8x1xf32>) -> tensor<3x2x8x1xf32>
    %36 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<3x2x8x1xf32>) -> tensor<3x2x8x12xf32>
    %37 = "stablehlo.divide"(%26, %36) : (tensor<3x2x8x12xf32>, tensor<3x2x8x12xf32>) -> tensor<3x2x8x12xf32>
    %38 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %39 = "stablehlo.reduce"(%35, %38) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %51 = "stablehlo.add"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%51) : (tensor<f32>) -> ()
    }) : (tensor<3x2x8x1xf32>, tensor<f32>) -> tensor<3x2x8xf32>
    %40 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<3x2x8xf32>) -> tensor<3x2x8x12xf32>
    %41 = "stablehlo.add"(%37, %40) : (tensor<3x2x8x12xf32>, tensor<3x2x8x12xf32>) -> tensor<3x2x8x12xf32>
    %42 = "stablehlo.multiply"(%41, %13) : (tensor<3x2x8x12xf32>, tensor<3x2x8x12xf32>) -> tensor<3x2x8x12xf32>
    %43 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %44 = "stablehlo.broadcast_in_dim"(%43) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x2x8x12xf32>
    %45 = "stablehlo.multiply"(%42, %44) : (tensor<3x2x8x12xf32>, tensor<3x2x8x12xf32>) -> tensor<3x2x8x12xf32>
    %46 = "stablehlo.transpose"(%45) <{permutation = array<i64: 1, 3, 0, 2>}> : (tensor<3x2x8x12xf32>) -> tensor<2x12x3x8xf32>
    %47 = "stablehlo.dot_general"(%46, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x3x8xf32>, tensor<12x2x16xf32>) -> tensor<2x3x8x16xf32>
    %48 = "stablehlo.transpose"(%47) <{permutation = array<i64: 1, 2, 0, 3>}> : (tensor<2x3x8x16xf32>) -> tensor<3x8x2x16xf32>
    %49 = "stablehlo.dot_general"(%46, %arg0) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [2], lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x3x8xf32>, tensor<3x8x2x16xf32>) -> tensor<2x12x16xf32>
    %50 = "stablehlo.transpose"(%49) <{permutation = array<i64: 1, 0, 2>}> : (tensor<2x12x16xf32>) -> tensor<12x2x16xf32>
    "func.return"(%24, %48, %50, %28) : (tensor<3x8x2x16xf32>, tensor<3x8x2x16xf32>, tensor<12x2x16xf32>, tensor<3x12x2x16xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
