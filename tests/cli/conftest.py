"""The command line in this process: exit code, standard output, standard error."""

from types import SimpleNamespace

import pytest

from assay.cli.main import run


@pytest.fixture
def command(capfd):
    def call(*arguments):
        code = run([str(argument) for argument in arguments])
        out, err = capfd.readouterr()
        assert "Traceback" not in err
        return SimpleNamespace(code=code, out=out, err=err)

    return call


@pytest.fixture
def campaign(tmp_path):
    """A small campaign folder."""
    folder = tmp_path / "campaign"
    folder.mkdir()
    files = {
        "ref.A.txt": "the cat sat on the mat .\nhello world , how are you today ?\na third line here , my friend\n",
        "ref.B.txt": "a cat sat on a mat .\nhi world , how do you do today ?\na third line here , dear friend\n",
        "sys.good.txt": "the cat sat on the mat .\nhello world , how are you now ?\na third line here , my friend\n",
        "sys.poor.txt": "cat mat\nworld hello\n\n",
        "docs.txt": "d1\nd1\nd2\n",
        "domains.txt": "news\nchat\nnews\n",
    }
    for name, content in files.items():
        (folder / name).write_text(content)
    return folder
