package pages

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/internal/testsamples"
	"quire/source/detect"
)

// record returns a WARC record with an HTTP response, or with a block of another type.
func record(kind, uri, contentType, block string) string {
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:uuid:%s-%s>\r\nWARC-Target-URI: %s\r\n"+
		"WARC-Date: 2024-01-02T03:04:05Z\r\n"+
		"Content-Type: %s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", kind, kind,
		strings.TrimPrefix(uri, "http://a.test/"), uri, contentType, len(block), block)
}

func answer(name, status, fields, body string) string {
	return record("response", "http://a.test/"+name, "application/http;msgtype=response",
		"HTTP/1.1 "+status+" X\r\n"+fields+"\r\n"+body)
}

const page = "<!DOCTYPE html><html><head><title>T</title></head><body></body></html>"

// TestPagesOfASource checks responses of 2xx and resources that are HTML by their bytes or, if
// these are undecided, by declaration.
func TestPagesOfASource(t *testing.T) {
	const asHTML, asImage, asBinary = "Content-Type: Text/HTML; charset=latin1\r\nContent-Language: de\r\n",
		"Content-Type: image/gif\r\n", "Content-Type: application/octet-stream\r\n"
	warc := answer("page", "200", asHTML, strings.ReplaceAll(page, "T", "\xfc")) +
		answer("error", "404", asHTML, page) + answer("moved", "301", asHTML, page) +
		answer("chunked", "200", asHTML+"Transfer-Encoding: chunked\r\n",
			fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(page), page)) +
		answer("image", "200", asHTML, "GIF89a\x01\x00\x01\x00\x00\x00\x00;") +
		answer("hidden", "200", asBinary, page) + answer("fragment", "200", asHTML, "<p>no more than this</p>") +
		answer("data", "200", asImage, "GIF89a\x01\x00\x01\x00\x00\x00\x00;") +
		answer("text", "200", "Content-Type: text/plain\r\n", "x") +
		answer("broken", "200", asHTML+"Transfer-Encoding: chunked\r\n", "ffff\r\n<title>half</title>") +
		record("resource", "http://a.test/resource", "text/html", page) +
		record("metadata", "http://a.test/meta", "text/html", page)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.warc"), []byte(warc), 0o666); err != nil {
		t.Fatal(err)
	}
	var got []string
	sum, err := Source(t.Context(), detect.Options{}, func(f *Found) error {
		told := strings.TrimPrefix(f.URI, "http://a.test/")
		if f.Declared.Title != nil {
			told += " " + f.Declared.Title.Text
		}
		for _, l := range f.Declared.Languages {
			told += " " + l.Value.Text
		}
		if !f.Whole {
			told += " not whole"
		}
		if !strings.HasPrefix(warc[f.Offset:], "WARC/1.0\r\n") ||
			!strings.Contains(warc[f.Offset:f.Offset+200], f.Record) {
			t.Errorf("%s is said to be at %d", f.URI, f.Offset)
		}
		got = append(got, told)
		return nil
	}, dir)
	want := "page \u00fc de|chunked T de|hidden T|fragment de|broken half de not whole|resource T"
	if err != nil || strings.Join(got, "|") != want || sum.Pages != int64(len(got)) || sum.Records != 12 ||
		sum.Containers != 1 {
		t.Errorf("%s, %+v, %v; want %s", strings.Join(got, "|"), sum, err, want)
	}
	full := errors.New("the pipe is closed")
	if _, err := Source(t.Context(), detect.Options{}, func(*Found) error { return full }, dir); !errors.Is(err, full) {
		t.Error(err)
	}
}

// TestSamples compares the results with independent figures. warcio counts the pages, and a
// browser's parser counts their links.
func TestSamples(t *testing.T) {
	path := testsamples.Path(t, "samples/_made/crawls/wget-large/python311-docs.warc.gz")
	links, titles := int64(0), 0
	sum, err := Source(t.Context(), detect.Options{}, func(f *Found) error {
		links += f.Declared.Links
		if f.Declared.Title != nil && strings.HasSuffix(f.Declared.Title.Text, "Python 3.11.2 documentation") {
			titles++
		}
		return nil
	}, path)
	if err != nil || sum.Pages != 526 || links != 164_177 || titles != 525 {
		t.Errorf("%+v, %d links, %d titles, %v", sum, links, titles, err)
	}
}
