package mets_test

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"quire/metadata/mets"
	"quire/metadata/premis"
	"quire/metadata/xmlstream"
)

// million is the number of files in the large benchmarks: docs/explanation/710_performance.md
// compares them with a goal of 5 seconds and 50 MB resident.
const million = 1_000_000

const digest = "c5b00170a09b2e669cda91eb76b7115b8ef2ca9dacb3c0f2e348b090f5eb9a81c5b00170a09b2e669cda91eb76b711" +
	"5b8ef2ca9dacb3c0f2e348b090f5eb9a81"

// writeMany writes a METS of n files, each with a pointer in the structMap, and optionally with a
// PREMIS object.
func writeMany(out io.Writer, n int, objects bool) error {
	w := mets.NewWriter(out, mets.Options{})
	w.Start(mets.Root{ObjID: "ark:/99999/fk4million", Type: "Web archives"})
	w.Header(mets.Header{Created: created,
		Agents: []mets.Agent{{Role: "CREATOR", Type: "OTHER", OtherType: "SOFTWARE", Name: "quire"}}})
	if objects {
		w.StartAmdSec("AMD")
		writeObjects(w, n)
		w.EndAmdSec()
	}
	w.StartFileSec("")
	w.StartFileGrp(mets.FileGrp{Use: "DigitalManifestation"})
	location := make([]mets.FLocat, 1)
	adm := make([]string, 0, 1)
	for i := range n {
		number := strconv.Itoa(i)
		location[0].Location = mets.Location{LocType: "URL", Href: mets.Href("data/crawl-" + number + ".warc.gz")}
		if objects {
			adm = append(adm[:0], "O"+number)
		}
		w.File(mets.File{ID: "F" + number, AdmID: adm, Locations: location, FileCore: mets.FileCore{
			MIMEType: "application/warc", Size: xmlstream.IntOf(int64(i)), Created: created, Checksum: digest,
			ChecksumType: "SHA-512"}})
	}
	w.EndFileGrp()
	w.EndFileSec()
	w.StartStructMap(mets.StructMap{Type: "logical"})
	w.StartDiv(mets.Div{Type: "website"})
	for i := range n {
		w.Fptr(mets.Fptr{FileID: "F" + strconv.Itoa(i)})
	}
	w.EndDiv()
	w.EndStructMap()
	return w.Close()
}

func writeObjects(w *mets.Writer, n int) {
	number := ""
	payload := func(x *xmlstream.Writer) error {
		return premis.WriteObject(x, premis.Object{
			Category:    premis.File,
			Identifiers: []premis.Identifier{{Type: "local", Value: "crawl-" + number}},
			Characteristics: []premis.Characteristics{{
				Fixity:  []premis.Fixity{{Algorithm: premis.HashFunction("SHA-512"), Digest: digest}},
				Size:    xmlstream.IntOf(123456789),
				Formats: []premis.Format{{Name: premis.Text("application/warc"), Version: "1.0"}},
			}},
			OriginalName: "crawl-" + number + ".warc.gz",
		})
	}
	wrap := &mets.Wrap{MetadataType: mets.MetadataType{MDType: "PREMIS:OBJECT", MDTypeVersion: premis.Version}}
	for i := range n {
		number = strconv.Itoa(i)
		w.Tech(mets.Section{ID: "O" + number, Wrap: wrap}, payload)
	}
}

// counter is a writer that counts the bytes and discards them.
type counter struct{ n int64 }

func (c *counter) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return len(p), nil
}

func BenchmarkWriteMETS1M(b *testing.B)           { benchmarkWrite(b, false) }
func BenchmarkWriteMETS1MWithPREMIS(b *testing.B) { benchmarkWrite(b, true) }

func benchmarkWrite(b *testing.B, objects bool) {
	b.ReportAllocs()
	var out counter
	for b.Loop() {
		out = counter{}
		if err := writeMany(&out, million, objects); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(out.n)
	b.ReportMetric(float64(out.n)/million, "B/file")
	b.ReportMetric(peakMB(), "peak-MB")
}

// peakMB returns the largest resident memory of the process so far (VmHWM), if the system reports
// it.
func peakMB() float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if value, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kb, _ := strconv.Atoi(strings.Fields(value)[0])
			return float64(kb) / 1024
		}
	}
	return 0
}

func BenchmarkReadMETS100K(b *testing.B) {
	path := filepath.Join(b.TempDir(), "mets.xml")
	file, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	if err := writeMany(file, 100_000, true); err != nil {
		b.Fatal(err)
	}
	size, err := file.Seek(0, io.SeekCurrent)
	if err != nil {
		b.Fatal(err)
	}
	if err := file.Close(); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		benchmarkReadOnce(b, path)
	}
	b.ReportMetric(peakMB(), "peak-MB")
}

func benchmarkReadOnce(b *testing.B, path string) {
	file, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	files := 0
	err = mets.Read(file, mets.Handler{
		Section: func(_ mets.Section, r *xmlstream.Reader) error {
			_, err := premis.ReadObject(r, nil)
			return err
		},
		File: func(mets.File, mets.FilePlace) error { files++; return nil },
	})
	if err != nil || files != 100_000 {
		b.Fatalf("%d files, %v", files, err)
	}
	if err := file.Close(); err != nil {
		b.Fatal(err)
	}
}

// TestConstantMemory checks the package's promise independent of the machine's speed: live memory
// does not grow while twenty times as many files are written.
func TestConstantMemory(t *testing.T) {
	live := func(n int) uint64 {
		var most uint64
		watch := &watcher{every: 1 << 20, see: func() {
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapAlloc)
		}}
		if err := writeMany(watch, n, true); err != nil {
			t.Fatal(err)
		}
		return most
	}
	few, many := live(1_000), live(20_000)
	if many > few+1<<20 {
		t.Errorf("%d bytes live with 1000 files, %d with 20,000", few, many)
	}
}

// watcher calls see after every further number of bytes written.
type watcher struct {
	every, n int
	see      func()
}

func (w *watcher) Write(p []byte) (int, error) {
	w.n += len(p)
	if w.n >= w.every {
		w.n = 0
		w.see()
	}
	return len(p), nil
}
