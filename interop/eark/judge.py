# Runs eark-validator on the folders named on standard input. At its start it requests vocabularies
# from the web; here it reads them from its own folder.
import importlib.util, os, sys, urllib.request
from pathlib import Path

home = os.path.join(os.path.dirname(importlib.util.find_spec('eark_validator').origin), 'ipxml', 'resources', 'vocabs')
urllib.request.urlopen = lambda url, *a, **k: open(os.path.join(home, str(url).rsplit('/', 1)[1]), 'rb')

from eark_validator import packages
from eark_validator.specifications.specification import SpecificationVersion

for line in sys.stdin:
    path = line.strip()
    report = packages.PackageValidator(Path(path), SpecificationVersion.V2_1_0).validation_report
    print('path', path, sep='\t')
    print('structure', report.structure.status.value, sep='\t')
    if report.metadata is not None:
        print('schema', report.metadata.schema_results.status.value, sep='\t')
        print('schematron', report.metadata.schematron_results.status.value, sep='\t')
        for m in report.metadata.schematron_results.messages:
            if m.severity.value == 'Error':
                print('error', m.rule_id, sep='\t')
