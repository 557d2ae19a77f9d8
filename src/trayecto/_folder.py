"""A folder of this package as a registry: the file name is the id.

Whatever stands in the folder and does not begin with an underscore is an entry; nothing has to be
registered anywhere else.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType


def names(package: ModuleType) -> list[str]:
    """The ids of a folder's entries, sorted; nothing is imported."""
    found = (module.name for module in iter_modules(package.__path__))
    return sorted(name for name in found if not name.startswith("_"))


def entries(package: ModuleType) -> dict[str, ModuleType]:
    """A folder's entries by id, imported."""
    return {name: import_module(f"{package.__name__}.{name}") for name in names(package)}
