# SPDX-License-Identifier: Apache-2.0
"""The small changes that an expression or a statement admits, each by the name of its operator.

    compare     < and <=, > and >=, == and !=, is and is not, in and not in change places
    constant    an integer becomes the next one
    arithmetic  + and -, * and /, // and %, << and >>, | and & change places, or nearly; a sign is dropped
    boolean     and and or, True and False change places
    negate      a condition is turned round
    removed     a statement that changes something, or raises, or leaves a loop, is gone
    return      a condition is returned turned round; anything else as None
"""

import ast
from collections.abc import Iterator
from copy import deepcopy

OPERATORS = ("compare", "constant", "arithmetic", "boolean", "negate", "removed", "return")
Change = tuple[str, ast.AST]

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
TURNED_ROUND = (ast.Eq, ast.NotEq, ast.Is, ast.IsNot, ast.In, ast.NotIn)
"""Comparisons that `compare` already negates."""
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mod,
    ast.Mod: ast.FloorDiv, ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr, ast.Pow: ast.Mult,
}  # fmt: skip


def negated(test: ast.expr) -> ast.expr:
    """The condition turned round."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return test.operand
    return ast.UnaryOp(ast.Not(), test)


def _negates_itself(test: ast.expr) -> bool:
    """True if another operator already makes the same change."""
    if isinstance(test, ast.UnaryOp):
        return isinstance(test.op, ast.Not)
    return isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], TURNED_ROUND)


def _of_expression(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.Compare):
        for index, operation in enumerate(node.ops):
            changed = deepcopy(node)
            changed.ops[index] = COMPARISONS[type(operation)]()
            yield "compare", changed
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield "boolean", ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield "constant", ast.Constant(node.value + 1)
    elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        yield "arithmetic", ast.BinOp(node.left, ARITHMETIC[type(node.op)](), node.right)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield "arithmetic", node.operand
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "negate", node.operand
    elif isinstance(node, ast.BoolOp):
        yield "boolean", ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)


def _of_condition(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, (ast.If, ast.While, ast.IfExp)) and not _negates_itself(node.test):
        changed = deepcopy(node)
        changed.test = negated(changed.test)
        yield "negate", changed
    if isinstance(node, ast.comprehension):
        for index, test in enumerate(node.ifs):
            if not _negates_itself(test):
                loop = deepcopy(node)
                loop.ifs[index] = negated(loop.ifs[index])
                yield "negate", loop


def _of_statement(node: ast.AST, rebound: bool) -> Iterator[Change]:
    gone = isinstance(node, (ast.Raise, ast.AugAssign, ast.Continue, ast.Break))
    gone = gone or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call))
    if isinstance(node, ast.Assign):
        gone = rebound or any(isinstance(target, (ast.Attribute, ast.Subscript)) for target in node.targets)
    if gone:
        yield "removed", ast.Pass()
    if isinstance(node, ast.Return) and node.value is not None:
        value = node.value
        if isinstance(value, (ast.Compare, ast.BoolOp)) or (isinstance(value, ast.UnaryOp) and _negates_itself(value)):
            if not _negates_itself(value):
                yield "return", ast.Return(negated(value))
        elif not isinstance(value, ast.Constant):
            yield "return", ast.Return(ast.Constant(None))


def changes(node: ast.AST, rebound: bool = False) -> list[Change]:
    """What may become of a node: (operator, what takes its place). rebound: it assigns to a name that has a value."""
    return [*_of_expression(node), *_of_condition(node), *_of_statement(node, rebound)]
