"""Prints the lines that cdxj-indexer makes of the WARC files named on standard input, sorted."""

import io
import sys

from cdxj_indexer.main import CDXJIndexer

out = io.StringIO()
CDXJIndexer(out, [line.rstrip("\n") for line in sys.stdin], sort=True, post_append=True).process_all()
sys.stdout.write(out.getvalue())
