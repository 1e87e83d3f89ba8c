# Asks the TimeGate at argv[1] for the URL argv[2] in each year of argv[3:]. Prints the closest,
# first and last memento for each.
import datetime
import logging
import sys

from memento_client import MementoClient

logging.disable(logging.WARNING)  # it warns that the original host, which does not exist, has no TimeGate
base, url = sys.argv[1], sys.argv[2]
for year in sys.argv[3:]:
    client = MementoClient(timegate_uri=base + '/all/')  # it finds the original by Link
    info = client.get_memento_info(base + '/all/' + url, datetime.datetime(int(year), 6, 1))['mementos']
    print(year, info['closest']['uri'][0], info['closest']['http_status_code'], info['first']['datetime'].year, info['last']['datetime'].year)
