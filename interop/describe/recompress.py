"""Compresses WARC files with warcio, one gzip member for each record.

Reads lines of two file names, source and result, separated by a tab.
"""
import sys

from warcio.recompressor import Recompressor

for line in sys.stdin:
    plain, packed = line.rstrip("\n").split("\t")
    Recompressor(plain, packed).recompress()
