// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_grad_scan_saved"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}], function_type = (tensor<2x12x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>) -> (tensor<f32>, tensor<2x12x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1][0]"}, {jax.result_info = "result[1][1]"}, {jax.result_info = "result[1][2]"}, {jax.result_info = "result[1][3]"}, {jax.result_info = "result[1][4]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg62: tensor<2x12x32xf32>, %arg63: tensor<3x32x32xf32>, %arg64: tensor<3x32x32xf32>, %arg65: tensor<3x32x32xf32>, %arg66: tensor<3x32x32xf32>):
    %212 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %213 = "stablehlo.broadcast_in_dim"(%212) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<2x2x12x12xi1>
    %214 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %215 = "stablehlo.broadcast_in_dim"(%214) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<12x12xi1>
    %216 = "func.call"(%215) <{callee = @tril}> : (tensor<12x12xi1>) -> tensor<12x12xi1>
    %217 = "stablehlo.broadcast_in_dim"(%216) <{broadcast_dimensions = array<i64: 2, 3>}> : (tensor<12x12xi1>) -> tensor<1x1x12x12xi1>
    %218 = "stablehlo.broadcast_in_dim"(%217) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x12x12xi1>) -> tensor<2x2x12x12xi1>
    %219 = "stablehlo.and"(%213, %218) : (tensor<2x2x12x12xi1>, tensor<2x2x12x12xi1>) -> tensor<2x2x12x12xi1>
    %220 = "stablehlo.constant"() <{value = dense<-2.38197633E+38> : tensor<f32>}> : () -> tensor<f32>
    %221:2 = "func.call"(%219, %220) <{callee = @_where}> : (tensor<2x2x12x12xi1>, tensor<f32>) -> (tensor<1x2x2x12x12xi1>, tensor<1x2x2x12x12xf32>)
    %222 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %223 = "stablehlo.broadcast_in_dim"(%222) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x2x12x32xf32>
    %224 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %225 = "stablehlo.broadcast_in_dim"(%224) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x2x12x32xf32>
    %226 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %227 = "stablehlo.broadcast_in_dim"(%226) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x2x12x32xf32>
    %228 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %229 = "stablehlo.broadcast_in_dim"(%228) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x2x2x12x1x12xf32>
    %230 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %231 = "stablehlo.broadcast_in_dim"(%230) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x2x2x16x1x12xf32>
    %232 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %233 = "stablehlo.broadcast_in_dim"(%232) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x2x12x32xf32>
    %234 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %235:14 = "stablehlo.while"(%arg63, %arg64, %arg65, %arg66, %221#0, %221#1, %234, %arg62, %223, %225, %227, %229, %231, %233) ({
    ^bb0(%arg115: tensor<3x32x32xf32>, %arg116: tensor<3x32x32xf32>, %arg117: tensor<3x32x32xf32>, %arg118: tensor<3x32x32xf32>, %arg119: tensor<1x2x2x12x12xi1>, %arg120: tensor<1x2x2x12x12xf32>, %arg121: tensor<i32>, %arg122: tensor<2x12x32xf32>, %arg123: tensor<3x2x12x32xf32>, %arg124: tensor<3x2x12x32xf32>, %arg125: tensor<3x2x12x32xf32>, %arg126: tensor<3x2x2x12x1x12xf32>, %arg127: tensor<3x2x2x16x1x12xf32>, %arg128: tensor<3x2x12x32xf32>):
      %296 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
      %297 = "stablehlo.compare"(%arg121, %296) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%297) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg101: tensor<3x32x32xf32>, %arg102: tensor<3x32x32xf32>, %arg103: tensor<3x32x32xf32>, %arg104: tensor<3x32x32xf32>, %arg105: tensor<1x2x2x12x12xi1>, %arg106: tensor<1x2x2x12x12xf32>, %arg107: tensor<i32>, %arg108: tensor<2x12x32xf32>, %arg109: tensor<3x2x12x32xf32>, %arg110: tensor<3x2x12x32xf32>, %arg111: tensor<3x2x12x32xf32>, %arg112: tensor<3x2x2x12x1x12xf32>, %arg113: tensor<3x2x2x16x1x12xf32>, %arg114: tensor<3x2x12x32xf32>):
      %283 = "func.call"(%arg101, %arg107) <{callee = @dynamic_index_in_dim}> : (tensor<3x32x32xf32>, tensor<i32>) -> tensor<32x32xf32>
      %284 = "func.call"(%arg102, %arg107) <{callee = @dynamic_index_in_dim}> : (tensor<3x32x32xf32>, tensor<i32>) -> tensor<32x32xf32>
      %285 = "func.call"(%arg103, %arg107) <{callee = @dynamic_index_in_dim}> : (tensor<3x32x32xf32>, tensor<i32>) -> tensor<32x32xf32>
      %286 = "func.call"(%arg104, %arg107) <{callee = @dynamic_index_in_dim}> : (tensor<3x32x32xf32>, tensor<i32>) -> tensor<32x32xf32>
      %287:7 = "func.call"(%arg105, %arg106, %arg108, %283, %284, %285, %286) <{callee = @closed_call}> : (tensor<1x2x2x12x12xi1>, tensor<1x2x2x12x12xf32>, tensor<2x12x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> (tensor<2x12x32xf32>, tensor<2x12x32xf32>, tensor<2x12x32xf32>, tensor<2x12x32xf32>, tensor<2x2x12x1x12xf32>, tensor<2x2x16x1x12xf32>, tensor<2x12x32xf32>)
      %288 = "func.call"(%arg109, %287#1, %arg107) <{callee = @dynamic_update_index_in_dim}> : (tensor<3x2x12x32xf32>, tensor<2x12x32xf32>, tensor<i32>) -> tensor<3x2x12x32xf32>
      %289 = "func.call"(%arg110, %287#2, %arg107) <{callee = @dynamic_update_index_in_dim}> : (tensor<3x2x12x32xf32>, tensor<2x12x32xf32>, tensor<i32>) -> tensor<3x2x12x32xf32>
      %290 = "func.call"(%arg111, %287#3, %arg107) <{callee = @dynamic_update_index_in_dim}> : (tensor<3x2x12x32xf32>, tensor<2x12x32xf32>, tensor<i32>) -> tensor<3x2x12x32xf32>
      %291 = "func.call"(%arg112, %287#4, %arg107) <{callee = @dynamic_update_index_in_dim_1}> : (tensor<3x2x2x12x1x12xf32>, tensor<2x2x12x1x12xf32>, tensor<i32>) -> tensor<3x2x2x12x1x12xf32>
      %292 = "func.call"(%arg113, %287#5, %arg107) <{callee = @dynamic_update_index_in_dim_2}> : (tensor<3x2x2x16x1x12xf32>, tensor<2x2x16x1x12xf32>, tensor<i32>) -> tensor<3x2x2x16x1x12xf32>
      %293 = "func.call"(%arg114, %287#6, %arg107) <{callee = @dynamic_update_index_in_dim}> : (tensor<3x2x12x32xf32>, tensor<2x12x32xf32>, tensor<i32>) -> tensor<3x2x12x32xf32>
      %294 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %295 = "stablehlo.add"(%arg107, %294) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg101, %arg102, %arg103, %arg104, %arg105, %arg106, %295, %287#0, %288, %289, %290, %291, %292, %293) : (tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<1x2x2x12x12xi1>, tensor<1x2x2x12x12xf32>, tensor<i32>, tensor<2x12x32xf32>, tensor<3x2x12x32xf32>, tensor<3x2x12x32xf32>, tensor<3x2x12x32xf32>, tensor<3x2x2x12x1x12xf32>, tensor<3x2x2x16x1x12xf32>, tensor<3x2x12x32xf32>) -> ()
    }) : (tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<1x2x2x12x12xi1>, tensor<1x2x2x12x12xf32>, tensor<i32>, tensor<2x12x32xf32>, tensor<3x2x12x32xf32>, tensor<3x2x12x32xf32>, tensor<3x2x12x32xf32>, tensor<3x2x2x12x1x12xf32>, tensor<3x2x2x16x1x12xf32>, tensor<3x2x12x32xf32>) -> (tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<1x2x2x12x12xi1>, tensor<1x2x2x12x12xf32>, tensor<i32>, tensor<2x12x32xf32>, tensor<3x2x12x32xf32>, tensor<3x2x12x32xf32>, tensor<3x2x12x32xf32>, tensor<3x2x2x12x1x12xf32>, tensor<3x2x2x16x1x12xf32>, tensor<3x2x12x32xf32>)
    %236 = "stablehlo.multiply"(%235#7, %235#7) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %237 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %238 = "stablehlo.broadcast_in_dim"(%237) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x12x32xf32>
    %239 = "stablehlo.multiply"(%238, %235#7) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %240 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %241 = "stablehlo.reduce"(%236, %240) <{dimensions = array<i64: 0, 1, 2>}> ({
    ^bb0(%arg99: tensor<f32>, %arg100: tensor<f32>):
      %282 = "stablehlo.add"(%arg99, %arg100) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%282) : (tensor<f32>) -> ()
    }) : (tensor<2x12x32xf32>, tensor<f32>) -> tensor<f32>
    %242 = "stablehlo.constant"() <{value = dense<7.680000e+02> : tensor<f32>}> : () -> tensor<f32>
    %243 = "stablehlo.divide"(%241, %242) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %244 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %245 = "stablehlo.constant"() <{value = dense<7.680000e+02> : tensor<f32>}> : () -> tensor<f32>
    %246 = "stablehlo.divide"(%244, %245) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %247 = "stablehlo.broadcast_in_dim"(%246) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x12x32xf32>
    %248 = "stablehlo.multiply"(%247, %239) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %249 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %250 = "stablehlo.broadcast_in_dim"(%249) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x32x32xf32>
    %251 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %252 = "stablehlo.broadcast_in_dim"(%251) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x32x32xf32>
    %253 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %254 = "stablehlo.broadcast_in_dim"(%253) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x32x32xf32>
    %255 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %256 = "stablehlo.broadcast_in_dim"(%255) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x32x32xf32>
    %257 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %258:16 = "stablehlo.while"(%235#8, %235#9, %235#10, %235#11, %235#12, %235#13, %arg63, %arg64, %arg65, %arg66, %257, %248, %250, %252, %254, %256) ({
    ^bb0(%arg83: tensor<3x2x12x32xf32>, %arg84: tensor<3x2x12x32xf32>, %arg85: tensor<3x2x12x32xf32>, %arg86: tensor<3x2x2x12x1x12xf32>, %arg87: tensor<3x2x2x16x1x12xf32>, %arg88: tensor<3x2x12x32xf32>, %arg89: tensor<3x32x32xf32>, %arg90: tensor<3x32x32xf32>, %arg91: tensor<3x32x32xf32>, %arg92: tensor<3x32x32xf32>, %arg93: tensor<i32>, %arg94: tensor<2x12x32xf32>, %arg95: tensor<3x32x32xf32>, %arg96: tensor<3x32x32xf32>, %arg97: tensor<3x32x32xf32>, %arg98: tensor<3x32x32xf32>):
      %280 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
      %281 = "stablehlo.compare"(%arg93, %280) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%281) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg67: tensor<3x2x12x32xf32>, %arg68: tensor<3x2x12x32xf32>, %arg69: tensor<3x2x12x32xf32>, %arg70: tensor<3x2x2x12x1x12xf32>, %arg71: tensor<3x2x2x16x1x12xf32>, %arg72: tensor<3x2x12x32xf32>, %arg73: tensor<3x32x32xf32>, %arg74: tensor<3x32x32xf32>, %arg75: tensor<3x32x32xf32>, %arg76: tensor<3x32x32xf32>, %arg77: tensor<i32>, %arg78: tensor<2x12x32xf32>, %arg79: tensor<3x32x32xf32>, %arg80: tensor<3x32x32xf32>, %arg81: tensor<3x32x32xf32>, %arg82: tensor<3x32x32xf32>):
      %259 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
      %260 = "stablehlo.subtract"(%259, %arg77) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %261 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %262 = "stablehlo.subtract"(%260, %261) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %263 = "func.call"(%arg67, %262) <{callee = @dynamic_index_in_dim_3}> : (tensor<3x2x12x32xf32>, tensor<i32>) -> tensor<2x12x32xf32>
      %264 = "func.call"(%arg68, %262) <{callee = @dynamic_index_in_dim_3}> : (tensor<3x2x12x32xf32>, tensor<i32>) -> tensor<2x12x32xf32>
      %265 = "func.call"(%arg69, %262) <{callee = @dynamic_index_in_dim_3}> : (tensor<3x2x12x32xf32>, tensor<i32>) -> tensor<2x12x32xf32>
      %266 = "func.call"(%arg70, %262) <{callee = @dynamic_index_in_dim_4}> : (tensor<3x2x2x12x1x12xf32>, tensor<i32>) -> tensor<2x2x12x1x12xf32>
      %267 = "func.call"(%arg71, %262) <{callee = @dynamic_index_in_dim_5}> : (tensor<3x2x2x16x1x12xf32>, tensor<i32>) -> tensor<2x2x16x1x12xf32>
      %268 = "func.call"(%arg72, %262) <{callee = @dynamic_index_in_dim_3}> : (tensor<3x2x12x32xf32>, tensor<i32>) -> tensor<2x12x32xf32>
      %269 = "func.call"(%arg73, %262) <{callee = @dynamic_index_in_dim}> : (tensor<3x32x32xf32>, tensor<i32>) -> tensor<32x32xf32>
      %270 = "func.call"(%arg74, %262) <{callee = @dynamic_index_in_dim}> : (tensor<3x32x32xf32>, tensor<i32>) -> tensor<32x32xf32>
      %271 = "func.call"(%arg75, %262) <{callee = @dynamic_index_in_dim}> : (tensor<3x32x32xf32>, tensor<i32>) -> tensor<32x32xf32>
      %272 = "func.call"(%arg76, %262) <{callee = @dynamic_index_in_dim}> : (tensor<3x32x32xf32>, tensor<i32>) -> tensor<32x32xf32>
      %273:5 = "func.call"(%arg78, %263, %264, %265, %266, %267, %268, %269, %270, %271, %272) <{callee = @closed_call_6}> : (tensor<2x12x32xf32>, tensor<2x12x32xf32>, tensor<2x12x32xf32>, tensor<2x12x32xf32>, tensor<2x2x12x1x12xf32>, tensor<2x2x16x1x12xf32>, tensor<2x12x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> (tensor<2x12x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>)
      %274 = "func.call"(%arg79, %273#1, %262) <{callee = @dynamic_update_index_in_dim_10}> : (tensor<3x32x32xf32>, tensor<32x32xf32>, tensor<i32>) -> tensor<3x32x32xf32>
      %275 = "func.call"(%arg80, %273#2, %262) <{callee = @dynamic_update_index_in_dim_10}> : (tensor<3x32x32xf32>, tensor<32x32xf32>, tensor<i32>) -> tensor<3x32x32xf32>
      %276 = "func.call"(%arg81, %273#3, %262) <{callee = @dynamic_update_index_in_dim_10}> : (tensor<3x32x32xf32>, tensor<32x32xf32>, tensor<i32>) -> tensor<3x32x32xf32>
      %277 = "func.call"(%arg82, %273#4, %262) <{callee = @dynamic_update_index_in_dim_10}> : (tensor<3x32x32xf32>, tensor<32x32xf32>, tensor<i32>) -> tensor<3x32x32xf32>
      %278 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %279 = "stablehlo.add"(%arg77, %278) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg67, %arg68, %arg69, %arg70, %arg71, %arg72, %arg73, %arg74, %arg75, %arg76, %279, %273#0, %274, %275, %276, %277) : (tensor<3x2x12x32xf32>, tensor<3x2x12x32xf32>, tensor<3x2x12x32xf32>, tensor<3x2x2x12x1x12xf32>, tensor<3x2x2x16x1x12xf32>, tensor<3x2x12x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<i32>, tensor<2x12x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>) -> ()
    }) : (tensor<3x2x12x32xf32>, tensor<3x2x12x32xf32>, tensor<3x2x12x32xf32>, tensor<3x2x2x12x1x12xf32>, tensor<3x2x2x16x1x12xf32>, tensor<3x2x12x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<i32>, tensor<2x12x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>) -> (tensor<3x2x12x32xf32>, tensor<3x2x12x32xf32>, tensor<3x2x12x32xf32>, tensor<3x2x2x12x1x12xf32>, tensor<3x2x2x16x1x12xf32>, tensor<3x2x12x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<i32>, tensor<2x12x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>)
    "func.return"(%243, %258#11, %258#12, %258#13, %258#14, %258#15) : (tensor<f32>, tensor<2x12x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<12x12xi1>) -> tensor<12x12xi1>, res_attrs = [{}], sym_name = "tril", sym_visibility = "private"}> ({
  ^bb0(%arg61: tensor<12x12xi1>):
    %203 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<12x12xi32>
    %204 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %205 = "stablehlo.broadcast_in_dim"(%204) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<12x12xi32>
    %206 = "stablehlo.add"(%203, %205) : (tensor<12x12xi32>, tensor<12x12xi32>) -> tensor<12x12xi32>
    %207 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<12x12xi32>
    %208 = "stablehlo.compare"(%206, %207) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<12x12xi32>, tensor<12x12xi32>) -> tensor<12x12xi1>
    %209 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %210 = "stablehlo.broadcast_in_dim"(%209) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<12x12xi1>
    %211 = "stablehlo.select"(%208, %arg61, %210) : (tensor<12x12xi1>, tensor<12x12xi1>, tensor<12x12xi1>) -> tensor<12x12xi1>
    "func.return"(%211) : (tensor<12x12xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x2x12x12xi1>, tensor<f32>) -> (tensor<1x2x2x12x12xi1>, tensor<1x2x2x12x12xf32>), res_attrs = [{}, {}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg59: tensor<2x2x12x12xi1>, %arg60: tensor<f32>):
    %200 = "stablehlo.broadcast_in_dim"(%arg60) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x12x12xf32>
    %201 = "stablehlo.broadcast_in_dim"(%arg59) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x2x12x12xi1>) -> tensor<1x2x2x12x12xi1>
    %202 = "stablehlo.broadcast_in_dim"(%200) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x2x12x12xf32>) -> tensor<1x2x2x12x12xf32>
    "func.return"(%201, %202) : (tensor<1x2x2x12x12xi1>, tensor<1x2x2x12x12xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x32x32xf32>, tensor<i32>) -> tensor<32x32xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg57: tensor<3x32x32xf32>, %arg58: tensor<i32>):
    %196 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %197 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %198 = "stablehlo.dynamic_slice"(%arg57, %arg58, %196, %197) <{slice_sizes = array<i64: 1, 32, 32>}> : (tensor<3x32x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x32xf32>
    %199 = "stablehlo.reshape"(%198) : (tensor<1x32x32xf32>) -> tensor<32x32xf32>
    "func.return"(%199) : (tensor<32x32xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<1x2x2x12x12xi1>, tensor<1x2x2x12x12xf32>, tensor<2x12x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> (tensor<2x12x32xf32>, tensor<2x12x32xf32>, tensor<2x12x32xf32>, tensor<2x12x32xf32>, tensor<2x2x12x1x12xf32>, tensor<2x2x16x1x12xf32>, tensor<2x12x32xf32>), res_attrs = [{}, {}, {}, {}, {}, {}, {}], sym_name = "closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg46: tensor<1x2x2x12x12xi1>, %arg47: tensor<1x2x2x12x12xf32>, %arg48: tensor<2x12x32xf32>, %arg49: tensor<32x32xf32>, %arg50: tensor<32x32xf32>, %arg51: tensor<32x32xf32>, %arg52: tensor<32x32xf32>):
    %156 = "stablehlo.dot_general"(%arg48, %arg49) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x32xf32>, tensor<32x32xf32>) -> tensor<2x12x32xf32>
    %157 = "stablehlo.reduce_precision"(%156) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %158 = "stablehlo.reshape"(%157) : (tensor<2x12x32xf32>) -> tensor<2x12x2x16xf32>
    %159 = "stablehlo.dot_general"(%arg48, %arg50) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x32xf32>, tensor<32x32xf32>) -> tensor<2x12x32xf32>
    %160 = "stablehlo.reduce_precision"(%159) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %161 = "stablehlo.reshape"(%160) : (tensor<2x12x32xf32>) -> tensor<2x12x2x16xf32>
    %162 = "stablehlo.dot_general"(%arg48, %arg51) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x32xf32>, tensor<32x32xf32>) -> tensor<2x12x32xf32>
    %163 = "stablehlo.reduce_precision"(%162) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %164 = "stablehlo.reshape"(%163) : (tensor<2x12x32xf32>) -> tensor<2x12x2x16xf32>
    %165 = "stablehlo.reshape"(%158) : (tensor<2x12x2x16xf32>) -> tensor<2x12x2x1x16xf32>
    %166 = "stablehlo.dot_general"(%165, %161) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x2x1x16xf32>, tensor<2x12x2x16xf32>) -> tensor<2x2x12x1x12xf32>
    %167 = "stablehlo.reduce_precision"(%166) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x2x12x1x12xf32>) -> tensor<2x2x12x1x12xf32>
    %168 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %169 = "stablehlo.broadcast_in_dim"(%168) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x12x1x12xf32>
    %170 = "stablehlo.multiply"(%167, %169) : (tensor<2x2x12x1x12xf32>, tensor<2x2x12x1x12xf32>) -> tensor<2x2x12x1x12xf32>
    %171 = "func.call"(%170, %arg46, %arg47) <{callee = @_where_0}> : (tensor<2x2x12x1x12xf32>, tensor<1x2x2x12x12xi1>, tensor<1x2x2x12x12xf32>) -> tensor<1x2x2x12x12xf32>
    %172 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %173 = "stablehlo.reduce"(%171, %172) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg55: tensor<f32>, %arg56: tensor<f32>):
      %195 = "stablehlo.maximum"(%arg55, %arg56) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%195) : (tensor<f32>) -> ()
    }) : (tensor<1x2x2x12x12xf32>, tensor<f32>) -> tensor<1x2x2x12xf32>
    %174 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %175 = "stablehlo.broadcast_in_dim"(%174) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x2x2x12xf32>
    %176 = "stablehlo.maximum"(%175, %173) : (tensor<1x2x2x12xf32>, tensor<1x2x2x12xf32>) -> tensor<1x2x2x12xf32>
    %177 = "stablehlo.broadcast_in_dim"(%176) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x2x12xf32>) -> tensor<1x2x2x12x1xf32>
    %178 = "stablehlo.broadcast_in_dim"(%177) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x2x12x1xf32>) -> tensor<1x2x2x12x12xf32>
    %179 = "stablehlo.subtract"(%171, %178) : (tensor<1x2x2x12x12xf32>, tensor<1x2x2x12x12xf32>) -> tensor<1x2x2x12x12xf32>
    %180 = "stablehlo.exponential"(%179) : (tensor<1x2x2x12x12xf32>) -> tensor<1x2x2x12x12xf32>
    %181 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %182 = "stablehlo.reduce"(%180, %181) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg53: tensor<f32>, %arg54: tensor<f32>):
      %194 = "stablehlo.add"(%arg53, %arg54) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%194) : (tensor<f32>) -> ()
    }) : (tensor<1x2x2x12x12xf32>, tensor<f32>) -> tensor<1x2x2x12xf32>
    %183 = "stablehlo.broadcast_in_dim"(%182) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x2x12xf32>) -> tensor<1x2x2x12x1xf32>
    %184 = "stablehlo.broadcast_in_dim"(%183) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x2x12x1xf32>) -> tensor<1x2x2x12x12xf32>
    %185 = "stablehlo.divide"(%180, %184) : (tensor<1x2x2x12x12xf32>, tensor<1x2x2x12x12xf32>) -> tensor<1x2x2x12x12xf32>
    %186 = "stablehlo.dot_general"(%164, %185) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [1, 2], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [4]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x2x16xf32>, tensor<1x2x2x12x12xf32>) -> tensor<2x2x16x1x12xf32>
    %187 = "stablehlo.reduce_precision"(%186) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x2x16x1x12xf32>) -> tensor<2x2x16x1x12xf32>
    %188 = "stablehlo.transpose"(%187) <{permutation = array<i64: 3, 0, 4, 1, 2>}> : (tensor<2x2x16x1x12xf32>) -> tensor<1x2x12x2x16xf32>
    %189 = "stablehlo.transpose"(%188) <{permutation = array<i64: 1, 2, 3, 0, 4>}> : (tensor<1x2x12x2x16xf32>) -> tensor<2x12x2x1x16xf32>
    %190 = "stablehlo.reshape"(%189) : (tensor<2x12x2x1x16xf32>) -> tensor<2x12x2x16xf32>
    %191 = "stablehlo.reshape"(%190) : (tensor<2x12x2x16xf32>) -> tensor<2x12x32xf32>
    %192 = "stablehlo.dot_general"(%191, %arg52) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x32xf32>, tensor<32x32xf32>) -> tensor<2x12x32xf32>
    %193 = "stablehlo.add"(%arg48, %192) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    "func.return"(%193, %157, %160, %163, %167, %187, %arg48) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>, tensor<2x12x32xf32>, tensor<2x12x32xf32>, tensor<2x2x12x1x12xf32>, tensor<2x2x16x1x12xf32>, tensor<2x12x32xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x2x12x1x12xf32>, tensor<1x2x2x12x12xi1>, tensor<1x2x2x12x12xf32>) -> tensor<1x2x2x12x12xf32>, res_attrs = [{}], sym_name = "_where_0", sym_visibility = "private"}> ({
  ^bb0(%arg43: tensor<2x2x12x1x12xf32>, %arg44: tensor<1x2x2x12x12xi1>, %arg45: tensor<1x2x2x12x12xf32>):
    %154 = "stablehlo.transpose"(%arg43) <{permutation = array<i64: 3, 0, 1, 2, 4>}> : (tensor<2x2x12x1x12xf32>) -> tensor<1x2x2x12x12xf32>
    %155 = "stablehlo.select"(%arg44, %154, %arg45) : (tensor<1x2x2x12x12xi1>, tensor<1x2x2x12x12xf32>, tensor<1x2x2x12x12xf32>) -> tensor<1x2x2x12x12xf32>
    "func.return"(%155) : (tensor<1x2x2x12x12xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<3x2x12x32xf32>, tensor<2x12x32xf32>, tensor<i32>) -> tensor<3x2x12x32xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg40: tensor<3x2x12x32xf32>, %arg41: tensor<2x12x32xf32>, %arg42: tensor<i32>):
    %149 = "stablehlo.broadcast_in_dim"(%arg41) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<2x12x32xf32>) -> tensor<1x2x12x32xf32>
    %150 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %151 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %152 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %153 = "stablehlo.dynamic_update_slice"(%arg40, %149, %arg42, %150, %151, %152) : (tensor<3x2x12x32xf32>, tensor<1x2x12x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x2x12x32xf32>
    "func.return"(%153) : (tensor<3x2x12x32xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<3x2x2x12x1x12xf32>, tensor<2x2x12x1x12xf32>, tensor<i32>) -> tensor<3x2x2x12x1x12xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_1", sym_visibility = "private"}> ({
  ^bb0(%arg37: tensor<3x2x2x12x1x12xf32>, %arg38: tensor<2x2x12x1x12xf32>, %arg39: tensor<i32>):
    %142 = "stablehlo.broadcast_in_dim"(%arg38) <{broadcast_dimensions = array<i64: 1, 2, 3, 4, 5>}> : (tensor<2x2x12x1x12xf32>) -> tensor<1x2x2x12x1x12xf32>
    %143 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %144 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %145 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %146 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %147 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %148 = "stablehlo.dynamic_update_slice"(%arg37, %142, %arg39, %143, %144, %145, %146, %147) : (tensor<3x2x2x12x1x12xf32>, tensor<1x2x2x12x1x12xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x2x2x12x1x12xf32>
    "func.return"(%148) : (tensor<3x2x2x12x1x12xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<3x2x2x16x1x12xf32>, tensor<2x2x16x1x12xf32>, tensor<i32>) -> tensor<3x2x2x16x1x12xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_2", sym_visibility = "private"}> ({
  ^bb0(%arg34: tensor<3x2x2x16x1x12xf32>, %arg35: tensor<2x2x16x1x12xf32>, %arg36: tensor<i32>):
    %135 = "stablehlo.broadcast_in_dim"(%arg35) <{broadcast_dimensions = array<i64: 1, 2, 3, 4, 5>}> : (tensor<2x2x16x1x12xf32>) -> tensor<1x2x2x16x1x12xf32>
    %136 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %137 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %138 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %139 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %140 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %141 = "stablehlo.dynamic_update_slice"(%arg34, %135, %arg36, %136, %137, %138, %139, %140) : (tensor<3x2x2x16x1x12xf32>, tensor<1x2x2x16x1x12xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x2x2x16x1x12xf32>
    "func.return"(%141) : (tensor<3x2x2x16x1x12xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x2x12x32xf32>, tensor<i32>) -> tensor<2x12x32xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_3", sym_visibility = "private"}> ({
  ^bb0(%arg32: tensor<3x2x12x32xf32>, %arg33: tensor<i32>):
    %130 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %131 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %132 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %133 = "stablehlo.dynamic_slice"(%arg32, %arg33, %130, %131, %132) <{slice_sizes = array<i64: 1, 2, 12, 32>}> : (tensor<3x2x12x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x12x32xf32>
    %134 = "stablehlo.reshape"(%133) : (tensor<1x2x12x32xf32>) -> tensor<2x12x32xf32>
    "func.return"(%134) : (tensor<2x12x32xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x2x2x12x1x12xf32>, tensor<i32>) -> tensor<2x2x12x1x12xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_4", sym_visibility = "private"}> ({
  ^bb0(%arg30: tensor<3x2x2x12x1x12xf32>, %arg31: tensor<i32>):
    %123 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %124 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %125 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %126 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %127 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %128 = "stablehlo.dynamic_slice"(%arg30, %arg31, %123, %124, %125, %126, %127) <{slice_sizes = array<i64: 1, 2, 2, 12, 1, 12>}> : (tensor<3x2x2x12x1x12xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x2x12x1x12xf32>
    %129 = "stablehlo.reshape"(%128) : (tensor<1x2x2x12x1x12xf32>) -> tensor<2x2x12x1x12xf32>
    "func.return"(%129) : (tensor<2x2x12x1x12xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x2x2x16x1x12xf32>, tensor<i32>) -> tensor<2x2x16x1x12xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_5", sym_visibility = "private"}> ({
  ^bb0(%arg28: tensor<3x2x2x16x1x12xf32>, %arg29: tensor<i32>):
    %116 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %117 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %118 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %119 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %120 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %121 = "stablehlo.dynamic_slice"(%arg28, %arg29, %116, %117, %118, %119, %120) <{slice_sizes = array<i64: 1, 2, 2, 16, 1, 12>}> : (tensor<3x2x2x16x1x12xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x2x16x1x12xf32>
    %122 = "stablehlo.reshape"(%121) : (tensor<1x2x2x16x1x12xf32>) -> tensor<2x2x16x1x12xf32>
    "func.return"(%122) : (tensor<2x2x16x1x12xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x12x32xf32>, tensor<2x12x32xf32>, tensor<2x12x32xf32>, tensor<2x12x32xf32>, tensor<2x2x12x1x12xf32>, tensor<2x2x16x1x12xf32>, tensor<2x12x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> (tensor<2x12x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>), res_attrs = [{}, {}, {}, {}, {}], sym_name = "closed_call_6", sym_visibility = "private"}> ({
  ^bb0(%arg9: tensor<2x12x32xf32>, %arg10: tensor<2x12x32xf32>, %arg11: tensor<2x12x32xf32>, %arg12: tensor<2x12x32xf32>, %arg13: tensor<2x2x12x1x12xf32>, %arg14: tensor<2x2x16x1x12xf32>, %arg15: tensor<2x12x32xf32>, %arg16: tensor<32x32xf32>, %arg17: tensor<32x32xf32>, %arg18: tensor<32x32xf32>, %arg19: tensor<32x32xf32>):
    %22:11 = "stablehlo.optimization_barrier"(%arg10, %arg11, %arg12, %arg13, %arg14, %arg15, %arg16, %arg17, %arg18, %arg19, %arg9) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>, tensor<2x12x32xf32>, tensor<2x2x12x1x12xf32>, tensor<2x2x16x1x12xf32>, tensor<2x12x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<2x12x32xf32>) -> (tensor<2x12x32xf32>, tensor<2x12x32xf32>, tensor<2x12x32xf32>, tensor<2x2x12x1x12xf32>, tensor<2x2x16x1x12xf32>, tensor<2x12x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<2x12x32xf32>)
    %23 = "stablehlo.reshape"(%22#0) : (tensor<2x12x32xf32>) -> tensor<2x12x2x16xf32>
    %24 = "stablehlo.reshape"(%22#1) : (tensor<2x12x32xf32>) -> tensor<2x12x2x16xf32>
    %25 = "stablehlo.reshape"(%22#2) : (tensor<2x12x32xf32>) -> tensor<2x12x2x16xf32>
    %26 = "stablehlo.reshape"(%23) : (tensor<2x12x2x16xf32>) -> tensor<2x12x2x1x16xf32>
    %27 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %28 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x12x1x12xf32>
    %29 = "stablehlo.multiply"(%22#3, %28) : (tensor<2x2x12x1x12xf32>, tensor<2x2x12x1x12xf32>) -> tensor<2x2x12x1x12xf32>
    %30 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<2x2x12x12xi1>
    %32 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %33 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<12x12xi1>
    %34 = "func.call"(%33) <{callee = @tril_7}> : (tensor<12x12xi1>) -> tensor<12x12xi1>
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64: 2, 3>}> : (tensor<12x12xi1>) -> tensor<1x1x12x12xi1>
    %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x12x12xi1>) -> tensor<2x2x12x12xi1>
    %37 = "stablehlo.and"(%31, %36) : (tensor<2x2x12x12xi1>, tensor<2x2x12x12xi1>) -> tensor<2x2x12x12xi1>
    %38 = "stablehlo.constant"() <{value = dense<-2.38197633E+38> : tensor<f32>}> : () -> tensor<f32>
    %39:2 = "func.call"(%37, %29, %38) <{callee = @_where_8}> : (tensor<2x2x12x12xi1>, tensor<2x2x12x1x12xf32>, tensor<f32>) -> (tensor<1x2x2x12x12xf32>, tensor<1x2x2x12x12xi1>)
    %40 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %41 = "stablehlo.reduce"(%39#0, %40) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg26: tensor<f32>, %arg27: tensor<f32>):
      %115 = "stablehlo.maximum"(%arg26, %arg27) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%115) : (tensor<f32>) -> ()
    }) : (tensor<1x2x2x12x12xf32>, tensor<f32>) -> tensor<1x2x2x12xf32>
    %42 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %43 = "stablehlo.broadcast_in_dim"(%42) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x2x2x12xf32>
    %44 = "stablehlo.maximum"(%43, %41) : (tensor<1x2x2x12xf32>, tensor<1x2x2x12xf32>) -> tensor<1x2x2x12xf32>
    %45 = "stablehlo.broadcast_in_dim"(%44) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x2x12xf32>) -> tensor<1x2x2x12x1xf32>
    %46 = "stablehlo.broadcast_in_dim"(%45) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x2x12x1xf32>) -> tensor<1x2x2x12x12xf32>
    %47 = "stablehlo.subtract"(%39#0, %46) : (tensor<1x2x2x12x12xf32>, tensor<1x2x2x12x12xf32>) -> tensor<1x2x2x12x12xf32>
    %48 = "stablehlo.exponential"(%47) : (tensor<1x2x2x12x12xf32>) -> tensor<1x2x2x12x12xf32>
    %49 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %50 = "stablehlo.reduce"(%48, %49) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg24: tensor<f32>, %arg25: tensor<f32>):
      %114 = "stablehlo.add"(%arg24, %arg25) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%114) : (tensor<f32>) -> ()
    }) : (tensor<1x2x2x12x12xf32>, tensor<f32>) -> tensor<1x2x2x12xf32>
    %51 = "stablehlo.broadcast_in_dim"(%50) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x2x12xf32>) -> tensor<1x2x2x12x1xf32>
    %52 = "stablehlo.broadcast_in_dim"(%51) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x2x12x1xf32>) -> tensor<1x2x2x12x12xf32>
    %53 = "stablehlo.divide"(%48, %52) : (tensor<1x2x2x12x12xf32>, tensor<1x2x2x12x12xf32>) -> tensor<1x2x2x12x12xf32>
    %54 = "stablehlo.multiply"(%51, %51) : (tensor<1x2x2x12x1xf32>, tensor<1x2x2x12x1xf32>) -> tensor<1x2x2x12x1xf32>
    %55 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %56 = "stablehlo.broadcast_in_dim"(%55) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x2x2x12x1xf32>
    %57 = "stablehlo.divide"(%56, %54) : (tensor<1x2x2x12x1xf32>, tensor<1x2x2x12x1xf32>) -> tensor<1x2x2x12x1xf32>
    %58 = "stablehlo.transpose"(%22#4) <{permutation = array<i64: 3, 0, 4, 1, 2>}> : (tensor<2x2x16x1x12xf32>) -> tensor<1x2x12x2x16xf32>
    %59 = "stablehlo.transpose"(%58) <{permutation = array<i64: 1, 2, 3, 0, 4>}> : (tensor<1x2x12x2x16xf32>) -> tensor<2x12x2x1x16xf32>
    %60 = "stablehlo.reshape"(%59) : (tensor<2x12x2x1x16xf32>) -> tensor<2x12x2x16xf32>
    %61 = "stablehlo.reshape"(%60) : (tensor<2x12x2x16xf32>) -> tensor<2x12x32xf32>
    %62 = "stablehlo.dot_general"(%22#10, %61) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<32x32xf32>
    %63 = "stablehlo.transpose"(%62) <{permutation = array<i64: 1, 0>}> : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %64 = "stablehlo.dot_general"(%22#10, %22#9) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x32xf32>, tensor<32x32xf32>) -> tensor<2x12x32xf32>
    %65 = "stablehlo.reshape"(%64) : (tensor<2x12x32xf32>) -> tensor<2x12x2x16xf32>
    %66 = "stablehlo.reshape"(%65) : (tensor<2x12x2x16xf32>) -> tensor<2x12x2x1x16xf32>
    %67 = "stablehlo.transpose"(%66) <{permutation = array<i64: 3, 0, 1, 2, 4>}> : (tensor<2x12x2x1x16xf32>) -> tensor<1x2x12x2x16xf32>
    %68 = "stablehlo.transpose"(%67) <{permutation = array<i64: 1, 3, 4, 0, 2>}> : (tensor<1x2x12x2x16xf32>) -> tensor<2x2x16x1x12xf32>
    %69 = "stablehlo.dot_general"(%68, %25) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x2x16x1x12xf32>, tensor<2x12x2x16xf32>) -> tensor<2x2x1x12x12xf32>
    %70 = "stablehlo.transpose"(%69) <{permutation = array<i64: 2, 0, 1, 3, 4>}> : (tensor<2x2x1x12x12xf32>) -> tensor<1x2x2x12x12xf32>
    %71 = "stablehlo.dot_general"(%68, %53) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [1, 2], lhs_contracting_dimensions = [3, 4], rhs_contracting_dimensions = [0, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x2x16x1x12xf32>, tensor<1x2x2x12x12xf32>) -> tensor<2x2x16x12xf32>
    %72 = "stablehlo.transpose"(%71) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x2x16x12xf32>) -> tensor<2x12x2x16xf32>
    %73 = "stablehlo.broadcast_in_dim"(%57) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x2x12x1xf32>) -> tensor<1x2x2x12x12xf32>
    %74 = "stablehlo.multiply"(%70, %73) : (tensor<1x2x2x12x12xf32>, tensor<1x2x2x12x12xf32>) -> tensor<1x2x2x12x12xf32>
    %75 = "stablehlo.multiply"(%74, %48) : (tensor<1x2x2x12x12xf32>, tensor<1x2x2x12x12xf32>) -> tensor<1x2x2x12x12xf32>
    %76 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %77 = "stablehlo.reduce"(%75, %76) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg22: tensor<f32>, %arg23: tensor<f32>):
      %113 = "stablehlo.add"(%arg22, %arg23) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%113) : (tensor<f32>) -> ()
    }) : (tensor<1x2x2x12x12xf32>, tensor<f32>) -> tensor<1x2x2x12xf32>
    %78 = "stablehlo.reshape"(%77) : (tensor<1x2x2x12xf32>) -> tensor<1x2x2x12x1xf32>
    %79 = "stablehlo.negate"(%78) : (tensor<1x2x2x12x1xf32>) -> tensor<1x2x2x12x1xf32>
    %80 = "stablehlo.broadcast_in_dim"(%51) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x2x12x1xf32>) -> tensor<1x2x2x12x12xf32>
    %81 = "stablehlo.divide"(%70, %80) : (tensor<1x2x2x12x12xf32>, tensor<1x2x2x12x12xf32>) -> tensor<1x2x2x12x12xf32>
    %82 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %83 = "stablehlo.reduce"(%79, %82) <{dimensions = array<i64: 0, 4>}> ({
    ^bb0(%arg20: tensor<f32>, %arg21: tensor<f32>):
      %112 = "stablehlo.add"(%arg20, %arg21) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%112) : (tensor<f32>) -> ()
    }) : (tensor<1x2x2x12x1xf32>, tensor<f32>) -> tensor<2x2x12xf32>
    %84 = "stablehlo.broadcast_in_dim"(%83) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<2x2x12xf32>) -> tensor<1x2x2x12xf32>
    %85 = "stablehlo.broadcast_in_dim"(%84) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x2x12xf32>) -> tensor<1x2x2x12x12xf32>
    %86 = "stablehlo.add"(%81, %85) : (tensor<1x2x2x12x12xf32>, tensor<1x2x2x12x12xf32>) -> tensor<1x2x2x12x12xf32>
    %87 = "stablehlo.multiply"(%86, %48) : (tensor<1x2x2x12x12xf32>, tensor<1x2x2x12x12xf32>) -> tensor<1x2x2x12x12xf32>
    %88 = "func.call"(%39#1, %87) <{callee = @_where_9}> : (tensor<1x2x2x12x12xi1>, tensor<1x2x2x12x12xf32>) -> tensor<2x2x12x1x12xf32>
    %89 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %90 = "stablehlo.broadcast_in_dim"(%89) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x12x1x12xf32>
    %91 = "stablehlo.multiply"(%88, %90) : (tensor<2x2x12x1x12xf32>, tensor<2x2x12x1x12xf32>) -> tensor<2x2x12x1x12xf32>
    %92 = "stablehlo.dot_general"(%91, %26) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [1, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x2x12x1x12xf32>, tensor<2x12x2x1x16xf32>) -> tensor<2x2x12x16xf32>
    %93 = "stablehlo.transpose"(%92) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x2x12x16xf32>) -> tensor<2x12x2x16xf32>
    %94 = "stablehlo.dot_general"(%91, %24) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x2x12x1x12xf32>, tensor<2x12x2x16xf32>) -> tensor<2x2x12x1x16xf32>
    %95 = "stablehlo.transpose"(%94) <{permutation = array<i64: 0, 2, 1, 3, 4>}> : (tensor<2x2x12x1x16xf32>) -> tensor<2x12x2x1x16xf32>
    %96 = "stablehlo.reshape"(%95) : (tensor<2x12x2x1x16xf32>) -> tensor<2x12x2x16xf32>
    %97 = "stablehlo.reshape"(%72) : (tensor<2x12x2x16xf32>) -> tensor<2x12x32xf32>
    %98 = "stablehlo.dot_general"(%97, %22#5) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<32x32xf32>
    %99 = "stablehlo.transpose"(%98) <{permutation = array<i64: 1, 0>}> : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %100 = "stablehlo.dot_general"(%97, %22#8) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x32xf32>, tensor<32x32xf32>) -> tensor<2x12x32xf32>
    %101 = "stablehlo.add"(%22#10, %100) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %102 = "stablehlo.reshape"(%93) : (tensor<2x12x2x16xf32>) -> tensor<2x12x32xf32>
    %103 = "stablehlo.dot_general"(%102, %22#5) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<32x32xf32>
    %104 = "stablehlo.transpose"(%103) <{permutation = array<i64: 1, 0>}> : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %105 = "stablehlo.dot_general"(%102, %22#7) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x32xf32>, tensor<32x32xf32>) -> tensor<2x12x32xf32>
    %106 = "stablehlo.add"(%101, %105) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %107 = "stablehlo.reshape"(%96) : (tensor<2x12x2x16xf32>) -> tensor<2x12x32xf32>
    %108 = "stablehlo.dot_general"(%107, %22#5) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<32x32xf32>
    %109 = "stablehlo.transpose"(%108) <{permutation = array<i64: 1, 0>}> : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %110 = "stablehlo.dot_general"(%107, %22#6) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x32xf32>, tensor<32x32xf32>) -> tensor<2x12x32xf32>
    %111 = "stablehlo.add"(%106, %110) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    "func.return"(%111, %109, %104, %99, %63) : (tensor<2x12x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<12x12xi1>) -> tensor<12x12xi1>, res_attrs = [{}], sym_name = "tril_7", sym_visibility = "private"}> ({
  ^bb0(%arg8: tensor<12x12xi1>):
    %13 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<12x12xi32>
    %14 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<12x12xi32>
    %16 = "stablehlo.add"(%13, %15) : (tensor<12x12xi32>, tensor<12x12xi32>) -> tensor<12x12xi32>
    %17 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<12x12xi32>
    %18 = "stablehlo.compare"(%16, %17) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<12x12xi32>, tensor<12x12xi32>) -> tensor<12x12xi1>
    %19 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<12x12xi1>
    %21 = "stablehlo.select"(%18, %arg8, %20) : (tensor<12x12xi1>, tensor<12x12xi1>, tensor<12x12xi1>) -> tensor<12x12xi1>
    "func.return"(%21) : (tensor<12x12xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x2x12x12xi1>, tensor<2x2x12x1x12xf32>, tensor<f32>) -> (tensor<1x2x2x12x12xf32>, tensor<1x2x2x12x12xi1>), res_attrs = [{}, {}], sym_name = "_where_8", sym_visibility = "private"}> ({
  ^bb0(%arg5: tensor<2x2x12x12xi1>, %arg6: tensor<2x2x12x1x12xf32>, %arg7: tensor<f32>):
    %8 = "stablehlo.broadcast_in_dim"(%arg7) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x12x12xf32>
    %9 = "stablehlo.broadcast_in_dim"(%arg5) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x2x12x12xi1>) -> tensor<1x2x2x12x12xi1>
    %10 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x2x12x12xf32>) -> tensor<1x2x2x12x12xf32>
    %11 = "stablehlo.transpose"(%arg6) <{permutation = array<i64: 3, 0, 1, 2, 4>}> : (tensor<2x2x12x1x12xf32>) -> tensor<1x2x2x12x12xf32>
    %12 = "stablehlo.select"(%9, %11, %10) : (tensor<1x2x2x12x12xi1>, tensor<1x2x2x12x12xf32>, tensor<1x2x2x12x12xf32>) -> tensor<1x2x2x12x12xf32>
    "func.return"(%12, %9) : (tensor<1x2x2x12x12xf32>, tensor<1x2x2x12x12xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<1x2x2x12x12xi1>, tensor<1x2x2x12x12xf32>) -> tensor<2x2x12x1x12xf32>, res_attrs = [{}], sym_name = "_where_9", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<1x2x2x12x12xi1>, %arg4: tensor<1x2x2x12x12xf32>):
    %4 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x2x2x12x12xf32>
    %6 = "stablehlo.select"(%arg3, %arg4, %5) : (tensor<1x2x2x12x12xi1>, tensor<1x2x2x12x12xf32>, tensor<1x2x2x12x12xf32>) -> tensor<1x2x2x12x12xf32>
    %7 = "stablehlo.transpose"(%6) <{permutation = array<i64: 1, 2, 3, 0, 4>}> : (tensor<1x2x2x12x12xf32>) -> tensor<2x2x12x1x12xf32>
    "func.return"(%7) : (tensor<2x2x12x1x12xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<3x32x32xf32>, tensor<32x32xf32>, tensor<i32>) -> tensor<3x32x32xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_10", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<3x32x32xf32>, %arg1: tensor<32x32xf32>, %arg2: tensor<i32>):
    %0 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<32x32xf32>) -> tensor<1x32x32xf32>
    %1 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %3 = "stablehlo.dynamic_update_slice"(%arg0, %0, %arg2, %1, %2) : (tensor<3x32x32xf32>, tensor<1x32x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x32x32xf32>
    "func.return"(%3) : (tensor<3x32x32xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
