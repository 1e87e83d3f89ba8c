package pack

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/internal/testsamples"
	"quire/model"
	"quire/preserve/aip"
)

func record(kind, block string, fields ...string) string {
	head := "WARC/1.0\r\nWARC-Type: " + kind + "\r\nWARC-Record-ID: <urn:x:" + kind +
		">\r\nWARC-Date: 2024-01-02T03:04:05Z\r\n"
	for _, f := range fields {
		head += f + "\r\n"
	}
	return head + fmt.Sprintf("Content-Length: %d\r\n\r\n%s\r\n\r\n", len(block), block)
}

var (
	warcinfo = record("warcinfo", "software: Boat/2.0\r\noperator: Ada\r\nisPartOf: the harbour\r\n")
	good     = warcinfo + record("response", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\nhello",
		"WARC-Target-URI: http://x.example/", "Content-Type: application/http")
	broken = good[:len(good)-8]
)

// crawlOf makes a folder of files.
func crawlOf(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "crawl")
	for name, content := range files {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// options returns options for packing into a new folder at a fixed time.
// options are those of a package with its METS in one document, which tests can read at once.
// TestDocumentsStateTheSame compares the forms.
func options(t *testing.T) Options {
	t.Helper()
	return Options{
		METS: Single,
		Out:  filepath.Join(t.TempDir(), "package"), Agent: model.Agent{Name: "Quire", Version: "1"},
		Now: func() time.Time { return time.Date(2025, 6, 7, 8, 9, 10, 0, time.UTC) },
	}
}

func mustPack(t *testing.T, o Options, sources ...string) *Result {
	t.Helper()
	r, err := Pack(context.Background(), sources, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// check validates the package, with the schemas if installed. It allows no warning either.
func check(t *testing.T, dir string, o aip.Options) {
	t.Helper()
	report, err := aip.Validate(context.Background(), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	if report.Outcome != "valid" {
		t.Errorf("the package is %s: %v", report.Outcome, report.Findings)
	}
	for _, f := range report.Findings {
		if f.Code != aip.CodeDateFuture { // some captures of hostile containers are in the future
			t.Errorf("a finding about a package just made: %v", f)
		}
	}
}

func list(t *testing.T, dir string) string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, strings.TrimPrefix(p, dir+"/"))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(names, " ")
}

func read(t *testing.T, elem ...string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(elem...))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestPackageOfAFolder(t *testing.T) {
	dir := crawlOf(t, map[string]string{"b.warc": good, "a/a.warc": warcinfo, "crawl.log": "a log\n", "a/notes": "?"})
	o := options(t)
	r := mustPack(t, o, dir)
	if got := list(t,
		o.Out); got != "containers/a/a.warc containers/b.warc indexes/a/a.warc.cdxj.gz indexes/b.warc.cdxj.gz "+
		"logs/a/notes logs/crawl.log mets.xml mets.xml.sha512" {
		t.Errorf("the package holds %s", got)
	}
	if read(t, o.Out, "containers/b.warc") != good || read(t, o.Out, "logs/crawl.log") != "a log\n" {
		t.Error("a file is not as it was received")
	}
	if r.Containers != 2 || r.Records != 3 || r.OtherFiles != 2 || r.Outcome != model.Valid ||
		r.Title != "the harbour" {
		t.Errorf("result %+v", r)
	}
	if !strings.HasPrefix(r.ID, "crawl-20240102-") {
		t.Errorf("identifier %s", r.ID)
	}
	check(t, o.Out, aip.Options{})
}

func TestDocumentsThatAreGiven(t *testing.T) {
	dir := crawlOf(t, map[string]string{"b.warc": good})
	sheet := filepath.Join(t.TempDir(), "sheet.csv")
	if err := os.WriteFile(sheet, []byte("Title,URL\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	o := options(t)
	o.Documents = []string{sheet}
	mustPack(t, o, dir)
	if got := read(t, o.Out, "documentation/sheet.csv"); got != "Title,URL\n" {
		t.Errorf("the sheet became %q", got)
	}
	if mets := read(t, o.Out, "mets.xml"); !strings.Contains(mets, `USE="Documentation"`) ||
		!strings.Contains(mets, `ID="FILE-d1"`) {
		t.Error("the METS has no documentation")
	}
	check(t, o.Out, aip.Options{})
}

func TestSameSourceSamePackage(t *testing.T) {
	dir := crawlOf(t, map[string]string{"b.warc": good, "x.log": "x"})
	first, second := options(t), options(t)
	a, b := mustPack(t, first, dir), mustPack(t, second, dir)
	if a.ID != b.ID || read(t, first.Out, "mets.xml") != read(t, second.Out, "mets.xml") {
		t.Errorf("%s and %s, or their METS, differ", a.ID, b.ID)
	}
}

func TestMETSSaysWhatHappened(t *testing.T) {
	o := options(t)
	o.ID, o.Title = "ark:/99999/x", "A title & more"
	mustPack(t, o, crawlOf(t, map[string]string{"b.warc": good, "bad.warc": broken}))
	mets := read(t, o.Out, "mets.xml")
	for _, want := range []string{
		`OBJID="ark:/99999/x"`, `LABEL="A title &amp; more"`, "title: given to quire pack",
		`name="software" source="field software of the first record of b.warc, and of 1 more">Boat/2.0<`,
		">Boat/2.0</premis:agentName>", ">Ada</premis:agentName>",
		">capture</premis:eventType>", ">message digest calculation</premis:eventType>",
		">information package creation</premis:eventType>",
		"error WARC-TRUNCATED, 1 time, first at byte", ">fail</premis:eventOutcome>", "fmt/1355",
		`<cmd:response protocolName="http" protocolVersion="1.1" number="1" globalSize="5">200</cmd:response>`,
	} {
		if !strings.Contains(mets, want) {
			t.Errorf("the METS does not say %s", want)
		}
	}
	check(t, o.Out, aip.Options{})
}

func TestInvalidContainersArePackedAndTold(t *testing.T) {
	o := options(t)
	r := mustPack(t, o, crawlOf(t, map[string]string{"bad.warc": broken, "empty.warc.gz": ""}))
	if r.Outcome != model.Invalid || read(t, o.Out, "containers/bad.warc") != broken {
		t.Errorf("outcome %s, or the bytes were changed", r.Outcome)
	}
	if r.Checked[0].Worst == "" || r.Checked[1].Outcome != model.NotContainer {
		t.Errorf("the verdicts are %+v", r.Checked)
	}
	check(t, o.Out, aip.Options{})
}

func TestNamesThatNothingElseCanHold(t *testing.T) {
	name := "a\x01b\xff%\\c.warc"
	o := options(t)
	mustPack(t, o, crawlOf(t, map[string]string{name: good, "50%.log": "x", "ü ö.log": "x", "bad\xfe.log": "y"}))
	if got := list(t,
		o.Out); got != `containers/a%01b%FF%25%5Cc.warc indexes/a%01b%FF%25%5Cc.warc.cdxj.gz logs/50%.log `+
		`logs/bad%FE.log logs/ü ö.log mets.xml mets.xml.sha512` {
		t.Errorf("the package holds %s", got)
	}
	check(t, o.Out, aip.Options{})
}

func TestSeveralSources(t *testing.T) {
	one, two := crawlOf(t, map[string]string{"x.warc": good}), crawlOf(t, map[string]string{"x.warc": good})
	o := options(t)
	mustPack(t, o, one, two)
	if got := list(t,
		o.Out); got != "containers/crawl/x.warc containers/crawl-2/x.warc indexes/crawl/x.warc.cdxj.gz "+
		"indexes/crawl-2/x.warc.cdxj.gz mets.xml mets.xml.sha512" {
		t.Errorf("two folders of one name: %s", got)
	}
	o = options(t)
	mustPack(t, o, filepath.Join(crawlOf(t, map[string]string{"y.warc": good}), "y.warc"), filepath.Join(one, "x.warc"))
	if got := list(t,
		o.Out); got != "containers/x.warc containers/y.warc indexes/x.warc.cdxj.gz indexes/y.warc.cdxj.gz "+
		"mets.xml mets.xml.sha512" {
		t.Errorf("two files: %s", got)
	}
}

func TestRefusals(t *testing.T) {
	full := crawlOf(t, map[string]string{"x.warc": good})
	linked := crawlOf(t, map[string]string{"x.warc": good})
	if err := os.Symlink(filepath.Join(full, "x.warc"), filepath.Join(linked, "y.warc")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		sources []string
		out     string
		want    string
	}{
		{"nothing named", nil, "", "nothing to pack"},
		{"absent", []string{filepath.Join(full, "absent")}, "", "no such file"},
		{"no container", []string{crawlOf(t, map[string]string{"a.txt": "text"})}, "", "no ARC or WARC file"},
		{"only an empty one", []string{crawlOf(t, map[string]string{"a.warc.gz": ""})}, "", "no ARC or WARC file"},
		{"a symbolic link", []string{linked}, "", "symbolic link"},
		{"named twice", []string{full, full}, "", "overlap"},
		{"one within another", []string{full, filepath.Join(full, "x.warc")}, "", "overlap"},
		{"names that are one once they are escaped",
			[]string{crawlOf(t, map[string]string{"x.warc": good, "a%01.log": "1", "a\x01.log": "2"})}, "",
			"rename one"},
		{"the leftovers of an interrupted run",
			[]string{crawlOf(t, map[string]string{"x.warc": good, ".quire-work-A/containers/x.warc": good})}, "",
			"interrupted"},
		{"a package", []string{crawlOf(t,
			map[string]string{"x.warc": good, "p/mets.xml": "x", "p/mets.xml.sha512": "x"})}, "",
			"is a package already"},
		{"out is a file", []string{full}, filepath.Join(full, "x.warc"), "already exists, and is a file"},
		{"out is in use", []string{full}, full, "not empty"},
		{"out cannot be made", []string{full}, filepath.Join(full, "x.warc", "where"), "cannot be made"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := options(t)
			if c.out != "" {
				o.Out = c.out
			}
			_, err := Pack(context.Background(), c.sources, o)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("error %v, want one with %q", err, c.want)
			}
			if c.out == "" {
				if left, _ := os.ReadDir(filepath.Dir(o.Out)); len(left) > 0 {
					t.Errorf("left behind: %v", left)
				}
			}
		})
	}
}

func TestStoppedLeavesNothing(t *testing.T) {
	o := options(t)
	ctx, cancel := context.WithCancel(context.Background())
	o.Progress = func(int64) { cancel() }
	_, err := Pack(ctx, []string{crawlOf(t, map[string]string{"x.warc": good, "y.warc": good})}, o)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("stopped with %v", err)
	}
	if left, _ := os.ReadDir(filepath.Dir(o.Out)); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestEmptyFolderIsFilled(t *testing.T) {
	o := options(t)
	if err := os.Mkdir(o.Out, 0o755); err != nil {
		t.Fatal(err)
	}
	mustPack(t, o, crawlOf(t, map[string]string{"x.warc": good}))
	check(t, o.Out, aip.Options{})
}

// Each of the six sources of issue 1 makes a package that is valid by the XSDs.
func TestRealCrawls(t *testing.T) {
	schemas := testsamples.Path(t, "schemas")
	for _, sample := range []string{
		"netarchivesuite_jwat/jwat-gzip/IAH-20080430204825-00000-blackbook.warc.gz",
		"netarchivesuite_jwat/jwat-arc/IAH-20080430204825-00000-blackbook.arc.gz",
		"netarchivesuite_solrwayback/history/docker/test-warcs",
		"_made/crawls/wget-large/python311-docs.warc.gz",
		"ukwa_webarchive-discovery/gov.uk-revisit-warcs",
		"commoncrawl_whirlwind-python",
	} {
		t.Run(sample, func(t *testing.T) {
			o := options(t)
			r := mustPack(t, o, testsamples.Path(t, "samples", sample))
			if r.Outcome != model.Valid || r.Records == 0 {
				t.Errorf("%s, %d records: %+v", r.Outcome, r.Records, r.Checked)
			}
			check(t, o.Out, aip.Options{Schemas: schemas})
		})
	}
}

func TestSlug(t *testing.T) {
	for in, want := range map[string]string{
		"IAH-2008-00000-blackbook.warc.gz": "iah-2008-00000-blackbook", "x.arc": "x", "Ünï": "n", "…": "package",
		"a  b__c": "a-b-c", strings.Repeat("long", 30): strings.Repeat("long", 10),
	} {
		if got := slug(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}
