package aip

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"quire/format/fault"
	"quire/format/gzipmember"
	"quire/format/http1"
	"quire/format/httpcoding"
	"quire/format/zstdframe"
	"quire/metadata/mets"
)

// The values of TRANSFORMALGORITHM (clause 2.8): compressions of a file, and codings of HTTP.
const (
	algorithmGzip    = "application/gzip"
	algorithmZstd    = "application/zstd"
	algorithmChunked = "chunked"
)

// maxTransforms is how many transformations of one file are undone: chunked, two content codings,
// and one spare.
const maxTransforms = 4

// transformsOf lists the transformations to undo, in TRANSFORMORDER. why is the reason if they
// cannot be undone.
func transformsOf(f *mets.File) (algorithms []string, why string) {
	if len(f.Transforms) == 0 {
		return nil, ""
	}
	if len(f.Transforms) > maxTransforms {
		return nil, fmt.Sprintf("has %d transformations; at most %d are undone", len(f.Transforms), maxTransforms)
	}
	sorted := f.Transforms
	if len(sorted) > 1 {
		sorted = slices.Clone(sorted)
		slices.SortStableFunc(sorted, func(a, b mets.Transform) int { return int(min(max(a.Order-b.Order, -1), 1)) })
	}
	for i, t := range sorted {
		a := strings.ToLower(t.Algorithm)
		switch {
		case i > 0 && sorted[i-1].Order == t.Order:
			return nil, fmt.Sprintf("has two transformations of TRANSFORMORDER %d", t.Order)
		case t.Type != "decompression":
			return nil, fmt.Sprintf("has a transformation of the type %q, which cannot be undone", clip(t.Type))
		case a != algorithmGzip && a != algorithmZstd && a != algorithmChunked &&
			(a == "identity" || !httpcoding.Known(a)):
			return nil, fmt.Sprintf("has the TRANSFORMALGORITHM %q, which is not known here", clip(t.Algorithm))
		}
		algorithms = append(algorithms, a)
	}
	return algorithms, ""
}

// undoing reads the bytes of a file with one transformation undone. It is reused for other files.
// Damaged input is decoded as far as possible; then the bytes end.
type undoing interface {
	restart(from io.Reader)
	io.Reader
	wrong() string // why the bytes ended early; "" if they did not, or were not read to the end
	flawed() bool  // bytes so far are damaged, though they did not end: a member has another checksum
	close()
}

// decoderPool undoes transformations. It keeps decoders for reuse, and is not safe for concurrent use.
type decoderPool struct {
	free map[string][]undoing
	head func() io.Reader // the start of the file on disk, with the dictionary of zstd frames
}

func newWorkshop(head func() io.Reader) *decoderPool {
	return &decoderPool{free: map[string][]undoing{}, head: head}
}

// decodedFile is a file with all its transformations undone.
type decodedFile struct {
	io.Reader
	shop  *decoderPool
	steps []undoing // the first is the outermost
	names []string
}

// undo returns the content below the transformations, which transformsOf has accepted. The caller
// releases it.
func (s *decoderPool) undo(algorithms []string, from io.Reader) *decodedFile {
	u := &decodedFile{Reader: from, shop: s, names: algorithms}
	for _, a := range algorithms {
		step := s.take(a)
		step.restart(u.Reader)
		u.steps, u.Reader = append(u.steps, step), step
	}
	return u
}

func (s *decoderPool) take(algorithm string) undoing {
	if free := s.free[algorithm]; len(free) > 0 {
		last := len(free) - 1
		s.free[algorithm] = free[:last]
		return free[last]
	}
	switch algorithm {
	case algorithmGzip:
		return &gunzip{}
	case algorithmZstd:
		return &unzstd{head: s.head}
	case algorithmChunked:
		return newDechunk()
	}
	return &decode{coding: algorithm, decoder: httpcoding.NewDecoder()}
}

// release returns the decoders to the workshop.
func (u *decodedFile) release() {
	for i, step := range u.steps {
		u.shop.free[u.names[i]] = append(u.shop.free[u.names[i]], step)
	}
	u.steps = nil
}

// wrong returns why there are no more bytes, or "" at the regular end.
func (u *decodedFile) wrong() string {
	for _, step := range u.steps {
		if why := step.wrong(); why != "" {
			return why
		}
	}
	return ""
}

// flawed reports whether a transformation met damage that did not end the bytes.
func (u *decodedFile) flawed() bool {
	return slices.ContainsFunc(u.steps, func(step undoing) bool { return step.flawed() })
}

// close frees everything.
func (s *decoderPool) close() {
	for _, free := range s.free {
		for _, step := range free {
			step.close()
		}
	}
	clear(s.free)
}

// gunzip undoes application/gzip, one member after the other, as far as they can be inflated.
type gunzip struct {
	members *gzipmember.Reader
	err     error
	inside  bool
	damaged bool
}

