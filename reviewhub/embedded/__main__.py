"""Start the hub: `python -m reviewhub.embedded`."""

import sys

from reviewhub.embedded.run import main

sys.exit(main())
