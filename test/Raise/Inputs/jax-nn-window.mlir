// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_nn_window"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x40x2x16xf32>, tensor<2x40x2x16xf32>, tensor<2x40x2x16xf32>) -> tensor<2x40x2x16xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg4: tensor<2x40x2x16xf32>, %arg5: tensor<2x40x2x16xf32>, %arg6: tensor<2x40x2x16xf32>):
    %14 = "stablehlo.constant"() <{value = dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39]> : tensor<40xi32>}> : () -> tensor<40xi32>
    %15 = "stablehlo.constant"() <{value = dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39]> : tensor<40xi32>}> : () -> tensor<40xi32>
    %16 = "stablehlo.reshape"(%arg4) : (tensor<2x40x2x16xf32>) -> tensor<2x40x2x1x16xf32>
    %17 = "stablehlo.dot_general"(%16, %arg5) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x40x2x1x16xf32>, tensor<2x40x2x16xf32>) -> tensor<2x2x40x1x40xf32>
    %18 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x40x1x40xf32>
    %20 = "stablehlo.multiply"(%17, %19) : (tensor<2x2x40x1x40xf32>, tensor<2x2x40x1x40xf32>) -> tensor<2x2x40x1x40xf32>
    %21 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<2x2x40x40xi1>
    %23 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %24 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<40x40xi1>
    %25 = "func.call"(%24) <{callee = @tril}> : (tensor<40x40xi1>) -> tensor<40x40xi1>
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64: 2, 3>}> : (tensor<40x40xi1>) -> tensor<1x1x40x40xi1>
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x40x40xi1>) -> tensor<2x2x40x40xi1>
    %28 = "stablehlo.and"(%22, %27) : (tensor<2x2x40x40xi1>, tensor<2x2x40x40xi1>) -> tensor<2x2x40x40xi1>
    %29 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64: 0>}> : (tensor<40xi32>) -> tensor<40x1xi32>
    %30 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64: 1>}> : (tensor<40xi32>) -> tensor<1x40xi32>
    %31 = "stablehlo.constant"() <{value = dense<8> : tensor<i32>}> : () -> tensor<i32>
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1x40xi32>
    %33 = "stablehlo.add"(%30, %32) : (tensor<1x40xi32>, tensor<1x40xi32>) -> tensor<1x40xi32>
    %34 = "stablehlo.broadcast_in_dim"(%29) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<40x1xi32>) -> tensor<40x40xi32>
    %35 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x40xi32>) -> tensor<40x40xi32>
    %36 = "stablehlo.compare"(%34, %35) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<40x40xi32>, tensor<40x40xi32>) -> tensor<40x40xi1>
    %37 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64: 0>}> : (tensor<40xi32>) -> tensor<40x1xi32>
    %38 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64: 1>}> : (tensor<40xi32>) -> tensor<1x40xi32>
    %39 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %40 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1x40xi32>
    %41 = "stablehlo.subtract"(%38, %40) : (tensor<1x40xi32>, tensor<1x40xi32>) -> tensor<1x40xi32>
    %42 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<40x1xi32>) -> tensor<40x40xi32>
    %43 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x40xi32>) -> tensor<40x40xi32>
    %44 = "stablehlo.compare"(%42, %43) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<40x40xi32>, tensor<40x40xi32>) -> tensor<40x40xi1>
    %45 = "stablehlo.and"(%44, %36) : (tensor<40x40xi1>, tensor<40x40xi1>) -> tensor<40x40xi1>
    %46 = "stablehlo.broadcast_in_dim"(%45) <{broadcast_dimensions = array<i64: 2, 3>}> : (tensor<40x40xi1>) -> tensor<1x1x40x40xi1>
    %47 = "stablehlo.broadcast_in_dim"(%46) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x40x40xi1>) -> tensor<2x2x40x40xi1>
    %48 = "stablehlo.and"(%28, %47) : (tensor<2x2x40x40xi1>, tensor<2x2x40x40xi1>) -> tensor<2x2x40x40xi1>
    %49 = "stablehlo.constant"() <{value = dense<-2.38197633E+38> : tensor<f32>}> : () -> tensor<f32>
    %50 = "func.call"(%48, %20, %49) <{callee = @_where}> : (tensor<2x2x40x40xi1>, tensor<2x2x40x1x40xf32>, tensor<f32>) -> tensor<1x2x2x40x40xf32>
    %51 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %52 = "stablehlo.reduce"(%50, %51) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %70 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%70) : (tensor<f32>) -> ()
    }) : (tensor<1x2x2x40x40xf32>, tensor<f32>) -> tensor<1x2x2x40xf32>
    %53 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %54 = "stablehlo.broadcast_in_dim"(%53) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x2x2x40xf32>
    %55 = "stablehlo.maximum"(%54, %52) : (tensor<1x2x2x40xf32>, tensor<1x2x2x40xf32>) -> tensor<1x2x2x40xf32>
    %56 = "stablehlo.broadcast_in_dim"(%55) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x2x40xf32>) -> tensor<1x2x2x40x1xf32>
    %57 = "stablehlo.broadcast_in_dim"(%56) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x2x40x1xf32>) -> tensor<1x2x2x40x40xf32>
    %58 = "stablehlo.subtract"(%50, %57) : (tensor<1x2x2x40x40xf32>, tensor<1x2x2x40x40xf32>) -> tensor<1x2x2x40x40xf32>
    %59 = "stablehlo.exponential"(%58) : (tensor<1x2x2x40x40xf32>) -> tensor<1x2x2x40x40xf32>
    %60 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %61 = "stablehlo.reduce"(%59, %60) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %69 = "stablehlo.add"(%arg7, %arg8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%69) : (tensor<f32>) -> ()
    }) : (tensor<1x2x2x40x40xf32>, tensor<f32>) -> tensor<1x2x2x40xf32>
    %62 = "stablehlo.broadcast_in_dim"(%61) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x2x40xf32>) -> tensor<1x2x2x40x1xf32>
    %63 = "stablehlo.broadcast_in_dim"(%62) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x2x40x1xf32>) -> tensor<1x2x2x40x40xf32>
    %64 = "stablehlo.divide"(%59, %63) : (tensor<1x2x2x40x40xf32>, tensor<1x2x2x40x40xf32>) -> tensor<1x2x2x40x40xf32>
    %65 = "stablehlo.dot_general"(%arg6, %64) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [1, 2], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [4]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x40x2x16xf32>, tensor<1x2x2x40x40xf32>) -> tensor<2x2x16x1x40xf32>
    %66 = "stablehlo.transpose"(%65) <{permutation = array<i64: 3, 0, 4, 1, 2>}> : (tensor<2x2x16x1x40xf32>) -> tensor<1x2x40x2x16xf32>
    %67 = "stablehlo.transpose"(%66) <{permutation = array<i64: 1, 2, 3, 0, 4>}> : (tensor<1x2x40x2x16xf32>) -> tensor<2x40x2x1x16xf32>
    %68 = "stablehlo.reshape"(%67) : (tensor<2x40x2x1x16xf32>) -> tensor<2x40x2x16xf32>
    "func.return"(%68) : (tensor<2x40x2x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<40x40xi1>) -> tensor<40x40xi1>, res_attrs = [{}], sym_name = "tril", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<40x40xi1>):
    %5 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<40x40xi32>
    %6 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<40x40xi32>
    %8 = "stablehlo.add"(%5, %7) : (tensor<40x40xi32>, tensor<40x40xi32>) -> tensor<40x40xi32>
    %9 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<40x40xi32>
    %10 = "stablehlo.compare"(%8, %9) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<40x40xi32>, tensor<40x40xi32>) -> tensor<40x40xi1>
    %11 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<40x40xi1>
    %13 = "stablehlo.select"(%10, %arg3, %12) : (tensor<40x40xi1>, tensor<40x40xi1>, tensor<40x40xi1>) -> tensor<40x40xi1>
    "func.return"(%13) : (tensor<40x40xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x2x40x40xi1>, tensor<2x2x40x1x40xf32>, tensor<f32>) -> tensor<1x2x2x40x40xf32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x2x40x40xi1>, %arg1: tensor<2x2x40x1x40xf32>, %arg2: tensor<f32>):
    %0 = "stablehlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x40x40xf32>
    %1 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x2x40x40xi1>) -> tensor<1x2x2x40x40xi1>
    %2 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x2x40x40xf32>) -> tensor<1x2x2x40x40xf32>
    %3 = "stablehlo.transpose"(%arg1) <{permutation = array<i64: 3, 0, 1, 2, 4>}> : (tensor<2x2x40x1x40xf32>) -> tensor<1x2x2x40x40xf32>
    %4 = "stablehlo.select"(%1, %3, %2) : (tensor<1x2x2x40x40xi1>, tensor<1x2x2x40x40xf32>, tensor<1x2x2x40x40xf32>) -> tensor<1x2x2x40x40xf32>
    "func.return"(%4) : (tensor<1x2x2x40x40xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
