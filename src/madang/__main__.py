"""The `madang` command, also as `python -m madang`. Without the command line's packages it says how to get them."""

import sys

from madang.errors import MissingExtra, needs_extra


def main() -> None:
    try:
        with needs_extra("cli", "the madang command"):
            from madang.cli import main as run
    except MissingExtra as missing:
        sys.exit(f"madang: {missing}")
    run()


if __name__ == "__main__":
    main()
