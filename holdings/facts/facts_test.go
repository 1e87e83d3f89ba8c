package facts_test

import (
	"context"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/holdings/facts"
	"quire/internal/clamdtest"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/antivirus"
	"quire/preserve/pack"
)

// made builds a package of two records and a log; the second record is infected.
func made(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	var container strings.Builder
	for i, body := range []string{"<p>one", clamdtest.EICAR()} {
		block := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s", len(body),
			body)
		fmt.Fprintf(&container,
			"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:%d>\r\nWARC-Date: 2015-01-02T03:04:05Z\r\n"+
				"WARC-Target-URI: http://a.example/%d\r\n"+
				"Content-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", i, i,
			len(block),
			block)
	}
	for name, text := range map[string]string{"crawl/a.warc": container.String(), "crawl/crawl.log": "a log\n",
		"rights.yaml": "access: open\n"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	s, err := antivirus.New(clamdtest.Start(t, clamdtest.Options{}).Address, antivirus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "package")
	_, err = pack.Pack(context.Background(), []string{filepath.Join(dir, "crawl")}, pack.Options{
		Out: out, ID: "p", Title: "A website", Agent: model.Agent{Name: "Quire", Version: "test"},
		Rights: filepath.Join(dir, "rights.yaml"), Scan: s,
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestRead: all facts of a package's METS are returned.
func TestRead(t *testing.T) {
	dir := made(t)
	f, err := facts.Read(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	c := f.Containers["containers/a.warc"]
	if f.Title != "A website" || f.IsCollection || len(f.Containers) != 1 || c == nil {
		t.Fatalf("%+v", f)
	}
	if c.Never != "" || c.Number != 1 || c.Harvest != 1 || c.Infected != 1 || !c.Viral[2] || len(c.Viral) != 1 ||
		len(c.ViralSums) == 0 || c.Scan != model.ScanInfected || len(c.Events) == 0 {
		t.Errorf("%+v", c)
	}
	if len(f.Rights.Statements) != 1 || len(f.Harvests) != 1 || len(f.Harvests[0].Events) != 1 {
		t.Errorf("%+v, %+v", f.Rights.Statements, f.Harvests)
	}
	files := map[string]string{}
	for _, file := range f.Files {
		files[file.Path] = fmt.Sprint(file.Use, " ", file.Size, " ", file.Harvest, " ", file.Restricted)
	}
	if files["logs/crawl.log"] != "Logfile 6 0 false" || files["documentation/rights.yaml"] == "" || len(files) != 2 {
		t.Errorf("%v", files)
	}
	found := false
	for _, e := range f.Events {
		if e.ID == aip.CaptureEventID {
			found = e.Type == string(model.Capture) && !e.Time.IsZero() && len(e.Notes) > 0
		}
		if e.ID == aip.PackageEventID && (len(e.Agents) != 1 || e.Agents[0] != "Quire test") {
			t.Errorf("%+v", e)
		}
	}
	if !found {
		t.Errorf("%+v", f.Events)
	}
}

// TestSpans: an event of a container or of the package that lasted has the time of its start.
func TestSpans(t *testing.T) {
	dir := made(t)
	name := filepath.Join(dir, aip.METSName)
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	before, event, _ := strings.Cut(string(text), `ID="EVT-ingest"`)
	_, rest, _ := strings.Cut(event, "</premis:eventDateTime>")
	head, _, _ := strings.Cut(event, "<premis:eventDateTime>")
	edited := before + `ID="EVT-ingest"` + head +
		"<premis:eventDateTime>2024-05-06T07:08:09Z/2024-05-06T07:08:11Z</premis:eventDateTime>" + rest
	sum := sha512.Sum512([]byte(edited))
	for file, content := range map[string][]byte{name: []byte(edited),
		filepath.Join(dir, aip.DigestName): aip.DigestLine(hex.EncodeToString(sum[:]))} {
		if err := os.WriteFile(file, content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	f, err := facts.Read(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range f.Containers["containers/a.warc"].Events {
		if e.Type == string(model.Ingestion) && e.Time.Format(time.DateTime) == "2024-05-06 07:08:09" {
			return
		}
	}
	t.Errorf("%+v", f.Containers["containers/a.warc"].Events)
}

// TestChanged: a modified METS gives no facts.
func TestChanged(t *testing.T) {
	dir := made(t)
	name := filepath.Join(dir, aip.METSName)
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(strings.Replace(string(text), "A website", "B website", 1)),
		0o666); err != nil {
		t.Fatal(err)
	}
	if f, err := facts.Read(os.DirFS(dir)); err == nil {
		t.Errorf("%+v", f)
	}
}

// TestReadSums: sums that break containerMD are reported, and hide no other fact. Without a wish for sums,
// none are read.
func TestReadSums(t *testing.T) {
	dir := made(t)
	name := filepath.Join(dir, aip.METSName)
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, old, now string
		sums, unsummed bool
	}{
		{name: "whole", sums: true},
		{name: "broken", old: `<cmd:responseRecords number="`, now: `<cmd:responseRecords number="many`, unsummed: true},
		{name: "restricted", old: `<mets:techMD ID="CMD-c1"`, now: `<mets:techMD ID="CMD-c1" ADMID="` +
			aip.RestrictionIDPrefix + `x"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := []byte(strings.Replace(string(whole), c.old, c.now, 1))
			side := fmt.Sprintf("%x  mets.xml\n", sha512.Sum512(text))
			if err := errors.Join(os.WriteFile(name, text, 0o600),
				os.WriteFile(name+".sha512", []byte(side), 0o600)); err != nil {
				t.Fatal(err)
			}
			f, err := facts.ReadSums(os.DirFS(dir))
			if err != nil {
				t.Fatal(err)
			}
			a := f.Containers["containers/a.warc"]
			if (a.Sums != nil) != c.sums || (f.Unsummed != nil) != c.unsummed || a.Scan != model.ScanInfected ||
				len(f.Files) == 0 || f.Title != "A website" {
				t.Errorf("sums %v, %v; %+v", a.Sums, f.Unsummed, f)
			}
			if f, err = facts.Read(os.DirFS(dir)); err != nil || f.Unsummed != nil ||
				f.Containers["containers/a.warc"].Sums != nil {
				t.Errorf("%+v, %v", f, err)
			}
		})
	}
}

func BenchmarkRead(b *testing.B) {
	dir := made(b)
	for b.Loop() {
		if _, err := facts.Read(os.DirFS(dir)); err != nil {
			b.Fatal(err)
		}
	}
}

// TestDublinCoreIsNotShownTwice: the Dublin Core beside the MODS of a harvest is no further
// description.
func TestDublinCoreIsNotShownTwice(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "crawl")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	const block = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>one"
	for name, text := range map[string]string{
		"METS-7.xml": `<mets:mets xmlns:mets="http://www.loc.gov/METS/"><mets:dmdSec ID="d"><mets:mdWrap MDTYPE="DC">` +
			`<mets:xmlData><dc:dc xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>T</dc:title></dc:dc>` +
			`</mets:xmlData></mets:mdWrap></mets:dmdSec>` +
			`<wct:wct xmlns:wct="http://www.bl.uk/namespaces/wct"/></mets:mets>`,
		"a.warc": fmt.Sprintf("WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:1>\r\n"+
			"WARC-Date: 2015-01-02T03:04:05Z\r\nWARC-Target-URI: http://a.example/\r\n"+
			"Content-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
			len(block), block),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out := dir + "-package"
	if _, err := pack.Pack(context.Background(), []string{dir}, pack.Options{Out: out,
		Agent: model.Agent{Name: "Quire", Version: "test"}}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(out, aip.METSName))
	if err != nil || !strings.Contains(string(text), `DMDID="DMD-harvest-1 DMD-dc-1"`) {
		t.Fatalf("no Dublin Core in the package: %v", err)
	}
	f, err := facts.Read(os.DirFS(out))
	if err != nil {
		t.Fatal(err)
	}
	if ids := f.Harvests[0].Descriptions; len(f.Descriptions) != 1 || len(ids) != 1 || ids[0] != aip.HarvestDmdID(1) {
		t.Errorf("%d descriptions, of the harvest %q", len(f.Descriptions), ids)
	}
}
