"""Says of each bag named on standard input whether bagit-python takes it for valid: a line with "valid" or "invalid" and the reason."""

import logging
import sys

import bagit

logging.disable(logging.CRITICAL)
for line in sys.stdin:
    path = line.rstrip("\n")
    try:
        bagit.Bag(path).validate()
        print("valid")
    except Exception as e:  # of many kinds
        print("invalid", str(e).replace("\n", " ")[:200])
