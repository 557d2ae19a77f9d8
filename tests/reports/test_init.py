"""The folder's verb."""

import subprocess
import sys

from trayecto import reports
from trayecto.reports import report
from trayecto.reports.terminal import render
from trayecto.summaries import Document


def test_report_is_the_terminal_report(make: object) -> None:
    """Every option reaches it."""
    document: Document = make.document(make.group())
    options = {"lang": "es", "width": 100, "color": True, "content": True, "ci": True}
    assert report(document) == render(document)
    assert report(document, **options) == render(document, **options)


def test_what_the_folder_offers() -> None:
    """One verb, the languages it speaks, and what makes foreign text harmless."""
    assert reports.__all__ == ["Lang", "guard", "report", "safe"]


def test_rich_is_imported_only_to_print() -> None:
    """Who only asks for JSON does not wait for it."""
    code = "import sys, trayecto.reports; print('rich' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
