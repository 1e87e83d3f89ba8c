package pack

import (
	"crypto/sha256"
	"fmt"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"quire/model"
	"quire/preserve/identify"
)

// million is the number of bytestreams in the METS of the large benchmark
// (docs/explanation/710_performance.md).
const million = 1_000_000

// manyRows returns a builder of a container with n bytestreams. Each has a request record, and
// every fourth is encoded.
func manyRows(b testing.TB, n int64) *builder {
	b.Helper()
	o := Options{Profile: Full, Agent: model.Agent{Name: "Quire", Version: "1"}, Now: time.Now}
	var err error
	if o.Identify, err = identify.New(identify.Options{}); err != nil {
		b.Fatal(err)
	}
	m, err := newBuilder(b.TempDir(), []string{"crawl"}, o)
	if err != nil {
		b.Fatal(err)
	}
	m.result.ID, m.result.Title = "crawl-20240102-12345678", "a crawl"
	m.facts.harvests, m.read = make([]harvest, 1), time.Now()
	p := packed{N: 1, Harvest: 1, Dest: "containers/a.warc.gz", Name: "a.warc.gz", Size: 1 << 40, SHA512: "00",
		Done: time.Now(), Container: &model.Container{
			Format: "WARC", Versions: []string{"1.1"}, Compression: "gzip", Outcome: model.Valid, Software: "Boat/2.0",
		}}
	at, date := int64(0), time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC)
	for i := range n {
		c := content{
			Order: i + 1, Type: "response", ID: fmt.Sprintf("<urn:uuid:00000000-0000-4000-8000-%012d>", i),
			URI: fmt.Sprintf("http://www.example.org/harbour/%d/index.html?page=%d&lang=en", i/100, i), Date: date,
			Offset: at, Stored: 4000, Length: 16000,
			BodyAt: 700, Size: 15296, MIME: "text/html", Status: "200",
			Format:        model.Format{Name: "Hypertext Markup Language 5", PUID: "fmt/471"},
			PayloadDigest: "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
			Body:          model.Body{SHA256: sha256.Sum256([]byte{byte(i)}), Whole: true, Stated: model.ReadSent},
		}
		if i%4 == 0 {
			c.Body.Removed, c.Body.ServedLength, c.Body.Stated = []string{"chunked", "gzip"}, 60000, model.ReadPayload
		}
		if err := m.contents.add(&c); err != nil {
			b.Fatal(err)
		}
		at += c.Stored
	}
	p.Contents.Rows = span{0, m.contents.at}
	if err := m.spool.Add(p); err != nil {
		b.Fatal(err)
	}
	return m
}

// watched counts bytes and samples the memory.
type watched struct {
	bytes, writes int64
	most          uint64 // bytes of the heap, and from the system for it
}

func (w *watched) Write(p []byte) (int, error) {
	w.bytes += int64(len(p))
	if w.writes++; w.writes%512 == 0 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		w.most = max(w.most, m.HeapInuse+m.StackInuse)
	}
	return len(p), nil
}

// The METS of the profile full with a million bytestreams: bytes of XML a second, and the memory in
// addition to the signatures of PRONOM, which were loaded before.
func BenchmarkFullMETS(b *testing.B) {
	m := manyRows(b, million)
	defer func() {
		if err := m.close(); err != nil {
			b.Error(err)
		}
	}()
	if err := m.derive(); err != nil {
		b.Fatal(err)
	}
	debug.FreeOSMemory()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	b.ReportAllocs()
	for b.Loop() {
		w := &watched{}
		if err := m.writeMETS(w); err != nil {
			b.Fatal(err)
		}
		b.SetBytes(w.bytes)
		b.ReportMetric(float64(w.most-min(w.most, before.HeapInuse+before.StackInuse))/1e6, "MB-held")
		b.ReportMetric(float64(w.bytes)/million, "B/bytestream")
	}
}
