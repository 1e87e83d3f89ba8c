"""Makes one index of ARC and WARC files, as pywb does.

Reads file names, one a line, and writes CDXJ lines. If pywb gives up on a file, the lines up to
there are written.
"""
import contextlib
import io
import logging
import os
import sys

from pywb.indexer.cdxindexer import write_cdx_index

logging.disable(logging.CRITICAL)
for name in sys.stdin.read().splitlines():
    if not name:
        continue
    out = io.BytesIO()
    with contextlib.suppress(Exception), contextlib.redirect_stderr(io.StringIO()), open(name, "rb") as stream:
        write_cdx_index(out, stream, os.path.basename(name), cdxj=True, include_all=False)
    sys.stdout.buffer.write(out.getvalue())
