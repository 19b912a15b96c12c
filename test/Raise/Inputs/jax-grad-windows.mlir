// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_grad_windows"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}], function_type = (tensor<8x2x9x8xf32>, tensor<8x2x9x8xf32>, tensor<8x2x9x8xf32>, tensor<25x2xf32>, tensor<8x2x9x8xf32>) -> (tensor<8x2x9x8xf32>, tensor<8x2x9x8xf32>, tensor<8x2x9x8xf32>, tensor<8x2x9x8xf32>, tensor<25x2xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<8x2x9x8xf32>, %arg1: tensor<8x2x9x8xf32>, %arg2: tensor<8x2x9x8xf32>, %arg3: tensor<25x2xf32>, %arg4: tensor<8x2x9x8xf32>):
    %0 = "stablehlo.constant"() <{value = dense<[12, 11, 10, 7, 6, 5, 2, 1, 0, 13, 12, 11, 8, 7, 6, 3, 2, 1, 14, 13, 12, 9, 8, 7, 4, 3, 2, 17, 16, 15, 12, 11, 10, 7, 6, 5, 18, 17, 16, 13, 12, 11, 8, 7, 6, 19, 18, 17, 14, 13, 12, 9, 8, 7, 22, 21, 20, 17, 16, 15, 12, 11, 10, 23, 22, 21, 18, 17, 16, 13, 12, 11, 24, 23, 22, 19, 18, 17, 14, 13, 12]> : tensor<81xi32>}> : () -> tensor<81xi32>
    %1 = "stablehlo.constant"() <{value = dense<false> : tensor<81xi1>}> : () -> tensor<81xi1>
    %2 = "stablehlo.constant"() <{value = dense<"0x00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000C8C200000000000000000000C8C200000000000000000000C8C200000000000000000000C8C200000000000000000000C8C200000000000000000000C8C20000C8C20000C8C2000000000000C8C20000C8C2000000000000C8C20000C8C20000000000000000000000000000C8C200000000000000000000C8C200000000000000000000C8C200000000000000000000C8C200000000000000000000C8C200000000000000000000C8C20000C8C20000C8C2000000000000C8C20000C8C2000000000000C8C20000C8C20000000000000000000000000000C8C200000000000000000000C8C200000000000000000000C8C200000000000000000000C8C200000000000000000000C8C200000000000000000000C8C20000C8C20000C8C2000000000000C8C20000C8C2000000000000C8C20000C8C2000000000000000000000000000000000000000000000000000000000000C8C20000C8C20000C8C20000000000000000000000000000000000000000000000000000C8C20000C8C20000C8C20000000000000000000000000000000000000000000000000000C8C20000C8C20000C8C20000000000000000000000000000000000000000000000000000C8C20000C8C20000C8C20000000000000000000000000000000000000000000000000000C8C20000C8C20000C8C20000000000000000000000000000000000000000000000000000C8C20000C8C20000C8C20000C8C20000C8C20000C8C20000C8C20000C8C20000C8C20000000000000000000000000000C8C20000C8C20000C8C20000C8C20000C8C20000C8C20000000000000000000000000000C8C20000C8C20000C8C20000C8C20000C8C20000C8C200000000000000000000000000000000000000000000C8C200000000000000000000C8C20000C8C20000C8C20000C8C200000000000000000000C8C200000000000000000000C8C20000C8C20000C8C20000C8C20000C8C20000C8C2000000000000C8C20000C8C2000000000000C8C20000C8C20000C8C200000000000000000000C8C200000000000000000000C8C20000C8C20000C8C20000C8C200000000000000000000C8C200000000000000000000C8C20000C8C20000C8C20000C8C20000C8C20000C8C2000000000000C8C20000C8C2000000000000C8C20000C8C20000C8C20000C8C20000C8C20000C8C20000C8C20000C8C20000C8C200000000000000000000C8C20000C8C20000C8C20000C8C20000C8C20000C8C20000C8C200000000000000000000C8C20000C8C20000C8C20000C8C20000C8C20000C8C20000C8C20000C8C20000C8C200000000"> : tensor<4x9x9xf32>}> : () -> tensor<4x9x9xf32>
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64: 0, 2, 3>}> : (tensor<4x9x9xf32>) -> tensor<4x1x9x9xf32>
    %4 = "stablehlo.constant"() <{value = dense<25> : tensor<i32>}> : () -> tensor<i32>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<81xi32>
    %6 = "stablehlo.add"(%0, %5) : (tensor<81xi32>, tensor<81xi32>) -> tensor<81xi32>
    %7 = "stablehlo.select"(%1, %6, %0) : (tensor<81xi1>, tensor<81xi32>, tensor<81xi32>) -> tensor<81xi32>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64: 0>}> : (tensor<81xi32>) -> tensor<81x1xi32>
    %9 = "stablehlo.gather"(%arg3, %8) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<25x2xf32>, tensor<81x1xi32>) -> tensor<81x2xf32>
    %10 = "stablehlo.reshape"(%9) : (tensor<81x2xf32>) -> tensor<9x9x2xf32>
    %11 = "stablehlo.transpose"(%10) <{permutation = array<i64: 2, 0, 1>}> : (tensor<9x9x2xf32>) -> tensor<2x9x9xf32>
    %12 = "stablehlo.constant"() <{value = dense<0.353553385> : tensor<f32>}> : () -> tensor<f32>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x2x9x8xf32>
    %14 = "stablehlo.multiply"(%arg0, %13) : (tensor<8x2x9x8xf32>, tensor<8x2x9x8xf32>) -> tensor<8x2x9x8xf32>
    %15 = "stablehlo.transpose"(%arg1) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<8x2x9x8xf32>) -> tensor<8x2x8x9xf32>
    %16 = "stablehlo.dot_general"(%14, %15) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x2x9x8xf32>, tensor<8x2x8x9xf32>) -> tensor<8x2x9x9xf32>
    %17 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<2x9x9xf32>) -> tensor<1x2x9x9xf32>
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x9x9xf32>) -> tensor<8x2x9x9xf32>
    %19 = "stablehlo.add"(%16, %18) : (tensor<8x2x9x9xf32>, tensor<8x2x9x9xf32>) -> tensor<8x2x9x9xf32>
    %20 = "stablehlo.reshape"(%19) : (tensor<8x2x9x9xf32>) -> tensor<2x4x2x9x9xf32>
    %21 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<4x1x9x9xf32>) -> tensor<1x4x1x9x9xf32>
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x4x1x9x9xf32>) -> tensor<2x4x2x9x9xf32>
    %23 = "stablehlo.add"(%20, %22) : (tensor<2x4x2x9x9xf32>, tensor<2x4x2x9x9xf32>) -> tensor<2x4x2x9x9xf32>
    %24 = "stablehlo.reshape"(%23) : (tensor<2x4x2x9x9xf32>) -> tensor<8x2x9x9xf32>
    %25 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %26 = "stablehlo.reduce"(%24, %25) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %86 = "stablehlo.maximum"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%86) : (tensor<f32>) -> ()
    }) : (tensor<8x2x9x9xf32>, tensor<f32>) -> tensor<8x2x9xf32>
    %27 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %28 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x2x9xf32>
    %29 = "stablehlo.maximum"(%28, %26) : (tensor<8x2x9xf32>, tensor<8x2x9xf32>) -> tensor<8x2x9xf32>
    %30 = "stablehlo.broadcast_in_dim"(%29) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<8x2x9xf32>) -> tensor<8x2x9x1xf32>
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<8x2x9x1xf32>) -> tensor<8x2x9x9xf32>
    %32 = "stablehlo.subtract"(%24, %31) : (tensor<8x2x9x9xf32>, tensor<8x2x9x9xf32>) -> tensor<8x2x9x9xf32>
    %33 = "stablehlo.exponential"(%32) : (tensor<8x2x9x9xf32>) -> tensor<8x2x9x9xf32>
    %34 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %35 = "stablehlo.reduce"(%33, %34) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg15: tensor<f32>, %arg16: tensor<f32>):
      %85 = "stablehlo.add"(%arg15, %arg16) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%85) : (tensor<f32>) -> ()
    }) : (tensor<8x2x9x9xf32>, tensor<f32>) -> tensor<8x2x9xf32>
    %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<8x2x9xf32>) -> tensor<8x2x9x1xf32>
    %37 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<8x2x9x1xf32>) -> tensor<8x2x9x9xf32>
    %38 = "stablehlo.divide"(%33, %37) : (tensor<8x2x9x9xf32>, tensor<8x2x9x9xf32>) -> tensor<8x2x9x9xf32>
    %39 = "stablehlo.multiply"(%36, %36) : (tensor<8x2x9x1xf32>, tensor<8x2x9x1xf32>) -> tensor<8x2x9x1xf32>
    %40 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %41 = "stablehlo.broadcast_in_dim"(%40) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x2x9x1xf32>
    %42 = "stablehlo.divide"(%41, %39) : (tensor<8x2x9x1xf32>, tensor<8x2x9x1xf32>) -> tensor<8x2x9x1xf32>
    %43 = "stablehlo.dot_general"(%38, %arg2) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x2x9x9xf32>, tensor<8x2x9x8xf32>) -> tensor<8x2x9x8xf32>
    %44 = "stablehlo.dot_general"(%arg4, %38) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x2x9x8xf32>, tensor<8x2x9x9xf32>) -> tensor<8x2x8x9xf32>
    %45 = "stablehlo.transpose"(%44) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<8x2x8x9xf32>) -> tensor<8x2x9x8xf32>
    %46 = "stablehlo.dot_general"(%arg4, %arg2) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x2x9x8xf32>, tensor<8x2x9x8xf32>) -> tensor<8x2x9x9xf32>
    %47 = "stablehlo.broadcast_in_dim"(%42) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<8x2x9x1xf32>) -> tensor<8x2x9x9xf32>
    %48 = "stablehlo.multiply"(%46, %47) : (tensor<8x2x9x9xf32>, tensor<8x2x9x9xf32>) -> tensor<8x2x9x9xf32>
    %49 = "stablehlo.multiply"(%48, %33) : (tensor<8x2x9x9xf32>, tensor<8x2x9x9xf32>) -> tensor<8x2x9x9xf32>
    %50 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %51 = "stablehlo.reduce"(%49, %50) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %84 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%84) : (tensor<f32>) -> ()
    }) : (tensor<8x2x9x9xf32>, tensor<f32>) -> tensor<8x2x9xf32>
    %52 = "stablehlo.reshape"(%51) : (tensor<8x2x9xf32>) -> tensor<8x2x9x1xf32>
    %53 = "stablehlo.negate"(%52) : (tensor<8x2x9x1xf32>) -> tensor<8x2x9x1xf32>
    %54 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<8x2x9x1xf32>) -> tensor<8x2x9x9xf32>
    %55 = "stablehlo.divide"(%46, %54) : (tensor<8x2x9x9xf32>, tensor<8x2x9x9xf32>) -> tensor<8x2x9x9xf32>
    %56 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %57 = "stablehlo.reduce"(%53, %56) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %83 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%83) : (tensor<f32>) -> ()
    }) : (tensor<8x2x9x1xf32>, tensor<f32>) -> tensor<8x2x9xf32>
    %58 = "stablehlo.broadcast_in_dim"(%57) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<8x2x9xf32>) -> tensor<8x2x9x9xf32>
    %59 = "stablehlo.add"(%55, %58) : (tensor<8x2x9x9xf32>, tensor<8x2x9x9xf32>) -> tensor<8x2x9x9xf32>
    %60 = "stablehlo.multiply"(%59, %33) : (tensor<8x2x9x9xf32>, tensor<8x2x9x9xf32>) -> tensor<8x2x9x9xf32>
    %61 = "stablehlo.reshape"(%60) : (tensor<8x2x9x9xf32>) -> tensor<2x4x2x9x9xf32>
    %62 = "stablehlo.reshape"(%61) : (tensor<2x4x2x9x9xf32>) -> tensor<8x2x9x9xf32>
    %63 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %64 = "stablehlo.reduce"(%62, %63) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %82 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%82) : (tensor<f32>) -> ()
    }) : (tensor<8x2x9x9xf32>, tensor<f32>) -> tensor<2x9x9xf32>
    %65 = "stablehlo.reshape"(%64) : (tensor<2x9x9xf32>) -> tensor<1x2x9x9xf32>
    %66 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %67 = "stablehlo.reduce"(%65, %66) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %81 = "stablehlo.add"(%arg7, %arg8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%81) : (tensor<f32>) -> ()
    }) : (tensor<1x2x9x9xf32>, tensor<f32>) -> tensor<2x9x9xf32>
    %68 = "stablehlo.dot_general"(%62, %14) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x2x9x9xf32>, tensor<8x2x9x8xf32>) -> tensor<8x2x9x8xf32>
    %69 = "stablehlo.transpose"(%68) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<8x2x9x8xf32>) -> tensor<8x2x8x9xf32>
    %70 = "stablehlo.dot_general"(%62, %15) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x2x9x9xf32>, tensor<8x2x8x9xf32>) -> tensor<8x2x9x8xf32>
    %71 = "stablehlo.transpose"(%69) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<8x2x8x9xf32>) -> tensor<8x2x9x8xf32>
    %72 = "stablehlo.constant"() <{value = dense<0.353553385> : tensor<f32>}> : () -> tensor<f32>
    %73 = "stablehlo.broadcast_in_dim"(%72) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x2x9x8xf32>
    %74 = "stablehlo.multiply"(%70, %73) : (tensor<8x2x9x8xf32>, tensor<8x2x9x8xf32>) -> tensor<8x2x9x8xf32>
    %75 = "stablehlo.transpose"(%67) <{permutation = array<i64: 1, 2, 0>}> : (tensor<2x9x9xf32>) -> tensor<9x9x2xf32>
    %76 = "stablehlo.reshape"(%75) : (tensor<9x9x2xf32>) -> tensor<81x2xf32>
    %77 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %78 = "stablehlo.broadcast_in_dim"(%77) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<25x2xf32>
    %79 = "stablehlo.scatter"(%78, %8, %76) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %80 = "stablehlo.add"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%80) : (tensor<f32>) -> ()
    }) : (tensor<25x2xf32>, tensor<81x1xi32>, tensor<81x2xf32>) -> tensor<25x2xf32>
    "func.return"(%43, %74, %71, %45, %79) : (tensor<8x2x9x8xf32>, tensor<8x2x9x8xf32>, tensor<8x2x9x8xf32>, tensor<8x2x9x8xf32>, tensor<25x2xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
