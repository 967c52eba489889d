"""The data folder of an embedded installation, which only its owner can read.

It holds the database, with e-mail addresses and answers, and the secret key.
"""

import stat
from pathlib import Path

OTHERS = stat.S_IRWXG | stat.S_IRWXO


def private_folder(folder: Path) -> Path:
    """Create `folder` if needed and take all rights on it and its files from everyone but the owner (0700, 0600).

    Raises PermissionError if the folder belongs to another user.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for path in (folder, *folder.iterdir()):
        mode = stat.S_IMODE(path.lstat().st_mode)
        if mode & OTHERS and not path.is_symlink():
            path.chmod(mode & ~OTHERS)
    return folder


def private_file(path: Path) -> Path:
    """Create an empty file with mode 0600 if it does not exist. SQLite gives `-wal` and `-shm` the same mode."""
    path.touch(mode=0o600, exist_ok=True)
    return path
