package stored

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"

	"quire/format/http1"
	"quire/internal/disk"
	"quire/source/records"
)

// Place is where a record lies in a container, and what the one pass found there.
type Place struct {
	Type     string // of the record, as the pass told it: "response"; "" is not compared
	Offset   int64  // in the file as stored: of the member, when it lies alone in one
	Inflated int64  // in what the file holds when it is inflated
	Stored   int64  // bytes that it takes in the file; not positive when it does not lie alone in a member
	Head     int64  // bytes of the HTTP head; 0 when there is none
	Body     int64  // bytes of the block behind it, as they were sent
	SHA256   []byte // of these
}

// Record is one record of a container, read where it lies: its head, and then the body without
// transfer codings. At the end of the body its bytes are compared with those that the pass saw;
// when they are others, the reading ends with an error.
type Record struct {
	Head        *http1.Head // nil when it was no message of HTTP
	ContentType string      // of the block, as the record has it

	file   *os.File
	body   io.Reader
	sent   *checked
	member *member // nil when it is read by a reader of containers
}

// ErrOther says that a record is not there as it was when the pass saw it.
var ErrOther = errors.New("has other bytes than were stored")

// Open opens a record. The file is closed with it, but not when there is an error.
func Open(ctx context.Context, f *os.File, p *Place) (*Record, error) {
	s := &Record{file: f}
	var block io.Reader
	if s.member = openMember(ctx, f, p); s.member != nil {
		s.ContentType, block = s.member.contentType, s.member.out
	} else {
		rec, err := seek(ctx, f, p)
		if err != nil {
			return nil, err
		}
		s.ContentType, block = rec.ContentType, rec
	}
	err := s.begin(block, p)
	if err != nil {
		s.letGo()
		return nil, err
	}
	return s, nil
}

// begin reads the head, and makes the body ready.
func (s *Record) begin(block io.Reader, p *Place) error {
	if p.Head > http1.MaxHead { // no pass tells that: who made the package may have written it so (preserve/cdxj)
		return fmt.Errorf("the head %w: it would have %d bytes", ErrOther, p.Head)
	}
	if p.Head > 0 {
		text := make([]byte, p.Head)
		if _, err := io.ReadFull(block, text); err != nil {
			return fmt.Errorf("reading the head: %w", short(err))
		}
		head, n, err := http1.ParseHead(text, http1.Response, nil)
		if err != nil || int64(n) != p.Head {
			return fmt.Errorf("the head %w", ErrOther)
		}
		s.Head = &head
	}
	s.sent = &checked{r: io.LimitReader(block, p.Body), sum: sha256.New(), left: p.Body, want: p.SHA256}
	if s.body = s.sent; s.Head != nil && s.Head.Chunked() {
		s.body = (&http1.Message{Head: s.Head, Body: s.sent}).Payload()
	}
	return nil
}

// letGo gives the buffers back. Nothing is read any more.
func (s *Record) letGo() {
	s.body, s.sent = errorReader{}, &checked{r: errorReader{}}
	if s.member != nil {
		s.member.release()
		s.member = nil
	}
}

// errorReader is what is left of a record that was closed.
type errorReader struct{}

// Read implements io.Reader.
func (errorReader) Read([]byte) (int, error) { return 0, os.ErrClosed }

// seek finds the record. One that has a member of its own, or lies in a file that is not
// compressed, is found at once; for another the file is read up to it.
func seek(ctx context.Context, f *os.File, p *Place) (*records.Record, error) {
	var at int64
	content := io.ReadSeeker(f)
	if alone := p.Stored > 0; alone {
		content = stretch(f, p.Offset, p.Stored)
	} else {
		at = p.Inflated
	}
	r := records.NewReader(struct {
		io.Reader
		io.Seeker
	}{&disk.Counted{Ctx: ctx, From: content}, content}, nil)
	for {
		rec, err := r.Next()
		if err != nil {
			return nil, fmt.Errorf("finding the record: %w", short(err))
		}
		if rec.InflatedOffset < at {
			continue
		}
		if p.Type != "" && rec.Type != p.Type || at > 0 && rec.InflatedOffset != at {
			return nil, fmt.Errorf("the record %w", ErrOther)
		}
		return rec, nil
	}
}

// short is the error of what ends too early.
func short(err error) error {
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("it %w: it ends too early", ErrOther)
	}
	return err
}

// Alone is the stretch of a container in which one record lies alone, to be read like a container
// of its own.
func Alone(f *os.File, p *Place) io.ReadSeeker { return stretch(f, p.Offset, p.Stored) }

// stretch is a stretch of a file that can be inflated by itself. A Zstandard file may begin with
// the dictionary that its frames need (IIPC, "Zstandard compression of WARC"): then that comes
// first.
func stretch(f *os.File, offset, length int64) io.ReadSeeker {
	head := make([]byte, 8)
	if _, err := f.ReadAt(head, 0); err == nil && offset > 0 && binary.LittleEndian.Uint32(head) == dictionaryFrame {
		if before := int64(len(head)) + int64(binary.LittleEndian.Uint32(head[4:])); before <= maxDictionary &&
			before <= offset {
			dictionary := make([]byte, before)
			if _, err := f.ReadAt(dictionary, 0); err == nil {
				return io.NewSectionReader(&behind{bytes.NewReader(dictionary), f, before, offset}, 0, before+length)
			}
		}
	}
	return io.NewSectionReader(f, offset, length)
}

// The skippable frame that holds a dictionary, and the most that one has.
const (
	dictionaryFrame = 0x184d2a5d
	maxDictionary   = 64 << 20
)

// behind is a beginning, and behind it a file from a place on.
type behind struct {
	first  io.ReaderAt
	rest   io.ReaderAt
	length int64 // of the first
	offset int64 // in the rest
}

// ReadAt implements io.ReaderAt.
func (b *behind) ReadAt(p []byte, at int64) (n int, err error) {
	if at < b.length {
		n, err = b.first.ReadAt(p[:min(int64(len(p)), b.length-at)], at)
		if err != nil || n == len(p) {
			return n, err
		}
	}
	m, err := b.rest.ReadAt(p[n:], b.offset+at+int64(n)-b.length)
	return n + m, err
}

// Read implements io.Reader.
func (s *Record) Read(p []byte) (int, error) {
	n, err := s.body.Read(p)
	var cut *http1.ChunkError
	if errors.As(err, &cut) { // it was captured so: what came is all there is, if it is what was captured
		err = io.EOF
	}
	if errors.Is(err, io.EOF) {
		if wrong := s.sent.finish(); wrong != nil {
			err = wrong
		}
	}
	return n, err
}

// Name is the path of the file on the disk.
func (s *Record) Name() string { return s.file.Name() }

// Close implements io.Closer.
func (s *Record) Close() error {
	s.letGo()
	return s.file.Close()
}

// checked digests what is read.
type checked struct {
	r    io.Reader
	sum  hash.Hash
	left int64
	want []byte
}

// Read implements io.Reader.
func (c *checked) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.sum.Write(p[:n]) // a hash never fails
	c.left -= int64(n)
	return n, err
}

// finish reads what is left, and compares.
func (c *checked) finish() error {
	if _, err := io.Copy(io.Discard, struct{ io.Reader }{c}); err != nil {
		return err
	}
	if c.left != 0 || !bytes.Equal(c.sum.Sum(nil), c.want) {
		return fmt.Errorf("the body %w (SHA-256)", ErrOther)
	}
	return nil
}
