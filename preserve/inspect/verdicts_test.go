package inspect

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"quire/internal/testsamples"
	"quire/model"
)

// disagreements are the samples where Quire disagrees with the known verdict.
// docs/explanation/730_verdicts.md states the reasons.
var disagreements = map[string]bool{
	"opf-labs_jhove2/gzip/invalid-entries.gz":                                     true,
	"opf-labs_jhove2/warc/invalid-warcheaderfieldpolicy-9.warc":                   true,
	"_made/synthetic/arc-bad/date-17-digits.arc":                                  true,
	"opf-labs_jhove2/arc/invalid-versionblock-3.arc":                              true,
	"opf-labs_jhove2/arc/invalid-versionheader-22.arc":                            true,
	"opf-labs_jhove2/arc/invalid-versionheader-34.arc":                            true,
	"opf-labs_jhove2/warc/invalid-warcrecord-2.warc":                              true,
	"opf-labs_jhove2/arc/invalid-versionheader-11.arc":                            true,
	"opf-labs_jhove2/arc/invalid-versionheader-12.arc":                            true,
	"opf-labs_jhove2/arc/invalid-versionheader-13.arc":                            true,
	"opf-labs_jhove2/arc/invalid-versionheader-16.arc":                            true,
	"opf-labs_jhove2/arc/invalid-versionheader-25.arc":                            true,
	"opf-labs_jhove2/arc/invalid-versionblock-7.arc":                              true,
	"_made/synthetic/warc/duplicate-record-id.warc":                               true,
	"internetarchive_gowarc/warcs/empty.warc.gz.open":                             true,
	"opf-labs_jhove2/gzip/sample.txt.gz":                                          true,
	"opf-labs_jhove2/gzip/three-files.gz":                                         true,
	"_made/synthetic/arc-bad/filedesc-length-wrong.arc":                           true,
	"_made/synthetic/arc-bad/spaces-in-url.arc":                                   true,
	"_made/synthetic/warc-segmented/seg-gap.warc":                                 true,
	"opf-labs_jhove2/arc/invalid-arcrecord-4.arc":                                 true,
	"opf-labs_jhove2/arc/invalid-arcrecordbase-1.arc":                             true,
	"opf-labs_jhove2/arc/invalid-versionblock-10.arc":                             true,
	"opf-labs_jhove2/arc/invalid-versionblock-4.arc":                              true,
	"opf-labs_jhove2/arc/invalid-versionblock-5.arc":                              true,
	"opf-labs_jhove2/arc/invalid-versionblock-9.arc":                              true,
	"opf-labs_jhove2/gzip/invalid-empty.gzip":                                     true,
	"opf-labs_jhove2/gzip/invalid-magic.gz":                                       true,
	"opf-labs_jhove2/warc/invalid-warcfile-contenttype-warcinfo-recommended.warc": true,
}

// verdict matches the manifest's verdict on a container.
var verdict = regexp.MustCompile(`^(by construction: )?(valid|well-formed|tolerable|invalid|not compliant)\b`)

func TestKnownVerdicts(t *testing.T) {
	dir := testsamples.Path(t, "samples")
	manifest, err := os.ReadFile(filepath.Join(dir, "MANIFEST.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	reasons, err := os.ReadFile("../../docs/explanation/730_verdicts.md")
	if err != nil {
		t.Fatal(err)
	}
	judged, met := 0, map[string]bool{}
	for _, line := range strings.Split(string(manifest), "\n")[1:] {
		column := strings.Split(line, "\t")
		if len(column) < 6 {
			continue
		}
		switch column[3] {
		case "arc", "warc", "warc-zst", "gzip", "bomb":
		default:
			continue
		}
		m := verdict.FindStringSubmatch(column[5])
		if m == nil || strings.Contains(column[0], "/xml/") {
			continue
		}
		want := model.Valid
		if m[2] == "invalid" || m[2] == "not compliant" {
			want = model.Invalid
		}
		c, err := File(context.Background(), filepath.Join(dir, column[0]), Options{MaxFindings: 3, Set: NewSet()})
		if err != nil {
			t.Errorf("%s: %v", column[0], err)
			continue
		}
		judged++
		agree := c.Outcome == want
		if agree == disagreements[column[0]] {
			t.Errorf("%s is %s, the source says %.120s; listed as a disagreement: %v; %v", column[0], c.Outcome,
				column[5], disagreements[column[0]], c.Findings)
		}
		met[column[0]] = true
	}
	if judged < 100 {
		t.Errorf("only %d verdicts were compared", judged)
	}
	for path := range disagreements {
		if !met[path] {
			t.Errorf("%s is listed and was not met", path)
		}
		if !strings.Contains(string(reasons), "`"+path+"`") {
			t.Errorf("docs/explanation/730_verdicts.md does not say why Quire disagrees on %s", path)
		}
	}
}
