"""A real browser, one for all tests of a process."""

from __future__ import annotations

import mimetypes
import shutil
from pathlib import Path

import pytest

import assay.explorer

STATIC = Path(assay.explorer.__file__).parent / "static"


@pytest.fixture(scope="session")
def chromium():
    sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed: make browser")
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        pytest.skip("Chromium is not installed: make tools")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def modules(chromium):
    """A page without anything, which can import the modules of the explorer: ``import('/app/dom.js')``."""
    page = chromium.new_page()
    page.route("**/*", _serve)
    page.goto("http://modules.test/")
    yield page
    page.close()


def _serve(route):
    path = STATIC / route.request.url.removeprefix("http://modules.test/")
    if path.is_file():
        route.fulfill(body=path.read_text(), content_type=mimetypes.guess_type(path)[0])
    else:
        route.fulfill(body="<!doctype html><title>modules</title><main id='app'></main>", content_type="text/html")
