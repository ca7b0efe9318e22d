"""``python -m pincite.ingest``."""

import sys

from pincite.ingest.cli import main

if __name__ == "__main__":
    sys.exit(main())
