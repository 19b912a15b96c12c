// RUN: attn-opt %s -split-input-file -verify-diagnostics

func.func @no_role() {
  // expected-error@below {{'attn_gpu.roles' op expected at least one role, found none}}
  "attn_gpu.roles"() <{warpgroups = array<i64>, registers = array<i64>, elected = array<i1>}> : () -> ()
  return
}

// -----

func.func @many() {
  // expected-error@below {{'attn_gpu.roles' op expected at most 8 warpgroups, found [144115188075855872, 1]}}
  attn_gpu.roles warpgroups [144115188075855872, 1] registers [232, 40] elected [false, true] {
  ^bb0(%a: index):
  }, {
  ^bb0(%b: index):
  }
  return
}

// -----

func.func @warpgroups() {
  // expected-error@below {{'attn_gpu.roles' op expected as many 'warpgroups' as regions, 2, found 3}}
  attn_gpu.roles warpgroups [2, 1, 1] registers [240, 40] elected [false, true] {
  ^bb0(%a: index):
  }, {
  ^bb0(%b: index):
  }
  return
}

// -----

func.func @registers() {
  // expected-error@below {{'attn_gpu.roles' op expected as many 'registers' as regions, 2, found 1}}
  attn_gpu.roles warpgroups [2, 1] registers [240] elected [false, true] {
  ^bb0(%a: index):
  }, {
  ^bb0(%b: index):
  }
  return
}

// -----

func.func @elected() {
  // expected-error@below {{'attn_gpu.roles' op expected as many 'elected' as regions, 2, found 0}}
  attn_gpu.roles warpgroups [2, 1] registers [232, 40] elected [] {
  ^bb0(%a: index):
  }, {
  ^bb0(%b: index):
  }
  return
}

// -----

func.func @nobody() {
  // expected-error@below {{'attn_gpu.roles' op expected at least one warpgroup for each role, found [2, 0]}}
  attn_gpu.roles warpgroups [2, 0] registers [240, 40] elected [false, true] {
  ^bb0(%a: index):
  }, {
  ^bb0(%b: index):
  }
  return
}

// -----

func.func @no_number() {
  // expected-error@below {{'attn_gpu.roles' op expected an argument of type index in each region}}
  attn_gpu.roles warpgroups [2, 1] registers [232, 40] elected [false, true] {
  ^bb0(%a: index):
  }, {
    %c0 = arith.constant 0 : index
  }
  return
}

// -----

func.func @number_of_other_type() {
  // expected-error@below {{'attn_gpu.roles' op expected an argument of type index in each region}}
  attn_gpu.roles warpgroups [1] registers [240] elected [false] {
  ^bb0(%a: i32):
  }
  return
}

// -----

func.func @position(%n: index) {
  // expected-error@below {{'attn_gpu.for_tiles' op expected an index in the body, the tile's position}}
  "attn_gpu.for_tiles"(%n) ({
  ^bb0(%i: i32):
  }) : (index) -> ()
  return
}

// -----

func.func @no_position(%n: index) {
  // expected-error@below {{'attn_gpu.for_tiles' op expected an index in the body, the tile's position}}
  "attn_gpu.for_tiles"(%n) ({
    %c0 = arith.constant 0 : index
  }) : (index) -> ()
  return
}

// -----

func.func @too_many_registers() {
  // expected-error@below {{'attn_gpu.roles' op expected 'registers' of all warpgroups that add up to at most 504, which they are launched with, found 520}}
  attn_gpu.roles warpgroups [2, 1] registers [240, 40] elected [false, true] {
  ^bb0(%a: index):
  }, {
  ^bb0(%b: index):
  }
  return
}

// -----

func.func @steps_of_registers() {
  // expected-error@below {{'attn_gpu.roles' op expected multiples of 8 from 24 to 256 as 'registers', found [228, 40]}}
  attn_gpu.roles warpgroups [2, 1] registers [228, 40] elected [false, true] {
  ^bb0(%a: index):
  }, {
  ^bb0(%b: index):
  }
  return
}

// -----

func.func @few_registers() {
  // expected-error@below {{'attn_gpu.roles' op expected multiples of 8 from 24 to 256 as 'registers', found [232, 16]}}
  attn_gpu.roles warpgroups [2, 1] registers [232, 16] elected [false, true] {
  ^bb0(%a: index):
  }, {
  ^bb0(%b: index):
  }
  return
}
