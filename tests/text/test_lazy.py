"""Kiwi costs a second to load: nothing loads it before morphemes are asked for."""

import subprocess
import sys

import pytest

LOADED = "import sys; sys.exit(int(any(name.split('.')[0] == 'kiwipiepy' for name in sys.modules)))"
HELP = (
    "import sys; sys.argv = ['madang', '--help']\nfrom madang.cli import main\ntry: main()\nexcept SystemExit: pass\n"
)
PARSERS = [
    "areas",
    "cues",
    "dates",
    "gazetteer",
    "laws",
    "money",
    "morphemes",
    "nights",
    "normalise",
    "numbers",
    "people",
    "places",
    "rates",
]


@pytest.mark.parametrize(
    "code",
    [
        "import madang\n",
        "import madang.text\n" + "".join(f"import madang.text.{name}\n" for name in PARSERS),
        "from madang.text.money import find_money; find_money('두당 90', 'travel')\n",
        "from madang.text.morphemes import bigrams, strip_particles; bigrams('보증금'); strip_particles('부산은')\n",
        HELP,
    ],
    ids=["import madang", "every parser", "money", "bigrams", "madang --help"],
)
def test_kiwi_is_not_loaded_by(code: str) -> None:
    done = subprocess.run([sys.executable, "-c", code + LOADED], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr or "kiwipiepy was loaded"
