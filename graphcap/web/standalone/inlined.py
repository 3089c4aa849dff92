"""The page of a capture with everything it loads put into it, and a policy that lets it load nothing else."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping

from graphcap.web.assets import Asset

STYLE = re.compile(r'<link (?P<own>[^>]*?)rel="stylesheet" href="/static/[^"/]+/(?P<path>[^"]+)">')
SCRIPT = re.compile(r'<script src="/static/[^"/]+/(?P<path>[^"]+)"></script>')
MODULE = re.compile(r'<link rel="modulepreload"[^>]*>\n?|<script type="module"[^>]*></script>\n?')
ICON = re.compile(r'(?<=<link rel="icon" href=")/static/[^"/]+/(?P<path>[^"]+)')
CHARSET = '<meta charset="utf-8">'
ICON_PATH = "css/icon.svg"


def inlined(page: str, files: Mapping[str, Asset], boot: str) -> str:
    """`page` without an address in it: styles and classic scripts stand where they were named, modules are left out.

    `boot` is the path of the classic script that is to run at the end of the body. A meta element forbids the page every
    connection, and every script but these, by their hashes, and those it makes itself (`blob:`).
    """
    page = STYLE.sub(lambda match: f"<style {match['own'].strip()}>{_style(files, match['path'])}</style>", page)
    page = SCRIPT.sub(lambda match: f"<script>{_text(files, match['path'])}</script>", page)
    page = ICON.sub(lambda match: _data(files[match["path"]]), MODULE.sub("", page))
    page = page.replace("</body>", f"<script>{_text(files, boot)}</script>\n</body>")
    policy = f'<meta http-equiv="Content-Security-Policy" content="{_policy(page)}">'
    return page.replace(CHARSET, f"{CHARSET}\n{policy}", 1)


def _text(files: Mapping[str, Asset], path: str) -> str:
    text = files[path].content.decode()
    assert "</s" not in text, f"{path} would end the element it stands in"
    return text


def _style(files: Mapping[str, Asset], path: str) -> str:
    return _text(files, path).replace('url("icon.svg")', f'url("{_data(files[ICON_PATH])}")')


def _data(asset: Asset) -> str:
    return f"data:{asset.media_type};base64,{base64.b64encode(asset.content).decode()}"


def _policy(page: str) -> str:
    scripts, styles = (_hashes(rf"<{tag}\b(?![^>]*\btype=)[^>]*>(.*?)</{tag}>", page) for tag in ("script", "style"))
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {scripts} blob:",
            f"style-src {styles}",
            "img-src data: blob:",
            "worker-src blob:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _hashes(pattern: str, page: str) -> str:
    found = (hashlib.sha256(text.encode()).digest() for text in re.findall(pattern, page, re.DOTALL))
    return " ".join(f"'sha256-{base64.b64encode(each).decode()}'" for each in found)
