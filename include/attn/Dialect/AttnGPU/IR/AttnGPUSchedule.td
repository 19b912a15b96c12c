//===- AttnGPUSchedule.td - Targets and schedules ---------*- tablegen -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNGPU_IR_ATTNGPUSCHEDULE_TD
#define ATTN_DIALECT_ATTNGPU_IR_ATTNGPUSCHEDULE_TD

include "attn/Dialect/Attn/IR/AttnInterfaces.td"
include "attn/Dialect/AttnGPU/IR/AttnGPUBase.td"
include "mlir/IR/EnumAttr.td"

class AttnGPU_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::mlir::attn_gpu";
}

def AttnGPU_MmaKind : AttnGPU_Enum<"MmaKind", "which instructions multiply tiles", [
  I32EnumAttrCase<"None", 0, "none">,
  I32EnumAttrCase<"MmaSync", 1, "mma_sync">,
  I32EnumAttrCase<"Wgmma", 2, "wgmma">
]>;

def AttnGPU_CopyKind : AttnGPU_Enum<"CopyKind",
    "what copies tiles to shared memory", [
  I32EnumAttrCase<"Element", 0, "element">,
  I32EnumAttrCase<"CpAsync", 1, "cp_async">,
  I32EnumAttrCase<"Tma", 2, "tma">
]>;

def AttnGPU_SoftmaxKind : AttnGPU_Enum<"SoftmaxKind",
    "when a row's running max is updated", [
  I32EnumAttrCase<"Strict", 0, "strict">,
  I32EnumAttrCase<"Lazy", 1, "lazy">
]>;

// The kind of a role says which work its warps do. The warps of a CTA are
// divided among roles in the order of these kinds.
def AttnGPU_RoleKind : AttnGPU_Enum<"RoleKind", "what the warps of a role do", [
  I32EnumAttrCase<"Consumer", 0, "consumer">,
  I32EnumAttrCase<"Reducer", 1, "reducer">,
  I32EnumAttrCase<"Converter", 2, "converter">,
  I32EnumAttrCase<"Multiplier", 3, "multiplier">,
  I32EnumAttrCase<"Producer", 4, "producer">
]>;

// Sets of kinds of roles, which have short names in the text of a schedule. The
// roles of a set have the default names, warps and registers. Each kind except
// the consumers has a bit; consumers are in each set.
def AttnGPU_ProducerConsumer
    : I32BitEnumAttrCaseBit<"ProducerConsumer", 0, "producer_consumer">;
def AttnGPU_Reducer : I32BitEnumAttrCaseBit<"Reducer", 1, "reducer">;
def AttnGPU_Converter : I32BitEnumAttrCaseBit<"Converter", 2, "converter">;
def AttnGPU_Multiplier : I32BitEnumAttrCaseBit<"Multiplier", 3, "multiplier">;
def AttnGPU_RolesKind : I32BitEnumAttr<"RolesKind", "sets of roles", [
  I32BitEnumAttrCaseNone<"None", "none">, AttnGPU_ProducerConsumer,
  AttnGPU_Reducer, AttnGPU_Converter, AttnGPU_Multiplier,
  I32BitEnumAttrCaseGroup<"ProducerConsumerReducer",
    [AttnGPU_ProducerConsumer, AttnGPU_Reducer], "producer_consumer_reducer">,
  I32BitEnumAttrCaseGroup<"ProducerConsumerConverter",
    [AttnGPU_ProducerConsumer, AttnGPU_Converter],
    "producer_consumer_converter">
]> {
  let cppNamespace = "::mlir::attn_gpu";
  let genSpecializedAttr = 0;
  let printBitEnumPrimaryGroups = 1;
}

