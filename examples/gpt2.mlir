// GPT-2's attention: causal, f16, (batch, row, head, head dim) in memory.
// attnc run gpt2.mlir random:1 random:2 random:3 --check --repeat 10
!t = memref<4x12x1024x64xf16, strided<[786432, 64, 768, 1]>>
func.func @main(%query: !t, %key: !t, %value: !t, %output: !t) {
  attn.attention mask <top_left, causal>
      ins(%query, %key, %value : !t, !t, !t) outs(%output : !t)
  return
}
