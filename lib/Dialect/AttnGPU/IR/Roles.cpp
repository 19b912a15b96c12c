//===- Roles.cpp - Roles of a schedule ------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::attn_gpu;

using EmitError = llvm::function_ref<InFlightDiagnostic()>;

static constexpr std::pair<RolesKind, RoleKind> kKinds[] = {
    {RolesKind::Reducer, RoleKind::Reducer},
    {RolesKind::Converter, RoleKind::Converter},
    {RolesKind::Multiplier, RoleKind::Multiplier},
    {RolesKind::ProducerConsumer, RoleKind::Producer}};

/// The sets of roles that are printed by name. Other roles are printed as a
/// list of entries in brackets.
static constexpr RolesKind kNamedSets[] = {
    RolesKind::ProducerConsumer, RolesKind::ProducerConsumerReducer,
    RolesKind::ProducerConsumerConverter};

//===----------------------------------------------------------------------===//
// RoleAttr
//===----------------------------------------------------------------------===//

static LogicalResult verifyRoleWarps(EmitError emitError, StringRef name,
                                     int64_t warps) {
  constexpr int64_t kWarpgroup = 4, kMostWarps = 16;
  if (warps >= kWarpgroup && warps <= kMostWarps && warps % kWarpgroup == 0)
    return success();
  return emitError() << "expected 'warps' of the role '" << name
                     << "' to be a multiple of 4 from 4 to 16, found " << warps;
}

static LogicalResult verifyRoleRegisters(EmitError emitError, StringRef name,
                                         int64_t registers) {
  if (registers >= 24 && registers <= 240 && registers % 8 == 0)
    return success();
  return emitError() << "expected 'registers' of the role '" << name
                     << "' to be a multiple of 8 from 24 to 240, found "
                     << registers;
}

RoleAttr RoleAttr::get(MLIRContext *context, RoleKind kind) {
  return get(context, kind, stringifyRoleKind(kind), getDefaultWarps(kind),
             /*registers=*/0, /*late=*/false);
}

LogicalResult RoleAttr::verify(EmitError emitError, RoleKind kind,
                               StringRef name, int64_t warps, int64_t registers,
                               bool late) {
  if (name.empty())
    return emitError() << "expected a name for the role, found none";
  if (late && kind != RoleKind::Multiplier)
    return emitError() << "expected 'late' of a multiplier alone, found it of "
                          "the role '"
                       << name << "'";
  if (warps != getDefaultWarps(kind) &&
      failed(verifyRoleWarps(emitError, name, warps)))
    return failure();
  return registers == 0 ? success()
                        : verifyRoleRegisters(emitError, name, registers);
}

bool RoleAttr::isPlain() const { return *this == get(getContext(), getKind()); }

void RoleAttr::printEntry(AsmPrinter &printer) const {
  printer << stringifyRoleKind(getKind());
  if (isPlain())
    return;
  printer << '(';
  StringRef comma = "";
  if (getName() != stringifyRoleKind(getKind())) {
    printer << "name = ";
    printer.printString(getName());
    comma = ", ";
  }
  auto printNumber = [&](StringRef key, int64_t value) {
    printer << comma << key << " = " << value;
    comma = ", ";
  };
  if (getWarps() != getDefaultWarps(getKind()))
    printNumber("warps", getWarps());
  if (getRegisters() != 0)
    printNumber("registers", getRegisters());
  if (getLate())
    printer << comma << "late";
  printer << ')';
}

FailureOr<RoleAttr> RoleAttr::parseEntry(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  auto emitError = [&] { return parser.emitError(loc); };
  StringRef word;
  if (failed(parser.parseOptionalKeyword(&word)))
    return emitError() << "expected the kind of a role: consumer, reducer, "
                          "converter, multiplier or producer";
  std::optional<RoleKind> kind = symbolizeRoleKind(word);
  if (!kind)
    return emitError() << "expected a role to be a consumer, reducer, "
                          "converter, multiplier or producer, found '"
                       << word << "'";
  std::string name = word.str();
  int64_t warps = getDefaultWarps(*kind), registers = 0;
  bool late = false;
  llvm::StringSet<> seen;
  auto parseParticular = [&]() -> ParseResult {
    SMLoc ofKey = parser.getCurrentLocation();
    StringRef key;
    if (parser.parseKeyword(&key))
      return failure();
    if (!llvm::is_contained({"name", "warps", "registers", "late"}, key))
      return parser.emitError(ofKey, "expected 'name', 'warps', 'registers' or "
                                     "'late' of a role, found '")
             << key << "'";
    if (!seen.insert(key).second)
      return parser.emitError(ofKey, "expected '")
             << key << "' of a role once, found it twice";
    if (key == "late") {
      late = true;
      return success();
    }
    if (parser.parseEqual())
      return failure();
    if (key == "name")
      return parser.parseString(&name);
    if (key == "warps")
      return failure(parser.parseInteger(warps) ||
                     failed(verifyRoleWarps(emitError, name, warps)));
    return failure(parser.parseInteger(registers) ||
                   failed(verifyRoleRegisters(emitError, name, registers)));
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::OptionalParen,
                                     parseParticular))
    return failure();
  auto role = getChecked(EmitError(emitError), parser.getContext(), *kind,
                         StringRef(name), warps, registers, late);
  if (!role)
    return failure();
  return role;
}

void RoleAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printEntry(printer);
  printer << '>';
}

