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

// member reads a record of a WARC file that lies alone in a gzip member, or uncompressed: what
// nearly all are that a replay asks for. It takes its buffers from those that came before, and so
// costs a tenth of what a reader of containers does, which has to be ready for any.
type member struct {
	section io.SectionReader
	counted disk.Counted
	gzip    gzip.Reader
	out     *bufio.Reader // the record: of gzip, or in itself
	plain   *bufio.Reader
	inflate *bufio.Reader

	kind, contentType string
	length            int64 // of the block
}

// Buffers of a member, in bytes; the first is also the longest header of a record that is read so.
// Others are left to those who read any.
const (
	memberHead = 16 << 10
	memberIn   = 32 << 10
)

var members = sync.Pool{New: func() any {
	return &member{plain: bufio.NewReaderSize(nil, memberIn), inflate: bufio.NewReaderSize(nil, memberHead)}
}}

// openMember begins to read a record; nil when it is of another kind, or anything about it is odd.
func openMember(ctx context.Context, f *os.File, p *Place) *member {
	if p.Stored <= 0 {
		return nil
	}
	m := members.Get().(*member)
	m.section = *io.NewSectionReader(f, p.Offset, p.Stored)
	m.counted = disk.Counted{Ctx: ctx, From: &m.section}
	m.plain.Reset(&m.counted)
	if !m.begin() || m.length != p.Head+p.Body || p.Type != "" && m.kind != p.Type {
		m.release()
		return nil
	}
	return m
}

// begin reads the header of the record.
func (m *member) begin() bool {
	m.out = m.plain
	if magic, err := m.plain.Peek(2); err == nil && magic[0] == 0x1f && magic[1] == 0x8b {
		if m.gzip.Reset(m.plain) != nil {
			return false
		}
		m.gzip.Multistream(false)
		m.inflate.Reset(&m.gzip)
		m.out = m.inflate
	}
	for size := 1 << 10; ; size = min(4*size, memberHead) {
		head, err := m.out.Peek(size)
		if end := bytes.Index(head, []byte("\r\n\r\n")); end >= 0 && bytes.HasPrefix(head, []byte("WARC/1.")) {
			ok := m.header(string(head[:end]))
			_, _ = m.out.Discard(end + 4) // it was seen
			return ok
		}
		if err != nil || size == memberHead {
			return false
		}
	}
}

// header reads the fields that are wanted. One that goes on in another line, or is there twice, is
// odd.
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

// release gives the buffers to who comes next.
func (m *member) release() {
	m.plain.Reset(nil)
	m.inflate.Reset(nil)
	m.counted, m.section, m.out = disk.Counted{}, io.SectionReader{}, nil
	members.Put(m)
}
