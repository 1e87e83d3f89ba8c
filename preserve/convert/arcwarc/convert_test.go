package arcwarc

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"quire/format/warc"
)

var options = Options{Name: "a.arc", Software: "Quire/test", Date: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}

const (
	head = "filedesc://a.arc 0.0.0.0 20251101100000 text/plain 76\n1 0 InternetArchive\nURL IP-address " +
		"Archive-date Content-type Archive-length\n\n"
	answer = "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\nhello"
)

// made is one record of a WARC.
type made struct {
	fields map[string]string
	block  string
}

func readWARC(t testing.TB, file []byte) (records []made) {
	t.Helper()
	r := warc.NewReader(bytes.NewReader(file))
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return records
		}
		if err != nil {
			t.Fatal(err)
		}
		m := made{fields: map[string]string{}}
		for _, f := range rec.Fields() {
			m.fields[string(f.Name)] = string(f.Value)
		}
		block, err := io.ReadAll(rec)
		if err != nil {
			t.Fatal(err)
		}
		m.block = string(block)
		records = append(records, m)
	}
}

// TestWhatARecordBecomes converts one record after a version block and checks type, address, date
// and content type. No value is invented.
func TestWhatARecordBecomes(t *testing.T) {
	long := strings.Repeat("x", 100)
	tests := []struct {
		name, record string
		want         map[string]string // fields; "" means absent
	}{
		{"response", "http://a.org/ 192.0.2.1 20251101100001 text/html 49\n" + answer + "\n",
			map[string]string{"WARC-Type": "response", "WARC-Target-URI": "http://a.org/",
				"WARC-Date":       "2025-11-01T10:00:01Z",
				"WARC-IP-Address": "192.0.2.1", "Content-Type": "application/http;msgtype=response", "ARC-Date": "",
				"ARC-Separator":       "",
				"WARC-Payload-Digest": "sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N",
				"ARC-Record-Line":     "http://a.org/ 192.0.2.1 20251101100001 text/html 49"}},
		{"no status line", "http://a.org/ 192.0.2.1 20251101100001 text/html 5\nhello\n",
			map[string]string{"WARC-Type": "resource", "Content-Type": "text/html",
				"WARC-Payload-Digest": "sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N"}},
		{"no-type", "http://a.org/ 192.0.2.1 20251101100001 no-type 5\nhello\n",
			map[string]string{"WARC-Type": "resource", "Content-Type": ""}},
		{"spaces in the line", "http://a.org/ 192.0.2.1 20251101100001  text/html 5\nhello\n",
			map[string]string{"Content-Type": "text/html",
				"ARC-Record-Line": "http://a.org/ 192.0.2.1 20251101100001  text/html 5"}},
		{"dns", "dns:a.org 192.0.2.1 20251101100001 text/dns 5\nhello\n",
			map[string]string{"WARC-Type": "resource", "Content-Type": "text/dns"}},
		{"ftp", "ftp://a.org/x 192.0.2.1 20251101100001 application/zip 5\nhello\n",
			map[string]string{"WARC-Type": "resource", "Content-Type": "application/zip"}},
		{"gopher", "gopher://a.org/x 192.0.2.1 20251101100001 text/plain 5\nhello\n",
			map[string]string{"WARC-Type": "resource", "WARC-Target-URI": "gopher://a.org/x"}},
		{"12 digits", "http://a.org/ 192.0.2.1 202511011000 text/html 5\nhello\n",
			map[string]string{"WARC-Date": "2025-11-01T10:00Z", "ARC-Date": "202511011000"}},
		{"10 digits", "http://a.org/ 192.0.2.1 2025110110 text/html 5\nhello\n",
			map[string]string{"WARC-Date": "2025-11-01", "ARC-Date": "2025110110"}},
		{"17 digits", "http://a.org/ 192.0.2.1 20251101100001123 text/html 5\nhello\n",
			map[string]string{"WARC-Date": "2025-11-01T10:00:01.123Z", "ARC-Date": "20251101100001123"}},
		{"no date", "http://a.org/ 192.0.2.1 yesterday text/html 5\nhello\n",
			map[string]string{"WARC-Type": "metadata", "WARC-Target-URI": "urn:arc-undated:http://a.org/",
				"WARC-Date": "2026-01-02T03:04:05Z", "ARC-Date": "yesterday"}},
		{"spaces and bytes in the URL", "http://a.org/a b\xff 192.0.2.1 20251101100001 text/html 5\nhello\n",
			map[string]string{"WARC-Target-URI": "http://a.org/a%20b%FF",
				"ARC-Record-Line": "http://a.org/a b%FF 192.0.2.1 20251101100001 text/html 5"}},
		{"no address", "http://a.org/ - 20251101100001 text/html 5\nhello\n", map[string]string{"WARC-IP-Address": ""}},
		{"CRLF", "http://a.org/ 192.0.2.1 20251101100001 text/html 5\r\nhello\r\n",
			map[string]string{"ARC-Line-End": "%0D%0A", "ARC-Separator": "%0D%0A"}},
		{"no newline behind", "http://a.org/ 192.0.2.1 20251101100001 text/html 5\nhello",
			map[string]string{"ARC-Separator": ""}},
		{"some bytes behind", "http://a.org/ 192.0.2.1 20251101100001 text/html 5\nhello\n\x00\x00",
			map[string]string{"ARC-Separator": "%0A%00%00"}},
		{"many bytes behind", "http://a.org/ 192.0.2.1 20251101100001 text/html 5\nhello\n" + long,
			map[string]string{"ARC-Separator": ""}},
		{"cut", "http://a.org/ 192.0.2.1 20251101100001 text/html 50\nhello",
			map[string]string{"WARC-Truncated": "unspecified"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, file := roundTrip(t, []byte(head+tt.record))
			records := readWARC(t, file)
			if len(records) < 4 || records[0].fields["WARC-Type"] != "warcinfo" ||
				records[1].fields["WARC-Target-URI"] != "filedesc://a.arc" {
				t.Fatalf("records %v", records)
			}
			for name, want := range tt.want {
				if got := records[2].fields[name]; got != want {
					t.Errorf("%s is %q, want %q", name, got, want)
				}
			}
			if between := tt.name == "many bytes behind"; between != (records[3].fields[FieldPart] == PartBetween) ||
				between && records[3].block != "\n"+long {
				t.Errorf("behind it: %v", records[3])
			}
		})
	}
}

