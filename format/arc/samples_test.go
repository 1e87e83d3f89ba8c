package arc

import (
	"bufio"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"quire/internal/testsamples"
)

var scanned = regexp.MustCompile(`lenient scan: (\d+) records`)

// better lists the samples from which the reader reads more records than the lenient scan in the
// manifest, with the reasons.
var better = map[string]struct {
	records int
	why     string
}{
	"_made/synthetic/arc-bad/filedesc-length-wrong.arc": {3,
		"the version block is cut where a record begins"},
	"_made/synthetic/arc-bad/length-huge.arc": {3,
		"the record that its block would swallow is found again"},
	"_made/synthetic/arc-bad/length-negative.arc": {3,
		"reading resumes at the next URL-record line"},
	"_made/synthetic/arc-bad/length-short.arc": {3,
		"reading resumes at the next URL-record line"},
	"internetarchive_CDX-Writer/negative_content_length.arc.gz": {4,
		"the members hold four records"},
	"opf-labs_jhove2/arc/invalid-versionblock-2.arc": {1,
		"a version block without length is one"},
	"iipc_webarchive-commons/history/wax/src/regression/data/cz-pagesinczech.arc.gz": {10,
		"members with a wrong CRC32 inflate"},
	"netarchivesuite_netarchivesuite/archive/arcrepository/bitpreservation/data/originals/bitarchive1/filedir/" +
		"integrity2.ARC": {5,
		"the lengths are those before line ends were changed; reading resumes at URL-record lines"},
	"netarchivesuite_netarchivesuite/archive/arcrepository/bitpreservation/data/originals/bitarchive1_to_fail/" +
		"filedir/integrity1.ARC": {4,
		"as integrity2.ARC"},
	"netarchivesuite_netarchivesuite/archive/arcrepository/distribute/data/originals/local_files/Upload3.ARC": {6,
		"as integrity2.ARC"},
}

