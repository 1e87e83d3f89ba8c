package aip

import (
	"bufio"
	"errors"
	"io"
	"os"

	"quire/preserve/cdxj"
)

// judge checks that a file exists with the stated size and SHA-512, and that its parts are in it.
// If the size is wrong, no byte is read: the digest cannot match, and the file may be very large.
func (p *digestPool) judge(l *listed, readable bool, parts <-chan []placed) *breach {
	f, err := openRegular(p.v.root, l.path)
	if err != nil {
		return notThere(l.path, err)
	}
	defer f.Close() //nolint:errcheck // it was only read
	info, err := f.Stat()
	switch {
	case err != nil:
		return breaks(CodeFileRead, l.path, "cannot be read: %v", err)
	case l.size >= 0 && info.Size() != l.size:
		return breaks(CodeFileSize, l.path, "has %d bytes; %s says %d", info.Size(), METSName, l.size)
	}
	r := &pass{pool: p, listed: l, parts: parts, readable: readable, left: freeContent + contentPerByte*info.Size(),
		itemized: p.itemized && l.use == UseContainers && l.sha512 != ""}
	if l.sha512 == "" && r.peek() == nil {
		return nil // already reported
	}
	return r.read(f, info.Size())
}

// pass reads a file once: all bytes for its digest, and its parts as they pass.
type pass struct {
	pool     *digestPool
	listed   *listed
	parts    <-chan []placed
	batch    []placed
	readable bool // its transformations can be undone

	shop *decoderPool
	left int64 // content bytes that may still be decoded

	itemized bool         // each record of the file has an element
	top      int64        // where the last part directly in the file begins
	record   *recordCheck // the record whose bytes pass; nil if none
	check    recordCheck  // reused for each record
	gap      []byte       // reused for each gap between parts
}

// The limits of decoding a file: a number of bytes, and a multiple of its own size. Without them, a
// few bytes of nested compressions could take years to read.
const (
	freeContent    = 1 << 30
	contentPerByte = 200
)

func (r *pass) read(f *os.File, size int64) *breach {
	p, l := r.pool, r.listed
	source := &watched{v: p.v, src: f}
	in := newDigested(io.LimitReader(source, size+1)) // a file may grow while it is read
	if r.peek() != nil || r.itemized {
		r.shop = newWorkshop(func() io.Reader { return io.NewSectionReader(f, 0, size) })
		defer r.shop.close()
		e := &element{id: l.id, transforms: l.transforms}
		if r.peek() == nil { // records are searched in the file as stored: its members decide which have bounds
			e.transforms, l.transforms = nil, nil
		}
		r.partsOf(bufio.NewReaderSize(in, bufferSize), e, r.readable, 0)
	}
	var header *cdxj.Header
	var sums *lineSums
	var noLines *breach
	if l.use == UseIndexes {
		header, sums, noLines = checkLines(in, l.path)
	}
	buf := p.buffer()
	_, err := io.CopyBuffer(io.Discard, onlyReader{in}, buf)
	p.buffers.Put(&buf)
	p.files.Add(1)
	p.bytes.Add(in.size)
	switch {
	case p.v.ctx.Err() != nil:
		return nil
	case source.err != nil:
		return breaks(CodeFileRead, l.path, "cannot be read beyond byte %d: %v", in.size, source.err)
	case err != nil:
		return breaks(CodeFileRead, l.path, "cannot be read beyond byte %d: %v", in.size, err)
	case in.size != size:
		return breaks(CodeFileSize, l.path, "changed while it was read: it had %d bytes", size)
	case l.sha512 != "" && in.hex() != l.sha512:
		return breaks(CodeFileDigest, l.path, "has SHA-512 %s; %s says %s", in.hex(), METSName, l.sha512)
	}
	if l.use == UseIndexes {
		p.indexes.lines(l, header, sums)
	}
	return noLines
}

// notThere reports why a listed file could not be opened.
func notThere(path string, err error) *breach {
	var kind kindError
	switch {
	case errors.As(err, &kind):
		return breaks(CodeFileMissing, path, "is missing: %v", kind)
	case isMissing(err):
		return breaks(CodeFileMissing, path, "is missing; %s lists it", METSName)
	}
	return breaks(CodeFileRead, path, "cannot be opened: %v", err)
}

// onlyReader hides other methods of a reader, so io.CopyBuffer uses the buffer.
type onlyReader struct{ io.Reader }
