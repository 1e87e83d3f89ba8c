# Asks the TimeGate of argv[1] for argv[2] at some moments, and prints which capture each time is the closest, first and last.
import datetime
import logging
import sys

from memento_client import MementoClient

logging.disable(logging.WARNING)  # it would like to ask the original, which is nowhere, for a TimeGate of its own
base, url = sys.argv[1], sys.argv[2]
for year in sys.argv[3:]:
    client = MementoClient(timegate_uri=base + '/all/')  # the original it finds by Link
    info = client.get_memento_info(base + '/all/' + url, datetime.datetime(int(year), 6, 1))['mementos']
    print(year, info['closest']['uri'][0], info['closest']['http_status_code'], info['first']['datetime'].year, info['last']['datetime'].year)
