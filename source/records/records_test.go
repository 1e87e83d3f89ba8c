package records

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"
)

const arcFile = "filedesc://a.arc 0.0.0.0 20040721232940 text/plain 77\n1 0 InternetArchive\n" +
	"URL IP-address Archive-date Content-type Archive-length\n\n" +
	"http://a.example/ 10.0.0.1 20040721232941 text/html 24\nHTTP/1.0 200 OK\r\n\r\nhello\n" +
	"dns:a.example 10.0.0.1 200407212329 text/dns 4\nabcd\n"

const warcFile = "WARC/1.0\r\nWARC-Type: warcinfo\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Date: " +
	"2012-12-19T19:48:38Z\r\n" +
	"Content-Type: application/warc-fields\r\nContent-Length: 36\r\n\r\nsoftware: crawler 1\r\noperator: Ann\r\n\r\n" +
	"\r\n" +
	"WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:uuid:2>\r\nWARC-Date: 2012-12-19T19:48:39Z\r\n" +
	"WARC-Target-URI: <http://a.example/x>\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n\r\nabc\r\n\r\n"

func TestBothFormatsReadAlike(t *testing.T) {
	tests := []struct {
		name, file string
		want       []string // type, URI, date, block
	}{
		{"ARC", arcFile, []string{
			"filedesc filedesc://a.arc 2004-07-21T23:29:40Z",
			"response http://a.example/ 2004-07-21T23:29:41Z HTTP/1.0 200 OK\r\n\r\nhello",
			"resource dns:a.example 2004-07-21T23:29:00Z abcd",
		}},
		{"WARC", warcFile, []string{
			"warcinfo  2012-12-19T19:48:38Z software: crawler 1\r\noperator: Ann\r\n",
			"resource http://a.example/x 2012-12-19T19:48:39Z abc",
		}},
		{"text", "just some text\n", nil},
		{"nothing", "", nil},
	}
	for _, test := range tests {
		for _, packed := range []bool{false, true} {
			var got []string
			r := NewReader(bytes.NewReader(stored(t, test.file, packed)), nil)
			rec, err := r.Next()
			for ; err == nil; rec, err = r.Next() {
				line := rec.Type + " " + rec.URI + " " + rec.Date.Format("2006-01-02T15:04:05Z")
				if block, _ := io.ReadAll(rec); rec.Type != TypeFiledesc {
					line += " " + string(block)
				}
				got = append(got, line)
			}
			want := io.EOF
			if test.want == nil {
				want = ErrNotContainer
			}
			if !errors.Is(err, want) {
				t.Errorf("%s, packed %v: ends with %v", test.name, packed, err)
			}
			if strings.Join(got, "\n") != strings.Join(test.want, "\n") {
				t.Errorf("%s, packed %v:\n%q\nwant\n%q", test.name, packed, got, test.want)
			}
		}
	}
}

func TestInfoTellsWhoWrote(t *testing.T) {
	fields, err := Info(strings.NewReader(warcFile))
	if err != nil || len(fields) != 2 || fields[0].Name != "software" || fields[1].Value != "Ann" {
		t.Errorf("got %v, %v", fields, err)
	}
	for _, none := range []string{arcFile, "", "text",
		warcFile[strings.Index(warcFile[1:], "WARC/1.0\r\nWARC-Type: resource")+1:]} {
		if fields, err := Info(strings.NewReader(none)); len(fields) != 0 || err != nil {
			t.Errorf("%.20q: got %v, %v", none, fields, err)
		}
	}
}

func TestWhereBlocksBegin(t *testing.T) {
	for _, packed := range []bool{false, true} {
		file := stored(t, warcFile, packed)
		r := NewReader(bytes.NewReader(file), nil)
		for _, want := range []string{"software: crawler 1\r\noperator: Ann\r\n", "abc"} {
			rec, err := r.Next()
			if err != nil {
				t.Fatal(err)
			}
			at := rec.Block.Inflated
			if got := warcFile[at : at+int64(len(want))]; got != want {
				t.Errorf("packed %v: a block begins with %q, want %q", packed, got, want)
			}
			if packed != (rec.Block.Within > 0) {
				t.Errorf("packed %v: %+v", packed, rec.Block)
			}
		}
	}
}

func TestCommentsAreNoFields(t *testing.T) {
	block := "software: Heritrix/3.4.0\r\n#added by NetarchiveSuite Version: 5.3\nharvestInfo.jobId: 7\r\n# and " +
		"nothing\r\n"
	file := "WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Type: application/warc-fields\r\nContent-Length: " +
		strconv.Itoa(len(block)) + "\r\n\r\n" + block + "\r\n\r\n"
	fields, err := Info(strings.NewReader(file))
	if err != nil || len(fields) != 2 || fields[1].Name != "harvestInfo.jobId" || fields[1].Value != "7" {
		t.Errorf("got %v, %v", fields, err)
	}
}

func stored(t *testing.T, file string, packed bool) []byte {
	t.Helper()
	if !packed {
		return []byte(file)
	}
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := io.WriteString(w, file)
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
