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

// sniffWindow is how far into the inflated file a first record is searched.
const sniffWindow = 64 << 10

// finishedName matches the names of finished containers.
var finishedName = regexp.MustCompile(`(?i)\.(w?arc)(\.gz|\.zst)?$`)

// formatOfName returns the format that the name indicates, or "". A file with such a name but
// without a record is a lost container. The reader of its format reads the whole file and reports
// the loss.
func formatOfName(name string) string {
	m := finishedName.FindStringSubmatch(name)
	if m == nil {
		return ""
	}
	return strings.ToUpper(m[1])
}

// Kind returns the format of a file, read from its current position ("WARC", "ARC" or "" for
// neither), and its compression. The name decides if the content does not.
func Kind(name string, content io.Reader) (format string, compression inflate.Compression, err error) {
	in := inflate.NewReader(content, inflate.Options{Holds: holdsRecords})
	format, err = sniff(in, name)
	return cmp.Or(format, formatOfName(name)), in.Compression(), errors.Join(err, in.Close())
}

// sniff returns the format of the file: "WARC", "ARC" or "" for neither. Junk before the first
// record does not prevent this.
func sniff(in *inflate.Reader, name string) (string, error) {
	for {
		b, err := in.Peek(sniffWindow)
		if format := formatOf(b); format != "" {
			if format == "WARC" && isHeadlessARC(b, name) {
				format = "ARC"
			}
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

// isHeadlessARC reports whether b is the beginning of an ARC that lost its version block: the file has
// the name of an ARC, and a record of one begins before the first record of a WARC. Then the WARC is
// content.
func isHeadlessARC(b []byte, name string) bool {
	if formatOfName(name) != "ARC" {
		return false
	}
	i := arc.Index(b)
	return i >= 0 && i < warc.Index(b)
}

// HoldsRecords reports whether content that begins with b is the content of a container. It is the
// Holds of the pass in inflate.Options.
func HoldsRecords(b []byte) bool { return holdsRecords(b) }

// holdsRecords reports whether content that begins with b is the content of a container.
func holdsRecords(b []byte) bool { return formatOf(b[:min(len(b), sniffWindow)]) != "" }

// formatOf looks for a first record in b: at its beginning, or at a later line. A WARC record may
// begin anywhere if a field follows its version line. Many texts have lines that look like an ARC
// record, so after the beginning only a version block counts.
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
