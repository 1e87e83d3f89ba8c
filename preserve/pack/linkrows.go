package pack

import (
	"encoding/binary"
	"errors"
	"io"

	"quire/preserve/pages"
)

// linkRows keeps the links of pages on disk, in blocks of many links: a link costs some bytes, and
// no call to read it.
type linkRows struct {
	*rowFile
	block  []byte
	from   int64      // start of the current page's blocks
	cursor *rowCursor // nil until the links are read
}

func newLinkRows(dir string) (*linkRows, error) {
	f, err := newRowFile(dir)
	return &linkRows{rowFile: f}, err
}

// linkBlock is the size of a block in bytes, from which on it is written.
const linkBlock = 32 << 10

// maxLinkText bounds the stored text of an overlong link, in bytes.
const maxLinkText = 64 << 10

// begin starts a page. It drops what is left of a page that was abandoned.
func (r *linkRows) begin() { r.block, r.from = r.block[:0], r.at }

// end ends a page, and returns the span of its links.
func (r *linkRows) end() (span, error) {
	err := r.flush()
	return span{r.from, r.at}, err
}

func (r *linkRows) flush() error {
	if len(r.block) == 0 {
		return nil
	}
	err := r.add(r.block)
	r.block = r.block[:0]
	return err
}

// addLink adds a link of the current page, with its text if wanted.
func (r *linkRows) addLink(l *pages.Link, text bool) error {
	kind := byte(0)
	for i, k := range linkKinds {
		if k == l.Kind {
			kind = byte(i) << 2
		}
	}
	row := append(r.block, kind|flags(l.Cut, l.Inline))
	row = binary.AppendVarint(binary.AppendVarint(row, l.Begin), l.End-l.Begin)
	href := l.Href[:min(len(l.Href), maxLinkText)]
	row = append(binary.AppendUvarint(row, uint64(len(href))), href...)
	if text {
		row = append(binary.AppendUvarint(row, uint64(len(l.Text))), l.Text...)
	} else {
		row = append(row, 0)
	}
	if r.block = row; len(row) < linkBlock {
		return nil
	}
	return r.flush()
}

// webLink is one link of a page.
type webLink struct {
	kind       int // index in linkKinds
	begin, end int64
	cut        bool
	inline     bool   // an iframe
	href       []byte // valid during the visit
	text       []byte // of a hyperlink, as written; valid during the visit
}

// linkKinds are stored as their index.
var linkKinds = [...]pages.Kind{pages.Hyperlink, pages.Frame, pages.Refresh, pages.Embedded}

// flags returns two bits.
func flags(a, b bool) (bits byte) {
	if a {
		bits |= 1
	}
	if b {
		bits |= 2
	}
	return bits
}

// next reads a link from a block, and returns the rest of it.
func (l *webLink) next(block []byte) (rest []byte, err error) {
	head, r := block[0], blockReader{rest: block[1:]}
	l.kind, l.cut, l.inline = int(head>>2)%len(linkKinds), head&1 != 0, head&2 != 0
	l.begin = r.number()
	l.end = l.begin + r.number()
	l.href, l.text = r.bytes(), r.bytes()
	l.cut = l.cut || len(l.href) == maxLinkText
	if r.short {
		return nil, errRow
	}
	return r.rest, nil
}

// blockReader parses a block. Its bytes are valid as long as the block.
type blockReader struct {
	rest  []byte
	short bool
}

func (r *blockReader) number() int64 {
	n, size := binary.Varint(r.rest)
	return n * int64(r.skip(size))
}

func (r *blockReader) unsigned() uint64 {
	n, size := binary.Uvarint(r.rest)
	return n * uint64(r.skip(size))
}

// skip skips a number of that size, and returns 1; or 0 if there is no number.
func (r *blockReader) skip(size int) int {
	if size <= 0 {
		r.short = true
		return 0
	}
	r.rest = r.rest[size:]
	return 1
}

func (r *blockReader) bytes() []byte {
	n := r.unsigned()
	if n > uint64(len(r.rest)) {
		r.short = true
		return nil
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

// each visits the links of a page with their numbers, from 1.
func (r *linkRows) each(of span, visit func(n int64, l *webLink) error) (err error) {
	if of.From == of.To {
		return nil
	}
	if r.cursor == nil {
		r.cursor, err = r.read(of)
	} else {
		err = r.cursor.reset(of)
	}
	var l webLink
	for n := int64(0); err == nil; {
		var block []byte
		if block, err = r.cursor.nextBytes(); errors.Is(err, io.EOF) {
			return nil
		}
		for err == nil && len(block) > 0 {
			n++
			if block, err = l.next(block); err == nil {
				err = visit(n, &l)
			}
		}
	}
	return err
}
