package wget

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"

	"quire/internal/archivefs"
	"quire/source/records"
)

// ownPrefix is the prefix of the URLs of Wget's records about itself, at the end of a set.
const ownPrefix = "metadata://gnu.org/software/wget/warc/"

// The names of those records.
const (
	ownManifest  = "MANIFEST.txt"
	ownArguments = "wget_arguments.txt"
	ownLog       = "wget.log"
)

const (
	smallContainer = 8 << 20  // bytes; a container up to this size is read from its beginning
	farthest       = 64 << 20 // bytes from the end of a larger one: a compressed log may need them
	step           = 1 << 20
)

// ownRecords finds Wget's records about itself in a container: the offset of each, by its name.
// They are the last records; a large container is searched from its end.
func ownRecords(c archivefs.Content, size int64) (map[string]int64, error) {
	if size <= smallContainer {
		return ownFromStart(c)
	}
	found := map[string]int64{}
	for to := size; to > 0 && size-to < farthest && found[ownManifest] == 0; to -= step {
		from := max(to-step, 0)
		b := make([]byte, min(to-from+int64(len(marks[0])), size-from))
		if _, err := c.ReadAt(b, from); err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		for _, m := range marks {
			for i := bytes.LastIndex(b, m); i >= 0; i = bytes.LastIndex(b[:i], m) {
				at := from + int64(i)
				name := ownAt(c, at, size)
				if _, known := found[name]; name != "" && !known {
					found[name] = at
				}
			}
		}
	}
	return found, nil
}

// marks are the possible first bytes of a record: a gzip member, or the record itself.
var marks = [][]byte{{0x1f, 0x8b, 8}, []byte("WARC/1.")}

// ownAt returns the name of Wget's own record at a place, or "".
func ownAt(c io.ReaderAt, at, size int64) string {
	var in io.Reader = io.NewSectionReader(c, at, size-at)
	var first [1]byte
	if _, err := c.ReadAt(first[:], at); err != nil {
		return ""
	}
	if first[0] == marks[0][0] {
		z, err := gzip.NewReader(in)
		if err != nil {
			return ""
		}
		in = z
	}
	var head [2 << 10]byte
	// a shorter record ends early; other data gives an error and few bytes
	n, _ := io.ReadFull(in, head[:])
	text := head[:n]
	i := bytes.Index(text, []byte(ownPrefix))
	if !bytes.HasPrefix(text, marks[1]) || i < 0 {
		return ""
	}
	name, _, _ := strings.Cut(string(text[i+len(ownPrefix):]), "\r\n")
	if blank := bytes.Index(text, []byte("\r\n\r\n")); blank >= 0 && blank < i {
		return "" // it is inside a block
	}
	return strings.TrimSuffix(name, ">")
}

func ownFromStart(c io.ReadSeeker) (map[string]int64, error) {
	found := map[string]int64{}
	r := records.NewReader(c, nil)
	for {
		rec, err := r.Next()
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, records.ErrNotContainer):
			return found, nil
		case err != nil:
			return nil, err
		}
		if name, ok := strings.CutPrefix(rec.URI, ownPrefix); ok {
			found[name] = rec.Offset
		}
	}
}

// place is the location of a text: in a file, or in a record of a container.
type place struct {
	Path   string
	Record string // its URL; "" for a file
	Offset int64  // of the record, or of its shared member
}

// open opens the text.
func (p place) open(t *archivefs.Tree) (io.ReadCloser, error) {
	c, err := t.Open(p.Path)
	if err != nil || p.Record == "" {
		return c, err
	}
	_, err = c.Seek(p.Offset, io.SeekStart)
	r := records.NewReader(c, nil)
	for err == nil {
		var rec *records.Record
		if rec, err = r.Next(); err == nil && rec.URI == p.Record {
			return block{rec, c}, nil
		}
	}
	return nil, errors.Join(err, c.Close())
}

// block is the content of a record; closing it closes the container.
type block struct {
	io.Reader
	io.Closer
}

// String returns the name of the place for evidence.
func (p place) String() string {
	if p.Record == "" {
		return p.Path
	}
	return "the record " + p.Record + " of " + p.Path
}
