"""Compiles the rooms where scoring spends its time, if a wheel is built with TRAYECTO_COMPILE=1.

They are the same files, compiled by Cython as they stand: nothing is written twice, and a wheel
that is built without it runs them as Python. Needs Cython, setuptools and a C compiler.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

HOT = (
    "alignment.py",
    "case.py",
    "case_formats/*.py",
    "contracts.py",
    "facts.py",
    "formats/*.py",
    "matching.py",
    "metrics/*.py",
    "prices.py",
    "summaries/*.py",
    "wire/*.py",
)
# Annotations are for people and mypy: taken as C types they would turn an int into a double.
DIRECTIVES = {"annotation_typing": False, "binding": True, "language_level": 3}
FLAGS = ["-O3", "-fno-plt", "-g0"] if sys.platform == "linux" else []


class Compile(BuildHookInterface[Any]):
    """Adds the compiled modules to a standard wheel, beside their sources."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, if that was asked for; an editable install runs the sources."""
        if version != "standard" or os.environ.get("TRAYECTO_COMPILE") != "1":
            return
        source = Path(self.root, "src")
        built = Path(self.root, "build", "compiled", "modules")
        for module in compile_modules(source, built):
            build_data["force_include"][str(module)] = module.relative_to(built).as_posix()
        build_data["pure_python"] = False
        build_data["infer_tag"] = True


def compile_modules(source: Path, built: Path) -> list[Path]:
    """Compile the hot modules into a folder laid out as the package; returns what was made."""
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    package = source / "trayecto"
    files = [file for pattern in HOT for file in sorted(package.glob(pattern))]
    extensions = [
        Extension(
            ".".join(file.relative_to(source).with_suffix("").parts),
            [file.relative_to(source.parent).as_posix()],
            extra_compile_args=FLAGS,
            extra_link_args=FLAGS,
        )
        for file in files
        if file.name != "__init__.py"
    ]
    affinity = getattr(os, "sched_getaffinity", None)
    workers = len(affinity(0)) if affinity else os.cpu_count() or 1
    made = cythonize(
        extensions,
        build_dir=str(built.parent / "c"),
        nthreads=workers,
        compiler_directives=DIRECTIVES,
        quiet=True,
    )
    command = build_ext(Distribution({"ext_modules": made}))
    command.build_lib, command.build_temp = str(built), str(built.parent / "objects")
    command.parallel = workers
    command.finalize_options()
    command.run()
    return sorted(Path(output) for output in command.get_outputs())
