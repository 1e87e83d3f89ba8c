"""Reports whether bagit-python finds each bag named on standard input valid.

Writes a line for each: "valid", or "invalid" and the reason.
"""

import logging
import sys

import bagit

logging.disable(logging.CRITICAL)
for line in sys.stdin:
    path = line.rstrip("\n")
    try:
        bagit.Bag(path).validate()
        print("valid")
    except Exception as e:  # of several classes
        print("invalid", str(e).replace("\n", " ")[:200])
