"""Finds captures in an index as pywb does.

Reads lines from standard input: the first names the index; each other one is a URL, a tab and a
timestamp. Writes for each the timestamp, the offset and the file of the closest capture, separated
by tabs, or "-" if no capture is found.
"""
import sys

from pywb.warcserver.index.aggregator import SimpleAggregator
from pywb.warcserver.index.indexsource import FileIndexSource

lines = sys.stdin.read().splitlines()
source = SimpleAggregator({"quire": FileIndexSource(lines[0])})
for line in lines[1:]:
    if not line:
        continue
    url, timestamp = line.split("\t")
    captures, _errors = source({"url": url, "closest": timestamp, "limit": 100000})
    first = next(iter(captures), None)
    print("-" if first is None else f"{first['timestamp']}\t{first['offset']}\t{first['filename']}")
