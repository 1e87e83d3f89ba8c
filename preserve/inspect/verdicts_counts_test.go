package inspect

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"quire/internal/testsamples"
)

// otherCounts lists the samples in which Quire counts another number of records than their makers,
// or than the manifest's lenient scan. docs/explanation/730_verdicts.md states the reasons.
var otherCounts = map[string]int64{
	"_made/synthetic/arc-bad/filedesc-length-wrong.arc":                              3,
	"_made/synthetic/arc-bad/length-huge.arc":                                        3,
	"_made/synthetic/arc-bad/length-negative.arc":                                    3,
	"_made/synthetic/arc-bad/length-short.arc":                                       3,
	"_made/synthetic/gzip/corrupt-middle.warc.gz":                                    2,
	"_made/synthetic/warc-bad/content-length-claims-10gb.warc":                       3,
	"_made/synthetic/warc-bad/header-never-ends.warc.gz":                             1,
	"_made/synthetic/warc-bad/truncated-header.warc":                                 2,
	"_made/synthetic/warc-bad/version-1.0.1.warc":                                    1,
	"iipc_webarchive-commons/history/wax/src/regression/data/cz-pagesinczech.arc.gz": 10,
	"internetarchive_CDX-Writer/negative_content_length.arc.gz":                      4,
	"internetarchive_gowarc/warcs/corrupted-mid-record.warc.gz.open":                 12,
	"internetarchive_gowarc/warcs/corrupted-trailing-bytes.warc.gz.open":             30,
	"internetarchive_gowarc/warcs/good.warc.gz.open":                                 50,
	"netarchivesuite_jwat/history/test-upper-lower-case.warc":                        5,
	"netarchivesuite_netarchivesuite/archive/arcrepository/bitpreservation/data/originals/bitarchive1/filedir/" +
		"integrity2.ARC": 5,
	"netarchivesuite_netarchivesuite/archive/arcrepository/bitpreservation/data/originals/bitarchive1_to_fail/" +
		"filedir/integrity1.ARC": 4,
	"netarchivesuite_netarchivesuite/archive/arcrepository/distribute/data/originals/local_files/Upload3.ARC": 6,
	"nla_bamboo/task/incomplete-response.warc.gz":                                                             1,
	"opf-labs_jhove2/arc/invalid-arcrecord-1.arc":                                                             2,
	"opf-labs_jhove2/gzip/invalid-entries.gz":                                                                 0,
	"opf-labs_jhove2/gzip/invalid-magic.gz":                                                                   0,
	"opf-labs_jhove2/gzip/sample.txt.gz":                                                                      0,
	"opf-labs_jhove2/gzip/three-files.gz":                                                                     0,
	"opf-labs_jhove2/warc/invalid-warcheaderversion-12.warc":                                                  0,
	"opf-labs_jhove2/warc/invalid-warcheaderversion-15.warc":                                                  0,
	"opf-labs_jhove2/warc/invalid-warcheaderversion-9.warc":                                                   0,
	"slyrz_warc/test.warc":                                                                                    10,
	"slyrz_warc/test.warc.bz2":                                                                                0,
	"slyrz_warc/test.warc.gz":                                                                                 10,
}

// stated and scanned match the number of records in the manifest's line for a sample. The number
// comes from the makers of the sample, from JHOVE2's tests, or from the lenient scan.
var (
	stated  = regexp.MustCompile(`(?:^|[ :;,])(\d+) (?:good |complete |CDX )?records?\b(?: ?\(s\))?`)
	scanned = regexp.MustCompile(`^lenient scan: (\d+) records`)
)

func TestStatedCounts(t *testing.T) {
	if testing.Short() {
		t.Skip("the whole form, without the race detector, reads all samples")
	}
	dir := testsamples.Path(t, "samples")
	manifest, err := os.ReadFile(filepath.Join(dir, "MANIFEST.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	reasons, err := os.ReadFile("../../docs/explanation/730_verdicts.md")
	if err != nil {
		t.Fatal(err)
	}
	compared, met := 0, map[string]bool{}
	for _, line := range strings.Split(string(manifest), "\n")[1:] {
		column := strings.Split(line, "\t")
		if len(column) < 7 {
			continue
		}
		switch column[3] {
		case "arc", "warc", "warc-zst", "gzip", "bomb":
		default:
			continue
		}
		m := stated.FindStringSubmatch(column[5])
		if m == nil {
			m = scanned.FindStringSubmatch(column[6])
		}
		if m == nil || met[column[0]] {
			continue
		}
		met[column[0]] = true
		want, err := strconv.ParseInt(m[1], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		c, err := File(context.Background(), filepath.Join(dir, column[0]), Options{MaxFindings: 3})
		if err != nil {
			t.Errorf("%s: %v", column[0], err)
			continue
		}
		compared++
		if other, ok := otherCounts[column[0]]; ok {
			want = other
			if !strings.Contains(string(reasons), "`"+column[0]+"`") {
				t.Errorf("docs/explanation/730_verdicts.md does not say why Quire counts otherwise in %s", column[0])
			}
		}
		if c.Records.Total != want {
			t.Errorf("%s: %d records, stated are %d (%.60s | %.60s): %.300v", column[0], c.Records.Total, want,
				column[5], column[6], c.Findings)
		}
	}
	if compared < 300 {
		t.Errorf("only %d counts were compared", compared)
	}
	for path := range otherCounts {
		if !met[path] {
			t.Errorf("%s is listed and was not met", path)
		}
	}
}
