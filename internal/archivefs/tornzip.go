package archivefs

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"time"
)

// tornZip is a zip without a readable directory at its end, because the file was cut short or its
// writer stopped. The headers before each entry (APPNOTE.TXT 4.3.7) give the entries, one after the
// other.
type tornZip struct {
	file    archive
	entries []tornEntry
	why     error     // why the directory is unreadable
	stopped tornPlace // where and why reading ended
	budget  int64     // bytes that may still be inflated to find the ends of entries
}

// tornEntry is an entry as its own header describes it.
type tornEntry struct {
	name       string
	at, stored int64 // of the bytes
	size       int64
	lacks      int64 // missing bytes
	lies       bool  // it is stored uncompressed, but states another size
	deflated   bool
	crc        uint32
	header     int64
	encrypted  bool
	method     uint16
	modified   time.Time
}

// tornPlace is an offset and the fault there.
type tornPlace struct {
	at    int64
	fault string
}

const (
	localHeader = 30
	maxTorn     = 1 << 20 // entries
)

var (
	localMark      = []byte("PK\x03\x04")
	descriptorMark = []byte("PK\x07\x08")
	endMarks       = [][]byte{[]byte("PK\x01\x02"), []byte("PK\x05\x06"), []byte("PK\x06\x06"), []byte("PK\x06\x08")}
)

// openTorn finds the entries. A file without any is not a zip.
func openTorn(f archive, why error) (*tornZip, error) {
	k := &tornZip{file: f, why: why, budget: inflatedFree + inflatedPerByte*f.size}
	if err := k.scan(); err != nil {
		return nil, err
	}
	if len(k.entries) == 0 {
		return nil, fmt.Errorf("the zip cannot be read: %w", why)
	}
	return k, nil
}

// scan reads one entry after the other.
func (k *tornZip) scan() error {
	for at := int64(0); at < k.file.size; {
		next, err := k.next(at)
		if err != nil {
			return err
		}
		if next == 0 {
			break
		}
		at = next
		if len(k.entries) == maxTorn {
			k.stopped = tornPlace{at, "there are more entries than are listed"}
			break
		}
	}
	return nil
}

// next reads the entry at an offset, and returns the offset after it; 0 after the last.
func (k *tornZip) next(at int64) (int64, error) {
	var h [localHeader]byte
	n, err := k.file.ReadAt(h[:], at)
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, err
	}
	for _, m := range endMarks {
		if bytes.HasPrefix(h[:n], m) {
			return 0, nil
		}
	}
	if n < localHeader || !bytes.HasPrefix(h[:], localMark) {
		k.stopped = tornPlace{at, "neither an entry nor a directory begins here"}
		return 0, nil
	}
	le := binary.LittleEndian
	e := tornEntry{header: at, method: le.Uint16(h[8:]), crc: le.Uint32(h[14:]), stored: int64(le.Uint32(h[18:])),
		size: int64(le.Uint32(h[22:])), modified: dosTime(le.Uint16(h[12:]), le.Uint16(h[10:]))}
	flags := le.Uint16(h[6:])
	e.encrypted, e.deflated = flags&1 != 0, e.method == zip.Deflate
	nameLen, extraLen := int64(le.Uint16(h[26:])), int64(le.Uint16(h[28:]))
	text := make([]byte, nameLen+extraLen)
	if n, err := k.file.ReadAt(text, at+localHeader); err != nil && !errors.Is(err, io.EOF) || n < len(text) {
		k.stopped = tornPlace{at, "its header is cut short"}
		return 0, ignoreEnd(err)
	}
	e.name, e.at = string(text[:nameLen]), at+localHeader+nameLen+extraLen
	large := e.zip64(text[nameLen:])
	end := e.at + e.stored
	if flags&8 != 0 && e.stored == 0 {
		if end, err = k.described(&e, large); err != nil {
			return 0, err
		}
	}
	return k.take(&e, end), nil
}

func ignoreEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// take keeps an entry, and returns the offset after it; 0 at the end.
func (k *tornZip) take(e *tornEntry, end int64) int64 {
	if !e.deflated && e.size != e.stored {
		e.lies, e.size = true, e.stored
	}
	if left := k.file.size - e.at; e.stored > left || end == 0 {
		e.lacks = max(e.stored-left, 0)
		if !e.deflated { // the rest of a container is still useful
			e.stored = left
			if e.lacks == 0 {
				e.size = left
			}
			k.entries = append(k.entries, *e)
		}
		k.stopped = tornPlace{e.header, fmt.Sprintf("%q is cut short, or damaged", e.name)}
		return 0
	}
	k.entries = append(k.entries, *e)
	return end
}

// zip64 reads sizes above 32 bits from the extra field (4.5.3), and reports whether that field
// exists.
func (e *tornEntry) zip64(extra []byte) bool {
	le := binary.LittleEndian
	for len(extra) >= 4 {
		id, n := le.Uint16(extra), int(le.Uint16(extra[2:]))
		extra = extra[4:]
		if n > len(extra) {
			return false
		}
		if id == 1 {
			if n >= 16 && (e.size == math.MaxUint32 || e.stored == math.MaxUint32) {
				e.size, e.stored = int64(le.Uint64(extra)&math.MaxInt64), int64(le.Uint64(extra[8:])&math.MaxInt64)
			}
			return true
		}
		extra = extra[n:]
	}
	return false
}