// TestOddFiles converts and restores whole files.
func TestOddFiles(t *testing.T) {
	page := "http://a.org/ 192.0.2.1 20251101100001 text/html 5\nhello\n"
	for name, file := range map[string]string{
		"nothing":          "",
		"prose":            "this is no ARC",
		"no version block": page,
		"newlines first":   "\n\n" + head + page,
		"garbage first":    strings.Repeat("garbage ", 100) + "\n" + head + page,
		"garbage between":  head + page + strings.Repeat("garbage\n", 5000) + page,
		"length too short": head + "http://a.org/ 192.0.2.1 20251101100001 text/html 2\nhello\n" + page,
		"length too long":  head + "http://a.org/ 192.0.2.1 20251101100001 text/html 20\nhello\n" + page,
		"swallowed long ago": head + "http://a.org/ 192.0.2.1 20251101100001 text/html 90000\nhello\n" +
			strings.Repeat(page, 2000),
		"length negative":    head + "http://a.org/ 192.0.2.1 20251101100001 text/html -5\nhello\n" + page,
		"two in one":         head + page + head + page,
		"no newline between": head + strings.TrimSpace(page) + page,
		"the same twice":     head + page + page,
		"a very long line": head + "http://a.org/" + strings.Repeat("\xff", 65000) +
			" 192.0.2.1 20251101100001 text/html 5\nhello\n" + page,
		"a content type of bytes": head + "http://a.org/ 192.0.2.1 20251101100001 " +
			strings.Repeat("\x00\r\xff", 300) + " 5\nhello\n" + page,
		"line without an end": head + "http://a.org/ 192.0.2.1 20251101100001 text/html 5",
	} {
		t.Run(name, func(t *testing.T) {
			roundTrip(t, []byte(file))
			ids := map[string]bool{}
			_, made := roundTrip(t, gzipped(t, file[:len(file)/2], file[len(file)/2:]))
			for _, m := range readWARC(t, made) {
				if id := m.fields["WARC-Record-ID"]; ids[id] {
					t.Errorf("%s stands twice", id)
				} else {
					ids[id] = true
				}
			}
		})
	}
}

