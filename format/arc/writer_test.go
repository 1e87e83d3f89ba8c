package arc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

var created = time.Date(2025, 11, 1, 10, 0, 0, 0, time.UTC)

func headerOf(url string, length int64) Header {
	return Header{URL: url, IP: "192.0.2.1", Date: "20251101100001", ContentType: "text/html", BlockLength: length}
}

func newTestWriter(t testing.TB, out io.Writer, o WriterOptions) *Writer {
	t.Helper()
	w, err := NewWriter(out, o)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestWriter(t *testing.T) {
	for _, tt := range []struct {
		name    string
		o       WriterOptions
		version string
	}{
		{"1.0", WriterOptions{Name: "a.arc", Date: created}, "1.0"},
		{"1.1", WriterOptions{Name: "a.arc", Date: created, Metadata: []byte(heritrix)}, "1.1"},
		{"1.1, gzip", WriterOptions{Name: "a.arc.gz", Date: created, Metadata: []byte(heritrix), Compression: Gzip}, "1.1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var file bytes.Buffer
			w := newTestWriter(t, &file, tt.o)
			blocks := []string{"hello", "", strings.Repeat("\nhttp://x", 20_000)}
			var offsets []int64
			for i, block := range blocks {
				offsets = append(offsets, w.Offset())
				if err := w.WriteRecord(headerOf(fmt.Sprintf("http://a.org/%d x", i), int64(len(block))),
					strings.NewReader(block)); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			got := readAll(t, &file)
			if got.codes() != "URL*3" { // for the spaces
				t.Errorf("faults %v", got.faults)
			}
			if v := got.records[0].Version; v.Version != tt.version || v.Name != tt.o.Name ||
				string(v.Metadata) != strings.TrimRight(string(tt.o.Metadata), "\n") {
				t.Errorf("version block %+v", v)
			}
			for i, block := range blocks {
				rec := got.records[i+1]
				if got.blocks[i+1] != block || i > 0 && rec.Offset != offsets[i] {
					t.Errorf("record %d at %d, want %d; block of %d bytes", i, rec.Offset, offsets[i],
						len(got.blocks[i+1]))
				}
			}
			if w.Offset() != got.records[3].Offset+got.records[3].Length {
				t.Errorf("%d bytes written", w.Offset())
			}
		})
	}
}

func TestWriterOfNothing(t *testing.T) {
	var file bytes.Buffer
	w := newTestWriter(t, &file, WriterOptions{Name: "a.arc", Date: created})
	for range 2 {
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if got := readAll(t, bytes.NewReader(file.Bytes())); len(got.records) != 1 || len(got.faults) != 0 {
		t.Errorf("%q: %v", file.String(), got.faults)
	}
	if err := w.WriteRecord(headerOf(urlA, 0), strings.NewReader("")); err == nil {
		t.Errorf("after Close: %v", err)
	}
}

func TestWriterRefuses(t *testing.T) {
	with := func(change func(*Header)) Header {
		h := headerOf(urlA, 5)
		change(&h)
		return h
	}
	for name, h := range map[string]Header{
		"date of 12 digits": with(func(h *Header) { h.Date = "202511011000" }),
		"month 13":          with(func(h *Header) { h.Date = "20251301100000" }),
		"line end in URL":   with(func(h *Header) { h.URL = "http://a.org/\nx" }),
		"no scheme":         with(func(h *Header) { h.URL = "a.org" }),
		"no address":        with(func(h *Header) { h.IP = "" }),
		"version 2":         with(func(h *Header) { h.V2 = true }),
		"URL too long":      with(func(h *Header) { h.URL = "http://a.org/" + strings.Repeat("x", MaxLine) }),
		"ambiguous":         with(func(h *Header) { h.URL = "http://a.org/ 192.0.2.1 20251101100001 x" }),
	} {
		t.Run(name, func(t *testing.T) {
			var file bytes.Buffer
			w := newTestWriter(t, &file, WriterOptions{Name: "a.arc", Date: created})
			if err := w.WriteRecord(h, strings.NewReader("hello")); err == nil || file.Len() > 0 {
				t.Errorf("%v, wrote %q", err, file.String())
			}
			if err := w.WriteRecord(headerOf(urlA, 5), strings.NewReader("hello")); err != nil {
				t.Errorf("a refusal does not break the writer, but: %v", err)
			}
		})
	}
	for name, o := range map[string]WriterOptions{
		"no name":     {Date: created},
		"origin":      {Name: "a.arc", Date: created, Origin: "a\nb"},
		"metadata":    {Name: "a.arc", Date: created, Metadata: []byte("text")},
		"no date":     {Name: "a.arc", Date: time.Date(20251, 1, 1, 0, 0, 0, 0, time.UTC)},
		"name of two": {Name: "a\nb.arc", Date: created},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := NewWriter(io.Discard, o); err == nil {
				t.Error("no error")
			}
		})
	}
}

func TestWriterErrorsStick(t *testing.T) {
	broken := errors.New("no room")
	for name, block := range map[string]io.Reader{
		"block too short": strings.NewReader("hell"),
		"block too long":  strings.NewReader("hello!"),
		"block unread":    iotest.ErrReader(broken),
	} {
		t.Run(name, func(t *testing.T) {
			w := newTestWriter(t, io.Discard, WriterOptions{Name: "a.arc", Date: created})
			first := w.WriteRecord(headerOf(urlA, 5), block)
			again := w.WriteRecord(headerOf(urlA, 5), strings.NewReader("hello"))
			if first == nil || !errors.Is(again, first) || !errors.Is(w.Close(), first) {
				t.Errorf("%v, then %v", first, again)
			}
		})
	}
	w := newTestWriter(t, full{}, WriterOptions{Name: "a.arc", Date: created, Compression: Gzip})
	if err := w.Close(); !errors.Is(err, errFull) {
		t.Errorf("to a full disk: %v", err)
	}
}

var errFull = errors.New("disk full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

func ExampleWriter() {
	var file bytes.Buffer
	w, err := NewWriter(&file, WriterOptions{Name: "a.arc", Date: created})
	if err != nil {
		fmt.Println(err)
		return
	}
	err = w.WriteRecord(Header{URL: "http://a.org/", IP: "192.0.2.1", Date: "20251101100001",
		ContentType: "text/plain", BlockLength: 5},
		strings.NewReader("hello"))
	if err == nil {
		err = w.Close()
	}
	fmt.Printf("%v\n%s", err, file.String())
	// Output:
	// <nil>
	// filedesc://a.arc 0.0.0.0 20251101100000 text/plain 66
	// 1 0 Quire
	// URL IP-address Archive-date Content-type Archive-length
	//
	// http://a.org/ 192.0.2.1 20251101100001 text/plain 5
	// hello
}
