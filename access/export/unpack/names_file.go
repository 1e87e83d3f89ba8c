package unpack

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// NamesName is the usual name of the list of file names.
const NamesName = "names.jsonl"

// WriteName writes a line of the list of files: JSON with file name, URL, capture time, media type
// and SHA-256.
func WriteName(w io.Writer, f *File) error {
	line, err := json.Marshal(struct {
		Name      string `json:"name"`
		URL       string `json:"url"`
		Timestamp string `json:"timestamp"`
		MIME      string `json:"mime"`
		SHA256    string `json:"sha256"`
	}{f.Name, Printable(f.URL), f.Timestamp, f.MIME, f.SHA256})
	if err != nil {
		return err
	}
	_, err = w.Write(append(line, '\n'))
	return err
}

// Printable percent-encodes the parts of a URL that are not printable UTF-8: control characters and
// invalid bytes.
func Printable(url string) string {
	var b strings.Builder
	for i, r := range url {
		switch {
		case r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0:
			for _, c := range []byte(string(r)) {
				fmt.Fprintf(&b, "%%%02X", c)
			}
		case r == '\uFFFD' && !strings.HasPrefix(url[i:], "\uFFFD"):
			fmt.Fprintf(&b, "%%%02X", url[i])
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