func gzipped(t testing.TB, members ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, m := range members {
		w := gzip.NewWriter(&b)
		if _, err := io.WriteString(w, m); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

// TestLargeBlocks checks blocks that use a temporary file.
func TestLargeBlocks(t *testing.T) {
	block := strings.Repeat("0123456789abcdef", 400_000)
	report, made := roundTrip(t, []byte(head+"ftp://a.org/ 192.0.2.1 20251101100001 text/plain 6400000\n"+block+"\n"+
		"ftp://a.org/b 192.0.2.1 20251101100001 text/plain 5\nhello\n"+strings.Repeat("garbage ", 800_000)))
	if records := readWARC(t, made); report.Records != 3 || records[2].block != block || records[3].block != "hello" {
		t.Errorf("report %+v", report)
	}
}

func TestDamageIsSaid(t *testing.T) {
	file := gzipped(t, head, "http://a.org/ 192.0.2.1 20251101100001 text/html 5\nhello\n")
	if report, _ := roundTrip(t, file); report.Damaged {
		t.Error("a sound file is called damaged")
	}
	if report, _ := roundTrip(t, file[:len(file)-6]); !report.Damaged {
		t.Error("a file that breaks off is called sound")
	}
}

// TestForgedWARCs checks that Verify reports any change, and that Restore fails.
func TestForgedWARCs(t *testing.T) {
	file := []byte(head + "http://a.org/ 192.0.2.1 20251101100001 text/html 49\n" + answer + "\n")
	o := options
	o.Plain = true
	var out bytes.Buffer
	if _, err := Convert(t.Context(), bytes.NewReader(file), &out, o); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string][2]string{
		"block":   {"hello", "hallo"},
		"line":    {"ARC-Record-Line: http://a.org/", "ARC-Record-Line: http://b.org/"},
		"no line": {"ARC-Record-Line: http", "ARC-Record-Lost: http"},
		"separator": {"ARC-Part: record\r\nARC-Record-Line: http",
			"ARC-Part: record\r\nARC-Separator: \r\nARC-Record-Line: http"},
		"bad escape":     {"ARC-Record-Line: http", "ARC-Record-Line: %ZZ"},
		"part":           {"ARC-Part: record", "ARC-Part: nothing"},
		"summary":        {"ARC-Part: summary", "ARC-Part: between"},
		"summary counts": {"records: 2", "records: 3"},
	} {
		t.Run(name, func(t *testing.T) {
			forged := strings.Replace(out.String(), change[0], change[1], 1)
			if forged == out.String() {
				t.Fatal("nothing was changed")
			}
			proof, err := Verify(t.Context(), bytes.NewReader(file), strings.NewReader(forged))
			if err != nil || proof.Sound() {
				t.Errorf("proof %+v, %v", proof, err)
			}
			if _, err := Restore(t.Context(), strings.NewReader(forged), io.Discard); err == nil {
				t.Error("restored")
			}
		})
	}
	for name, change := range map[string][2]string{ // Restore does not need it
		"date":    {"WARC-Date: 2025-11-01T10:00:01Z", "WARC-Date: 2025-11-01T10:00:02Z"},
		"type":    {"WARC-Type: response", "WARC-Type: resource"},
		"payload": {"WARC-Payload-Digest: sha1:V", "WARC-Payload-Digest: sha1:W"},
	} {
		forged := strings.Replace(out.String(), change[0], change[1], 1)
		if proof, err := Verify(t.Context(), bytes.NewReader(file), strings.NewReader(forged)); err != nil ||
			len(proof.Differences) != 1 {
			t.Errorf("%s: proof %+v, %v", name, proof, err)
		}
	}
}

func TestAWARCThatBreaksOff(t *testing.T) {
	file := []byte(head + "http://a.org/ 192.0.2.1 20251101100001 text/html 49\n" + answer + "\n")
	_, made := converted(t, file)
	for n := range len(made) {
		var got bytes.Buffer // complete even if only the last member's trailer is missing
		if _, err := Restore(t.Context(), bytes.NewReader(made[:n]), &got); err == nil &&
			!bytes.Equal(got.Bytes(), file) {
			t.Errorf("restored other bytes from %d of %d", n, len(made))
		}
	}
	if _, err := Restore(t.Context(), strings.NewReader(""), io.Discard); !errors.Is(err, ErrNotConverted) {
		t.Errorf("error %v", err)
	}
}

// onlyReader hides the ability to seek.
type onlyReader struct{ io.Reader }

func TestAStreamConvertsLikeAFile(t *testing.T) {
	file := gzipped(t, head, "http://a.org/ 192.0.2.1 20251101100001 text/html 49\n"+answer+"\n")
	_, want := converted(t, file)
	var got bytes.Buffer
	if _, err := Convert(t.Context(), onlyReader{bytes.NewReader(file)}, &got, options); err != nil ||
		!bytes.Equal(got.Bytes(), want) {
		t.Errorf("%d bytes, want %d; %v", got.Len(), len(want), err)
	}
}

func TestErrors(t *testing.T) {
	file := []byte(head)
	for name, change := range map[string]func(*Options){
		"no name":      func(o *Options) { o.Name = "" },
		"no software":  func(o *Options) { o.Software = "" },
		"no date":      func(o *Options) { o.Date = time.Time{} },
		"line end":     func(o *Options) { o.Name = "a\nb" },
		"other size":   func(o *Options) { o.Size = 5 },
		"other digest": func(o *Options) { o.SHA512 = "00" },
		"level":        func(o *Options) { o.Level = 77 },
	} {
		o := options
		change(&o)
		if _, err := Convert(t.Context(), bytes.NewReader(file), io.Discard, o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Convert(ctx, bytes.NewReader(file), io.Discard, options); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// TestFactsOfTheARC checks the facts in the warcinfo.
func TestFactsOfTheARC(t *testing.T) {
	xml := "<arcmetadata><software>Heritrix 1.8.0</software><operator>\n WCT\n</operator></arcmetadata>"
	block := "1 1 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n" + xml
	_, made := roundTrip(t, fmt.Appendf(nil, "filedesc://a.arc 0.0.0.0 20251101100000 text/plain %d\n%s\n", len(block),
		block))
	records := readWARC(t, made)
	for _, want := range []string{"software: Quire/test\r\n", "arc-software: Heritrix 1.8.0\r\n",
		"arc-operator: WCT\r\n", "arc-version: 1.1\r\n", "source-name: a.arc\r\n"} {
		if !strings.Contains(records[0].block, want) {
			t.Errorf("no %q in %q", want, records[0].block)
		}
	}
	if records[1].block != block {
		t.Errorf("version block %q", records[1].block)
	}
}

func FuzzRoundTrip(f *testing.F) {
	f.Add([]byte(head + "http://a.org/ 192.0.2.1 20251101100001 text/html 49\n" + answer + "\n"))
	f.Add([]byte("garbage\n" + head +
		"http://a.org/ 192.0.2.1 2025110110 text/html 90\nhello\nhttp://b.org/ 1.1.1.1 20251101100001 a/b 3\nabc"))
	f.Add(gzipped(f, head, "dns:a.org 1.1.1.1 20251101100001 text/dns 5\nhello\n"))
	f.Fuzz(func(t *testing.T, file []byte) { roundTrip(t, file) })
}

func FuzzRestore(f *testing.F) {
	var out bytes.Buffer
	o := options
	o.Plain = true
	file := []byte(head + "http://a.org/ 192.0.2.1 20251101100001 text/html 49\n" + answer + "\n")
	if _, err := Convert(context.Background(), bytes.NewReader(file), &out, o); err != nil {
		f.Fatal(err)
	}
	f.Add(out.Bytes())
	f.Fuzz(func(t *testing.T, b []byte) {
		var got bytes.Buffer
		restored, err := Restore(t.Context(), bytes.NewReader(b), &got)
		if err == nil && restored.Size != int64(got.Len()) {
			t.Errorf("%d bytes written, %+v", got.Len(), restored)
		}
		if _, err := Verify(t.Context(), bytes.NewReader(file), bytes.NewReader(b)); err != nil {
			t.Error(err)
		}
	})
}

var _ io.ReadSeeker = seekTap{}
