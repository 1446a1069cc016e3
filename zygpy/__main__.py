"""`python -m zygpy`: see `zygpy.commandline`."""

from __future__ import annotations

import sys

from zygpy.commandline import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
