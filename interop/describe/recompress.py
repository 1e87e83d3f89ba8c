"""Compresses a WARC file with warcio, a gzip member for each record. Reads two names on a line, with a tab between."""
import sys

from warcio.recompressor import Recompressor

for line in sys.stdin:
    plain, packed = line.rstrip("\n").split("\t")
    Recompressor(plain, packed).recompress()
