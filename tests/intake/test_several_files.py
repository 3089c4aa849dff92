"""Several files, folders and archives as one submission: what is taken, which one is captured, and what is refused."""

from __future__ import annotations

import io
import json
import pickle
import zipfile
from pathlib import Path

import pytest

from graphcap.errors import UserError
from graphcap.intake.accept import accept_code, accept_files
from graphcap.intake.inside.notebook import python_of
from graphcap.intake.names import safe_path
from graphcap.intake.submission import Submission
from graphcap.intake.upload import Upload
from graphcap.settings import Settings

SETTINGS = Settings(upload_mib=1, code_kib=8)
NET = "import torch\nclass Net(torch.nn.Module):\n    pass\n"
NAMED = NET + "model = Net()\nexample_args = ()\n"
STATE = b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.\x80\x02M\xe9\x03.\x80\x02}q\0.\x80\x02ctorch\nFloatStorage\n."


def send(files: dict[str, str | bytes], **options: str) -> Submission:
    uploads = [Upload(name, data.encode() if isinstance(data, str) else data) for name, data in files.items()]
    return accept_files(uploads, options, SETTINGS)


def refused(files: dict[str, str | bytes], **options: str) -> UserError:
    with pytest.raises(UserError) as caught:
        send(files, **options)
    assert caught.value.hint
    return caught.value