// described finds the end of an entry with its lengths after it (4.3.9). A deflated entry ends
// where deflate ends; a stored one where a descriptor states exactly the size before it. It returns
// the offset after the descriptor, or 0.
func (k *tornZip) described(e *tornEntry, large bool) (int64, error) {
	if e.deflated {
		in := &tallied{r: bufio.NewReaderSize(io.NewSectionReader(k.file, e.at, k.file.size-e.at), 64<<10)}
		n, err := io.Copy(io.Discard, io.LimitReader(flate.NewReader(in), k.budget))
		if k.budget -= n; err != nil || k.budget == 0 {
			return 0, nil //nolint:nilerr // it is cut short, damaged or a bomb, which take reports
		}
		e.stored, e.size = in.n, n
		b := make([]byte, 24)
		got, err := k.file.ReadAt(b, e.at+e.stored)
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, err
		}
		length := e.describes(b[:got], large)
		if length == 0 {
			return 0, nil
		}
		return e.at + e.stored + length, nil
	}
	return k.search(e, large)
}

// tallied is a reader that counts the bytes read.
type tallied struct {
	r *bufio.Reader
	n int64
}

func (c *tallied) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

func (c *tallied) ReadByte() (byte, error) {
	b, err := c.r.ReadByte()
	if err == nil {
		c.n++
	}
	return b, err
}

// describes returns the length of the descriptor at the start of b, or 0 if it does not match the
// known lengths of e.
func (e *tornEntry) describes(b []byte, large bool) int64 {
	le := binary.LittleEndian
	if len(b) < 16 || !bytes.HasPrefix(b, descriptorMark) {
		return 0
	}
	if len(b) >= 24 && le.Uint64(b[8:]) == uint64(e.stored) && le.Uint64(b[16:]) == uint64(e.size) &&
		(large || le.Uint32(b[12:]) == 0) {
		e.crc = le.Uint32(b[4:])
		return 24
	}
	if int64(le.Uint32(b[8:])) == e.stored && int64(le.Uint32(b[12:])) == e.size {
		e.crc = le.Uint32(b[4:])
		return 16
	}
	return 0
}

// search finds the descriptor of a stored entry.
func (k *tornZip) search(e *tornEntry, large bool) (int64, error) {
	const step, overlap = 1 << 20, 24
	buf := make([]byte, step+overlap)
	for from := e.at; from < k.file.size; from += step {
		n, err := k.file.ReadAt(buf[:min(int64(len(buf)), k.file.size-from)], from)
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, err
		}
		for i := 0; i < min(n, step); {
			j := bytes.Index(buf[i:n], descriptorMark)
			if j < 0 || i+j >= step {
				break
			}
			i += j
			e.stored = from + int64(i) - e.at
			e.size = e.stored
			if length := e.describes(buf[i:n], large); length > 0 {
				return from + int64(i) + length, nil
			}
			i++
		}
	}
	e.stored, e.size = 0, 0
	return 0, nil
}

// dosTime converts a time of MS-DOS, which has no zone and is read as UTC.
func dosTime(date, clock uint16) time.Time {
	if date == 0 {
		return time.Time{}
	}
	return time.Date(int(date>>9)+1980, time.Month(date>>5&15), int(date&31), int(clock>>11), int(clock>>5&63),
		int(clock&31)*2, 0, time.UTC)
}

// list lists the entries found.
func (k *tornZip) list(t *Tree) error {
	t.refuse(FaultTorn, 0,
		"the zip has no readable directory (%v): its %d entries were read one after the other", k.why,
		len(k.entries))
	if k.stopped.fault != "" {
		t.refuse(FaultTorn, k.stopped.at, "%s", k.stopped.fault)
	}
	for i := range k.entries {
		e := &k.entries[i]
		name, ok := safe(e.name)
		switch {
		case len(e.name) > 0 && e.name[len(e.name)-1] == '/':
		case !ok:
			t.refuse(FaultPath, e.header, "%q leads out of the source", e.name)
		case e.encrypted || e.method != zip.Store && e.method != zip.Deflate:
			t.refuse(FaultTorn, e.header, "%q is encrypted, or uses an unknown compression", e.name)
		case e.lies || e.size > maxRatio*(e.stored+1):
			t.refuse(FaultBomb, e.header, "%q claims %d bytes of %d", e.name, e.size, e.stored)
		default:
			f := File{Path: name, Size: e.size - e.lacks, Modified: e.modified, Compressed: e.deflated, entry: e}
			if e.lacks > 0 {
				t.refuse(FaultTorn, e.header, "%q should have %d bytes, but only %d are left", e.name, e.size, f.Size)
			}
			t.add(f)
		}
	}
	return nil
}

// open opens an entry like openZip.
func (k *tornZip) open(f *File) (Content, error) {
	e, _ := f.entry.(*tornEntry)
	bytes := io.NewSectionReader(k.file, e.at, e.stored)
	if !e.deflated {
		return section{bytes}, nil
	}
	return inflated(&checked{flate.NewReader(bytes), e.size, 0, e.crc, 0}, e.size)
}

// checked inflates an entry to its stated size and compares its checksum.
type checked struct {
	r    io.Reader
	size int64
	n    int64
	want uint32
	sum  uint32
}

func (c *checked) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	c.sum = crc32.Update(c.sum, crc32.IEEETable, p[:n])
	switch {
	case c.n > c.size, errors.Is(err, io.EOF) && c.n < c.size:
		return n, fmt.Errorf("it should have %d bytes: %w", c.size, zip.ErrFormat)
	case errors.Is(err, io.EOF) && c.sum != c.want:
		return n, zip.ErrChecksum
	}
	return n, err
}

// Close implements io.Closer.
func (k *tornZip) Close() error { return k.file.Close() }
