// RUN: attn-opt %s -split-input-file -verify-diagnostics

// The score region and what it may hold.

func.func @no_arguments(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op expected score region arguments ('f32', 'index', 'index', 'index', 'index'), found ()}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o : tensor<1x2x8x16xf16>)
      score {
    ^bb0():
      %s = arith.constant 0.0 : f32
      attn.yield %s : f32
    }
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @too_few_arguments(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op expected score region arguments ('f32', 'index', 'index', 'index', 'index'), found ('f32', 'index', 'index', 'index')}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o : tensor<1x2x8x16xf16>)
      score {
    ^bb0(%s: f32, %b: index, %h: index, %i: index):
      attn.yield %s : f32
    }
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @too_many_arguments(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op expected score region arguments ('f32', 'index', 'index', 'index', 'index'), found ('f32', 'index', 'index', 'index', 'index', 'f32')}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o : tensor<1x2x8x16xf16>)
      score {
    ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %c: f32):
      attn.yield %s : f32
    }
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @score_of_f16(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op expected score region arguments ('f32', 'index', 'index', 'index', 'index'), found ('f16', 'index', 'index', 'index', 'index')}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o : tensor<1x2x8x16xf16>)
      score {
    ^bb0(%s: f16, %b: index, %h: index, %i: index, %j: index):
      %t = arith.extf %s : f16 to f32
      attn.yield %t : f32
    }
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @head_of_i32(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op expected score region arguments ('f32', 'index', 'index', 'index', 'index'), found ('f32', 'index', 'i32', 'index', 'index')}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o : tensor<1x2x8x16xf16>)
      score {
    ^bb0(%s: f32, %b: index, %h: i32, %i: index, %j: index):
      attn.yield %s : f32
    }
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @no_argument_for_capture(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>, %x: f32) {
  // expected-error@below {{'attn.attention' op expected score region arguments ('f32', 'index', 'index', 'index', 'index', 'f32'), found ('f32', 'index', 'index', 'index', 'index')}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      captures(%x : f32)
      outs(%o : tensor<1x2x8x16xf16>)
      score {
    ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
      attn.yield %s : f32
    }
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @argument_of_another_type_than_capture(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>, %x: f32) {
  // expected-error@below {{'attn.attention' op expected score region arguments ('f32', 'index', 'index', 'index', 'index', 'f32'), found ('f32', 'index', 'index', 'index', 'index', 'i32')}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      captures(%x : f32)
      outs(%o : tensor<1x2x8x16xf16>)
      score {
    ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %c: i32):
      attn.yield %s : f32
    }
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @yields_f16(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>) {
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o : tensor<1x2x8x16xf16>)
      score {
    ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
      %t = arith.truncf %s : f32 to f16
      // expected-error@below {{'attn.yield' op expected the score region to yield 'f32', found 'f16'}}
      attn.yield %t : f16
    }
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @yields_nothing(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>) {
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o : tensor<1x2x8x16xf16>)
      score {
    ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
      // expected-error@below {{'attn.yield' op requires a single operand}}
      "attn.yield"() : () -> ()
    }
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @yields_twice(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>) {
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o : tensor<1x2x8x16xf16>)
      score {
    ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
      // expected-error@below {{'attn.yield' op requires a single operand}}
      "attn.yield"(%s, %s) : (f32, f32) -> ()
    }
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @no_terminator(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>) {
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o : tensor<1x2x8x16xf16>)
      score {
    ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
      // expected-error@below {{block with no terminator}}
      %t = arith.addf %s, %s : f32
    }
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @ends_in_another_terminator(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op expected the score region to end in 'attn.yield'}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o : tensor<1x2x8x16xf16>)
      score {
    ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
      llvm.unreachable
    }
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @two_blocks(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op expected a score region of one block, found 2}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o : tensor<1x2x8x16xf16>)
      score {
    ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
      cf.br ^bb1
      ^bb1:
      attn.yield %s : f32
    }
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @structured_control_flow(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>) {
  // expected-note@below {{score region of this op}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o : tensor<1x2x8x16xf16>)
      score {
    ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
      %c = arith.cmpi eq, %i, %j : index
      // expected-error@below {{'attn.attention' op score region expects scalar ops of arith and math, found 'scf.if'}}
      %t = scf.if %c -> f32 {
        scf.yield %s : f32
      } else {
        scf.yield %s : f32
      }
      attn.yield %t : f32
    }
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @call(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>) {
  // expected-note@below {{score region of this op}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o : tensor<1x2x8x16xf16>)
      score {
    ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
      // expected-error@below {{'attn.attention' op score region expects scalar ops of arith and math, found 'func.call'}}
      %t = func.call @g(%s) : (f32) -> f32
      attn.yield %t : f32
    }
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @memory(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>) {
  // expected-note@below {{score region of this op}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o : tensor<1x2x8x16xf16>)
      score {
    ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
      // expected-error@below {{'attn.attention' op score region expects scalar ops of arith and math, found 'memref.alloc'}}
      %t = memref.alloc() : memref<4xf32>
      attn.yield %s : f32
    }
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @vector_value(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>) {
  // expected-note@below {{score region of this op}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o : tensor<1x2x8x16xf16>)
      score {
    ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
      // expected-error@below {{'attn.attention' op score region expects scalars, found a value of type 'vector<4xf32>'}}
      %t = arith.constant dense<1.0> : vector<4xf32>
      attn.yield %s : f32
    }
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @tensor_value(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>) {
  // expected-note@below {{score region of this op}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o : tensor<1x2x8x16xf16>)
      score {
    ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
      // expected-error@below {{'attn.attention' op score region expects scalars, found a value of type 'tensor<4xf32>'}}
      %t = arith.constant dense<1.0> : tensor<4xf32>
      attn.yield %s : f32
    }
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @value_from_above(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>, %x: f32) {
  // expected-note@below {{required by region isolation constraints}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o : tensor<1x2x8x16xf16>)
      score {
    ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
      // expected-error@below {{'arith.addf' op using value defined outside the region}}
      %t = arith.addf %s, %x : f32
      attn.yield %t : f32
    }
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @yield_elsewhere(%s: f32) {
  // expected-error@below {{'attn.yield' op expects parent op to be one of 'attn.attention, attn.attention_backward'}}
  attn.yield %s : f32
}
