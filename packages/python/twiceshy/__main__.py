"""`python -m twiceshy`: the program, which is installed beside the package."""

import os
import sys
import sysconfig
from pathlib import Path


def program() -> Path:
    """The program of this installation."""
    name = "twiceshy" + (sysconfig.get_config_var("EXE") or "")
    schemes = [sysconfig.get_default_scheme(), sysconfig.get_preferred_scheme("user")]
    places = [Path(sysconfig.get_path("scripts", scheme=scheme)) for scheme in schemes]
    # With `pip install --target` it is beside the package.
    places.append(Path(__file__).resolve().parent.parent / "bin")
    for place in places:
        if (place / name).is_file():
            return place / name
    looked = ", ".join(str(place) for place in places)
    sys.exit(f"twiceshy: the program is not in {looked}; install the package again with `pip install --force-reinstall twiceshy`")


if __name__ == "__main__":
    found = program()
    os.execv(found, [str(found), *sys.argv[1:]])
