// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_chunked_local"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>) -> tensor<2x24x4x16xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg13: tensor<2x24x4x16xf32>, %arg14: tensor<2x24x4x16xf32>, %arg15: tensor<2x24x4x16xf32>):
    %39 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<24xi32>
    %40 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64: 0>}> : (tensor<24xi32>) -> tensor<24x1xi32>
    %41 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<24xi32>
    %42 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64: 1>}> : (tensor<24xi32>) -> tensor<1x24xi32>
    %43 = "stablehlo.dot_general"(%arg13, %arg14) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>) -> tensor<2x4x24x24xf32>
    %44 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %45 = "stablehlo.broadcast_in_dim"(%44) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x24x24xf32>
    %46 = "stablehlo.multiply"(%43, %45) : (tensor<2x4x24x24xf32>, tensor<2x4x24x24xf32>) -> tensor<2x4x24x24xf32>
    %47 = "stablehlo.constant"() <{value = dense<8> : tensor<i32>}> : () -> tensor<i32>
    %48 = "func.call"(%40, %47) <{callee = @floor_divide}> : (tensor<24x1xi32>, tensor<i32>) -> tensor<24x1xi32>
    %49 = "stablehlo.constant"() <{value = dense<8> : tensor<i32>}> : () -> tensor<i32>
    %50 = "func.call"(%42, %49) <{callee = @floor_divide_0}> : (tensor<1x24xi32>, tensor<i32>) -> tensor<1x24xi32>
    %51 = "stablehlo.broadcast_in_dim"(%48) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<24x1xi32>) -> tensor<24x24xi32>
    %52 = "stablehlo.broadcast_in_dim"(%50) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x24xi32>) -> tensor<24x24xi32>
    %53 = "stablehlo.compare"(%51, %52) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<24x24xi32>, tensor<24x24xi32>) -> tensor<24x24xi1>
    %54 = "stablehlo.broadcast_in_dim"(%42) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x24xi32>) -> tensor<24x24xi32>
    %55 = "stablehlo.broadcast_in_dim"(%40) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<24x1xi32>) -> tensor<24x24xi32>
    %56 = "stablehlo.compare"(%54, %55) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<24x24xi32>, tensor<24x24xi32>) -> tensor<24x24xi1>
    %57 = "stablehlo.and"(%53, %56) : (tensor<24x24xi1>, tensor<24x24xi1>) -> tensor<24x24xi1>
    %58 = "stablehlo.constant"() <{value = dense<-3.40282347E+38> : tensor<f32>}> : () -> tensor<f32>
    %59 = "func.call"(%57, %46, %58) <{callee = @_where_2}> : (tensor<24x24xi1>, tensor<2x4x24x24xf32>, tensor<f32>) -> tensor<2x4x24x24xf32>
    %60 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %61 = "stablehlo.reduce"(%59, %60) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg18: tensor<f32>, %arg19: tensor<f32>):
      %77 = "stablehlo.maximum"(%arg18, %arg19) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%77) : (tensor<f32>) -> ()
    }) : (tensor<2x4x24x24xf32>, tensor<f32>) -> tensor<2x4x24xf32>
    %62 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %63 = "stablehlo.broadcast_in_dim"(%62) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x24xf32>
    %64 = "stablehlo.maximum"(%63, %61) : (tensor<2x4x24xf32>, tensor<2x4x24xf32>) -> tensor<2x4x24xf32>
    %65 = "stablehlo.broadcast_in_dim"(%64) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x24xf32>) -> tensor<2x4x24x1xf32>
    %66 = "stablehlo.broadcast_in_dim"(%65) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x24x1xf32>) -> tensor<2x4x24x24xf32>
    %67 = "stablehlo.subtract"(%59, %66) : (tensor<2x4x24x24xf32>, tensor<2x4x24x24xf32>) -> tensor<2x4x24x24xf32>
    %68 = "stablehlo.exponential"(%67) : (tensor<2x4x24x24xf32>) -> tensor<2x4x24x24xf32>
    %69 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %70 = "stablehlo.reduce"(%68, %69) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
      %76 = "stablehlo.add"(%arg16, %arg17) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%76) : (tensor<f32>) -> ()
    }) : (tensor<2x4x24x24xf32>, tensor<f32>) -> tensor<2x4x24xf32>
    %71 = "stablehlo.broadcast_in_dim"(%70) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x24xf32>) -> tensor<2x4x24x1xf32>
    %72 = "stablehlo.broadcast_in_dim"(%71) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x24x1xf32>) -> tensor<2x4x24x24xf32>
    %73 = "stablehlo.divide"(%68, %72) : (tensor<2x4x24x24xf32>, tensor<2x4x24x24xf32>) -> tensor<2x4x24x24xf32>
    %74 = "stablehlo.dot_general"(%arg15, %73) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x4x16xf32>, tensor<2x4x24x24xf32>) -> tensor<2x4x16x24xf32>
    %75 = "stablehlo.transpose"(%74) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x4x16x24xf32>) -> tensor<2x24x4x16xf32>
    "func.return"(%75) : (tensor<2x24x4x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<24x1xi32>, tensor<i32>) -> tensor<24x1xi32>, res_attrs = [{}], sym_name = "floor_divide", sym_visibility = "private"}> ({
  ^bb0(%arg11: tensor<24x1xi32>, %arg12: tensor<i32>):
    %22 = "stablehlo.convert"(%arg12) : (tensor<i32>) -> tensor<i32>
    %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<24x1xi32>
    %24 = "stablehlo.divide"(%arg11, %23) : (tensor<24x1xi32>, tensor<24x1xi32>) -> tensor<24x1xi32>
    %25 = "stablehlo.sign"(%arg11) : (tensor<24x1xi32>) -> tensor<24x1xi32>
    %26 = "stablehlo.sign"(%22) : (tensor<i32>) -> tensor<i32>
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<24x1xi32>
    %28 = "stablehlo.compare"(%25, %27) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<24x1xi32>, tensor<24x1xi32>) -> tensor<24x1xi1>
    %29 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<24x1xi32>
    %30 = "stablehlo.remainder"(%arg11, %29) : (tensor<24x1xi32>, tensor<24x1xi32>) -> tensor<24x1xi32>
    %31 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<24x1xi32>
    %33 = "stablehlo.compare"(%30, %32) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<24x1xi32>, tensor<24x1xi32>) -> tensor<24x1xi1>
    %34 = "stablehlo.and"(%28, %33) : (tensor<24x1xi1>, tensor<24x1xi1>) -> tensor<24x1xi1>
    %35 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<24x1xi32>
    %37 = "stablehlo.subtract"(%24, %36) : (tensor<24x1xi32>, tensor<24x1xi32>) -> tensor<24x1xi32>
    %38 = "func.call"(%34, %37, %24) <{callee = @_where}> : (tensor<24x1xi1>, tensor<24x1xi32>, tensor<24x1xi32>) -> tensor<24x1xi32>
    "func.return"(%38) : (tensor<24x1xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<24x1xi1>, tensor<24x1xi32>, tensor<24x1xi32>) -> tensor<24x1xi32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg8: tensor<24x1xi1>, %arg9: tensor<24x1xi32>, %arg10: tensor<24x1xi32>):
    %21 = "stablehlo.select"(%arg8, %arg9, %arg10) : (tensor<24x1xi1>, tensor<24x1xi32>, tensor<24x1xi32>) -> tensor<24x1xi32>
    "func.return"(%21) : (tensor<24x1xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<1x24xi32>, tensor<i32>) -> tensor<1x24xi32>, res_attrs = [{}], sym_name = "floor_divide_0", sym_visibility = "private"}> ({
  ^bb0(%arg6: tensor<1x24xi32>, %arg7: tensor<i32>):
    %4 = "stablehlo.convert"(%arg7) : (tensor<i32>) -> tensor<i32>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1x24xi32>
    %6 = "stablehlo.divide"(%arg6, %5) : (tensor<1x24xi32>, tensor<1x24xi32>) -> tensor<1x24xi32>
    %7 = "stablehlo.sign"(%arg6) : (tensor<1x24xi32>) -> tensor<1x24xi32>
    %8 = "stablehlo.sign"(%4) : (tensor<i32>) -> tensor<i32>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1x24xi32>
    %10 = "stablehlo.compare"(%7, %9) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<1x24xi32>, tensor<1x24xi32>) -> tensor<1x24xi1>
    %11 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1x24xi32>
    %12 = "stablehlo.remainder"(%arg6, %11) : (tensor<1x24xi32>, tensor<1x24xi32>) -> tensor<1x24xi32>
    %13 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1x24xi32>
    %15 = "stablehlo.compare"(%12, %14) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<1x24xi32>, tensor<1x24xi32>) -> tensor<1x24xi1>
    %16 = "stablehlo.and"(%10, %15) : (tensor<1x24xi1>, tensor<1x24xi1>) -> tensor<1x24xi1>
    %17 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1x24xi32>
    %19 = "stablehlo.subtract"(%6, %18) : (tensor<1x24xi32>, tensor<1x24xi32>) -> tensor<1x24xi32>
    %20 = "func.call"(%16, %19, %6) <{callee = @_where_1}> : (tensor<1x24xi1>, tensor<1x24xi32>, tensor<1x24xi32>) -> tensor<1x24xi32>
    "func.return"(%20) : (tensor<1x24xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<1x24xi1>, tensor<1x24xi32>, tensor<1x24xi32>) -> tensor<1x24xi32>, res_attrs = [{}], sym_name = "_where_1", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<1x24xi1>, %arg4: tensor<1x24xi32>, %arg5: tensor<1x24xi32>):
    %3 = "stablehlo.select"(%arg3, %arg4, %arg5) : (tensor<1x24xi1>, tensor<1x24xi32>, tensor<1x24xi32>) -> tensor<1x24xi32>
    "func.return"(%3) : (tensor<1x24xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<24x24xi1>, tensor<2x4x24x24xf32>, tensor<f32>) -> tensor<2x4x24x24xf32>, res_attrs = [{}], sym_name = "_where_2", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<24x24xi1>, %arg1: tensor<2x4x24x24xf32>, %arg2: tensor<f32>):
    %0 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 2, 3>}> : (tensor<24x24xi1>) -> tensor<2x4x24x24xi1>
    %1 = "stablehlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x24x24xf32>
    %2 = "stablehlo.select"(%0, %arg1, %1) : (tensor<2x4x24x24xi1>, tensor<2x4x24x24xf32>, tensor<2x4x24x24xf32>) -> tensor<2x4x24x24xf32>
    "func.return"(%2) : (tensor<2x4x24x24xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
