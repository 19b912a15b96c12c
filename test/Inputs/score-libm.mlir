^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
  %0 = math.erf %s : f32
  %1 = math.atan2 %0, %s : f32
  %2 = math.powf %1, %s : f32
  %3 = math.cbrt %2 : f32
  %4 = math.sin %3 : f32
  %5 = math.roundeven %4 : f32
  %6 = arith.remf %5, %s : f32
  attn.yield %6 : f32
