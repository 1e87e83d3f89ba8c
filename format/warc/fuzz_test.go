package warc

import (
	"bytes"
	"errors"
	"io"
	"testing"
)

// No method panics on any file, a copied record reads back unchanged, and At finds the records that
// Records found.
func FuzzRecords(f *testing.F) {
	body := "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
	http := "WARC/1.1\r\nWARC-Type: response\r\nContent-Type: application/http\r\nWARC-Payload-Digest: sha1:A\r\n" +
		"Content-Length: 93\r\n\r\n" + body + "\r\n\r\n"
	f.Add([]byte(http + record("warcinfo", "a: b\r\n")))
	f.Add(zip(f, http, record("resource", "x")))
	f.Add(made(f, Zstd, 3))
	f.Add([]byte(http[:len(http)-20]))
	f.Fuzz(func(t *testing.T, file []byte) {
		const most = 1 << 20
		var copied bytes.Buffer
		w, err := NewWriter(&copied, WriterOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var at []int64
		var raw [][]byte
		r := NewReader(bytes.NewReader(file))
		for rec, err := range r.Records() {
			if err != nil {
				t.Fatal(err)
			}
			if rec.MemberOffset == 0 {
				at = append(at, rec.Offset)
			}
			accessors(&rec.Header)
			_, _ = rec.HTTP()
			switch len(raw) % 3 {
			case 0:
				if _, _, err = w.Copy(rec); err == nil {
					raw = append(raw, bytes.Clone(rec.Raw()))
				}
			case 1:
				if p, err := rec.DecodedPayload(); err == nil {
					_, _ = io.CopyN(io.Discard, p, most)
				}
				raw = append(raw, nil)
			default:
				_, _ = rec.Verify(nil)
				raw = append(raw, nil)
			}
		}
		_ = r.Close()
		back := NewReader(&copied)
		for _, want := range raw {
			if want == nil {
				continue
			}
			rec, err := back.Next()
			if err != nil || !bytes.Equal(rec.Raw(), want) {
				t.Fatalf("copied %q, read back %v, %v", want, rec, err)
			}
		}
		again := NewReader(bytes.NewReader(file))
		for _, offset := range at {
			if rec, err := again.At(offset); err != nil && !errors.Is(err, ErrNoRecord) || err == nil && rec.Offset != offset {
				t.Fatalf("at %d: %v", offset, err)
			}
		}
		_ = again.Close()
	})
}

func accessors(h *Header) {
	_, _ = h.Date()
	_, _ = h.RefersToDate()
	_, _ = h.IPAddress()
	_, _, _ = h.ContentType()
	_, _ = h.BlockDigest()
	_, _ = h.PayloadDigest()
	_, _ = h.SegmentNumber()
	_, _ = h.SegmentTotalLength()
	for range h.All() {
	}
}

// A record of any block and fields reads back unchanged, or is refused.
func FuzzBuilder(f *testing.F) {
	f.Add("http://a/", "X-Ours", "v", []byte("HTTP/1.1 200 OK\r\n\r\nhello"))
	f.Add("http://a/ b", "WARC-Block-Digest", "sha1:x", []byte("WARC/1.0\r\nWARC-Type: x\r\n\r\n"))
	f.Fuzz(func(t *testing.T, uri, name, value string, block []byte) {
		var file bytes.Buffer
		w, err := NewWriter(&file, WriterOptions{Compression: Gzip})
		if err != nil {
			t.Fatal(err)
		}
		b := NewResponse(uri, day, bytes.NewReader(block)).Add(name, value)
		if _, _, err := w.WriteRecord(b); err != nil {
			if file.Len() > 0 {
				t.Fatalf("%d bytes are left of a record that was refused", file.Len())
			}
			return
		}
		rec, err := NewReader(&file).Next()
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(rec)
		if err != nil || !bytes.Equal(got, block) {
			t.Fatalf("%q came back as %q, %v", block, got, err)
		}
	})
}