Attribute RoleAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  FailureOr<RoleAttr> role = parseEntry(parser);
  if (failed(role) || parser.parseGreater())
    return {};
  return *role;
}

//===----------------------------------------------------------------------===//
// RolesAttr
//===----------------------------------------------------------------------===//

/// Returns the roles sorted by kind, which is the order in which a CTA has
/// them. Adds a role of consumers if the list has none.
static SmallVector<RoleAttr> getSorted(MLIRContext *context,
                                       ArrayRef<RoleAttr> list) {
  auto isBefore = [](RoleAttr a, RoleAttr b) {
    return a.getKind() < b.getKind();
  };
  SmallVector<RoleAttr> roles;
  // Roles of one kind keep their order.
  auto insert = [&](RoleAttr role) {
    roles.insert(llvm::upper_bound(roles, role, isBefore), role);
  };
  llvm::for_each(list, insert);
  auto isConsumer = [](RoleAttr role) {
    return role.getKind() == RoleKind::Consumer;
  };
  if (llvm::none_of(roles, isConsumer))
    insert(RoleAttr::get(context, RoleKind::Consumer));
  return roles;
}

static SmallVector<RoleAttr> getOfSet(MLIRContext *context, RolesKind set) {
  SmallVector<RoleAttr> roles;
  for (auto [bit, kind] : kKinds)
    if (bitEnumContainsAll(set, bit))
      roles.push_back(RoleAttr::get(context, kind));
  return set == RolesKind::None ? roles : getSorted(context, roles);
}

RolesAttr RolesAttr::get(MLIRContext *context, RolesKind set) {
  return get(context, getOfSet(context, set));
}

LogicalResult RolesAttr::verify(EmitError emitError, ArrayRef<RoleAttr> list) {
  if (list.empty())
    return success();
  if (!llvm::is_sorted(list, [](RoleAttr a, RoleAttr b) {
        return a.getKind() < b.getKind();
      }))
    return emitError() << "expected consumers, helpers and a producer in this "
                          "order, found others";
  llvm::StringSet<> names;
  for (RoleAttr role : list)
    if (!names.insert(role.getName()).second)
      return emitError() << "expected roles of different names, found '"
                         << role.getName() << "' twice";
  for (RoleKind kind :
       {RoleKind::Consumer, RoleKind::Reducer, RoleKind::Producer}) {
    int64_t count = llvm::count_if(
        list, [&](RoleAttr role) { return role.getKind() == kind; });
    bool isNeeded = kind == RoleKind::Consumer || kind == RoleKind::Producer;
    if (count > 1 || (isNeeded && count == 0))
      return emitError() << "expected " << (isNeeded ? "one " : "at most one ")
                         << stringifyRoleKind(kind) << " among 'roles', found "
                         << (count == 0 ? "none" : "several");
  }
  return success();
}

RoleAttr RolesAttr::find(RoleKind kind) const {
  for (RoleAttr role : getList())
    if (role.getKind() == kind)
      return role;
  return {};
}

SmallVector<RoleAttr> RolesAttr::findAll(RoleKind kind) const {
  return llvm::to_vector(llvm::make_filter_range(
      getList(), [&](RoleAttr role) { return role.getKind() == kind; }));
}

unsigned RolesAttr::getNumber(RoleAttr role) const {
  return static_cast<unsigned>(
      std::distance(getList().begin(), llvm::find(getList(), role)));
}

void RolesAttr::printField(AsmPrinter &printer) const {
  if (empty()) {
    printer << stringifyRolesKind(RolesKind::None);
    return;
  }
  for (RolesKind set : kNamedSets)
    if (*this == get(getContext(), set)) {
      printer << stringifyRolesKind(set);
      return;
    }
  printer << '[';
  auto isSaid = [](RoleAttr role) {
    return role.getKind() != RoleKind::Consumer || !role.isPlain();
  };
  llvm::interleaveComma(llvm::make_filter_range(getList(), isSaid), printer,
                        [&](RoleAttr role) { role.printEntry(printer); });
  printer << ']';
}

FailureOr<RolesAttr> RolesAttr::parseField(AsmParser &parser) {
  MLIRContext *context = parser.getContext();
  SMLoc loc = parser.getCurrentLocation();
  auto emitError = [&] { return parser.emitError(loc); };
  SmallVector<RoleAttr> roles;
  std::string set;
  if (succeeded(parser.parseOptionalKeywordOrString(&set))) {
    std::optional<RolesKind> kind = symbolizeRolesKind(set);
    if (!kind)
      return emitError()
             << "expected 'roles' to be none, producer_consumer, "
                "producer_consumer_reducer, producer_consumer_converter, a set "
                "of these and of multiplier in quotes, divided by |, or a list "
                "in brackets, found '"
             << set << "'";
    roles = getOfSet(context, *kind);
  } else {
    auto parseRole = [&]() -> ParseResult {
      FailureOr<RoleAttr> role = RoleAttr::parseEntry(parser);
      if (failed(role))
        return failure();
      roles.push_back(*role);
      return success();
    };
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseRole,
                                       " of roles"))
      return failure();
    if (!roles.empty())
      roles = getSorted(context, roles);
  }
  auto attr =
      getChecked(EmitError(emitError), context, ArrayRef<RoleAttr>(roles));
  if (!attr)
    return failure();
  return attr;
}

void RolesAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printField(printer);
  printer << '>';
}

Attribute RolesAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  FailureOr<RolesAttr> roles = parseField(parser);
  if (failed(roles) || parser.parseGreater())
    return {};
  return *roles;
}
