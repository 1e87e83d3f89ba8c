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
	"math"
	"os"

	"quire/format/http1"
	"quire/format/inflate"
	"quire/internal/disk"
	"quire/source/records"
)

// Place is the location of a record in a container, with the values that the pass over the
// container recorded.
type Place struct {
	Type     string // record type from the pass: "response"; "" is not compared
	Offset   int64  // in the file as stored: of the member, if the record is alone in it
	Inflated int64  // in the inflated content of the file
	Stored   int64  // bytes in the file; not positive if the record is not alone in a member
	Head     int64  // bytes of the HTTP head; 0 without one
	Body     int64  // bytes of the block after it, as sent
	SHA256   []byte // of these bytes
}

// Record is one record of a container, read in place: its head, then the body without transfer
// codings. At the end of the body, its digest is compared with the one that the pass recorded. If
// they differ, reading ends with an error.
type Record struct {
	Head        *http1.Head // nil if the record is not an HTTP message
	ContentType string      // of the block, from the record

	file   *os.File
	body   io.Reader
	sent   *checked
	member *member // nil if a container reader reads it
	parts  *parts  // of a segmented record
}

// ErrOther reports that a record differs from the record that the pass read.
var ErrOther = errors.New("has different bytes than were stored")

// Open opens a record. Closing the record closes the file; after an error, the caller closes it.
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
		s.releaseBuffers()
		return nil, err
	}
	return s, nil
}

// Within is Open for the block of a record that the caller reads anyway. Closing the result does not
// close the block.
func Within(block io.Reader, contentType string, p *Place) (*Record, error) {
	s := &Record{ContentType: contentType}
	return s, s.begin(block, p)
}

// begin reads the head, and prepares the body.
func (s *Record) begin(block io.Reader, p *Place) error {
	if p.Head > http1.MaxHead { // no pass records this; a foreign package may (preserve/cdxj)
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

// releaseBuffers releases the buffers. Later reads fail.
func (s *Record) releaseBuffers() {
	s.body, s.sent = errorReader{}, &checked{r: errorReader{}}
	if s.member != nil {
		s.member.release()
		s.member = nil
	}
}

// errorReader replaces the content of a closed record.
type errorReader struct{}

// Read implements io.Reader.
func (errorReader) Read([]byte) (int, error) { return 0, os.ErrClosed }

// seek finds the record. It finds a record directly if it has its own member or the file is
// uncompressed; otherwise it reads the file up to it.
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
		if p.Stored > 0 && r.Compression() == inflate.Gzip && !fills(f, p, rec) {
			return nil, fmt.Errorf("the record %w: its member is not at this place", ErrOther)
		}
		return rec, nil
	}
}

// fills reports whether the gzip member of a record begins and ends where the place says. The reader of members also
// reads one whose header is damaged or lacks bytes. Then a place inside the header would do, too; but its last bytes
// are not the size of the record, with which a member ends (RFC 1952, 2.3.1).
func fills(f *os.File, p *Place, rec *records.Record) bool {
	var head, size [4]byte
	if _, err := f.ReadAt(head[:], p.Offset); err != nil {
		return false
	}
	if string(head[:3]) == memberMagic {
		return true
	}
	if _, err := f.ReadAt(size[:], p.Offset+p.Stored-int64(len(size))); err != nil {
		return false
	}
	const separators = 16 // bytes: two CRLF behind the block, or what stands there
	least := rec.Block.Within + rec.ContentLength
	n := int64(binary.LittleEndian.Uint32(size[:]))
	return least <= n && n <= least+separators || least > math.MaxUint32
}

// short returns the error for content that ends too early.
func short(err error) error {
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("it %w: it ends too early", ErrOther)
	}
	return err
}

// Alone returns the part of a container with one record that is alone there. It can be read like a
// container.
func Alone(f *os.File, p *Place) io.ReadSeeker { return stretch(f, p.Offset, p.Stored) }

// stretch returns a part of a file that can be inflated separately. A Zstandard file may begin with
// the dictionary that its frames need (IIPC, "Zstandard compression of WARC"). The dictionary then
// comes first.
func stretch(f *os.File, offset, length int64) io.ReadSeeker {
	head := make([]byte, 8)
	if _, err := f.ReadAt(head, 0); err == nil && offset > 0 && binary.LittleEndian.Uint32(head) == dictionaryFrame {
		if before := int64(len(head)) + int64(binary.LittleEndian.Uint32(head[4:])); before <= maxDictionary &&
			before <= offset {
			dictionary := make([]byte, before)
			if _, err := f.ReadAt(dictionary, 0); err == nil {
				return io.NewSectionReader(&joinedReaderAt{bytes.NewReader(dictionary), f, before, offset}, 0, before+length)
			}
		}
	}
	return io.NewSectionReader(f, offset, length)
}

// The skippable frame that holds a dictionary, and its maximum size.
const (
	dictionaryFrame = 0x184d2a5d
	maxDictionary   = 64 << 20
)

// joinedReaderAt joins a first part with a file from an offset on.
type joinedReaderAt struct {
	first  io.ReaderAt
	rest   io.ReaderAt
	length int64 // of the first part
	offset int64 // in the second part
}

// ReadAt implements io.ReaderAt.
func (b *joinedReaderAt) ReadAt(p []byte, at int64) (n int, err error) {
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
	if errors.As(err, &cut) { // captured with this error: the bytes are complete if they match the captured bytes
		err = io.EOF
	}
	if errors.Is(err, io.EOF) {
		if wrong := s.sent.finish(); wrong != nil {
			err = wrong
		}
	}
	return n, err
}

// Name returns the path of the file on disk. The record must be from Open.
func (s *Record) Name() string { return s.file.Name() }

// Close implements io.Closer.
func (s *Record) Close() error {
	s.releaseBuffers()
	if s.parts != nil {
		return s.parts.close()
	}
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}

// checked computes the digest of the bytes read.
type checked struct {
	r    io.Reader
	sum  hash.Hash
	left int64
	want []byte

	unknown bool // the digest: only the length is compared
}

// Read implements io.Reader.
func (c *checked) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.sum.Write(p[:n]) // a hash never fails
	c.left -= int64(n)
	return n, err
}

// finish reads the rest, and compares the digest.
func (c *checked) finish() error {
	if _, err := io.Copy(io.Discard, struct{ io.Reader }{c}); err != nil {
		return err
	}
	if c.left != 0 || !c.unknown && !bytes.Equal(c.sum.Sum(nil), c.want) {
		return fmt.Errorf("the body %w (SHA-256)", ErrOther)
	}
	return nil
}