def zipped(files: dict[str, str | bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return stream.getvalue()


def names(submission: Submission) -> list[str]:
    return [file.name for file in submission.files]


@pytest.mark.parametrize(
    ("files", "entry"),
    [
        ({"a.py": NET, "b.py": NAMED}, "b.py"),
        ({"pkg/__main__.py": "x = 1", "pkg/net.py": NET}, "__main__.py"),
        ({"a.py": NET, "b.py": "if __name__ == '__main__':\n    pass\n"}, "b.py"),
        ({"layers.py": NET, "net.py": "from layers import Net\n"}, "net.py"),
        ({"a.py": "x = 1", "net.py": NET}, "net.py"),
        ({"a.py": NET, "model.py": NET}, "model.py"),
        ({"net.py": NAMED, "test_net.py": NAMED, "setup.py": "import torch"}, "net.py"),
        ({"net.py": NET, "weights.pt": STATE}, "net.py"),
        ({"net.py": NET, "data.csv": "1,2"}, "net.py"),
        ({"net.py": NET, "checkpoint.pkl": pickle.dumps({"model": {}, "cfg": Path("a")})}, "net.py"),
        ({"net.py": NET, "checkpoint.pt": STATE.replace(b"torch\nFloatStorage", b"project\nSettings")}, "net.py"),
        ({"net.py": NET, "model.pkl": pickle.dumps({"_parameters": {}})}, "model.pkl"),
    ],
)
def test_the_entry_is_found(files: dict[str, str | bytes], entry: str) -> None:
    submission = send(files)
    assert submission.entry == names(submission)[0] == entry
    assert len(submission.files) == len(files)
    assert send({"p.zip": zipped(files)}).entry == entry


def test_where_several_could_be_meant_they_are_listed_and_one_may_be_named() -> None:
    files: dict[str, str | bytes] = {"a.py": NET, "pkg/b.py": NET}
    error = refused(files)
    assert (error.code, error.status) == ("which-entry", 422) and "a.py, pkg/b.py" in error.detail
    assert send(files, entry="pkg/b.py").entry == send(files, entry="b.py").entry == "pkg/b.py"
    assert "no file is called that" in refused(files, entry="c.py").detail


def test_a_name_that_the_one_file_does_not_have_is_refused() -> None:
    assert send({"my net.py": "x = 1"}, entry="my net.py").entry == "my_net.py"
    error = refused({"a.py": "x = 1"}, entry="b.py")
    assert error.code == "which-entry" and "no file is called that. To choose from: a.py" in error.detail
    with pytest.raises(UserError) as pasted:
        accept_code("x = 1", None, {"entry": "b.py"}, Settings())
    assert pasted.value.code == "which-entry"


def test_a_folder_that_all_lie_in_is_taken_off_unless_it_is_a_package() -> None:
    assert names(send({"top/sub/net.py": NAMED, "top/sub/a.txt": "x"})) == ["net.py", "a.txt"]
    assert names(send({"top/net.py": NAMED, "top/__init__.py": ""})) == ["top/net.py", "top/__init__.py"]


def test_what_is_no_part_of_a_project_is_left_out() -> None:
    made = zipped({"p/net.py": NAMED, "p/.git/config": "x", "p/__pycache__/net.pyc": b"x", "__MACOSX/p/._net.py": b"x"})
    assert names(send({"p.zip": made})) == ["net.py"]


@pytest.mark.parametrize(
    ("raw", "safe"),
    [
        ("../../etc/passwd", "etc/passwd"),
        ("/abs/net.py", "abs/net.py"),
        ("C:\\me\\net.py", "me/net.py"),
        ("a/./b//c.py", "a/b/c.py"),
        ("pkg/__init__.py", "pkg/__init__.py"),
        ("-rf/.hidden.py", "rf/hidden.py"),
        ("a b/ne\nt.py", "a_b/ne_t.py"),
        ("..", "file"),
        ("/".join(["d"] * 50) + "/x.py", "/".join(["d"] * 16) + "/x.py"),
    ],
)
def test_hostile_paths_stay_in_the_folder(raw: str, safe: str) -> None:
    assert safe_path(raw) == safe


def test_links_in_an_archive_are_left_out() -> None:
    stream = io.BytesIO(zipped({"net.py": NAMED}))
    with zipfile.ZipFile(stream, "a") as archive:
        link = zipfile.ZipInfo("etc.py")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    assert names(send({"p.zip": stream.getvalue()})) == ["net.py"]


def test_a_bomb_is_refused_before_it_is_unpacked() -> None:
    assert refused({"p.zip": zipped({"a.py": b"#" * (2 << 20)})}).code == "too-large"
    assert refused({"p.zip": zipped({f"{i}.py": b"#" * 300_000 for i in range(5)})}).code == "too-large"
    assert refused({"p.zip": zipped({f"{i}.py": b"#" for i in range(600)})}).code == "too-large"


def test_a_header_that_lies_about_its_size_gives_no_more_than_it_says() -> None:
    made = zipped({"a.py": NAMED.encode() + b"#" * 5000})
    at = made.rindex(b"PK\x01\x02") + 24  # the size unpacked, in the table of contents
    lying = made[:at] + (10).to_bytes(4, "little") + made[at + 4 :]
    assert refused({"p.zip": lying}).code == "unsupported-upload"


def test_two_files_of_one_name_are_refused() -> None:
    uploads = [Upload("a.py", NAMED.encode()), Upload("./a.py", NET.encode())]
    with pytest.raises(UserError, match="same name"):
        accept_files(uploads, None, SETTINGS)


def test_the_hash_covers_every_file_and_the_entry() -> None:
    files: dict[str, str | bytes] = {"net.py": NAMED, "b.py": "x = 1"}
    others: tuple[dict[str, str | bytes], ...] = ({"net.py": NAMED}, {"net.py": NAMED, "c.py": "x = 1"})
    made = {send(each).sha256 for each in (files, {**files, "b.py": "x = 2"}, *others)}
    assert len({*made, send(files, entry="b.py").sha256}) == 5


def cell(*lines: str, kind: str = "code") -> dict[str, object]:
    return {"cell_type": kind, "source": "\n".join(lines)}


def test_a_notebook_is_its_code_cells_in_order_with_what_was_skipped() -> None:
    cells = [
        cell("%matplotlib inline", "!pip install timm", "import torch"),
        cell("# Title", kind="markdown"),
        cell("%%bash", "ls"),
        cell("if True:", "    !ls", "    files = !ls", 'text = """', "%no magic", '"""', "x = 7 \\", "% 4", "x?"),
        cell("%%time", "y = x"),
    ]
    data = json.dumps({"cells": cells, "nbformat": 4, "metadata": {}}).encode()
    submission = send({"nb.ipynb": data})
    assert (submission.kind, submission.entry, names(submission)) == ("ipynb", "nb.ipynb", ["nb.ipynb", "nb.ipynb.py"])
    code = submission.files[1].data.decode()
    compile(code, "nb", "exec")
    assert [line for line in code.split("\n") if line.startswith("# %%")] == [f"# %% cell {i}" for i in (1, 2, 3, 4)]
    assert "pass  # skipped: !pip install timm" in code and "    pass  # skipped: files = !ls" in code
    assert "# skipped: %%bash\n# skipped: ls" in code and "# skipped: %%time\ny = x" in code


def test_a_cell_that_is_python_is_left_as_it_is() -> None:
    source = 'text = """\n%time\n!ls\n"""'
    assert python_of(json.dumps({"cells": [cell(source)]}).encode(), "nb", 1024).decode() == f"# %% cell 1\n{source}\n"


@pytest.mark.parametrize(
    "data", [b'{"cells": 3}', b'{"nbformat": 4}', b"[" * 100_000, b'{"cells": [{"cell_type": "code"}]}']
)
def test_a_damaged_notebook_is_refused(data: bytes) -> None:
    assert "no notebook, or a damaged one" in refused({"nb.ipynb": data}).title


def test_a_notebook_without_code_is_refused() -> None:
    assert refused({"nb.ipynb": json.dumps({"cells": [cell("x", kind="markdown")]}).encode()}).code == "empty-upload"


@pytest.mark.parametrize("other", ["nb.ipynb.py", "nb.ipynb.py/a.txt"])
def test_what_lies_where_the_code_of_a_notebook_is_to_lie_is_refused(other: str) -> None:
    data = json.dumps({"cells": [cell("x = 1")], "nbformat": 4}).encode()
    error = refused({"nb.ipynb": data, other: "x = 2"}, entry="nb.ipynb")
    assert (error.code, error.title) == ("bad-request", "Two files have the same name") and repr(other) in error.detail
    assert names(send({"nb.ipynb": data, "nb.py": "x"}, entry="nb.ipynb")) == ["nb.ipynb", "nb.ipynb.py", "nb.py"]


@pytest.mark.parametrize("stem", ["a" * 74, "a" * 75, "a" * 300, "模" * 300])
@pytest.mark.parametrize("suffix", [".ipynb", ".IPYNB", ".py"])
def test_a_name_that_was_made_safe_stays_as_it_is(stem: str, suffix: str) -> None:
    data = json.dumps({"cells": [cell("x = 1")], "nbformat": 4}).encode() if suffix != ".py" else NAMED
    for others in ({}, {"data.csv": "1"}):
        found = names(send({stem + suffix: data, **others}))
        assert [safe_path(name) for name in found] == found
        assert len(found) == len(others) + (1 if suffix == ".py" else 2)
