// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_scan_layers"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}], function_type = (tensor<2x12x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>) -> tensor<2x12x32xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg15: tensor<2x12x32xf32>, %arg16: tensor<3x32x32xf32>, %arg17: tensor<3x32x32xf32>, %arg18: tensor<3x32x32xf32>, %arg19: tensor<3x32x32xf32>):
    %53 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %54:6 = "stablehlo.while"(%arg16, %arg17, %arg18, %arg19, %53, %arg15) ({
    ^bb0(%arg26: tensor<3x32x32xf32>, %arg27: tensor<3x32x32xf32>, %arg28: tensor<3x32x32xf32>, %arg29: tensor<3x32x32xf32>, %arg30: tensor<i32>, %arg31: tensor<2x12x32xf32>):
      %62 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
      %63 = "stablehlo.compare"(%arg30, %62) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%63) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg20: tensor<3x32x32xf32>, %arg21: tensor<3x32x32xf32>, %arg22: tensor<3x32x32xf32>, %arg23: tensor<3x32x32xf32>, %arg24: tensor<i32>, %arg25: tensor<2x12x32xf32>):
      %55 = "func.call"(%arg20, %arg24) <{callee = @dynamic_index_in_dim}> : (tensor<3x32x32xf32>, tensor<i32>) -> tensor<32x32xf32>
      %56 = "func.call"(%arg21, %arg24) <{callee = @dynamic_index_in_dim}> : (tensor<3x32x32xf32>, tensor<i32>) -> tensor<32x32xf32>
      %57 = "func.call"(%arg22, %arg24) <{callee = @dynamic_index_in_dim}> : (tensor<3x32x32xf32>, tensor<i32>) -> tensor<32x32xf32>
      %58 = "func.call"(%arg23, %arg24) <{callee = @dynamic_index_in_dim}> : (tensor<3x32x32xf32>, tensor<i32>) -> tensor<32x32xf32>
      %59 = "func.call"(%arg25, %55, %56, %57, %58) <{callee = @closed_call}> : (tensor<2x12x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<2x12x32xf32>
      %60 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %61 = "stablehlo.add"(%arg24, %60) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg20, %arg21, %arg22, %arg23, %61, %59) : (tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<i32>, tensor<2x12x32xf32>) -> ()
    }) : (tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<i32>, tensor<2x12x32xf32>) -> (tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<i32>, tensor<2x12x32xf32>)
    "func.return"(%54#5) : (tensor<2x12x32xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x32x32xf32>, tensor<i32>) -> tensor<32x32xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg13: tensor<3x32x32xf32>, %arg14: tensor<i32>):
    %49 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %50 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %51 = "stablehlo.dynamic_slice"(%arg13, %arg14, %49, %50) <{slice_sizes = array<i64: 1, 32, 32>}> : (tensor<3x32x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x32xf32>
    %52 = "stablehlo.reshape"(%51) : (tensor<1x32x32xf32>) -> tensor<32x32xf32>
    "func.return"(%52) : (tensor<32x32xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x12x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<2x12x32xf32>, res_attrs = [{}], sym_name = "closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg4: tensor<2x12x32xf32>, %arg5: tensor<32x32xf32>, %arg6: tensor<32x32xf32>, %arg7: tensor<32x32xf32>, %arg8: tensor<32x32xf32>):
    %13 = "stablehlo.dot_general"(%arg4, %arg5) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x32xf32>, tensor<32x32xf32>) -> tensor<2x12x32xf32>
    %14 = "stablehlo.reshape"(%13) : (tensor<2x12x32xf32>) -> tensor<2x12x2x16xf32>
    %15 = "stablehlo.dot_general"(%arg4, %arg6) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x32xf32>, tensor<32x32xf32>) -> tensor<2x12x32xf32>
    %16 = "stablehlo.reshape"(%15) : (tensor<2x12x32xf32>) -> tensor<2x12x2x16xf32>
    %17 = "stablehlo.dot_general"(%arg4, %arg7) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x32xf32>, tensor<32x32xf32>) -> tensor<2x12x32xf32>
    %18 = "stablehlo.reshape"(%17) : (tensor<2x12x32xf32>) -> tensor<2x12x2x16xf32>
    %19 = "stablehlo.dot_general"(%14, %16) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x2x16xf32>, tensor<2x12x2x16xf32>) -> tensor<2x2x12x12xf32>
    %20 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %21 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x12x12xf32>
    %22 = "stablehlo.multiply"(%19, %21) : (tensor<2x2x12x12xf32>, tensor<2x2x12x12xf32>) -> tensor<2x2x12x12xf32>
    %23 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %24 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<12x12xi1>
    %25 = "func.call"(%24) <{callee = @tril}> : (tensor<12x12xi1>) -> tensor<12x12xi1>
    %26 = "stablehlo.constant"() <{value = dense<-1.000000e+30> : tensor<f32>}> : () -> tensor<f32>
    %27 = "func.call"(%25, %22, %26) <{callee = @_where}> : (tensor<12x12xi1>, tensor<2x2x12x12xf32>, tensor<f32>) -> tensor<2x2x12x12xf32>
    %28 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %29 = "stablehlo.reduce"(%27, %28) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %48 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%48) : (tensor<f32>) -> ()
    }) : (tensor<2x2x12x12xf32>, tensor<f32>) -> tensor<2x2x12xf32>
    %30 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x12xf32>
    %32 = "stablehlo.maximum"(%31, %29) : (tensor<2x2x12xf32>, tensor<2x2x12xf32>) -> tensor<2x2x12xf32>
    %33 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x2x12xf32>) -> tensor<2x2x12x1xf32>
    %34 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x2x12x1xf32>) -> tensor<2x2x12x12xf32>
    %35 = "stablehlo.subtract"(%27, %34) : (tensor<2x2x12x12xf32>, tensor<2x2x12x12xf32>) -> tensor<2x2x12x12xf32>
    %36 = "stablehlo.exponential"(%35) : (tensor<2x2x12x12xf32>) -> tensor<2x2x12x12xf32>
    %37 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %38 = "stablehlo.reduce"(%36, %37) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %47 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%47) : (tensor<f32>) -> ()
    }) : (tensor<2x2x12x12xf32>, tensor<f32>) -> tensor<2x2x12xf32>
    %39 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x2x12xf32>) -> tensor<2x2x12x1xf32>
    %40 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x2x12x1xf32>) -> tensor<2x2x12x12xf32>
    %41 = "stablehlo.divide"(%36, %40) : (tensor<2x2x12x12xf32>, tensor<2x2x12x12xf32>) -> tensor<2x2x12x12xf32>
    %42 = "stablehlo.dot_general"(%18, %41) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x2x16xf32>, tensor<2x2x12x12xf32>) -> tensor<2x2x16x12xf32>
    %43 = "stablehlo.transpose"(%42) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x2x16x12xf32>) -> tensor<2x12x2x16xf32>
    %44 = "stablehlo.reshape"(%43) : (tensor<2x12x2x16xf32>) -> tensor<2x12x32xf32>
    %45 = "stablehlo.dot_general"(%44, %arg8) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x32xf32>, tensor<32x32xf32>) -> tensor<2x12x32xf32>
    %46 = "stablehlo.add"(%arg4, %45) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    "func.return"(%46) : (tensor<2x12x32xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<12x12xi1>) -> tensor<12x12xi1>, res_attrs = [{}], sym_name = "tril", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<12x12xi1>):
    %4 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<12x12xi32>
    %5 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<12x12xi32>
    %7 = "stablehlo.add"(%4, %6) : (tensor<12x12xi32>, tensor<12x12xi32>) -> tensor<12x12xi32>
    %8 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<12x12xi32>
    %9 = "stablehlo.compare"(%7, %8) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<12x12xi32>, tensor<12x12xi32>) -> tensor<12x12xi1>
    %10 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<12x12xi1>
    %12 = "stablehlo.select"(%9, %arg3, %11) : (tensor<12x12xi1>, tensor<12x12xi1>, tensor<12x12xi1>) -> tensor<12x12xi1>
    "func.return"(%12) : (tensor<12x12xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<12x12xi1>, tensor<2x2x12x12xf32>, tensor<f32>) -> tensor<2x2x12x12xf32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<12x12xi1>, %arg1: tensor<2x2x12x12xf32>, %arg2: tensor<f32>):
    %0 = "stablehlo.convert"(%arg2) : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 2, 3>}> : (tensor<12x12xi1>) -> tensor<2x2x12x12xi1>
    %2 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x12x12xf32>
    %3 = "stablehlo.select"(%1, %arg1, %2) : (tensor<2x2x12x12xi1>, tensor<2x2x12x12xf32>, tensor<2x2x12x12xf32>) -> tensor<2x2x12x12xf32>
    "func.return"(%3) : (tensor<2x2x12x12xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
