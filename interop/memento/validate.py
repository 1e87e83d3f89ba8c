# Runs the validator (argv[1]: its checkout) on argv[2:]: memento=URL, timegate=URL, timemap=URL.
# Prints a line for each of its tests.
import sys

sys.path.insert(0, sys.argv[1])
from mementoweb.validator.pipelines import TimeGate  # noqa: E402
from mementoweb.validator.pipelines.memento import Memento  # noqa: E402
from mementoweb.validator.pipelines.timemap import TimeMap  # noqa: E402

for what in sys.argv[2:]:
    kind, url = what.split('=', 1)
    checker = {'memento': Memento, 'timegate': TimeGate, 'timemap': TimeMap}[kind]()
    for report in checker.validate(url, datetime='Thu, 01 Oct 2015 12:00:00 GMT').reports:
        for test in report.tests:
            print(kind, test.result(), test.name(), sep='\t')
