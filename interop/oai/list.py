"""Lists the records of a provider with sickle: identifier and status, one record a line.

python list.py BASEURL PREFIX
"""

import sys

from sickle import Sickle

base, prefix = sys.argv[1:]
for record in Sickle(base).ListRecords(metadataPrefix=prefix, ignore_deleted=False):
    print(record.header.identifier, "deleted" if record.deleted else "live", sep="\t")
