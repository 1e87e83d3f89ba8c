package arc

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"quire/format/inflate"
)

// TestEveryByteIsShownOnce reassembles lines, blocks and the bytes between them: together they are
// the whole inflated file, in order.
func TestEveryByteIsShownOnce(t *testing.T) {
	page := recA + "\n"
	for name, parts := range map[string][]string{
		"sound":                             {v1 + "\n" + page + recB + "\n"},
		"CRLF":                              {v1 + "\r\n" + urlA + length + "5\r\nhello\r\n" + page},
		"garbage around":                    {"garbage\n" + v1 + "\n\n" + page + "garbage\n" + page + "garbage"},
		"no newline between":                {v1 + "\n" + recA + recB},
		"records found in a finished block": {v1 + "\n" + urlA + length + "90000\nhello\n" + strings.Repeat(page, 3000)},
		"a line without an end":             {v1 + "\n" + urlA + length + "5"},
		"members":                           {v1 + "\n", page, "\n" + page, "garbage"},
		"a record over members":             {v1 + "\n", page[:len(page)-3], page[len(page)-3:], page},
		"lengths that are none":             {v1 + "\n", urlA + length + "-\nhello\n", page},
		"a version block without a length": {strings.Replace(v1, " 76\n", " x\n", 1) + "\n",
			"dns:a.org 192.0.2.1 2025110110000x text/dns 5\nhello\n"},
	} {
		t.Run(name, func(t *testing.T) {
			file := strings.Join(parts, "")
			sameAgain(t, strings.NewReader(file), file)
			sameAgain(t, bytes.NewReader(members(t, parts...)), file)
		})
	}
}

func sameAgain(t *testing.T, file io.Reader, want string) {
	t.Helper()
	var got bytes.Buffer
	r := NewReader(inflate.NewReader(file, inflate.Options{}))
	r.Between = func(b []byte) { got.Write(b) }
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		got.WriteString(rec.Line + rec.LineEnd)
		before := got.Len()
		if _, err := rec.WriteTo(&got); err != nil {
			t.Fatal(err)
		}
		got.Truncate(before + int(rec.BlockSize()))
		if h, ok := ParseLine(rec.Line); !ok || h != rec.Header {
			t.Errorf("line %q is read again as %+v, %v", rec.Line, h, ok)
		}
	}
	if got.String() != want {
		t.Errorf("%d bytes, want %d: %.300q", got.Len(), len(want), got.String())
	}
}
