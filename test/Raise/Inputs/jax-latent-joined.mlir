// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_latent_joined"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}], function_type = (tensor<2x20x4x16xf32>, tensor<2x20x4x8xf32>, tensor<2x24x4x16xf32>, tensor<2x24x8xf32>, tensor<2x24x4x12xf32>) -> tensor<2x20x48xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg3: tensor<2x20x4x16xf32>, %arg4: tensor<2x20x4x8xf32>, %arg5: tensor<2x24x4x16xf32>, %arg6: tensor<2x24x8xf32>, %arg7: tensor<2x24x4x12xf32>):
    %4 = "stablehlo.transpose"(%arg3) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x20x4x16xf32>) -> tensor<2x4x20x16xf32>
    %5 = "stablehlo.transpose"(%arg4) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x20x4x8xf32>) -> tensor<2x4x20x8xf32>
    %6 = "stablehlo.transpose"(%arg5) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x24x4x16xf32>) -> tensor<2x4x24x16xf32>
    %7 = "stablehlo.transpose"(%arg7) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x24x4x12xf32>) -> tensor<2x4x24x12xf32>
    %8 = "stablehlo.broadcast_in_dim"(%arg6) <{broadcast_dimensions = array<i64: 0, 2, 3>}> : (tensor<2x24x8xf32>) -> tensor<2x1x24x8xf32>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x1x24x8xf32>) -> tensor<2x4x24x8xf32>
    %10 = "stablehlo.concatenate"(%4, %5) <{dimension = 3 : i64}> : (tensor<2x4x20x16xf32>, tensor<2x4x20x8xf32>) -> tensor<2x4x20x24xf32>
    %11 = "stablehlo.concatenate"(%6, %9) <{dimension = 3 : i64}> : (tensor<2x4x24x16xf32>, tensor<2x4x24x8xf32>) -> tensor<2x4x24x24xf32>
    %12 = "stablehlo.transpose"(%11) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<2x4x24x24xf32>) -> tensor<2x4x24x24xf32>
    %13 = "stablehlo.dot_general"(%10, %12) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x20x24xf32>, tensor<2x4x24x24xf32>) -> tensor<2x4x20x24xf32>
    %14 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<20xi32>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64: 0>}> : (tensor<20xi32>) -> tensor<20x1xi32>
    %16 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<20x1xi32>
    %18 = "stablehlo.add"(%15, %17) : (tensor<20x1xi32>, tensor<20x1xi32>) -> tensor<20x1xi32>
    %19 = "stablehlo.constant"() <{value = dense<0.204124153> : tensor<f32>}> : () -> tensor<f32>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x20x24xf32>
    %21 = "stablehlo.multiply"(%13, %20) : (tensor<2x4x20x24xf32>, tensor<2x4x20x24xf32>) -> tensor<2x4x20x24xf32>
    %22 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<24xi32>
    %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64: 1>}> : (tensor<24xi32>) -> tensor<1x24xi32>
    %24 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x24xi32>) -> tensor<20x24xi32>
    %25 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<20x1xi32>) -> tensor<20x24xi32>
    %26 = "stablehlo.compare"(%24, %25) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<20x24xi32>, tensor<20x24xi32>) -> tensor<20x24xi1>
    %27 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %28 = "stablehlo.constant"() <{value = dense<-3.40282347E+38> : tensor<f32>}> : () -> tensor<f32>
    %29 = "func.call"(%26, %27, %28) <{callee = @_where}> : (tensor<20x24xi1>, tensor<i32>, tensor<f32>) -> tensor<20x24xf32>
    %30 = "stablehlo.broadcast_in_dim"(%29) <{broadcast_dimensions = array<i64: 2, 3>}> : (tensor<20x24xf32>) -> tensor<1x1x20x24xf32>
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x20x24xf32>) -> tensor<2x4x20x24xf32>
    %32 = "stablehlo.add"(%21, %31) : (tensor<2x4x20x24xf32>, tensor<2x4x20x24xf32>) -> tensor<2x4x20x24xf32>
    %33 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %34 = "stablehlo.reduce"(%32, %33) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %51 = "stablehlo.maximum"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%51) : (tensor<f32>) -> ()
    }) : (tensor<2x4x20x24xf32>, tensor<f32>) -> tensor<2x4x20xf32>
    %35 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x20xf32>
    %37 = "stablehlo.maximum"(%36, %34) : (tensor<2x4x20xf32>, tensor<2x4x20xf32>) -> tensor<2x4x20xf32>
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x20xf32>) -> tensor<2x4x20x1xf32>
    %39 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x20x1xf32>) -> tensor<2x4x20x24xf32>
    %40 = "stablehlo.subtract"(%32, %39) : (tensor<2x4x20x24xf32>, tensor<2x4x20x24xf32>) -> tensor<2x4x20x24xf32>
    %41 = "stablehlo.exponential"(%40) : (tensor<2x4x20x24xf32>) -> tensor<2x4x20x24xf32>
    %42 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %43 = "stablehlo.reduce"(%41, %42) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %50 = "stablehlo.add"(%arg8, %arg9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%50) : (tensor<f32>) -> ()
    }) : (tensor<2x4x20x24xf32>, tensor<f32>) -> tensor<2x4x20xf32>
    %44 = "stablehlo.broadcast_in_dim"(%43) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x20xf32>) -> tensor<2x4x20x1xf32>
    %45 = "stablehlo.broadcast_in_dim"(%44) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x20x1xf32>) -> tensor<2x4x20x24xf32>
    %46 = "stablehlo.divide"(%41, %45) : (tensor<2x4x20x24xf32>, tensor<2x4x20x24xf32>) -> tensor<2x4x20x24xf32>
    %47 = "stablehlo.dot_general"(%46, %7) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x20x24xf32>, tensor<2x4x24x12xf32>) -> tensor<2x4x20x12xf32>
    %48 = "stablehlo.transpose"(%47) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x4x20x12xf32>) -> tensor<2x20x4x12xf32>
    %49 = "stablehlo.reshape"(%48) : (tensor<2x20x4x12xf32>) -> tensor<2x20x48xf32>
    "func.return"(%49) : (tensor<2x20x48xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<20x24xi1>, tensor<i32>, tensor<f32>) -> tensor<20x24xf32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<20x24xi1>, %arg1: tensor<i32>, %arg2: tensor<f32>):
    %0 = "stablehlo.convert"(%arg1) : (tensor<i32>) -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<20x24xf32>
    %2 = "stablehlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<20x24xf32>
    %3 = "stablehlo.select"(%arg0, %1, %2) : (tensor<20x24xi1>, tensor<20x24xf32>, tensor<20x24xf32>) -> tensor<20x24xf32>
    "func.return"(%3) : (tensor<20x24xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
