package nas

import (
	"bytes"
	"errors"
	"io"
	"math"
	"sync"
	"time"

	"quire/format/inflate"
	"quire/internal/archivefs"
	"quire/model"
)

// document is one record of a metadata file.
type document struct {
	in       *container
	url      documentURL
	uri      string // as written
	path     string // path among the documents of the harvest
	offset   int64  // of the record in the file, or of its member
	block    inflate.Position
	size     int64 // number of bytes present
	stated   int64 // number of bytes expected
	modified time.Time

	superseded bool // a later record has a newer version
}

// inRecord returns the location of the document.
func (d *document) inRecord() *model.InRecord {
	return &model.InRecord{Container: d.in.path, URI: d.uri, Offset: d.offset}
}

// place returns the name of the document for evidence.
func (d *document) place() string { return d.uri + " in " + d.in.path }

// part returns the document as a file of a Tree.
func (d *document) part() archivefs.Part {
	return archivefs.Part{File: archivefs.File{Path: d.path, Size: d.size, Modified: d.modified}, Open: d.open}
}

// open reads the document in place: a section of a plain file, or an inflated one.
func (d *document) open() (archivefs.Content, error) {
	if d.size == 0 {
		return borrowed{SectionReader: io.NewSectionReader(bytes.NewReader(nil), 0, 0)}, nil
	}
	if d.in.packed {
		return archivefs.Streamed(d.size, d.inflate), nil
	}
	content, err := d.in.acquire()
	if err != nil {
		return nil, err
	}
	return borrowed{io.NewSectionReader(content, d.block.File, d.size), sync.OnceValue(d.in.release)}, nil
}

// borrowed is a section of a shared file.
type borrowed struct {
	*io.SectionReader
	release func() error
}

// Close implements io.Closer. Further calls do nothing.
func (b borrowed) Close() error {
	if b.release == nil {
		return nil
	}
	return b.release()
}

// inflate starts at the member with the beginning of the block.
func (d *document) inflate() (io.ReadCloser, error) {
	content, err := d.in.acquire()
	if err != nil {
		return nil, err
	}
	in := inflate.NewReader(io.NewSectionReader(content, d.block.File, math.MaxInt64-d.block.File), inflate.Options{})
	for left := d.block.Within; left > 0 && err == nil; {
		var chunk []byte
		chunk, err = in.Chunk(left)
		left -= int64(len(chunk))
	}
	closing := sync.OnceValue(func() error { return errors.Join(in.Close(), d.in.release()) })
	if err != nil {
		return nil, errors.Join(err, closing())
	}
	return inflated{in, closing}, nil
}

// inflated is an inflated stream that releases its file.
type inflated struct {
	io.Reader
	close func() error
}

// Close implements io.Closer.
func (i inflated) Close() error { return i.close() }
