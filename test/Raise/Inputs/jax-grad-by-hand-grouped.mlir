// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_grad_by_hand_grouped"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}], function_type = (tensor<2x24x4x16xbf16>, tensor<2x24x2x16xbf16>, tensor<2x24x2x12xbf16>, tensor<2x24x4x12xbf16>) -> (tensor<2x24x4x12xbf16>, tensor<2x24x4x16xbf16>, tensor<2x24x2x16xbf16>, tensor<2x24x2x12xbf16>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x24x4x16xbf16>, %arg1: tensor<2x24x2x16xbf16>, %arg2: tensor<2x24x2x12xbf16>, %arg3: tensor<2x24x4x12xbf16>):
    %0 = "stablehlo.reshape"(%arg0) : (tensor<2x24x4x16xbf16>) -> tensor<2x24x2x2x16xbf16>
    %1 = "stablehlo.reshape"(%arg3) : (tensor<2x24x4x12xbf16>) -> tensor<2x24x2x2x12xbf16>
    %2 = "stablehlo.dot_general"(%arg1, %0) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [4]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x2x16xbf16>, tensor<2x24x2x2x16xbf16>) -> tensor<2x2x24x24x2xbf16>
    %3 = "stablehlo.transpose"(%2) <{permutation = array<i64: 0, 1, 4, 3, 2>}> : (tensor<2x2x24x24x2xbf16>) -> tensor<2x2x2x24x24xbf16>
    %4 = "stablehlo.convert"(%3) : (tensor<2x2x2x24x24xbf16>) -> tensor<2x2x2x24x24xf32>
    %5 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x2x24x24xf32>
    %7 = "stablehlo.multiply"(%4, %6) : (tensor<2x2x2x24x24xf32>, tensor<2x2x2x24x24xf32>) -> tensor<2x2x2x24x24xf32>
    %8 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %9 = "stablehlo.reduce"(%7, %8) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %49 = "stablehlo.maximum"(%arg6, %arg7) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%49) : (tensor<f32>) -> ()
    }) : (tensor<2x2x2x24x24xf32>, tensor<f32>) -> tensor<2x2x2x24xf32>
    %10 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x2x24xf32>
    %12 = "stablehlo.maximum"(%11, %9) : (tensor<2x2x2x24xf32>, tensor<2x2x2x24xf32>) -> tensor<2x2x2x24xf32>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x2x2x24xf32>) -> tensor<2x2x2x24x1xf32>
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<2x2x2x24x1xf32>) -> tensor<2x2x2x24x24xf32>
    %15 = "stablehlo.subtract"(%7, %14) : (tensor<2x2x2x24x24xf32>, tensor<2x2x2x24x24xf32>) -> tensor<2x2x2x24x24xf32>
    %16 = "stablehlo.exponential"(%15) : (tensor<2x2x2x24x24xf32>) -> tensor<2x2x2x24x24xf32>
    %17 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %18 = "stablehlo.reduce"(%16, %17) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %48 = "stablehlo.add"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%48) : (tensor<f32>) -> ()
    }) : (tensor<2x2x2x24x24xf32>, tensor<f32>) -> tensor<2x2x2x24xf32>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x2x2x24xf32>) -> tensor<2x2x2x24x1xf32>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<2x2x2x24x1xf32>) -> tensor<2x2x2x24x24xf32>
    %21 = "stablehlo.divide"(%16, %20) : (tensor<2x2x2x24x24xf32>, tensor<2x2x2x24x24xf32>) -> tensor<2x2x2x24x24xf32>
    %22 = "stablehlo.convert"(%21) : (tensor<2x2x2x24x24xf32>) -> tensor<2x2x2x24x24xbf16>
    %23 = "stablehlo.dot_general"(%arg2, %22) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [4]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x2x12xbf16>, tensor<2x2x2x24x24xbf16>) -> tensor<2x2x12x2x24xbf16>
    %24 = "stablehlo.transpose"(%23) <{permutation = array<i64: 0, 4, 1, 3, 2>}> : (tensor<2x2x12x2x24xbf16>) -> tensor<2x24x2x2x12xbf16>
    %25 = "stablehlo.convert"(%1) : (tensor<2x24x2x2x12xbf16>) -> tensor<2x24x2x2x12xf32>
    %26 = "stablehlo.convert"(%24) : (tensor<2x24x2x2x12xbf16>) -> tensor<2x24x2x2x12xf32>
    %27 = "stablehlo.dot_general"(%25, %26) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2, 3, 1], rhs_batching_dimensions = [0, 2, 3, 1], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [4]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x2x2x12xf32>, tensor<2x24x2x2x12xf32>) -> tensor<2x2x2x24xf32>
    %28 = "stablehlo.dot_general"(%arg2, %1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [4]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x2x12xbf16>, tensor<2x24x2x2x12xbf16>) -> tensor<2x2x24x24x2xbf16>
    %29 = "stablehlo.transpose"(%28) <{permutation = array<i64: 0, 1, 4, 3, 2>}> : (tensor<2x2x24x24x2xbf16>) -> tensor<2x2x2x24x24xbf16>
    %30 = "stablehlo.convert"(%29) : (tensor<2x2x2x24x24xbf16>) -> tensor<2x2x2x24x24xf32>
    %31 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x2x2x24xf32>) -> tensor<2x2x2x24x1xf32>
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<2x2x2x24x1xf32>) -> tensor<2x2x2x24x24xf32>
    %33 = "stablehlo.subtract"(%30, %32) : (tensor<2x2x2x24x24xf32>, tensor<2x2x2x24x24xf32>) -> tensor<2x2x2x24x24xf32>
    %34 = "stablehlo.multiply"(%21, %33) : (tensor<2x2x2x24x24xf32>, tensor<2x2x2x24x24xf32>) -> tensor<2x2x2x24x24xf32>
    %35 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x2x24x24xf32>
    %37 = "stablehlo.multiply"(%34, %36) : (tensor<2x2x2x24x24xf32>, tensor<2x2x2x24x24xf32>) -> tensor<2x2x2x24x24xf32>
    %38 = "stablehlo.convert"(%37) : (tensor<2x2x2x24x24xf32>) -> tensor<2x2x2x24x24xbf16>
    %39 = "stablehlo.reshape"(%24) : (tensor<2x24x2x2x12xbf16>) -> tensor<2x24x4x12xbf16>
    %40 = "stablehlo.dot_general"(%arg1, %38) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [4]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x2x16xbf16>, tensor<2x2x2x24x24xbf16>) -> tensor<2x2x16x2x24xbf16>
    %41 = "stablehlo.transpose"(%40) <{permutation = array<i64: 0, 4, 1, 3, 2>}> : (tensor<2x2x16x2x24xbf16>) -> tensor<2x24x2x2x16xbf16>
    %42 = "stablehlo.reshape"(%41) : (tensor<2x24x2x2x16xbf16>) -> tensor<2x24x4x16xbf16>
    %43 = "stablehlo.dot_general"(%0, %38) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3, 1], rhs_contracting_dimensions = [2, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x2x2x16xbf16>, tensor<2x2x2x24x24xbf16>) -> tensor<2x2x16x24xbf16>
    %44 = "stablehlo.transpose"(%43) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x2x16x24xbf16>) -> tensor<2x24x2x16xbf16>
    %45 = "stablehlo.convert"(%21) : (tensor<2x2x2x24x24xf32>) -> tensor<2x2x2x24x24xbf16>
    %46 = "stablehlo.dot_general"(%1, %45) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3, 1], rhs_contracting_dimensions = [2, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x2x2x12xbf16>, tensor<2x2x2x24x24xbf16>) -> tensor<2x2x12x24xbf16>
    %47 = "stablehlo.transpose"(%46) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x2x12x24xbf16>) -> tensor<2x24x2x12xbf16>
    "func.return"(%39, %42, %44, %47) : (tensor<2x24x4x12xbf16>, tensor<2x24x4x16xbf16>, tensor<2x24x2x16xbf16>, tensor<2x24x2x12xbf16>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
