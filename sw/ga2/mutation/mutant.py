# SPDX-License-Identifier: Apache-2.0
"""The mutants of a source file: found in its syntax tree, with an id that edits elsewhere in the file do not change.

Left alone are docstrings, annotations, decorators and what a constructor stores: without it nothing runs.
"""

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from ga2.mutation.operators import changes
from ga2.mutation.subject import Subject

MODULE = "<module>"
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
TEXT = 100  # characters of code that a report shows


@dataclass(frozen=True)
class Mutant:
    """One change. file: below the subject's folder. function: as in a traceback; a class, or <module>, outside any.

    imported: it runs when the module is imported. before, after: code. place: in the syntax tree.
    """

    file: str
    function: str
    imported: bool
    operator: str
    ordinal: int
    line: int
    before: str
    after: str
    place: tuple[int, int]

    @property
    def id(self) -> str:
        """File, function, operator, and which of that operator's in the function."""
        return f"{self.file}:{self.function}:{self.operator}:{self.ordinal}"

    @property
    def outermost(self) -> str:
        """The function that is called from outside: a nested one runs where that does."""
        return self.function.split(".<locals>")[0]


class _Finder:
    """Walks a module in order, and knows in which function it is."""

    def __init__(self, tree: ast.Module) -> None:
        self.numbers = {id(node): number for number, node in enumerate(ast.walk(tree))}
        self.ordinals: Counter[tuple[str, str]] = Counter()

    def walk(self, node: ast.AST, function: str, bound: set[str], imported: bool) -> Iterator[tuple]:
        for child in _children(node):
            if isinstance(child, Definition):
                is_class = isinstance(child, ast.ClassDef)
                inside = _inside(function, node, child)
                yield from self.walk(child, inside, set(), imported and is_class)
                continue
            rebound = isinstance(child, ast.Assign) and _names(child) <= bound and bool(_names(child))
            if not (function.endswith(".__init__") and isinstance(child, ast.Assign)):
                for which, (operator, changed) in enumerate(changes(child, rebound)):
                    self.ordinals[function, operator] += 1
                    line = getattr(child, "lineno", getattr(node, "lineno", 1))
                    yield (function, imported, operator, self.ordinals[function, operator], line, _text(child),
                           _text(changed), (self.numbers[id(child)], which))  # fmt: skip
            if isinstance(child, ast.Assign):
                bound |= _names(child)
            yield from self.walk(child, function, bound, imported)


def _inside(function: str, parent: ast.AST, child: Definition) -> str:
    if function == MODULE:
        return child.name
    return f"{function}.{child.name}" if isinstance(parent, ast.ClassDef) else f"{function}.<locals>.{child.name}"


def _names(node: ast.Assign) -> set[str]:
    return {target.id for target in node.targets if isinstance(target, ast.Name)}


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """The parts that may change, in their order."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "format_spec"):
            continue
        for part in value if isinstance(value, list) else [value]:
            docstring = isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant)
            if isinstance(part, ast.AST) and not docstring:
                yield part


def _text(node: ast.AST) -> str:
    """The first line of a node's code."""
    return ast.unparse(ast.fix_missing_locations(node)).partition("\n")[0][:TEXT]


def mutants_of(file: str, source: str) -> list[Mutant]:
    """All mutants of a source."""
    tree = ast.parse(source)
    return [Mutant(file, *found) for found in _Finder(tree).walk(tree, MODULE, set(), True)]


def all_mutants(subject: Subject) -> list[Mutant]:
    """All mutants of a subject, file by file."""
    files = sorted(path for path in subject.folder.rglob("*.py") if path.name != "__init__.py")
    return [
        each
        for path in files
        for each in mutants_of(path.relative_to(subject.folder).as_posix(), path.read_text())
    ]


class _Swap(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self.new if node is self.old else self.generic_visit(node)


def mutated(source: str, mutant: Mutant) -> ast.Module:
    """The module with the change in it."""
    tree = ast.parse(source)
    number, which = mutant.place
    node = list(ast.walk(tree))[number]
    _, new = changes(node, rebound=True)[which]
    if isinstance(node, ast.stmt | ast.expr):
        ast.copy_location(new, node)
    _Swap(node, new).visit(tree)
    return ast.fix_missing_locations(tree)
