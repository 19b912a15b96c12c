// Captures a factor and an offset.
^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %factor: f32, %offset: i32):
  %0 = arith.sitofp %offset : i32 to f32
  %1 = arith.mulf %s, %factor : f32
  %2 = arith.addf %1, %0 : f32
  attn.yield %2 : f32
