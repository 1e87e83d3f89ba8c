package stored

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"

	"quire/internal/disk"
)

// member reads a WARC record that is alone in a gzip member, or uncompressed. Nearly all records
// that replay requests are of this kind. It reuses buffers, and costs a tenth of a general
// container reader.
type member struct {
	section io.SectionReader
	counted disk.Counted
	gzip    gzip.Reader
	whole   whole
	out     *bufio.Reader // the inflated record, or the record itself
	plain   *bufio.Reader
	inflate *bufio.Reader

	kind, contentType string
	length            int64 // of the block
}

// Buffer sizes of a member, in bytes. The first is also the longest record header that a member
// reads. The general reader handles other records.
const (
	memberHead = 16 << 10
	memberIn   = 32 << 10
)

var members = sync.Pool{New: func() any {
	return &member{plain: bufio.NewReaderSize(nil, memberIn), inflate: bufio.NewReaderSize(nil, memberHead)}
}}

// openMember starts to read a record. It returns nil if the record is of another kind or irregular
// in any way.
func openMember(ctx context.Context, f *os.File, p *Place) *member {
	if p.Stored <= 0 {
		return nil
	}
	m := members.Get().(*member)
	m.section = *io.NewSectionReader(f, p.Offset, p.Stored)
	m.counted = disk.Counted{Ctx: ctx, From: &m.section}
	if m.whole.inflate(&m.counted, p.Stored) {
		m.inflate.Reset(&m.whole.content)
		m.out = m.inflate
	} else if !m.inflated() {
		m.release()
		return nil
	}
	if !m.begin() || m.length != p.Head+p.Body || p.Type != "" && m.kind != p.Type {
		m.release()
		return nil
	}
	return m
}

// inflated prepares to read the record in pieces.
func (m *member) inflated() bool {
	if _, err := m.section.Seek(0, io.SeekStart); err != nil {
		return false
	}
	m.plain.Reset(&m.counted)
	m.out = m.plain
	if magic, err := m.plain.Peek(2); err == nil && magic[0] == 0x1f && magic[1] == 0x8b {
		if m.gzip.Reset(m.plain) != nil {
			return false
		}
		m.gzip.Multistream(false)
		m.inflate.Reset(&m.gzip)
		m.out = m.inflate
	}
	return true
}

// begin reads the header of the record.
func (m *member) begin() bool {
	for size := 1 << 10; ; size = min(4*size, memberHead) {
		head, err := m.out.Peek(size)
		if end := bytes.Index(head, []byte("\r\n\r\n")); end >= 0 && bytes.HasPrefix(head, []byte("WARC/1.")) {
			ok := m.header(string(head[:end]))
			_, _ = m.out.Discard(end + 4) // already parsed
			return ok
		}
		if err != nil || size == memberHead {
			return false
		}
	}
}

// header reads the needed fields. It refuses continuation lines and repeated fields as irregular.
func (m *member) header(head string) bool {
	m.kind, m.contentType, m.length = "", "", -1
	_, rest, _ := strings.Cut(head, "\r\n")
	for rest != "" {
		var line string
		line, rest, _ = strings.Cut(rest, "\r\n")
		name, value, ok := strings.Cut(line, ":")
		if !ok || name == "" || name[0] == ' ' || name[0] == '\t' || strings.IndexByte(name, '\n') >= 0 ||
			strings.IndexByte(value, '\n') >= 0 {
			return false
		}
		value = strings.Trim(value, " \t")
		switch {
		case strings.EqualFold(name, "WARC-Type"):
			ok = m.kind == ""
			m.kind = value
		case strings.EqualFold(name, "Content-Type"):
			ok = m.contentType == ""
			m.contentType = value
		case strings.EqualFold(name, "Content-Length"):
			n, err := strconv.ParseInt(value, 10, 64)
			ok = err == nil && n >= 0 && m.length < 0
			m.length = n
		}
		if !ok {
			return false
		}
	}
	return m.kind != "" && m.length >= 0
}

// release returns the buffers to the pool.
func (m *member) release() {
	m.plain.Reset(nil)
	m.inflate.Reset(nil)
	m.counted, m.section, m.out = disk.Counted{}, io.SectionReader{}, nil
	members.Put(m)
}
