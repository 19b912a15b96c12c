// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_flax_causal"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x24x4x16xbf16>, tensor<2x24x4x16xbf16>, tensor<2x24x4x16xbf16>) -> tensor<2x24x4x16xbf16>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg3: tensor<2x24x4x16xbf16>, %arg4: tensor<2x24x4x16xbf16>, %arg5: tensor<2x24x4x16xbf16>):
    %6 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<24xi32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 1>}> : (tensor<24xi32>) -> tensor<2x24xi32>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x24xi32>) -> tensor<2x24x1xi32>
    %9 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<2x24xi32>) -> tensor<2x1x24xi32>
    %10 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x24x1xi32>) -> tensor<2x24x24xi32>
    %11 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x1x24xi32>) -> tensor<2x24x24xi32>
    %12 = "stablehlo.compare"(%10, %11) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<2x24x24xi32>, tensor<2x24x24xi32>) -> tensor<2x24x24xi1>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64: 0, 2, 3>}> : (tensor<2x24x24xi1>) -> tensor<2x1x24x24xi1>
    %14 = "stablehlo.convert"(%13) : (tensor<2x1x24x24xi1>) -> tensor<2x1x24x24xf32>
    %15 = "stablehlo.constant"() <{value = dense<1.600000e+01> : tensor<f32>}> : () -> tensor<f32>
    %16 = "stablehlo.sqrt"(%15) : (tensor<f32>) -> tensor<f32>
    %17 = "stablehlo.convert"(%16) : (tensor<f32>) -> tensor<bf16>
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<2x24x4x16xbf16>
    %19 = "stablehlo.divide"(%arg3, %18) : (tensor<2x24x4x16xbf16>, tensor<2x24x4x16xbf16>) -> tensor<2x24x4x16xbf16>
    %20 = "stablehlo.dot_general"(%19, %arg4) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x4x16xbf16>, tensor<2x24x4x16xbf16>) -> tensor<2x4x24x24xbf16>
    %21 = "stablehlo.constant"() <{value = dense<-3.389530e+38> : tensor<bf16>}> : () -> tensor<bf16>
    %22 = "func.call"(%14, %20, %21) <{callee = @_where}> : (tensor<2x1x24x24xf32>, tensor<2x4x24x24xbf16>, tensor<bf16>) -> tensor<2x4x24x24xbf16>
    %23 = "stablehlo.constant"() <{value = dense<0xFF80> : tensor<bf16>}> : () -> tensor<bf16>
    %24 = "stablehlo.reduce"(%22, %23) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg8: tensor<bf16>, %arg9: tensor<bf16>):
      %42 = "stablehlo.maximum"(%arg8, %arg9) : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
      "stablehlo.return"(%42) : (tensor<bf16>) -> ()
    }) : (tensor<2x4x24x24xbf16>, tensor<bf16>) -> tensor<2x4x24xbf16>
    %25 = "stablehlo.constant"() <{value = dense<0xFF80> : tensor<bf16>}> : () -> tensor<bf16>
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<2x4x24xbf16>
    %27 = "stablehlo.maximum"(%26, %24) : (tensor<2x4x24xbf16>, tensor<2x4x24xbf16>) -> tensor<2x4x24xbf16>
    %28 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x24xbf16>) -> tensor<2x4x24x1xbf16>
    %29 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x24x1xbf16>) -> tensor<2x4x24x24xbf16>
    %30 = "stablehlo.subtract"(%22, %29) : (tensor<2x4x24x24xbf16>, tensor<2x4x24x24xbf16>) -> tensor<2x4x24x24xbf16>
    %31 = "stablehlo.exponential"(%30) : (tensor<2x4x24x24xbf16>) -> tensor<2x4x24x24xbf16>
    %32 = "stablehlo.convert"(%31) : (tensor<2x4x24x24xbf16>) -> tensor<2x4x24x24xf32>
    %33 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %34 = "stablehlo.reduce"(%32, %33) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %41 = "stablehlo.add"(%arg6, %arg7) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%41) : (tensor<f32>) -> ()
    }) : (tensor<2x4x24x24xf32>, tensor<f32>) -> tensor<2x4x24xf32>
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x24xf32>) -> tensor<2x4x24x1xf32>
    %36 = "stablehlo.convert"(%35) : (tensor<2x4x24x1xf32>) -> tensor<2x4x24x1xbf16>
    %37 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x24x1xbf16>) -> tensor<2x4x24x24xbf16>
    %38 = "stablehlo.divide"(%31, %37) : (tensor<2x4x24x24xbf16>, tensor<2x4x24x24xbf16>) -> tensor<2x4x24x24xbf16>
    %39 = "stablehlo.dot_general"(%arg5, %38) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x4x16xbf16>, tensor<2x4x24x24xbf16>) -> tensor<2x4x16x24xbf16>
    %40 = "stablehlo.transpose"(%39) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x4x16x24xbf16>) -> tensor<2x24x4x16xbf16>
    "func.return"(%40) : (tensor<2x24x4x16xbf16>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x1x24x24xf32>, tensor<2x4x24x24xbf16>, tensor<bf16>) -> tensor<2x4x24x24xbf16>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x1x24x24xf32>, %arg1: tensor<2x4x24x24xbf16>, %arg2: tensor<bf16>):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x1x24x24xf32>
    %2 = "stablehlo.compare"(%arg0, %1) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<2x1x24x24xf32>, tensor<2x1x24x24xf32>) -> tensor<2x1x24x24xi1>
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x1x24x24xi1>) -> tensor<2x4x24x24xi1>
    %4 = "stablehlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<2x4x24x24xbf16>
    %5 = "stablehlo.select"(%3, %arg1, %4) : (tensor<2x4x24x24xi1>, tensor<2x4x24x24xbf16>, tensor<2x4x24x24xbf16>) -> tensor<2x4x24x24xbf16>
    "func.return"(%5) : (tensor<2x4x24x24xbf16>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
