package aip

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/gzip"

	"quire/format/fault"
	"quire/format/gzipmember"
	"quire/metadata/mets"
)

// document is an open METS document below [METSDir], which is stored in gzip (clause 2.18).
type document struct {
	file *os.File
	text *text
}

// openDocument opens a METS document of the package. It reads at most as many bytes as the parts of
// a file may have (clause 4): see [pass].
func openDocument(root *os.Root, name string) (*document, error) {
	f, err := openRegular(root, name)
	if err != nil {
		return nil, notThere(name, err)
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	text, err := unzipped(f, info.Size(), name)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &document{f, text}, nil
}

// unzipped returns the text of a document of that size.
func unzipped(in io.Reader, size int64, name string) (*text, error) {
	t := &text{most: freeContent + contentPerByte*size, name: name, buffer: make([]byte, bufferSize)}
	t.members = gzipmember.NewReader(in, gzipmember.Options{Report: t.fault})
	if first, err := t.members.Next(); err != nil || first.Offset > 0 {
		return nil, fmt.Errorf("%s is not in gzip: %w", name, cmp.Or(err, t.wrong))
	}
	return t, nil
}

// Read implements io.Reader.
func (d *document) Read(p []byte) (int, error) { return d.text.Read(p) }

// Close closes the file.
func (d *document) Close() error { return d.file.Close() }

// text is the text of a document. Damaged gzip is an error, and so is a text beyond a number of bytes.
type text struct {
	members *gzipmember.Reader
	wrong   error  // the first fault of the gzip that is not harmless
	buffer  []byte // inflated bytes, which the data may still refer to
	at      int    // after the last inflated byte
	rest    []byte // of buffer, not returned yet
	ended   bool   // the current member ended
	err     error  // follows rest

	read, most int64
	name       string
}

func (t *text) fault(f fault.Fault) {
	if t.wrong == nil && (!harmless[f.Code] || f.Code == gzipmember.FaultPadding) {
		t.wrong = f
	}
}

// Read implements io.Reader.
func (t *text) Read(p []byte) (int, error) {
	for len(t.rest) == 0 {
		if t.err != nil {
			return 0, t.err
		}
		t.err = t.inflate()
	}
	n := copy(p, t.rest)
	t.rest = t.rest[n:]
	if t.read += int64(n); t.read > t.most {
		return 0, fmt.Errorf("%s unpacks to too many bytes", t.name)
	}
	return n, nil
}

// inflate inflates more of the current member, or goes to the next.
func (t *text) inflate() error {
	if t.ended {
		if _, err := t.members.Next(); err != nil || t.wrong != nil {
			return cmp.Or(t.wrong, err)
		}
		t.ended, t.at = false, 0
	}
	if t.at == len(t.buffer) {
		t.at = copy(t.buffer, t.buffer[len(t.buffer)-gzipmember.Window:])
	}
	n, err := t.members.ReadInto(t.buffer, t.at)
	t.rest = t.buffer[t.at:][:n]
	t.at += n
	if t.ended = errors.Is(err, io.EOF); t.ended {
		return nil
	}
	return err
}

// ReadDocument reads a METS document below [METSDir] of the package in dir.
func ReadDocument(dir, name string, h mets.Handler) error {
	root, err := openFolder(dir)
	if err != nil {
		return err
	}
	defer root.Close() //nolint:errcheck // it was only read
	d, err := openDocument(root, name)
	if err != nil {
		return err
	}
	defer d.Close() //nolint:errcheck // it was only read
	return mets.Read(d, h)
}

// CopyDocument writes the text of a METS document below [METSDir] of the package in dir to out.
func CopyDocument(out io.Writer, dir, name string) error {
	root, err := openFolder(dir)
	if err != nil {
		return err
	}
	defer root.Close() //nolint:errcheck // it was only read
	d, err := openDocument(root, name)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, d)
	return errors.Join(err, d.Close())
}

// WriteDocument writes a METS document as it is stored below [METSDir], in gzip, and records its size
// and digest.
func WriteDocument(out io.Writer, d *MadeFile, content func(io.Writer) error) error {
	return d.Write(out, func(out io.Writer) error {
		z, err := gzip.NewWriterLevel(out, documentLevel)
		if err != nil {
			return err
		}
		return errors.Join(content(z), z.Close())
	})
}

// documentLevel is the level of compression. These documents repeat themselves; on the pages of a
// crawl with 2.3 million links, level 5 takes a sixth more time than level 3 and writes 7 % less.
const documentLevel = 5
