package aip

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/gzip"

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
	z, err := gzip.NewReader(bufio.NewReaderSize(in, bufferSize))
	if err != nil {
		return nil, fmt.Errorf("%s is not in gzip: %w", name, err)
	}
	return &text{src: z, most: freeContent + contentPerByte*size, name: name}, nil
}

// Read implements io.Reader.
func (d *document) Read(p []byte) (int, error) { return d.text.Read(p) }

// Close closes the file.
func (d *document) Close() error { return d.file.Close() }

// text is the text of a document. Reading ends with an error beyond a number of bytes.
type text struct {
	src        io.Reader
	read, most int64
	name       string
}

// Read implements io.Reader.
func (t *text) Read(p []byte) (int, error) {
	n, err := t.src.Read(p)
	if t.read += int64(n); t.read > t.most {
		return 0, fmt.Errorf("%s unpacks to too many bytes", t.name)
	}
	return n, err
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
