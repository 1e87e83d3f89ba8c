package inspect

import (
	"bytes"
	"errors"
	"io"

	"quire/format/arc"
	"quire/format/inflate"
	"quire/format/warc"
)

// sniffWindow is how far into the inflated file a first record is looked for.
const sniffWindow = 64 << 10

// sniff says what the file holds, "WARC", "ARC" or "" when neither. Junk before the first record does not hide it.
func sniff(in *inflate.Reader) (string, error) {
	for {
		b, err := in.Peek(sniffWindow)
		if format := formatOf(b); format != "" {
			return format, nil
		}
		var d *inflate.Damage
		switch {
		case errors.As(err, &d) && len(b) < sniffWindow:
			if err := in.Resume(); err != nil {
				return "", err
			}
		case err == nil, errors.Is(err, io.EOF):
			return "", nil
		default:
			return "", err
		}
	}
}

// formatOf looks for a first record in b: at its beginning, of one of its lines or, of a WARC, anywhere when a field
// follows the version line. Many texts have lines that look like an ARC record, so behind the beginning only a version block
// counts.
func formatOf(b []byte) string {
	if arc.Sniff(b) {
		return "ARC"
	}
	w, a := warc.Index(b), bytes.Index(b, []byte("\nfiledesc://"))
	switch {
	case w >= 0 && (a < 0 || w < a):
		return "WARC"
	case a >= 0:
		return "ARC"
	}
	return ""
}
