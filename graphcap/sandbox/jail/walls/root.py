"""A root folder that holds nothing but what may be read. Needs CAP_SYS_ADMIN in a mount namespace of its own."""

from __future__ import annotations

import os
from collections.abc import Iterable

from graphcap.sandbox.jail import syscalls
from graphcap.sandbox.jail.readable import outermost

SCAFFOLD = "/tmp"  # any folder that is there everywhere; the new root is mounted over it, in this mount namespace only
SCAFFOLD_BYTES = 1 << 20  # folders and links only
MAX_LINKS = 40  # as the kernel, path_resolution(7)
EMPTY_FOLDERS = ("/proc", "/dev", "/tmp")


def change_root(readable: Iterable[str], empty: Iterable[str] = (), writable: Iterable[str] = ()) -> None:
    """Makes a read-only tmpfs with `readable` bound at their usual paths the root; every other mount goes.

    Links on the way to a path are made again, so that both spellings work. `empty` are folders to mount on later;
    `writable` are bound too, and stay as writable as they are.
    """
    writable = tuple(writable)
    umask = os.umask(0o022)
    syscalls.mount("", "/", "", syscalls.MS_REC | syscalls.MS_PRIVATE)  # nothing done here is seen outside
    targets, links = _resolve_all((*readable, *writable))
    for folder in empty:
        if any(f"{path}/".startswith(f"{folder}/") or f"{folder}/".startswith(f"{path}/") for path in targets):
            raise OSError(f"{folder} must be an empty folder in the jail, and something to be read lies there")
    syscalls.mount("tmpfs", SCAFFOLD, "tmpfs", syscalls.MS_NOSUID | syscalls.MS_NODEV, f"size={SCAFFOLD_BYTES},mode=0755")
    # Found before the scaffold hides what lies below it: a descriptor still leads there.
    for path, source in targets.items():
        _bind(path, source)
    for path, text in links.items():
        _link(path, text)
    for path in (*EMPTY_FOLDERS, *empty):
        os.makedirs(SCAFFOLD + path, mode=0o755, exist_ok=True)
    os.chdir(SCAFFOLD)
    syscalls.pivot_root(".", ".")  # pivot_root(2), "pivot_root(".", ".")": the old root lies on top of the new one
    syscalls.umount_detach(".")
    os.chdir("/")
    syscalls.set_mount_attributes("/", syscalls.MOUNT_ATTR_RDONLY | syscalls.MOUNT_ATTR_NOSUID)
    for path in writable:
        attributes = syscalls.MOUNT_ATTR_NOSUID | syscalls.MOUNT_ATTR_NODEV | syscalls.MOUNT_ATTR_NOEXEC
        syscalls.set_mount_attributes(path, attributes, cleared=syscalls.MOUNT_ATTR_RDONLY)
    os.umask(umask)


def _resolve_all(readable: Iterable[str]) -> tuple[dict[str, int], dict[str, str]]:
    """Descriptors of the real files and folders by path, and the links met, with their texts."""
    links: dict[str, str] = {}
    real = outermost([_resolve(os.path.normpath(path), links) for path in readable])
    opened = {path: os.open(path, os.O_PATH | os.O_CLOEXEC) for path in real}
    outside = {link: text for link, text in links.items() if not _inside(link, real)}
    return opened, outside


def _resolve(path: str, links: dict[str, str]) -> str:
    """The path without links, which are noted; path_resolution(7)."""
    done, todo = "/", path.split("/")[1:]
    followed = 0
    while todo:
        here = os.path.normpath(os.path.join(done, todo.pop(0)))
        if not os.path.islink(here):
            done = here
            continue
        followed += 1
        if followed > MAX_LINKS:
            raise OSError(f"{path}: too many links")
        text = os.readlink(here)
        links[here] = text
        done, rest = ("/", text.split("/")[1:]) if text.startswith("/") else (os.path.dirname(here), text.split("/"))
        todo = rest + todo
    return done


def _inside(path: str, folders: Iterable[str]) -> bool:
    return any(path.startswith(folder + "/") for folder in folders)


def _bind(path: str, source: int) -> None:
    target = SCAFFOLD + path
    if os.path.isdir(f"/proc/self/fd/{source}"):
        os.makedirs(target, mode=0o755, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(target), mode=0o755, exist_ok=True)
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o644))
    syscalls.mount(f"/proc/self/fd/{source}", target, "", syscalls.MS_BIND | syscalls.MS_REC)
    os.close(source)


def _link(path: str, text: str) -> None:
    os.makedirs(os.path.dirname(SCAFFOLD + path), mode=0o755, exist_ok=True)
    if not os.path.lexists(SCAFFOLD + path):
        os.symlink(text, SCAFFOLD + path)