def AttnGPU_RoleAttr : AttnGPU_Attr<"Role", "role"> {
  let summary = "warps of a CTA that run a program of their own";
  let description = [{
    An entry of a schedule's `roles`: what its warps do, and in parentheses `name`, by
    default that of the kind, `warps`, by default 4, and `registers` of each thread, by
    default as many as the other roles leave or kernels of the kind need.

    | kind | number | its warps |
    |---|---|---|
    | `consumer` | 1 | compute; as many as `warps` of the schedule says |
    | `reducer` | 0 or 1 | add tiles to global memory in each iteration, and compute these tiles by MMAs whose results nothing else uses |
    | `converter` | any | make right operands of MMAs from loaded tiles: they extend the elements to 16 bits, or transpose tiles of 8-bit elements. Several converters extend tiles in turn, in the order of the program; the first one transposes |
    | `multiplier` | any | compute the products whose attribute `apart` is the role's name and, from these, operands of MMAs and vectors of other roles, which wait for them at a barrier |
    | `producer` | 1 | make the copies |

    `warps` is a multiple of 4 from 4 to 16, `registers` a multiple of 8 from 24 to 240.
    With `late`, a multiplier keeps the tiles that a step of a loop computes, and puts them into
    their rings within the next step, when that step's MMAs have ended. The MMAs of other roles
    that read the tiles then run beside what the multiplier computes after its own MMAs, such as
    a softmax. This needs `overlap`, and at least two `stages`, since the tiles of both steps are
    in their slots.

    ```mlir
    #attn_gpu.role<multiplier(name = "scores", warps = 8, registers = 96)>
    #attn_gpu.role<multiplier(registers = 168, late)>
    ```
  }];
  let parameters = (ins "::mlir::attn_gpu::RoleKind":$kind,
                        StringRefParameter<"of no other role">:$name,
                        "int64_t":$warps, "int64_t":$registers, "bool":$late);
  let builders = [
    /// Builds a role with the default name and warps of its kind, and no number
    /// of registers.
    AttrBuilder<(ins "::mlir::attn_gpu::RoleKind":$kind)>
  ];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Returns the number of warps of a role that states none: 4, but 0 for
    /// consumers, whose number is the schedule's `warps`.
    static int64_t getDefaultWarps(RoleKind kind) {
      return kind == RoleKind::Consumer ? 0 : 4;
    }
    /// Returns the number of warpgroups of a role that states its number of
    /// warps. Consumers do not: the schedule states theirs.
    int64_t getWarpgroups() const { return getWarps() / 4; }
    /// Whether the role has the default name and number of warps of its kind,
    /// and states no number of registers.
    bool isPlain() const;
    /// printEntry() and parseEntry() print and parse the role as an entry of a
    /// schedule's list of roles.
    void printEntry(::mlir::AsmPrinter &printer) const;
    static ::mlir::FailureOr<RoleAttr> parseEntry(::mlir::AsmParser &parser);
  }];
}

