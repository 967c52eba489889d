"""File permissions for the data folder, which only its owner can read.

The folder contains the secret key and the database, with e-mail addresses and answers.
"""

import stat
from pathlib import Path

OTHERS = stat.S_IRWXG | stat.S_IRWXO


def private_folder(folder: Path) -> Path:
    """Create `folder` if needed, and restrict access to the folder and its files to the owner (modes 0700 and 0600).

    Raises PermissionError if the folder belongs to another user.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for path in (folder, *folder.iterdir()):
        mode = stat.S_IMODE(path.lstat().st_mode)
        if mode & OTHERS and not path.is_symlink():
            path.chmod(mode & ~OTHERS)
    return folder


def private_file(path: Path) -> Path:
    """Create an empty file with mode 0600 if it does not exist. SQLite uses the same mode for its `-wal` and `-shm`
    files.
    """
    path.touch(mode=0o600, exist_ok=True)
    return path
