// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_grad_scan_repeated"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}], function_type = (tensor<2x12x32xf32>, tensor<3x32x32xf32>, tensor<3x32x16xf32>, tensor<3x32x16xf32>, tensor<3x32x32xf32>) -> (tensor<f32>, tensor<2x12x32xf32>, tensor<3x32x32xf32>, tensor<3x32x16xf32>, tensor<3x32x16xf32>, tensor<3x32x32xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1][0]"}, {jax.result_info = "result[1][1]"}, {jax.result_info = "result[1][2]"}, {jax.result_info = "result[1][3]"}, {jax.result_info = "result[1][4]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg73: tensor<2x12x32xf32>, %arg74: tensor<3x32x32xf32>, %arg75: tensor<3x32x16xf32>, %arg76: tensor<3x32x16xf32>, %arg77: tensor<3x32x32xf32>):
    %177 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<12xi32>
    %178 = "stablehlo.broadcast_in_dim"(%177) <{broadcast_dimensions = array<i64: 0>}> : (tensor<12xi32>) -> tensor<12x1xi32>
    %179 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<12xi32>
    %180 = "stablehlo.broadcast_in_dim"(%179) <{broadcast_dimensions = array<i64: 1>}> : (tensor<12xi32>) -> tensor<1x12xi32>
    %181 = "stablehlo.broadcast_in_dim"(%180) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x12xi32>) -> tensor<12x12xi32>
    %182 = "stablehlo.broadcast_in_dim"(%178) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<12x1xi32>) -> tensor<12x12xi32>
    %183 = "stablehlo.compare"(%181, %182) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<12x12xi32>, tensor<12x12xi32>) -> tensor<12x12xi1>
    %184 = "stablehlo.broadcast_in_dim"(%178) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<12x1xi32>) -> tensor<12x12xi32>
    %185 = "stablehlo.broadcast_in_dim"(%180) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x12xi32>) -> tensor<12x12xi32>
    %186 = "stablehlo.subtract"(%184, %185) : (tensor<12x12xi32>, tensor<12x12xi32>) -> tensor<12x12xi32>
    %187 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
    %188 = "stablehlo.broadcast_in_dim"(%187) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<12x12xi32>
    %189 = "stablehlo.compare"(%186, %188) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<12x12xi32>, tensor<12x12xi32>) -> tensor<12x12xi1>
    %190 = "stablehlo.and"(%183, %189) : (tensor<12x12xi1>, tensor<12x12xi1>) -> tensor<12x12xi1>
    %191 = "stablehlo.constant"() <{value = dense<-2.38197633E+38> : tensor<f32>}> : () -> tensor<f32>
    %192:2 = "func.call"(%190, %191) <{callee = @_where}> : (tensor<12x12xi1>, tensor<f32>) -> (tensor<2x4x12x12xi1>, tensor<2x4x12x12xf32>)
    %193 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %194 = "stablehlo.broadcast_in_dim"(%193) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x2x12x32xf32>
    %195 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %196 = "stablehlo.broadcast_in_dim"(%195) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x2x12x4x8xf32>
    %197 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %198 = "stablehlo.broadcast_in_dim"(%197) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x2x12x4x8xf32>
    %199 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %200 = "stablehlo.broadcast_in_dim"(%199) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x2x4x12x12xf32>
    %201 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %202 = "stablehlo.broadcast_in_dim"(%201) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x2x4x12x12xf32>
    %203 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %204 = "stablehlo.broadcast_in_dim"(%203) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x2x4x12x12xf32>
    %205 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %206 = "stablehlo.broadcast_in_dim"(%205) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x2x4x12x1xf32>
    %207 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %208 = "stablehlo.broadcast_in_dim"(%207) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x2x4x12x1xf32>
    %209 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %210 = "stablehlo.broadcast_in_dim"(%209) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x2x4x12x12xf32>
    %211 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %212 = "stablehlo.broadcast_in_dim"(%211) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x2x12x4x8xf32>
    %213 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %214 = "stablehlo.broadcast_in_dim"(%213) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x2x12x32xf32>
    %215 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %216:19 = "stablehlo.while"(%arg74, %arg75, %arg76, %arg77, %192#0, %192#1, %215, %arg73, %194, %196, %198, %200, %202, %204, %206, %208, %210, %212, %214) ({
    ^bb0(%arg143: tensor<3x32x32xf32>, %arg144: tensor<3x32x16xf32>, %arg145: tensor<3x32x16xf32>, %arg146: tensor<3x32x32xf32>, %arg147: tensor<2x4x12x12xi1>, %arg148: tensor<2x4x12x12xf32>, %arg149: tensor<i32>, %arg150: tensor<2x12x32xf32>, %arg151: tensor<3x2x12x32xf32>, %arg152: tensor<3x2x12x4x8xf32>, %arg153: tensor<3x2x12x4x8xf32>, %arg154: tensor<3x2x4x12x12xf32>, %arg155: tensor<3x2x4x12x12xf32>, %arg156: tensor<3x2x4x12x12xf32>, %arg157: tensor<3x2x4x12x1xf32>, %arg158: tensor<3x2x4x12x1xf32>, %arg159: tensor<3x2x4x12x12xf32>, %arg160: tensor<3x2x12x4x8xf32>, %arg161: tensor<3x2x12x32xf32>):
      %287 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
      %288 = "stablehlo.compare"(%arg149, %287) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%288) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg124: tensor<3x32x32xf32>, %arg125: tensor<3x32x16xf32>, %arg126: tensor<3x32x16xf32>, %arg127: tensor<3x32x32xf32>, %arg128: tensor<2x4x12x12xi1>, %arg129: tensor<2x4x12x12xf32>, %arg130: tensor<i32>, %arg131: tensor<2x12x32xf32>, %arg132: tensor<3x2x12x32xf32>, %arg133: tensor<3x2x12x4x8xf32>, %arg134: tensor<3x2x12x4x8xf32>, %arg135: tensor<3x2x4x12x12xf32>, %arg136: tensor<3x2x4x12x12xf32>, %arg137: tensor<3x2x4x12x12xf32>, %arg138: tensor<3x2x4x12x1xf32>, %arg139: tensor<3x2x4x12x1xf32>, %arg140: tensor<3x2x4x12x12xf32>, %arg141: tensor<3x2x12x4x8xf32>, %arg142: tensor<3x2x12x32xf32>):
      %265 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
      %266 = "stablehlo.subtract"(%265, %arg130) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %267 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %268 = "stablehlo.subtract"(%266, %267) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %269 = "func.call"(%arg124, %268) <{callee = @dynamic_index_in_dim}> : (tensor<3x32x32xf32>, tensor<i32>) -> tensor<32x32xf32>
      %270 = "func.call"(%arg125, %268) <{callee = @dynamic_index_in_dim_0}> : (tensor<3x32x16xf32>, tensor<i32>) -> tensor<32x16xf32>
      %271 = "func.call"(%arg126, %268) <{callee = @dynamic_index_in_dim_0}> : (tensor<3x32x16xf32>, tensor<i32>) -> tensor<32x16xf32>
      %272 = "func.call"(%arg127, %268) <{callee = @dynamic_index_in_dim}> : (tensor<3x32x32xf32>, tensor<i32>) -> tensor<32x32xf32>
      %273:12 = "func.call"(%arg128, %arg129, %arg131, %269, %270, %271, %272) <{callee = @closed_call}> : (tensor<2x4x12x12xi1>, tensor<2x4x12x12xf32>, tensor<2x12x32xf32>, tensor<32x32xf32>, tensor<32x16xf32>, tensor<32x16xf32>, tensor<32x32xf32>) -> (tensor<2x12x32xf32>, tensor<2x12x32xf32>, tensor<2x12x4x8xf32>, tensor<2x12x4x8xf32>, tensor<2x4x12x12xf32>, tensor<2x4x12x12xf32>, tensor<2x4x12x12xf32>, tensor<2x4x12x1xf32>, tensor<2x4x12x1xf32>, tensor<2x4x12x12xf32>, tensor<2x12x4x8xf32>, tensor<2x12x32xf32>)
      %274 = "func.call"(%arg132, %273#1, %268) <{callee = @dynamic_update_index_in_dim}> : (tensor<3x2x12x32xf32>, tensor<2x12x32xf32>, tensor<i32>) -> tensor<3x2x12x32xf32>
      %275 = "func.call"(%arg133, %273#2, %268) <{callee = @dynamic_update_index_in_dim_2}> : (tensor<3x2x12x4x8xf32>, tensor<2x12x4x8xf32>, tensor<i32>) -> tensor<3x2x12x4x8xf32>
      %276 = "func.call"(%arg134, %273#3, %268) <{callee = @dynamic_update_index_in_dim_2}> : (tensor<3x2x12x4x8xf32>, tensor<2x12x4x8xf32>, tensor<i32>) -> tensor<3x2x12x4x8xf32>
      %277 = "func.call"(%arg135, %273#4, %268) <{callee = @dynamic_update_index_in_dim_3}> : (tensor<3x2x4x12x12xf32>, tensor<2x4x12x12xf32>, tensor<i32>) -> tensor<3x2x4x12x12xf32>
      %278 = "func.call"(%arg136, %273#5, %268) <{callee = @dynamic_update_index_in_dim_3}> : (tensor<3x2x4x12x12xf32>, tensor<2x4x12x12xf32>, tensor<i32>) -> tensor<3x2x4x12x12xf32>
      %279 = "func.call"(%arg137, %273#6, %268) <{callee = @dynamic_update_index_in_dim_3}> : (tensor<3x2x4x12x12xf32>, tensor<2x4x12x12xf32>, tensor<i32>) -> tensor<3x2x4x12x12xf32>
      %280 = "func.call"(%arg138, %273#7, %268) <{callee = @dynamic_update_index_in_dim_4}> : (tensor<3x2x4x12x1xf32>, tensor<2x4x12x1xf32>, tensor<i32>) -> tensor<3x2x4x12x1xf32>
      %281 = "func.call"(%arg139, %273#8, %268) <{callee = @dynamic_update_index_in_dim_4}> : (tensor<3x2x4x12x1xf32>, tensor<2x4x12x1xf32>, tensor<i32>) -> tensor<3x2x4x12x1xf32>
      %282 = "func.call"(%arg140, %273#9, %268) <{callee = @dynamic_update_index_in_dim_3}> : (tensor<3x2x4x12x12xf32>, tensor<2x4x12x12xf32>, tensor<i32>) -> tensor<3x2x4x12x12xf32>
      %283 = "func.call"(%arg141, %273#10, %268) <{callee = @dynamic_update_index_in_dim_2}> : (tensor<3x2x12x4x8xf32>, tensor<2x12x4x8xf32>, tensor<i32>) -> tensor<3x2x12x4x8xf32>
      %284 = "func.call"(%arg142, %273#11, %268) <{callee = @dynamic_update_index_in_dim}> : (tensor<3x2x12x32xf32>, tensor<2x12x32xf32>, tensor<i32>) -> tensor<3x2x12x32xf32>
      %285 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %286 = "stablehlo.add"(%arg130, %285) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg124, %arg125, %arg126, %arg127, %arg128, %arg129, %286, %273#0, %274, %275, %276, %277, %278, %279, %280, %281, %282, %283, %284) : (tensor<3x32x32xf32>, tensor<3x32x16xf32>, tensor<3x32x16xf32>, tensor<3x32x32xf32>, tensor<2x4x12x12xi1>, tensor<2x4x12x12xf32>, tensor<i32>, tensor<2x12x32xf32>, tensor<3x2x12x32xf32>, tensor<3x2x12x4x8xf32>, tensor<3x2x12x4x8xf32>, tensor<3x2x4x12x12xf32>, tensor<3x2x4x12x12xf32>, tensor<3x2x4x12x12xf32>, tensor<3x2x4x12x1xf32>, tensor<3x2x4x12x1xf32>, tensor<3x2x4x12x12xf32>, tensor<3x2x12x4x8xf32>, tensor<3x2x12x32xf32>) -> ()
    }) : (tensor<3x32x32xf32>, tensor<3x32x16xf32>, tensor<3x32x16xf32>, tensor<3x32x32xf32>, tensor<2x4x12x12xi1>, tensor<2x4x12x12xf32>, tensor<i32>, tensor<2x12x32xf32>, tensor<3x2x12x32xf32>, tensor<3x2x12x4x8xf32>, tensor<3x2x12x4x8xf32>, tensor<3x2x4x12x12xf32>, tensor<3x2x4x12x12xf32>, tensor<3x2x4x12x12xf32>, tensor<3x2x4x12x1xf32>, tensor<3x2x4x12x1xf32>, tensor<3x2x4x12x12xf32>, tensor<3x2x12x4x8xf32>, tensor<3x2x12x32xf32>) -> (tensor<3x32x32xf32>, tensor<3x32x16xf32>, tensor<3x32x16xf32>, tensor<3x32x32xf32>, tensor<2x4x12x12xi1>, tensor<2x4x12x12xf32>, tensor<i32>, tensor<2x12x32xf32>, tensor<3x2x12x32xf32>, tensor<3x2x12x4x8xf32>, tensor<3x2x12x4x8xf32>, tensor<3x2x4x12x12xf32>, tensor<3x2x4x12x12xf32>, tensor<3x2x4x12x12xf32>, tensor<3x2x4x12x1xf32>, tensor<3x2x4x12x1xf32>, tensor<3x2x4x12x12xf32>, tensor<3x2x12x4x8xf32>, tensor<3x2x12x32xf32>)
    %217 = "stablehlo.multiply"(%216#7, %216#7) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %218 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %219 = "stablehlo.broadcast_in_dim"(%218) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x12x32xf32>
    %220 = "stablehlo.multiply"(%219, %216#7) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %221 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %222 = "stablehlo.reduce"(%217, %221) <{dimensions = array<i64: 0, 1, 2>}> ({
    ^bb0(%arg122: tensor<f32>, %arg123: tensor<f32>):
      %264 = "stablehlo.add"(%arg122, %arg123) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%264) : (tensor<f32>) -> ()
    }) : (tensor<2x12x32xf32>, tensor<f32>) -> tensor<f32>
    %223 = "stablehlo.constant"() <{value = dense<7.680000e+02> : tensor<f32>}> : () -> tensor<f32>
    %224 = "stablehlo.divide"(%222, %223) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %225 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %226 = "stablehlo.constant"() <{value = dense<7.680000e+02> : tensor<f32>}> : () -> tensor<f32>
    %227 = "stablehlo.divide"(%225, %226) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %228 = "stablehlo.broadcast_in_dim"(%227) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x12x32xf32>
    %229 = "stablehlo.multiply"(%228, %220) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %230 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %231 = "stablehlo.broadcast_in_dim"(%230) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x32x32xf32>
    %232 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %233 = "stablehlo.broadcast_in_dim"(%232) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x32x16xf32>
    %234 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %235 = "stablehlo.broadcast_in_dim"(%234) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x32x16xf32>
    %236 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %237 = "stablehlo.broadcast_in_dim"(%236) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x32x32xf32>
    %238 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %239:22 = "stablehlo.while"(%arg74, %216#8, %arg75, %arg76, %216#9, %216#10, %216#11, %216#12, %216#13, %216#14, %216#15, %216#16, %216#17, %arg77, %216#18, %192#0, %238, %229, %231, %233, %235, %237) ({
    ^bb0(%arg100: tensor<3x32x32xf32>, %arg101: tensor<3x2x12x32xf32>, %arg102: tensor<3x32x16xf32>, %arg103: tensor<3x32x16xf32>, %arg104: tensor<3x2x12x4x8xf32>, %arg105: tensor<3x2x12x4x8xf32>, %arg106: tensor<3x2x4x12x12xf32>, %arg107: tensor<3x2x4x12x12xf32>, %arg108: tensor<3x2x4x12x12xf32>, %arg109: tensor<3x2x4x12x1xf32>, %arg110: tensor<3x2x4x12x1xf32>, %arg111: tensor<3x2x4x12x12xf32>, %arg112: tensor<3x2x12x4x8xf32>, %arg113: tensor<3x32x32xf32>, %arg114: tensor<3x2x12x32xf32>, %arg115: tensor<2x4x12x12xi1>, %arg116: tensor<i32>, %arg117: tensor<2x12x32xf32>, %arg118: tensor<3x32x32xf32>, %arg119: tensor<3x32x16xf32>, %arg120: tensor<3x32x16xf32>, %arg121: tensor<3x32x32xf32>):
      %262 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
      %263 = "stablehlo.compare"(%arg116, %262) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%263) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg78: tensor<3x32x32xf32>, %arg79: tensor<3x2x12x32xf32>, %arg80: tensor<3x32x16xf32>, %arg81: tensor<3x32x16xf32>, %arg82: tensor<3x2x12x4x8xf32>, %arg83: tensor<3x2x12x4x8xf32>, %arg84: tensor<3x2x4x12x12xf32>, %arg85: tensor<3x2x4x12x12xf32>, %arg86: tensor<3x2x4x12x12xf32>, %arg87: tensor<3x2x4x12x1xf32>, %arg88: tensor<3x2x4x12x1xf32>, %arg89: tensor<3x2x4x12x12xf32>, %arg90: tensor<3x2x12x4x8xf32>, %arg91: tensor<3x32x32xf32>, %arg92: tensor<3x2x12x32xf32>, %arg93: tensor<2x4x12x12xi1>, %arg94: tensor<i32>, %arg95: tensor<2x12x32xf32>, %arg96: tensor<3x32x32xf32>, %arg97: tensor<3x32x16xf32>, %arg98: tensor<3x32x16xf32>, %arg99: tensor<3x32x32xf32>):
      %240 = "func.call"(%arg78, %arg94) <{callee = @dynamic_index_in_dim}> : (tensor<3x32x32xf32>, tensor<i32>) -> tensor<32x32xf32>
      %241 = "func.call"(%arg79, %arg94) <{callee = @dynamic_index_in_dim_5}> : (tensor<3x2x12x32xf32>, tensor<i32>) -> tensor<2x12x32xf32>
      %242 = "func.call"(%arg80, %arg94) <{callee = @dynamic_index_in_dim_0}> : (tensor<3x32x16xf32>, tensor<i32>) -> tensor<32x16xf32>
      %243 = "func.call"(%arg81, %arg94) <{callee = @dynamic_index_in_dim_0}> : (tensor<3x32x16xf32>, tensor<i32>) -> tensor<32x16xf32>
      %244 = "func.call"(%arg82, %arg94) <{callee = @dynamic_index_in_dim_6}> : (tensor<3x2x12x4x8xf32>, tensor<i32>) -> tensor<2x12x4x8xf32>
      %245 = "func.call"(%arg83, %arg94) <{callee = @dynamic_index_in_dim_6}> : (tensor<3x2x12x4x8xf32>, tensor<i32>) -> tensor<2x12x4x8xf32>
      %246 = "func.call"(%arg84, %arg94) <{callee = @dynamic_index_in_dim_7}> : (tensor<3x2x4x12x12xf32>, tensor<i32>) -> tensor<2x4x12x12xf32>
      %247 = "func.call"(%arg85, %arg94) <{callee = @dynamic_index_in_dim_7}> : (tensor<3x2x4x12x12xf32>, tensor<i32>) -> tensor<2x4x12x12xf32>
      %248 = "func.call"(%arg86, %arg94) <{callee = @dynamic_index_in_dim_7}> : (tensor<3x2x4x12x12xf32>, tensor<i32>) -> tensor<2x4x12x12xf32>
      %249 = "func.call"(%arg87, %arg94) <{callee = @dynamic_index_in_dim_8}> : (tensor<3x2x4x12x1xf32>, tensor<i32>) -> tensor<2x4x12x1xf32>
      %250 = "func.call"(%arg88, %arg94) <{callee = @dynamic_index_in_dim_8}> : (tensor<3x2x4x12x1xf32>, tensor<i32>) -> tensor<2x4x12x1xf32>
      %251 = "func.call"(%arg89, %arg94) <{callee = @dynamic_index_in_dim_7}> : (tensor<3x2x4x12x12xf32>, tensor<i32>) -> tensor<2x4x12x12xf32>
      %252 = "func.call"(%arg90, %arg94) <{callee = @dynamic_index_in_dim_6}> : (tensor<3x2x12x4x8xf32>, tensor<i32>) -> tensor<2x12x4x8xf32>
      %253 = "func.call"(%arg91, %arg94) <{callee = @dynamic_index_in_dim}> : (tensor<3x32x32xf32>, tensor<i32>) -> tensor<32x32xf32>
      %254 = "func.call"(%arg92, %arg94) <{callee = @dynamic_index_in_dim_5}> : (tensor<3x2x12x32xf32>, tensor<i32>) -> tensor<2x12x32xf32>
      %255:5 = "func.call"(%arg93, %arg95, %240, %241, %242, %243, %244, %245, %246, %247, %248, %249, %250, %251, %252, %253, %254) <{callee = @closed_call_9}> : (tensor<2x4x12x12xi1>, tensor<2x12x32xf32>, tensor<32x32xf32>, tensor<2x12x32xf32>, tensor<32x16xf32>, tensor<32x16xf32>, tensor<2x12x4x8xf32>, tensor<2x12x4x8xf32>, tensor<2x4x12x12xf32>, tensor<2x4x12x12xf32>, tensor<2x4x12x12xf32>, tensor<2x4x12x1xf32>, tensor<2x4x12x1xf32>, tensor<2x4x12x12xf32>, tensor<2x12x4x8xf32>, tensor<32x32xf32>, tensor<2x12x32xf32>) -> (tensor<2x12x32xf32>, tensor<32x32xf32>, tensor<32x16xf32>, tensor<32x16xf32>, tensor<32x32xf32>)
      %256 = "func.call"(%arg96, %255#1, %arg94) <{callee = @dynamic_update_index_in_dim_11}> : (tensor<3x32x32xf32>, tensor<32x32xf32>, tensor<i32>) -> tensor<3x32x32xf32>
      %257 = "func.call"(%arg97, %255#2, %arg94) <{callee = @dynamic_update_index_in_dim_12}> : (tensor<3x32x16xf32>, tensor<32x16xf32>, tensor<i32>) -> tensor<3x32x16xf32>
      %258 = "func.call"(%arg98, %255#3, %arg94) <{callee = @dynamic_update_index_in_dim_12}> : (tensor<3x32x16xf32>, tensor<32x16xf32>, tensor<i32>) -> tensor<3x32x16xf32>
      %259 = "func.call"(%arg99, %255#4, %arg94) <{callee = @dynamic_update_index_in_dim_11}> : (tensor<3x32x32xf32>, tensor<32x32xf32>, tensor<i32>) -> tensor<3x32x32xf32>
      %260 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %261 = "stablehlo.add"(%arg94, %260) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg78, %arg79, %arg80, %arg81, %arg82, %arg83, %arg84, %arg85, %arg86, %arg87, %arg88, %arg89, %arg90, %arg91, %arg92, %arg93, %261, %255#0, %256, %257, %258, %259) : (tensor<3x32x32xf32>, tensor<3x2x12x32xf32>, tensor<3x32x16xf32>, tensor<3x32x16xf32>, tensor<3x2x12x4x8xf32>, tensor<3x2x12x4x8xf32>, tensor<3x2x4x12x12xf32>, tensor<3x2x4x12x12xf32>, tensor<3x2x4x12x12xf32>, tensor<3x2x4x12x1xf32>, tensor<3x2x4x12x1xf32>, tensor<3x2x4x12x12xf32>, tensor<3x2x12x4x8xf32>, tensor<3x32x32xf32>, tensor<3x2x12x32xf32>, tensor<2x4x12x12xi1>, tensor<i32>, tensor<2x12x32xf32>, tensor<3x32x32xf32>, tensor<3x32x16xf32>, tensor<3x32x16xf32>, tensor<3x32x32xf32>) -> ()
    }) : (tensor<3x32x32xf32>, tensor<3x2x12x32xf32>, tensor<3x32x16xf32>, tensor<3x32x16xf32>, tensor<3x2x12x4x8xf32>, tensor<3x2x12x4x8xf32>, tensor<3x2x4x12x12xf32>, tensor<3x2x4x12x12xf32>, tensor<3x2x4x12x12xf32>, tensor<3x2x4x12x1xf32>, tensor<3x2x4x12x1xf32>, tensor<3x2x4x12x12xf32>, tensor<3x2x12x4x8xf32>, tensor<3x32x32xf32>, tensor<3x2x12x32xf32>, tensor<2x4x12x12xi1>, tensor<i32>, tensor<2x12x32xf32>, tensor<3x32x32xf32>, tensor<3x32x16xf32>, tensor<3x32x16xf32>, tensor<3x32x32xf32>) -> (tensor<3x32x32xf32>, tensor<3x2x12x32xf32>, tensor<3x32x16xf32>, tensor<3x32x16xf32>, tensor<3x2x12x4x8xf32>, tensor<3x2x12x4x8xf32>, tensor<3x2x4x12x12xf32>, tensor<3x2x4x12x12xf32>, tensor<3x2x4x12x12xf32>, tensor<3x2x4x12x1xf32>, tensor<3x2x4x12x1xf32>, tensor<3x2x4x12x12xf32>, tensor<3x2x12x4x8xf32>, tensor<3x32x32xf32>, tensor<3x2x12x32xf32>, tensor<2x4x12x12xi1>, tensor<i32>, tensor<2x12x32xf32>, tensor<3x32x32xf32>, tensor<3x32x16xf32>, tensor<3x32x16xf32>, tensor<3x32x32xf32>)
    "func.return"(%224, %239#17, %239#18, %239#19, %239#20, %239#21) : (tensor<f32>, tensor<2x12x32xf32>, tensor<3x32x32xf32>, tensor<3x32x16xf32>, tensor<3x32x16xf32>, tensor<3x32x32xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<12x12xi1>, tensor<f32>) -> (tensor<2x4x12x12xi1>, tensor<2x4x12x12xf32>), res_attrs = [{}, {}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg71: tensor<12x12xi1>, %arg72: tensor<f32>):
    %174 = "stablehlo.convert"(%arg72) : (tensor<f32>) -> tensor<f32>
    %175 = "stablehlo.broadcast_in_dim"(%arg71) <{broadcast_dimensions = array<i64: 2, 3>}> : (tensor<12x12xi1>) -> tensor<2x4x12x12xi1>
    %176 = "stablehlo.broadcast_in_dim"(%174) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x12x12xf32>
    "func.return"(%175, %176) : (tensor<2x4x12x12xi1>, tensor<2x4x12x12xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x32x32xf32>, tensor<i32>) -> tensor<32x32xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg69: tensor<3x32x32xf32>, %arg70: tensor<i32>):
    %170 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %171 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %172 = "stablehlo.dynamic_slice"(%arg69, %arg70, %170, %171) <{slice_sizes = array<i64: 1, 32, 32>}> : (tensor<3x32x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x32xf32>
    %173 = "stablehlo.reshape"(%172) : (tensor<1x32x32xf32>) -> tensor<32x32xf32>
    "func.return"(%173) : (tensor<32x32xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x32x16xf32>, tensor<i32>) -> tensor<32x16xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_0", sym_visibility = "private"}> ({
  ^bb0(%arg67: tensor<3x32x16xf32>, %arg68: tensor<i32>):
    %166 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %167 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %168 = "stablehlo.dynamic_slice"(%arg67, %arg68, %166, %167) <{slice_sizes = array<i64: 1, 32, 16>}> : (tensor<3x32x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x16xf32>
    %169 = "stablehlo.reshape"(%168) : (tensor<1x32x16xf32>) -> tensor<32x16xf32>
    "func.return"(%169) : (tensor<32x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x4x12x12xi1>, tensor<2x4x12x12xf32>, tensor<2x12x32xf32>, tensor<32x32xf32>, tensor<32x16xf32>, tensor<32x16xf32>, tensor<32x32xf32>) -> (tensor<2x12x32xf32>, tensor<2x12x32xf32>, tensor<2x12x4x8xf32>, tensor<2x12x4x8xf32>, tensor<2x4x12x12xf32>, tensor<2x4x12x12xf32>, tensor<2x4x12x12xf32>, tensor<2x4x12x1xf32>, tensor<2x4x12x1xf32>, tensor<2x4x12x12xf32>, tensor<2x12x4x8xf32>, tensor<2x12x32xf32>), res_attrs = [{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}], sym_name = "closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg56: tensor<2x4x12x12xi1>, %arg57: tensor<2x4x12x12xf32>, %arg58: tensor<2x12x32xf32>, %arg59: tensor<32x32xf32>, %arg60: tensor<32x16xf32>, %arg61: tensor<32x16xf32>, %arg62: tensor<32x32xf32>):
    %119 = "stablehlo.dot_general"(%arg58, %arg59) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x32xf32>, tensor<32x32xf32>) -> tensor<2x12x32xf32>
    %120 = "stablehlo.reshape"(%119) : (tensor<2x12x32xf32>) -> tensor<2x12x4x8xf32>
    %121 = "stablehlo.dot_general"(%arg58, %arg60) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x32xf32>, tensor<32x16xf32>) -> tensor<2x12x16xf32>
    %122 = "stablehlo.reshape"(%121) : (tensor<2x12x16xf32>) -> tensor<2x12x2x8xf32>
    %123 = "stablehlo.dot_general"(%arg58, %arg61) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x32xf32>, tensor<32x16xf32>) -> tensor<2x12x16xf32>
    %124 = "stablehlo.reshape"(%123) : (tensor<2x12x16xf32>) -> tensor<2x12x2x8xf32>
    %125 = "stablehlo.broadcast_in_dim"(%122) <{broadcast_dimensions = array<i64: 0, 1, 2, 4>}> : (tensor<2x12x2x8xf32>) -> tensor<2x12x2x2x8xf32>
    %126 = "stablehlo.reshape"(%125) : (tensor<2x12x2x2x8xf32>) -> tensor<2x12x4x8xf32>
    %127 = "stablehlo.broadcast_in_dim"(%124) <{broadcast_dimensions = array<i64: 0, 1, 2, 4>}> : (tensor<2x12x2x8xf32>) -> tensor<2x12x2x2x8xf32>
    %128 = "stablehlo.reshape"(%127) : (tensor<2x12x2x2x8xf32>) -> tensor<2x12x4x8xf32>
    %129 = "stablehlo.dot_general"(%120, %126) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x4x8xf32>, tensor<2x12x4x8xf32>) -> tensor<2x4x12x12xf32>
    %130 = "stablehlo.constant"() <{value = dense<1.562500e-02> : tensor<f32>}> : () -> tensor<f32>
    %131 = "stablehlo.broadcast_in_dim"(%130) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x12x12xf32>
    %132 = "stablehlo.multiply"(%129, %131) : (tensor<2x4x12x12xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %133 = "stablehlo.tanh"(%132) : (tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %134 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %135 = "stablehlo.broadcast_in_dim"(%134) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x12x12xf32>
    %136 = "stablehlo.subtract"(%135, %133) : (tensor<2x4x12x12xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %137 = "stablehlo.constant"() <{value = dense<3.200000e+01> : tensor<f32>}> : () -> tensor<f32>
    %138 = "stablehlo.broadcast_in_dim"(%137) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x12x12xf32>
    %139 = "stablehlo.multiply"(%133, %138) : (tensor<2x4x12x12xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %140 = "func.call"(%139, %arg56, %arg57) <{callee = @_where_1}> : (tensor<2x4x12x12xf32>, tensor<2x4x12x12xi1>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %141 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %142 = "stablehlo.reduce"(%140, %141) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg65: tensor<f32>, %arg66: tensor<f32>):
      %165 = "stablehlo.maximum"(%arg65, %arg66) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%165) : (tensor<f32>) -> ()
    }) : (tensor<2x4x12x12xf32>, tensor<f32>) -> tensor<2x4x12xf32>
    %143 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %144 = "stablehlo.broadcast_in_dim"(%143) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x12xf32>
    %145 = "stablehlo.maximum"(%144, %142) : (tensor<2x4x12xf32>, tensor<2x4x12xf32>) -> tensor<2x4x12xf32>
    %146 = "stablehlo.broadcast_in_dim"(%145) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x12xf32>) -> tensor<2x4x12x1xf32>
    %147 = "stablehlo.broadcast_in_dim"(%146) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x12x1xf32>) -> tensor<2x4x12x12xf32>
    %148 = "stablehlo.subtract"(%140, %147) : (tensor<2x4x12x12xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %149 = "stablehlo.exponential"(%148) : (tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %150 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %151 = "stablehlo.reduce"(%149, %150) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg63: tensor<f32>, %arg64: tensor<f32>):
      %164 = "stablehlo.add"(%arg63, %arg64) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%164) : (tensor<f32>) -> ()
    }) : (tensor<2x4x12x12xf32>, tensor<f32>) -> tensor<2x4x12xf32>
    %152 = "stablehlo.broadcast_in_dim"(%151) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x12xf32>) -> tensor<2x4x12x1xf32>
    %153 = "stablehlo.broadcast_in_dim"(%152) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x12x1xf32>) -> tensor<2x4x12x12xf32>
    %154 = "stablehlo.divide"(%149, %153) : (tensor<2x4x12x12xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %155 = "stablehlo.multiply"(%152, %152) : (tensor<2x4x12x1xf32>, tensor<2x4x12x1xf32>) -> tensor<2x4x12x1xf32>
    %156 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %157 = "stablehlo.broadcast_in_dim"(%156) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x12x1xf32>
    %158 = "stablehlo.divide"(%157, %155) : (tensor<2x4x12x1xf32>, tensor<2x4x12x1xf32>) -> tensor<2x4x12x1xf32>
    %159 = "stablehlo.dot_general"(%128, %154) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x4x8xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x8x12xf32>
    %160 = "stablehlo.transpose"(%159) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x4x8x12xf32>) -> tensor<2x12x4x8xf32>
    %161 = "stablehlo.reshape"(%160) : (tensor<2x12x4x8xf32>) -> tensor<2x12x32xf32>
    %162 = "stablehlo.dot_general"(%161, %arg62) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x32xf32>, tensor<32x32xf32>) -> tensor<2x12x32xf32>
    %163 = "stablehlo.add"(%arg58, %162) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    "func.return"(%163, %arg58, %126, %120, %133, %136, %149, %152, %158, %154, %128, %161) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>, tensor<2x12x4x8xf32>, tensor<2x12x4x8xf32>, tensor<2x4x12x12xf32>, tensor<2x4x12x12xf32>, tensor<2x4x12x12xf32>, tensor<2x4x12x1xf32>, tensor<2x4x12x1xf32>, tensor<2x4x12x12xf32>, tensor<2x12x4x8xf32>, tensor<2x12x32xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x4x12x12xf32>, tensor<2x4x12x12xi1>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>, res_attrs = [{}], sym_name = "_where_1", sym_visibility = "private"}> ({
  ^bb0(%arg53: tensor<2x4x12x12xf32>, %arg54: tensor<2x4x12x12xi1>, %arg55: tensor<2x4x12x12xf32>):
    %118 = "stablehlo.select"(%arg54, %arg53, %arg55) : (tensor<2x4x12x12xi1>, tensor<2x4x12x12xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    "func.return"(%118) : (tensor<2x4x12x12xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<3x2x12x32xf32>, tensor<2x12x32xf32>, tensor<i32>) -> tensor<3x2x12x32xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg50: tensor<3x2x12x32xf32>, %arg51: tensor<2x12x32xf32>, %arg52: tensor<i32>):
    %113 = "stablehlo.broadcast_in_dim"(%arg51) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<2x12x32xf32>) -> tensor<1x2x12x32xf32>
    %114 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %115 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %116 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %117 = "stablehlo.dynamic_update_slice"(%arg50, %113, %arg52, %114, %115, %116) : (tensor<3x2x12x32xf32>, tensor<1x2x12x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x2x12x32xf32>
    "func.return"(%117) : (tensor<3x2x12x32xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<3x2x12x4x8xf32>, tensor<2x12x4x8xf32>, tensor<i32>) -> tensor<3x2x12x4x8xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_2", sym_visibility = "private"}> ({
  ^bb0(%arg47: tensor<3x2x12x4x8xf32>, %arg48: tensor<2x12x4x8xf32>, %arg49: tensor<i32>):
    %107 = "stablehlo.broadcast_in_dim"(%arg48) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x12x4x8xf32>) -> tensor<1x2x12x4x8xf32>
    %108 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %109 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %110 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %111 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %112 = "stablehlo.dynamic_update_slice"(%arg47, %107, %arg49, %108, %109, %110, %111) : (tensor<3x2x12x4x8xf32>, tensor<1x2x12x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x2x12x4x8xf32>
    "func.return"(%112) : (tensor<3x2x12x4x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<3x2x4x12x12xf32>, tensor<2x4x12x12xf32>, tensor<i32>) -> tensor<3x2x4x12x12xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_3", sym_visibility = "private"}> ({
  ^bb0(%arg44: tensor<3x2x4x12x12xf32>, %arg45: tensor<2x4x12x12xf32>, %arg46: tensor<i32>):
    %101 = "stablehlo.broadcast_in_dim"(%arg45) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x4x12x12xf32>) -> tensor<1x2x4x12x12xf32>
    %102 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %103 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %104 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %105 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %106 = "stablehlo.dynamic_update_slice"(%arg44, %101, %arg46, %102, %103, %104, %105) : (tensor<3x2x4x12x12xf32>, tensor<1x2x4x12x12xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x2x4x12x12xf32>
    "func.return"(%106) : (tensor<3x2x4x12x12xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<3x2x4x12x1xf32>, tensor<2x4x12x1xf32>, tensor<i32>) -> tensor<3x2x4x12x1xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_4", sym_visibility = "private"}> ({
  ^bb0(%arg41: tensor<3x2x4x12x1xf32>, %arg42: tensor<2x4x12x1xf32>, %arg43: tensor<i32>):
    %95 = "stablehlo.broadcast_in_dim"(%arg42) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x4x12x1xf32>) -> tensor<1x2x4x12x1xf32>
    %96 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %97 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %98 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %99 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %100 = "stablehlo.dynamic_update_slice"(%arg41, %95, %arg43, %96, %97, %98, %99) : (tensor<3x2x4x12x1xf32>, tensor<1x2x4x12x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x2x4x12x1xf32>
    "func.return"(%100) : (tensor<3x2x4x12x1xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x2x12x32xf32>, tensor<i32>) -> tensor<2x12x32xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_5", sym_visibility = "private"}> ({
  ^bb0(%arg39: tensor<3x2x12x32xf32>, %arg40: tensor<i32>):
    %90 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %91 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %92 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %93 = "stablehlo.dynamic_slice"(%arg39, %arg40, %90, %91, %92) <{slice_sizes = array<i64: 1, 2, 12, 32>}> : (tensor<3x2x12x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x12x32xf32>
    %94 = "stablehlo.reshape"(%93) : (tensor<1x2x12x32xf32>) -> tensor<2x12x32xf32>
    "func.return"(%94) : (tensor<2x12x32xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x2x12x4x8xf32>, tensor<i32>) -> tensor<2x12x4x8xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_6", sym_visibility = "private"}> ({
  ^bb0(%arg37: tensor<3x2x12x4x8xf32>, %arg38: tensor<i32>):
    %84 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %85 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %86 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %87 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %88 = "stablehlo.dynamic_slice"(%arg37, %arg38, %84, %85, %86, %87) <{slice_sizes = array<i64: 1, 2, 12, 4, 8>}> : (tensor<3x2x12x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x12x4x8xf32>
    %89 = "stablehlo.reshape"(%88) : (tensor<1x2x12x4x8xf32>) -> tensor<2x12x4x8xf32>
    "func.return"(%89) : (tensor<2x12x4x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x2x4x12x12xf32>, tensor<i32>) -> tensor<2x4x12x12xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_7", sym_visibility = "private"}> ({
  ^bb0(%arg35: tensor<3x2x4x12x12xf32>, %arg36: tensor<i32>):
    %78 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %79 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %80 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %81 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %82 = "stablehlo.dynamic_slice"(%arg35, %arg36, %78, %79, %80, %81) <{slice_sizes = array<i64: 1, 2, 4, 12, 12>}> : (tensor<3x2x4x12x12xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x4x12x12xf32>
    %83 = "stablehlo.reshape"(%82) : (tensor<1x2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    "func.return"(%83) : (tensor<2x4x12x12xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x2x4x12x1xf32>, tensor<i32>) -> tensor<2x4x12x1xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_8", sym_visibility = "private"}> ({
  ^bb0(%arg33: tensor<3x2x4x12x1xf32>, %arg34: tensor<i32>):
    %72 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %73 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %74 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %75 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %76 = "stablehlo.dynamic_slice"(%arg33, %arg34, %72, %73, %74, %75) <{slice_sizes = array<i64: 1, 2, 4, 12, 1>}> : (tensor<3x2x4x12x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x4x12x1xf32>
    %77 = "stablehlo.reshape"(%76) : (tensor<1x2x4x12x1xf32>) -> tensor<2x4x12x1xf32>
    "func.return"(%77) : (tensor<2x4x12x1xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x4x12x12xi1>, tensor<2x12x32xf32>, tensor<32x32xf32>, tensor<2x12x32xf32>, tensor<32x16xf32>, tensor<32x16xf32>, tensor<2x12x4x8xf32>, tensor<2x12x4x8xf32>, tensor<2x4x12x12xf32>, tensor<2x4x12x12xf32>, tensor<2x4x12x12xf32>, tensor<2x4x12x1xf32>, tensor<2x4x12x1xf32>, tensor<2x4x12x12xf32>, tensor<2x12x4x8xf32>, tensor<32x32xf32>, tensor<2x12x32xf32>) -> (tensor<2x12x32xf32>, tensor<32x32xf32>, tensor<32x16xf32>, tensor<32x16xf32>, tensor<32x32xf32>), res_attrs = [{}, {}, {}, {}, {}], sym_name = "closed_call_9", sym_visibility = "private"}> ({
  ^bb0(%arg8: tensor<2x4x12x12xi1>, %arg9: tensor<2x12x32xf32>, %arg10: tensor<32x32xf32>, %arg11: tensor<2x12x32xf32>, %arg12: tensor<32x16xf32>, %arg13: tensor<32x16xf32>, %arg14: tensor<2x12x4x8xf32>, %arg15: tensor<2x12x4x8xf32>, %arg16: tensor<2x4x12x12xf32>, %arg17: tensor<2x4x12x12xf32>, %arg18: tensor<2x4x12x12xf32>, %arg19: tensor<2x4x12x1xf32>, %arg20: tensor<2x4x12x1xf32>, %arg21: tensor<2x4x12x12xf32>, %arg22: tensor<2x12x4x8xf32>, %arg23: tensor<32x32xf32>, %arg24: tensor<2x12x32xf32>):
    %11 = "stablehlo.dot_general"(%arg9, %arg24) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<32x32xf32>
    %12 = "stablehlo.transpose"(%11) <{permutation = array<i64: 1, 0>}> : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %13 = "stablehlo.dot_general"(%arg9, %arg23) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x32xf32>, tensor<32x32xf32>) -> tensor<2x12x32xf32>
    %14 = "stablehlo.reshape"(%13) : (tensor<2x12x32xf32>) -> tensor<2x12x4x8xf32>
    %15 = "stablehlo.transpose"(%14) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<2x12x4x8xf32>) -> tensor<2x4x8x12xf32>
    %16 = "stablehlo.dot_general"(%15, %arg22) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x8x12xf32>, tensor<2x12x4x8xf32>) -> tensor<2x4x12x12xf32>
    %17 = "stablehlo.dot_general"(%15, %arg21) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x8x12xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x8x12xf32>
    %18 = "stablehlo.transpose"(%17) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x4x8x12xf32>) -> tensor<2x12x4x8xf32>
    %19 = "stablehlo.broadcast_in_dim"(%arg20) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x12x1xf32>) -> tensor<2x4x12x12xf32>
    %20 = "stablehlo.multiply"(%16, %19) : (tensor<2x4x12x12xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %21 = "stablehlo.multiply"(%20, %arg18) : (tensor<2x4x12x12xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %22 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %23 = "stablehlo.reduce"(%21, %22) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg31: tensor<f32>, %arg32: tensor<f32>):
      %71 = "stablehlo.add"(%arg31, %arg32) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%71) : (tensor<f32>) -> ()
    }) : (tensor<2x4x12x12xf32>, tensor<f32>) -> tensor<2x4x12xf32>
    %24 = "stablehlo.reshape"(%23) : (tensor<2x4x12xf32>) -> tensor<2x4x12x1xf32>
    %25 = "stablehlo.negate"(%24) : (tensor<2x4x12x1xf32>) -> tensor<2x4x12x1xf32>
    %26 = "stablehlo.broadcast_in_dim"(%arg19) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x12x1xf32>) -> tensor<2x4x12x12xf32>
    %27 = "stablehlo.divide"(%16, %26) : (tensor<2x4x12x12xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %28 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %29 = "stablehlo.reduce"(%25, %28) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg29: tensor<f32>, %arg30: tensor<f32>):
      %70 = "stablehlo.add"(%arg29, %arg30) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%70) : (tensor<f32>) -> ()
    }) : (tensor<2x4x12x1xf32>, tensor<f32>) -> tensor<2x4x12xf32>
    %30 = "stablehlo.broadcast_in_dim"(%29) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x12xf32>) -> tensor<2x4x12x12xf32>
    %31 = "stablehlo.add"(%27, %30) : (tensor<2x4x12x12xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %32 = "stablehlo.multiply"(%31, %arg18) : (tensor<2x4x12x12xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %33 = "func.call"(%arg8, %32) <{callee = @_where_10}> : (tensor<2x4x12x12xi1>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %34 = "stablehlo.constant"() <{value = dense<3.200000e+01> : tensor<f32>}> : () -> tensor<f32>
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x12x12xf32>
    %36 = "stablehlo.multiply"(%33, %35) : (tensor<2x4x12x12xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %37 = "stablehlo.multiply"(%36, %arg17) : (tensor<2x4x12x12xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %38 = "stablehlo.multiply"(%37, %arg16) : (tensor<2x4x12x12xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %39 = "stablehlo.add"(%37, %38) : (tensor<2x4x12x12xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %40 = "stablehlo.constant"() <{value = dense<1.562500e-02> : tensor<f32>}> : () -> tensor<f32>
    %41 = "stablehlo.broadcast_in_dim"(%40) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x12x12xf32>
    %42 = "stablehlo.multiply"(%39, %41) : (tensor<2x4x12x12xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %43 = "stablehlo.dot_general"(%42, %arg15) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x12x12xf32>, tensor<2x12x4x8xf32>) -> tensor<2x4x12x8xf32>
    %44 = "stablehlo.transpose"(%43) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x4x12x8xf32>) -> tensor<2x12x4x8xf32>
    %45 = "stablehlo.dot_general"(%42, %arg14) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x12x12xf32>, tensor<2x12x4x8xf32>) -> tensor<2x4x12x8xf32>
    %46 = "stablehlo.transpose"(%45) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x4x12x8xf32>) -> tensor<2x12x4x8xf32>
    %47 = "stablehlo.reshape"(%18) : (tensor<2x12x4x8xf32>) -> tensor<2x12x2x2x8xf32>
    %48 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %49 = "stablehlo.reduce"(%47, %48) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg27: tensor<f32>, %arg28: tensor<f32>):
      %69 = "stablehlo.add"(%arg27, %arg28) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%69) : (tensor<f32>) -> ()
    }) : (tensor<2x12x2x2x8xf32>, tensor<f32>) -> tensor<2x12x2x8xf32>
    %50 = "stablehlo.reshape"(%44) : (tensor<2x12x4x8xf32>) -> tensor<2x12x2x2x8xf32>
    %51 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %52 = "stablehlo.reduce"(%50, %51) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg25: tensor<f32>, %arg26: tensor<f32>):
      %68 = "stablehlo.add"(%arg25, %arg26) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%68) : (tensor<f32>) -> ()
    }) : (tensor<2x12x2x2x8xf32>, tensor<f32>) -> tensor<2x12x2x8xf32>
    %53 = "stablehlo.reshape"(%49) : (tensor<2x12x2x8xf32>) -> tensor<2x12x16xf32>
    %54 = "stablehlo.dot_general"(%53, %arg11) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x16xf32>, tensor<2x12x32xf32>) -> tensor<16x32xf32>
    %55 = "stablehlo.transpose"(%54) <{permutation = array<i64: 1, 0>}> : (tensor<16x32xf32>) -> tensor<32x16xf32>
    %56 = "stablehlo.dot_general"(%53, %arg13) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x16xf32>, tensor<32x16xf32>) -> tensor<2x12x32xf32>
    %57 = "stablehlo.add"(%arg9, %56) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %58 = "stablehlo.reshape"(%52) : (tensor<2x12x2x8xf32>) -> tensor<2x12x16xf32>
    %59 = "stablehlo.dot_general"(%58, %arg11) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x16xf32>, tensor<2x12x32xf32>) -> tensor<16x32xf32>
    %60 = "stablehlo.transpose"(%59) <{permutation = array<i64: 1, 0>}> : (tensor<16x32xf32>) -> tensor<32x16xf32>
    %61 = "stablehlo.dot_general"(%58, %arg12) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x16xf32>, tensor<32x16xf32>) -> tensor<2x12x32xf32>
    %62 = "stablehlo.add"(%57, %61) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %63 = "stablehlo.reshape"(%46) : (tensor<2x12x4x8xf32>) -> tensor<2x12x32xf32>
    %64 = "stablehlo.dot_general"(%63, %arg11) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<32x32xf32>
    %65 = "stablehlo.transpose"(%64) <{permutation = array<i64: 1, 0>}> : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %66 = "stablehlo.dot_general"(%63, %arg10) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x32xf32>, tensor<32x32xf32>) -> tensor<2x12x32xf32>
    %67 = "stablehlo.add"(%62, %66) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    "func.return"(%67, %65, %60, %55, %12) : (tensor<2x12x32xf32>, tensor<32x32xf32>, tensor<32x16xf32>, tensor<32x16xf32>, tensor<32x32xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x4x12x12xi1>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>, res_attrs = [{}], sym_name = "_where_10", sym_visibility = "private"}> ({
  ^bb0(%arg6: tensor<2x4x12x12xi1>, %arg7: tensor<2x4x12x12xf32>):
    %8 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x12x12xf32>
    %10 = "stablehlo.select"(%arg6, %arg7, %9) : (tensor<2x4x12x12xi1>, tensor<2x4x12x12xf32>, tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    "func.return"(%10) : (tensor<2x4x12x12xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<3x32x32xf32>, tensor<32x32xf32>, tensor<i32>) -> tensor<3x32x32xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_11", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<3x32x32xf32>, %arg4: tensor<32x32xf32>, %arg5: tensor<i32>):
    %4 = "stablehlo.broadcast_in_dim"(%arg4) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<32x32xf32>) -> tensor<1x32x32xf32>
    %5 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %6 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %7 = "stablehlo.dynamic_update_slice"(%arg3, %4, %arg5, %5, %6) : (tensor<3x32x32xf32>, tensor<1x32x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x32x32xf32>
    "func.return"(%7) : (tensor<3x32x32xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<3x32x16xf32>, tensor<32x16xf32>, tensor<i32>) -> tensor<3x32x16xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_12", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<3x32x16xf32>, %arg1: tensor<32x16xf32>, %arg2: tensor<i32>):
    %0 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<32x16xf32>) -> tensor<1x32x16xf32>
    %1 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %3 = "stablehlo.dynamic_update_slice"(%arg0, %0, %arg2, %1, %2) : (tensor<3x32x16xf32>, tensor<1x32x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x32x16xf32>
    "func.return"(%3) : (tensor<3x32x16xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
