"""Reads MLIR in the generic form: ops with names, operands, attributes as text, and regions."""

import re


class Op:
    def __init__(self, name, results, operands, attributes, regions, types):
        self.name, self.results, self.operands = name, results, operands
        self.attributes, self.regions, self.types = attributes, regions, types

    def numbers(self, name):
        """Returns the integers of an attribute, such as array<i64: 1, 2>, dense<[1]> or [[0], [1,
        2]]."""
        text = re.sub(r"^array<i\d+:?", "[", self.attributes[name]).split(":")[0]
        return [int(x) for x in re.findall(r"-?\d+", text)]

    def number(self, name, default=None):
        text = self.attributes.get(name)
        return default if text is None else float(text.split(":")[0])


class Reader:
    CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">"}

    def __init__(self, text):
        self.text = re.sub(r"(?m)^\s*//[^\n]*", "", text)
        self.at = 0
        self.aliases = {}
        while match := re.compile(r"\s*(#\w+) = ([^\n]*)\n").match(self.text, self.at):
            self.aliases[match[1]] = match[2]
            self.at = match.end()

    def skip(self):
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1

    def peek(self, token):
        self.skip()
        return self.text.startswith(token, self.at)

    def take(self, token):
        if not self.peek(token):
            return False
        self.at += len(token)
        return True

    def expect(self, token):
        assert self.take(token), f"expected {token!r} at {self.text[self.at:self.at + 80]!r}"

    def match(self, pattern):
        self.skip()
        found = re.compile(pattern).match(self.text, self.at)
        if found:
            self.at = found.end()
        return found

    def balanced(self, ends):
        """Returns the text up to one of the characters `ends` outside of brackets."""
        begin, stack = self.at, []
        while stack or self.text[self.at] not in ends:
            c = self.text[self.at]
            if c == '"':
                self.at = self.text.index('"', self.at + 1)
            elif self.text.startswith("->", self.at):
                self.at += 1
            elif c in self.CLOSING:
                stack.append(self.CLOSING[c])
            elif stack and c == stack[-1]:
                stack.pop()
            self.at += 1
        return self.text[begin:self.at].strip()

    def list(self, close):
        """Returns the texts between commas, up to the closing bracket."""
        parts = []
        while not self.take(close):
            parts.append(self.balanced("," + close))
            self.take(",")
        return parts

    def entries(self, close):
        result = {}
        for part in self.list(close):
            name, _, value = part.partition("=")
            value = value.strip()
            result[name.strip().strip('"')] = self.expand(value)
        return result

    def expand(self, value):
        return re.sub(r"#\w+", lambda m: self.aliases.get(m[0], m[0]), value)

    def block(self):
        """Returns the arguments of a region's only block, and its ops."""
        arguments = []
        if self.match(r"\^\w+"):
            if self.take("("):
                arguments = [part.split(":")[0].strip() for part in self.list(")")]
            self.expect(":")
        ops = []
        while not self.peek("}"):
            ops.append(self.op())
        return arguments, ops

    def op(self):
        results = []
        if found := self.match(r"(%[\w]+)(?::(\d+))? = "):
            count = int(found[2] or 1)
            results = [found[1]] if count == 1 else [f"{found[1]}#{i}" for i in range(count)]
            if count > 1:
                results[0] = found[1] + "#0"
        name = self.match(r'"([\w.]+)"')[1]
        self.expect("(")
        operands = self.list(")")
        attributes, regions = {}, []
        if self.take("<{"):
            attributes = self.entries("}")
            self.expect(">")
        if self.take("("):
            while not self.take(")"):
                self.expect("{")
                regions.append(self.block() if not self.peek("}") else ([], []))
                self.expect("}")
                self.take(",")
        if self.take("{"):
            attributes.update(self.entries("}"))
        self.expect(":")
        self.skip()
        self.expect("(")
        self.list(")")
        self.expect("->")
        self.skip()
        types = (self.list(")") if self.take("(")
                 else [self.balanced("\n").split(" loc(")[0].strip()])
        return Op(name, results, operands, attributes, regions, types)


def read(text):
    """Returns the op of the module that the text has."""
    return Reader(text).op()
