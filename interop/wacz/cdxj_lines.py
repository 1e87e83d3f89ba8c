"""Prints the sorted CDXJ lines that cdxj-indexer makes from the WARC files named on standard
input."""

import io
import sys

from cdxj_indexer.main import CDXJIndexer

out = io.StringIO()
CDXJIndexer(out, [line.rstrip("\n") for line in sys.stdin], sort=True, post_append=True).process_all()
sys.stdout.write(out.getvalue())