func (g *gunzip) restart(from io.Reader) {
	if g.members == nil {
		g.members = gzipmember.NewReader(from, gzipmember.Options{Report: g.fault})
	} else {
		g.members.Restart(from)
	}
	g.err, g.inside, g.damaged = nil, false, false
}

func (g *gunzip) fault(f fault.Fault) { g.damaged = g.damaged || !harmless[f.Code] }

func (g *gunzip) flawed() bool { return g.damaged }

// Read implements io.Reader.
func (g *gunzip) Read(p []byte) (n int, err error) {
	return readMembers(p, &g.inside, &g.err, g.members, func() error { _, err := g.members.Next(); return err })
}

// readMembers continues reading in the current member or frame, or in the next.
func readMembers(p []byte, inside *bool, ended *error, from io.Reader, next func() error) (int, error) {
	for *ended == nil {
		if !*inside {
			if *ended = next(); *ended != nil {
				break
			}
			*inside = true
		}
		n, err := from.Read(p)
		if err != nil {
			*inside = false
			if !errors.Is(err, io.EOF) {
				*ended = err
			}
		}
		if n > 0 || len(p) == 0 {
			return n, nil
		}
	}
	return 0, io.EOF
}

func (g *gunzip) wrong() string { return damageOf(g.err) }

func (g *gunzip) close() {}

// damageOf returns why a compression was not read to its end.
func damageOf(err error) string {
	if err == nil || errors.Is(err, io.EOF) {
		return ""
	}
	return err.Error()
}

// unzstd undoes application/zstd, one frame after the other, with the dictionary at the start of
// the file on disk.
type unzstd struct {
	head   func() io.Reader
	frames *zstdframe.Reader
	err    error
	inside bool

	damaged bool
}

func (z *unzstd) restart(from io.Reader) {
	if z.frames == nil {
		z.frames = zstdframe.NewReader(z.head(), zstdframe.Options{Report: z.fault})
		_, _ = z.frames.Next() // for the dictionary; errors in it show when a frame needs it
	}
	z.frames.Restart(from)
	z.err, z.inside, z.damaged = nil, false, false
}

func (z *unzstd) fault(f fault.Fault) { z.damaged = z.damaged || f.Code != zstdframe.FaultEmptyFrame }

// Read implements io.Reader.
func (z *unzstd) Read(p []byte) (int, error) {
	return readMembers(p, &z.inside, &z.err, z.frames, func() error { _, err := z.frames.Next(); return err })
}

func (z *unzstd) wrong() string { return damageOf(z.err) }

func (z *unzstd) flawed() bool { return z.damaged }

func (z *unzstd) close() { _ = z.frames.Close() } // it frees memory only

// decode undoes a content coding.
type decode struct {
	coding  string
	decoder *httpcoding.Decoder
	from    io.Reader
	ended   bool
}

func (d *decode) restart(from io.Reader) {
	d.from, _ = d.decoder.Pull([]string{d.coding}, from) // the coding is known
	d.ended = false
}

// Read implements io.Reader.
func (d *decode) Read(p []byte) (int, error) {
	n, err := d.from.Read(p)
	d.ended = d.ended || err != nil
	return n, err
}

func (d *decode) wrong() string {
	if !d.ended || d.decoder.Decoded() {
		return ""
	}
	return "it is not coded in " + d.coding + " to its end"
}

func (d *decode) flawed() bool { return false }

func (d *decode) close() { d.decoder.Stop() }

// dechunk undoes the chunked coding.
type dechunk struct {
	from   io.Reader
	chunks *http1.Dechunker
	in     []byte
	out    []byte // not returned yet; at most as long as the bytes read
	made   []byte // the buffer of out
	err    error
}

func newDechunk() *dechunk {
	d := &dechunk{in: make([]byte, 16<<10)}
	d.chunks = http1.NewDechunker(d)
	return d
}

func (d *dechunk) restart(from io.Reader) {
	d.from, d.out, d.made, d.err = from, nil, d.made[:0], nil
	d.chunks.Reset(d)
}

// Write takes content from the Dechunker.
func (d *dechunk) Write(p []byte) (int, error) {
	d.made = append(d.made, p...)
	return len(p), nil
}

// Read implements io.Reader.
func (d *dechunk) Read(p []byte) (int, error) {
	for len(d.out) == 0 && d.err == nil {
		d.made = d.made[:0]
		n, err := d.from.Read(d.in)
		if n > 0 {
			_, d.err = d.chunks.Write(d.in[:n])
		}
		if err != nil && d.err == nil {
			d.err = d.chunks.Close()
			if d.err == nil {
				d.err = io.EOF
			}
		}
		d.out = d.made
	}
	n := copy(p, d.out)
	d.out = d.out[n:]
	if n == 0 && d.err != nil && len(p) > 0 {
		return 0, io.EOF
	}
	return n, nil
}

func (d *dechunk) wrong() string { return damageOf(d.err) }

func (d *dechunk) flawed() bool { return false }

func (d *dechunk) close() {}