def AttnGPU_RolesAttr : AttnGPU_Attr<"Roles", "roles"> {
  let summary = "the roles of a schedule";
  let description = [{
    A list of roles, in the order that they have in a CTA: consumers, helpers, the producer.
    The text may list them in any other order, and may omit consumers without a name and
    registers; roles of one kind keep the text's order. Without roles (`none`) all warps do the same.

    Lists without particulars have short forms: `producer_consumer`,
    `producer_consumer_reducer`, `producer_consumer_converter`, and sets in quotes, such as
    `"producer_consumer|converter|multiplier"`.

    ```mlir
    #attn_gpu.roles<[producer(registers = 24), multiplier, consumer(registers = 208)]>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::attn_gpu::RoleAttr">:$list);
  let builders = [
    AttrBuilder<(ins "::mlir::attn_gpu::RolesKind":$set)>
  ];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    bool empty() const { return getList().empty(); }
    /// Returns the helpers (reducer, converters, multipliers), which are the
    /// roles between the consumers, which come first, and the producer, which
    /// comes last. Empty if there are no roles.
    ::llvm::ArrayRef<RoleAttr> getHelpers() const {
      return empty() ? getList() : getList().drop_front().drop_back();
    }
    /// Returns the first role of that kind, or null.
    RoleAttr find(RoleKind kind) const;
    /// Returns all roles of that kind, in order.
    ::llvm::SmallVector<RoleAttr> findAll(RoleKind kind) const;
    /// Returns the number of `role`, which must be one of these roles: the
    /// index of its region in `attn_gpu.roles`.
    unsigned getNumber(RoleAttr role) const;
    /// printField() and parseField() print and parse the roles as the field
    /// `roles` of a schedule.
    void printField(::mlir::AsmPrinter &printer) const;
    static ::mlir::FailureOr<RolesAttr> parseField(::mlir::AsmParser &parser);
  }];
}

def AttnGPU_SchedulerKind : AttnGPU_Enum<"SchedulerKind",
    "how the CTAs of a launch share its tiles", [
  I32EnumAttrCase<"Static", 0, "static">,
  I32EnumAttrCase<"Persistent", 1, "persistent">,
  I32EnumAttrCase<"Dynamic", 2, "dynamic">
]>;

def AttnGPU_ScheduleAttr : AttnGPU_Attr<"Schedule", "schedule", [
    Attn_TileSizesAttrInterface]> {
  let summary = "how an attention op is tiled and executed on a GPU";
  let description = [{
    `attn-gpu-assign-schedule` takes a schedule from a table; a schedule that is written by
    hand overrides the table. The same checks decide whether either fits an op and a chip.

    | field | meaning |
    |---|---|
    | `tile_q` | query rows of one tile program. In any program, a domain whose columns depend on its rows has this many rows |
    | `tile_kv` | keys and values visited in one iteration |
    | `warps` | the number of warps that compute; each has rows of a tile to itself, or shares rows with other warps (`warp_rows`) |
    | `mma` | `mma_sync`; `wgmma`, by warpgroups of four warps with 64 rows each; `none`, for programs without products |
    | `copy` | `element`: threads copy single elements, so rows of query, key and value may begin at any element; `cp_async`: cp.async copies 16 bytes, so rows begin at multiples of 16 bytes; `tma`: TMA copies tiles, so rows, also those of the output, begin at multiples of 16 bytes, and tensor maps describe the arrays |
    | `stages` | tiles of keys, and of values, that shared memory holds |
    | `overlap` | the softmax of a block runs beside the MMA of the previous block's probabilities with its values. Only wgmma can do so; for other MMAs the field has no effect, and a remark says so |
    | `ping_pong` | with `overlap` and roles, warpgroups issue their MMAs one after the other, so that one's softmax runs beside another's MMAs |
    | `softmax` | `strict`: a row's exponent bias is its running max; `lazy`: an iteration uses the bias of the one before, and does not compute the maximum of its scores, unless a lane's sum of a row's probabilities is above 2^14 (less for 8-bit probabilities, and less still with an exact state); a warp then updates the biases of all its rows |
    | `roles` | `none`: all warps do the same; else a list of [roles](#roleattr), each with its warps, registers and name, such as `[producer(registers = 24), multiplier(name = "scores", warps = 8), consumer(registers = 168)]`, or a short form: `producer_consumer`: further warps make the copies, the others compute; `producer_consumer_reducer` and `producer_consumer_converter` have a reducer and a converter beside these; a set in quotes has several: `"producer_consumer\|converter\|multiplier"` |
    | `scheduler` | `static`: a CTA for each tile; `persistent`: a CTA for each SM, each with every so many-th tile; `dynamic`: the same, but a CTA that is done takes the next tile, and the longest come first |
    | `split_kv` | `false`: a program has all keys of its rows; `true`: the keys are divided among as many programs as give each SM one, a further grid merges their results, and query heads that share keys are rows of the same tile |
    | `warp_rows` | with `mma_sync`: the least number of rows of a tile that a warp computes, or 16 if its part of the columns would not be a multiple of 16 otherwise. If a tile has fewer rows than that for all warps, several warps share rows, each with a part of the columns |
    | `ctas` | the number of CTAs for whose registers an SM must have room. With 0, this is one with roles, `tma` or the `dynamic` scheduler, and with `mma_sync` in eight or more warps; for others ptxas chooses, which may spill registers so that one more CTA fits, or from sm_100 on it is two |

    Fields are independent except for these conditions, which are checked when a schedule is
    assigned:

    - `ping_pong` needs `overlap`.
    - `wgmma` needs a multiple of four warps, and a `tile_q` of 64 rows for each of n
      warpgroups: n is the number of warpgroups that compute or, if these share rows, a
      divisor of it.
    - Roles need a multiple of four warps, of which those that compute and those of reducer,
      converter and multipliers are at most 16.
    - A reducer, a converter and a multiplier need `wgmma`, and a converter a `tile_kv` that
      is a multiple of 64. A reducer and a converter have four warps.
    - Registers of all warps are at most those that an SM has.
    - With `tma`, `wgmma` or roles, tile sizes are at most 256.

    Tile sizes are multiples of 16 from 16 to 1024, `warps` is from 1 to 32, `stages` from 2
    to 8, or from 1 with roles and without `overlap`, `warp_rows` a multiple of 16 from 16 to
    64, and `ctas` from 0 to 32.

    ```mlir
    #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async>
    #attn_gpu.schedule<tile_q = 128, tile_kv = 128, warps = 8, mma = wgmma, copy = tma,
                       overlap = true, ping_pong = true, softmax = lazy,
                       roles = producer_consumer, scheduler = dynamic>
    ```
  }];
  let parameters = (ins
    "int64_t":$tile_q, "int64_t":$tile_kv, "int64_t":$warps,
    "::mlir::attn_gpu::MmaKind":$mma, "::mlir::attn_gpu::CopyKind":$copy,
    DefaultValuedParameter<"int64_t", "2">:$stages,
    DefaultValuedParameter<"bool", "false">:$overlap,
    DefaultValuedParameter<"bool", "false">:$ping_pong,
    DefaultValuedParameter<"::mlir::attn_gpu::SoftmaxKind",
        "::mlir::attn_gpu::SoftmaxKind::Strict">:$softmax,
    DefaultValuedParameter<"::mlir::attn_gpu::RolesAttr",
        "::mlir::attn_gpu::RolesAttr::get($_ctxt, "
        "::mlir::attn_gpu::RolesKind::None)">:$roles,
    DefaultValuedParameter<"::mlir::attn_gpu::SchedulerKind",
        "::mlir::attn_gpu::SchedulerKind::Static">:$scheduler,
    DefaultValuedParameter<"bool", "false">:$split_kv,
    DefaultValuedParameter<"int64_t", "16">:$warp_rows,
    DefaultValuedParameter<"int64_t", "0">:$ctas);
  let builders = [
    /// Builds a schedule whose roles have the default names, warps and
    /// registers of their kinds.
    AttrBuilder<(ins "int64_t":$tileQ, "int64_t":$tileKv, "int64_t":$warps,
        "::mlir::attn_gpu::MmaKind":$mma, "::mlir::attn_gpu::CopyKind":$copy,
        "int64_t":$stages, "bool":$overlap, "bool":$pingPong,
        "::mlir::attn_gpu::SoftmaxKind":$softmax,
        "::mlir::attn_gpu::RolesKind":$roles,
        "::mlir::attn_gpu::SchedulerKind":$scheduler, "bool":$splitKv,
        "int64_t":$warpRows, "int64_t":$ctas)>
  ];
  let assemblyFormat = [{
    `<` struct($tile_q, $tile_kv, $warps, $mma, $copy, $stages, $overlap,
               $ping_pong, $softmax, custom<Roles>($roles), $scheduler,
               $split_kv, $warp_rows, $ctas) `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    bool hasProducer() const { return !getRoles().empty(); }
    /// Whether one of the roles is a reducer, which adds tiles to global
    /// memory.
    bool hasReducer() const { return has(RoleKind::Reducer); }
    /// Whether one of the roles is a converter, which makes right operands of
    /// MMAs from loaded tiles.
    bool hasConverter() const { return has(RoleKind::Converter); }
    /// Whether one of the roles is a multiplier, which computes products in
    /// place of the consumers.
    bool hasMultiplier() const { return has(RoleKind::Multiplier); }
    bool has(RoleKind kind) const { return getRoles().find(kind) != nullptr; }
    /// Returns the helpers (reducer, converters, multipliers), which are the
    /// roles between consumers and producer, in the order of their warps.
    ::llvm::ArrayRef<RoleAttr> getHelpers() const {
      return getRoles().getHelpers();
    }
    /// Returns the number, within the CTA, of the first warp of `role`, which
    /// must be a helper (getHelpers()) or the producer.
    int64_t getFirstWarp(RoleAttr role) const;
    /// getNumHelperWarpgroups() returns the number of warpgroups of all helpers
    /// together, and getNumWarpgroups() that of all roles of the CTA.
    int64_t getNumHelperWarpgroups() const;
    int64_t getNumWarpgroups() const;
    /// Whether tiles in shared memory are swizzled. They are if TMA writes
    /// them, wgmma reads them, or a producer fills rings.
    bool hasSwizzledTiles() const {
      return getCopy() == CopyKind::Tma || getMma() == MmaKind::Wgmma ||
             hasProducer();
    }
    /// Whether MMAs of one iteration may run at the same time as the softmax of
    /// the next. This needs `overlap` and wgmma, which is asynchronous; with
    /// mma.sync, `overlap` has no effect.
    bool overlapsMmas() const {
      return getOverlap() && getMma() == MmaKind::Wgmma;
    }
    /// Whether several warps share the rows of a program's tiles, so that each
    /// computes only some of the columns of the result that is accumulated.
    /// With mma.sync they do if there are fewer than `warp_rows` rows for each
    /// warp, with wgmma if there are fewer than 64 for each warpgroup.
    bool sharesRows() const {
      switch (getMma()) {
      case MmaKind::None:
        return false;
      case MmaKind::MmaSync:
        return getTileQ() < getWarpRows() * getWarps();
      case MmaKind::Wgmma:
        return getTileQ() < 16 * getWarps();
      }
      return false;
    }
    /// Whether a CTA should have an SM for itself if the schedule does not
    /// state `ctas`. This is so if the CTA has a producer, copies by TMA, or
    /// has a dynamic scheduler, and with mma.sync also if it has at least 8
    /// warps.
    bool needsWholeSM() const;
    /// Returns the layout of a tile of that shape in the registers of the
    /// computing warps. Each lane has groups of `columns` adjacent columns.
    /// Fails if the warps cannot divide the tile.
    ::llvm::FailureOr<MmaLayoutAttr>
    getLayoutFor(::llvm::ArrayRef<int64_t> shape, int64_t columns = 2) const;
    /// Returns the number of warpgroups of the computing warps.
    int64_t getNumConsumers() const { return getWarps() / 4; }
    /// Returns this schedule with `copy` in place of its kind of copies.
    ScheduleAttr withCopy(CopyKind copy) const;
    int64_t getValueColumns(int64_t columns) const;
    attn::TileSizesAttrInterface getRowwise() const;
    /// Returns the schedule of ops on single rows, such as `attn.merge`. Their
    /// programs have few rows, and all warps share the columns of these.
    static ScheduleAttr getForRows(::mlir::MLIRContext *context);
    bool mayAccumulate(int64_t columns, ::mlir::Type operand) const;
    bool mayAdd(int64_t columns) const;
    bool mayAddApart() const { return hasReducer(); }
    bool addsFromRegisters() const { return !hasReducer(); }
    attn::TileSizesAttrInterface getWithoutAdding() const;
    /// Returns the largest number of rows or keys that an array may have if TMA
    /// copies tiles from it, or 0 if there is no limit. TMA's coordinates are
    /// signed 32-bit numbers, also those of a tile that begins past the array's
    /// end.
    int64_t getMostRows() const {
      return getCopy() == CopyKind::Tma ? (int64_t(1) << 31) - (1 << 16) : 0;
    }
    bool mayListRows() const { return getCopy() != CopyKind::Tma; }
    // A strict softmax compares scores with the running maximum before it
    // computes exponents, so it needs each score multiplied.
    bool foldsRowFactors() const { return getSoftmax() == SoftmaxKind::Lazy; }
    ::llvm::StringRef getScoresRole() const {
      RoleAttr role = getRoles().find(RoleKind::Multiplier);
      return role ? role.getName() : ::llvm::StringRef();
    }
  }];
}

def AttnGPU_TargetAttr : AttnGPU_Attr<"Target", "target"> {
  let summary = "the chip that a kernel is for";
  let description = [{
    Passes know the chip of a kernel from the kernel's `target`. The attribute
    `attn_gpu.target` of a module names the chip before there are kernels:
    `attn-gpu-assign-schedule` sets it, and `attn-gpu-map-grid` copies it to kernels.

    ```mlir
    module attributes {attn_gpu.target = #attn_gpu.target<chip = "sm_90a">} {}
    ```
  }];
  let parameters = (ins StringRefParameter<"an NVIDIA chip">:$chip);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Returns the properties of the chip that this attribute names, from the
    /// compiler's table of chips. The verifier has checked that the table has
    /// it.
    const ::mlir::attn::Chip &getDescription() const;
  }];
}

#endif // ATTN_DIALECT_ATTNGPU_IR_ATTNGPUSCHEDULE_TD