// TestSamples reads every ARC among the shared samples and compares the number of records with the
// manifest.
func TestSamples(t *testing.T) {
	f, err := os.Open(testsamples.Path(t, "samples", "MANIFEST.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	n := 0
	for lines.Scan() {
		cells := strings.Split(lines.Text(), "\t")
		if len(cells) < 7 || cells[3] != "arc" || strings.HasSuffix(cells[0], ".cdx") {
			continue
		}
		n++
		t.Run(cells[0], func(t *testing.T) { readSample(t, cells[0], cells[6]) })
	}
	if err := lines.Err(); err != nil || n < 100 {
		t.Errorf("%d samples read, %v", n, err)
	}
}

func readSample(t *testing.T, path, observed string) {
	file, err := os.Open(testsamples.Path(t, "samples", path))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	got := readAll(t, file)
	want := 0 // the manifest omits empty files
	if m := scanned.FindStringSubmatch(observed); m != nil {
		if want, err = strconv.Atoi(m[1]); err != nil {
			t.Fatal(err)
		}
	} else if info.Size() > 0 {
		t.Errorf("the manifest has no number of records: %q", observed)
	}
	if b, ok := better[path]; ok {
		want = b.records
	}
	if len(got.records) != want {
		t.Errorf("%d records, want %d; faults %v", len(got.records), want, got.faults)
	}
	if !strings.HasSuffix(path, ".gz") {
		got.account(t, info.Size())
	}
}

// TestSampleVerdicts checks the faults of samples with a known verdict: none if the file is valid,
// otherwise the fault of the broken rule.
func TestSampleVerdicts(t *testing.T) {
	for _, tt := range []struct{ path, faults string }{
		{"_made/synthetic/arc/arc-1.0.arc", ""},
		{"_made/synthetic/arc/arc-1.1-xml.arc", ""},
		{"_made/synthetic/arc/arc-1.1-xml.arc.gz", ""},
		{"_made/synthetic/arc/arc-2.0.arc", "OFFSET*2"}, // it states 0 for each
		{"_made/synthetic/arc-bad/truncated.arc", "TRUNCATED"},
		{"_made/synthetic/arc-bad/length-huge.arc", "LENGTH INFERRED"},
		{"_made/synthetic/arc-bad/xml-entity-bomb.arc", "METADATA-DOCTYPE"},
		{"_made/synthetic/arc-bad/xml-not-wellformed.arc", "METADATA-SYNTAX"},
		{"netarchivesuite_jwat/jwat-arc/IAH-20080430204825-00000-blackbook.arc.gz", ""},
		{"netarchivesuite_jwat/jwat-arc/1-1-20110922131213-00000-svc-VirtualBox.arc", ""},
		{"opf-labs_jhove2/arc/valid-versionheader-1.arc", ""},
		{"opf-labs_jhove2/arc/valid-versionheader-2.arc", ""},
		{"opf-labs_jhove2/arc/valid-arcrecord-2.arc", ""},
		{"opf-labs_jhove2/arc/valid-arcrecord-3.arc", ""},
		{"opf-labs_jhove2/arc/valid-arcrecord-6.arc", ""},
		{"opf-labs_jhove2/arc/invalid-versionblock-4.arc", "NO-METADATA"},
		{"opf-labs_jhove2/arc/invalid-versionblock-5.arc", "UNDUE-METADATA"},
		{"opf-labs_jhove2/arc/invalid-versionheader-11.arc", "DEFINITION"},
		{"opf-labs_jhove2/arc/invalid-arcrecordbase-5.arc", "NO-VERSION-BLOCK"},
	} {
		t.Run(tt.path, func(t *testing.T) {
			file, err := os.Open(testsamples.Path(t, "samples", tt.path))
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = file.Close() }()
			got := readAll(t, file)
			if codes := got.codes(); codes != tt.faults {
				t.Errorf("faults %q, want %q: %v", codes, tt.faults, got.faults)
			}
		})
	}
}

// TestJHOVE2Verdicts compares the reader with the verdicts of JHOVE2's own tests, which are in the
// names of its fixtures.
func TestJHOVE2Verdicts(t *testing.T) {
	// The invalid part is the HTTP header in the block, which this package does not parse.
	const httpOnly = "invalid-arcrecord-4.arc"
	paths, err := filepath.Glob(filepath.Join(testsamples.Path(t, "samples", "opf-labs_jhove2", "arc"), "*.arc"))
	if err != nil || len(paths) < 30 {
		t.Fatalf("%d fixtures, %v", len(paths), err)
	}
	for _, path := range paths {
		name := filepath.Base(path)
		t.Run(name, func(t *testing.T) {
			file, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = file.Close() }()
			got := readAll(t, file)
			if valid := strings.HasPrefix(name, "valid") || name == httpOnly; valid != (len(got.faults) == 0) {
				t.Errorf("faults %v", got.faults)
			}
		})
	}
}

// TestSampleIndexes compares offsets and lengths with the CDX files of CDX-Writer. Its lengths
// exclude the newline after a record of a plain file; here that is so only for the last record,
// which has none.
func TestSampleIndexes(t *testing.T) {
	folder := testsamples.Path(t, "samples", "internetarchive_CDX-Writer")
	indexes, err := filepath.Glob(filepath.Join(folder, "expected", "*.arc*.cdx"))
	if err != nil || len(indexes) < 10 {
		t.Fatalf("%d indexes, %v", len(indexes), err)
	}
	for _, index := range indexes {
		name := strings.TrimSuffix(filepath.Base(index), ".cdx")
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(index)
			if err != nil {
				t.Fatal(err)
			}
			file, err := os.Open(filepath.Join(folder, name))
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = file.Close() }()
			at := map[int64]int64{}
			for _, rec := range readAll(t, file).records {
				at[rec.Offset] = rec.Length
			}
			for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
				offset, length := lastNumbers(t, line)
				got, ok := at[offset]
				if plain := strings.HasSuffix(name, ".arc"); !ok || got != length && (!plain || got != length+1) {
					t.Errorf("record at %d is %d long, want %d", offset, got, length)
				}
			}
		})
	}
}

// lastNumbers returns the columns V and S of a line in CDX format N b a m s k r M S V g.
func lastNumbers(t *testing.T, line string) (offset, length int64) {
	t.Helper()
	cells := strings.Fields(line)
	offset, err := strconv.ParseInt(cells[len(cells)-2], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	length, err = strconv.ParseInt(cells[len(cells)-3], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return offset, length
}
