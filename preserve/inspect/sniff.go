package inspect

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"regexp"
	"strings"

	"quire/format/arc"
	"quire/format/inflate"
	"quire/format/warc"
)

// sniffWindow is how far into the inflated file a first record is looked for.
const sniffWindow = 64 << 10

// finishedName is how the names of containers end that a crawler is done with.
var finishedName = regexp.MustCompile(`(?i)\.(w?arc)(\.gz|\.zst)?$`)

// formatOfName is what the file should hold by its name, "" when the name does not say. A file of
// that name in which no record begins is a container that was lost: the reader of its format looks
// through all of it, and says so.
func formatOfName(name string) string {
	m := finishedName.FindStringSubmatch(name)
	if m == nil {
		return ""
	}
	return strings.ToUpper(m[1])
}

// Kind says what a file holds, from its present place: "WARC", "ARC" or "" when neither, and how it
// is compressed. The name decides where the content does not.
func Kind(name string, content io.Reader) (format string, compression inflate.Compression, err error) {
	in := inflate.NewReader(content, inflate.Options{Holds: holdsRecords})
	format, err = sniff(in)
	return cmp.Or(format, formatOfName(name)), in.Compression(), errors.Join(err, in.Close())
}

// sniff says what the file holds, "WARC", "ARC" or "" when neither. Junk before the first record
// does not hide it.
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

// holdsRecords says whether content that begins so is that of a container.
func holdsRecords(b []byte) bool { return formatOf(b[:min(len(b), sniffWindow)]) != "" }

// formatOf looks for a first record in b: at its beginning, of one of its lines or, of a WARC,
// anywhere when a field follows the version line. Many texts have lines that look like an ARC
// record, so behind the beginning only a version block counts.
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
