// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_grad_table"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}], function_type = (tensor<2x12x2x8xf32>, tensor<2x12x2x8xf32>, tensor<2x12x2x8xf32>, tensor<16x2xf32>, tensor<2x12x2x8xf32>) -> (tensor<2x12x2x8xf32>, tensor<2x12x2x8xf32>, tensor<2x12x2x8xf32>, tensor<2x12x2x8xf32>, tensor<16x2xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x12x2x8xf32>, %arg1: tensor<2x12x2x8xf32>, %arg2: tensor<2x12x2x8xf32>, %arg3: tensor<16x2xf32>, %arg4: tensor<2x12x2x8xf32>):
    %0 = "stablehlo.constant"() <{value = dense<"0x00000000090000000A0000000B0000000C0000000C0000000D0000000D0000000E0000000E0000000E0000000E0000000100000000000000090000000A0000000B0000000C0000000C0000000D0000000D0000000E0000000E0000000E000000020000000100000000000000090000000A0000000B0000000C0000000C0000000D0000000D0000000E0000000E00000003000000020000000100000000000000090000000A0000000B0000000C0000000C0000000D0000000D0000000E0000000400000003000000020000000100000000000000090000000A0000000B0000000C0000000C0000000D0000000D000000040000000400000003000000020000000100000000000000090000000A0000000B0000000C0000000C0000000D00000005000000040000000400000003000000020000000100000000000000090000000A0000000B0000000C0000000C0000000500000005000000040000000400000003000000020000000100000000000000090000000A0000000B0000000C000000060000000500000005000000040000000400000003000000020000000100000000000000090000000A0000000B00000006000000060000000500000005000000040000000400000003000000020000000100000000000000090000000A000000060000000600000006000000050000000500000004000000040000000300000002000000010000000000000009000000060000000600000006000000060000000500000005000000040000000400000003000000020000000100000000000000"> : tensor<12x12xi32>}> : () -> tensor<12x12xi32>
    %1 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<12x12xi32>
    %3 = "stablehlo.compare"(%0, %2) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<12x12xi32>, tensor<12x12xi32>) -> tensor<12x12xi1>
    %4 = "stablehlo.constant"() <{value = dense<16> : tensor<i32>}> : () -> tensor<i32>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<12x12xi32>
    %6 = "stablehlo.add"(%0, %5) : (tensor<12x12xi32>, tensor<12x12xi32>) -> tensor<12x12xi32>
    %7 = "stablehlo.select"(%3, %6, %0) : (tensor<12x12xi1>, tensor<12x12xi32>, tensor<12x12xi32>) -> tensor<12x12xi32>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<12x12xi32>) -> tensor<12x12x1xi32>
    %9 = "stablehlo.gather"(%arg3, %8) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<16x2xf32>, tensor<12x12x1xi32>) -> tensor<12x12x2xf32>
    %10 = "stablehlo.transpose"(%9) <{permutation = array<i64: 2, 0, 1>}> : (tensor<12x12x2xf32>) -> tensor<2x12x12xf32>
    %11 = "stablehlo.dot_general"(%arg0, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x2x8xf32>, tensor<2x12x2x8xf32>) -> tensor<2x2x12x12xf32>
    %12 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<2x12x12xf32>) -> tensor<1x2x12x12xf32>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x12x12xf32>) -> tensor<2x2x12x12xf32>
    %14 = "stablehlo.add"(%11, %13) : (tensor<2x2x12x12xf32>, tensor<2x2x12x12xf32>) -> tensor<2x2x12x12xf32>
    %15 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %16 = "stablehlo.reduce"(%14, %15) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %72 = "stablehlo.maximum"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%72) : (tensor<f32>) -> ()
    }) : (tensor<2x2x12x12xf32>, tensor<f32>) -> tensor<2x2x12xf32>
    %17 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x12xf32>
    %19 = "stablehlo.maximum"(%18, %16) : (tensor<2x2x12xf32>, tensor<2x2x12xf32>) -> tensor<2x2x12xf32>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x2x12xf32>) -> tensor<2x2x12x1xf32>
    %21 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x2x12x1xf32>) -> tensor<2x2x12x12xf32>
    %22 = "stablehlo.subtract"(%14, %21) : (tensor<2x2x12x12xf32>, tensor<2x2x12x12xf32>) -> tensor<2x2x12x12xf32>
    %23 = "stablehlo.exponential"(%22) : (tensor<2x2x12x12xf32>) -> tensor<2x2x12x12xf32>
    %24 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %25 = "stablehlo.reduce"(%23, %24) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg15: tensor<f32>, %arg16: tensor<f32>):
      %71 = "stablehlo.add"(%arg15, %arg16) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%71) : (tensor<f32>) -> ()
    }) : (tensor<2x2x12x12xf32>, tensor<f32>) -> tensor<2x2x12xf32>
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x2x12xf32>) -> tensor<2x2x12x1xf32>
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x2x12x1xf32>) -> tensor<2x2x12x12xf32>
    %28 = "stablehlo.divide"(%23, %27) : (tensor<2x2x12x12xf32>, tensor<2x2x12x12xf32>) -> tensor<2x2x12x12xf32>
    %29 = "stablehlo.multiply"(%26, %26) : (tensor<2x2x12x1xf32>, tensor<2x2x12x1xf32>) -> tensor<2x2x12x1xf32>
    %30 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x12x1xf32>
    %32 = "stablehlo.divide"(%31, %29) : (tensor<2x2x12x1xf32>, tensor<2x2x12x1xf32>) -> tensor<2x2x12x1xf32>
    %33 = "stablehlo.dot_general"(%arg2, %28) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x2x8xf32>, tensor<2x2x12x12xf32>) -> tensor<2x2x8x12xf32>
    %34 = "stablehlo.transpose"(%33) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x2x8x12xf32>) -> tensor<2x12x2x8xf32>
    %35 = "stablehlo.transpose"(%arg4) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<2x12x2x8xf32>) -> tensor<2x2x8x12xf32>
    %36 = "stablehlo.dot_general"(%35, %arg2) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x2x8x12xf32>, tensor<2x12x2x8xf32>) -> tensor<2x2x12x12xf32>
    %37 = "stablehlo.dot_general"(%35, %28) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x2x8x12xf32>, tensor<2x2x12x12xf32>) -> tensor<2x2x8x12xf32>
    %38 = "stablehlo.transpose"(%37) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x2x8x12xf32>) -> tensor<2x12x2x8xf32>
    %39 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x2x12x1xf32>) -> tensor<2x2x12x12xf32>
    %40 = "stablehlo.multiply"(%36, %39) : (tensor<2x2x12x12xf32>, tensor<2x2x12x12xf32>) -> tensor<2x2x12x12xf32>
    %41 = "stablehlo.multiply"(%40, %23) : (tensor<2x2x12x12xf32>, tensor<2x2x12x12xf32>) -> tensor<2x2x12x12xf32>
    %42 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %43 = "stablehlo.reduce"(%41, %42) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %70 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%70) : (tensor<f32>) -> ()
    }) : (tensor<2x2x12x12xf32>, tensor<f32>) -> tensor<2x2x12xf32>
    %44 = "stablehlo.reshape"(%43) : (tensor<2x2x12xf32>) -> tensor<2x2x12x1xf32>
    %45 = "stablehlo.negate"(%44) : (tensor<2x2x12x1xf32>) -> tensor<2x2x12x1xf32>
    %46 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x2x12x1xf32>) -> tensor<2x2x12x12xf32>
    %47 = "stablehlo.divide"(%36, %46) : (tensor<2x2x12x12xf32>, tensor<2x2x12x12xf32>) -> tensor<2x2x12x12xf32>
    %48 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %49 = "stablehlo.reduce"(%45, %48) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %69 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%69) : (tensor<f32>) -> ()
    }) : (tensor<2x2x12x1xf32>, tensor<f32>) -> tensor<2x2x12xf32>
    %50 = "stablehlo.broadcast_in_dim"(%49) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x2x12xf32>) -> tensor<2x2x12x12xf32>
    %51 = "stablehlo.add"(%47, %50) : (tensor<2x2x12x12xf32>, tensor<2x2x12x12xf32>) -> tensor<2x2x12x12xf32>
    %52 = "stablehlo.multiply"(%51, %23) : (tensor<2x2x12x12xf32>, tensor<2x2x12x12xf32>) -> tensor<2x2x12x12xf32>
    %53 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %54 = "stablehlo.reduce"(%52, %53) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %68 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%68) : (tensor<f32>) -> ()
    }) : (tensor<2x2x12x12xf32>, tensor<f32>) -> tensor<2x12x12xf32>
    %55 = "stablehlo.reshape"(%54) : (tensor<2x12x12xf32>) -> tensor<1x2x12x12xf32>
    %56 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %57 = "stablehlo.reduce"(%55, %56) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %67 = "stablehlo.add"(%arg7, %arg8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%67) : (tensor<f32>) -> ()
    }) : (tensor<1x2x12x12xf32>, tensor<f32>) -> tensor<2x12x12xf32>
    %58 = "stablehlo.dot_general"(%52, %arg0) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x2x12x12xf32>, tensor<2x12x2x8xf32>) -> tensor<2x2x12x8xf32>
    %59 = "stablehlo.transpose"(%58) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x2x12x8xf32>) -> tensor<2x12x2x8xf32>
    %60 = "stablehlo.dot_general"(%52, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x2x12x12xf32>, tensor<2x12x2x8xf32>) -> tensor<2x2x12x8xf32>
    %61 = "stablehlo.transpose"(%60) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x2x12x8xf32>) -> tensor<2x12x2x8xf32>
    %62 = "stablehlo.transpose"(%57) <{permutation = array<i64: 1, 2, 0>}> : (tensor<2x12x12xf32>) -> tensor<12x12x2xf32>
    %63 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %64 = "stablehlo.broadcast_in_dim"(%63) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x2xf32>
    %65 = "stablehlo.scatter"(%64, %8, %62) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %66 = "stablehlo.add"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%66) : (tensor<f32>) -> ()
    }) : (tensor<16x2xf32>, tensor<12x12x1xi32>, tensor<12x12x2xf32>) -> tensor<16x2xf32>
    "func.return"(%34, %61, %59, %38, %65) : (tensor<2x12x2x8xf32>, tensor<2x12x2x8xf32>, tensor<2x12x2x8xf32>, tensor<2x12x2x8xf32>, tensor<16x2xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
