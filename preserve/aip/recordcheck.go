package aip

import (
	"bytes"
	"io"
	"strconv"
	"strings"

	"quire/format/arc"
	"quire/format/http1"
	"quire/format/warc"
)

// recordCheck compares the file element of a record with the record itself, while its bytes pass
// (clause 4.3.1). It holds the header of the record and the head of its HTTP message only.
type recordCheck struct {
	part   placed
	offset int64   // in the container: of the record, or of its member
	body   *placed // the element of its body; nil if there is none
	stray  *placed // the first element that is not the body; nil if there is none

	state    recordState
	head     []byte // the header so far
	searched int    // bytes of head without its end
	id       string // WARC-Record-ID without angle brackets; "" in an ARC
	header   int64  // length of the header
	left     int64  // bytes of the block that follow
	length   int64  // of the block
	isHTTP   bool
	message  *http1.Splitter
	longer   bool // other bytes than line breaks follow the block
}

// recordState is the part of a record that the next byte belongs to.
type recordState int

// The states. After recordUnreadable no byte is examined.
const (
	recordHeader recordState = iota
	recordBlock
	recordEnd
	recordUnreadable
)

// begin starts a record whose element is at an offset in the container.
func (c *recordCheck) begin(part *placed, offset int64) {
	if c.message == nil {
		c.message = http1.NewSplitter(http1.Any, func(*http1.Head) io.Writer { return nil })
	}
	*c = recordCheck{part: *part, offset: offset, head: c.head[:0], message: c.message}
}

// inside takes an element directly within that of the record.
func (c *recordCheck) inside(part *placed) {
	n, order, ok := PartOf(part.id, BodyFileID)
	of, record, _ := PartOf(c.part.id, RecordFileID)
	p := *part
	switch {
	case ok && c.body == nil && n == of && order == record:
		c.body = &p
	case c.stray == nil:
		c.stray = &p
	}
}

// Write takes the next bytes of the record.
func (c *recordCheck) Write(p []byte) (int, error) {
	n := len(p)
	if c.state == recordHeader {
		p = c.takeHeader(p)
	}
	if c.state == recordBlock {
		block := p[:min(int64(len(p)), c.left)]
		if c.isHTTP && c.message.HeadLength() == 0 {
			_, _ = c.message.Write(block) // fails only if its writer fails, and it has none
		}
		p = p[len(block):]
		if c.left -= int64(len(block)); c.left == 0 {
			c.state = recordEnd
		}
	}
	if c.state == recordEnd && !c.longer {
		c.longer = len(bytes.Trim(p, "\r\n")) > 0
	}
	return n, nil
}

// takeHeader takes bytes of the header, and returns those of the block.
func (c *recordCheck) takeHeader(p []byte) []byte {
	before := len(c.head)
	c.head = append(c.head, p[:min(len(p), warc.MaxHeader-before)]...)
	end, ok := c.parse()
	switch {
	case ok:
		c.header, c.state, c.left = int64(end), recordBlock, c.length
		return p[end-before:]
	case c.state == recordHeader && len(c.head) == warc.MaxHeader:
		c.state = recordUnreadable
	}
	c.searched = len(c.head)
	return nil
}

// parse reads the header, if it is complete.
func (c *recordCheck) parse() (end int, ok bool) {
	const versionLine = len("WARC/0.17\r\n")
	if warc.Sniff(c.head) {
		if end, ok = warc.HeaderEnd(c.head, c.searched); ok {
			c.parseWARC(warc.ParseHeader(c.head[:end]))
		}
		return end, ok && c.state == recordHeader
	}
	line, _, ok := bytes.Cut(c.head, []byte{'\n'})
	if !ok {
		if len(c.head) > max(versionLine, arc.MaxLine) {
			c.state = recordUnreadable
		}
		return 0, false
	}
	if len(c.head) < versionLine && bytes.HasPrefix(c.head, []byte("WARC/")) {
		return 0, false
	}
	h, ok := arc.ParseLine(string(line))
	if !ok || h.BlockLength < 0 {
		c.state = recordUnreadable
		return 0, false
	}
	scheme, _, _ := strings.Cut(h.URL, ":")
	c.isHTTP = strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https")
	c.message.Reset(http1.Response)
	c.length = h.BlockLength
	return len(line) + 1, true
}

func (c *recordCheck) parseWARC(h *warc.Header) {
	n, err := strconv.ParseUint(h.Get(warc.FieldContentLength), 10, 63)
	if err != nil {
		c.state = recordUnreadable
		return
	}
	kind, isHTTP := h.IsHTTP()
	c.id, c.isHTTP, c.length = strings.Trim(h.ID(), "<>"), isHTTP, int64(n)
	c.message.Reset(kind)
}

// judge returns how the elements differ from the record of that size, after its last byte; "" if they
// do not. A bytestream beyond the record was reported as a part.
func (c *recordCheck) judge(recordSize int64) string {
	if c.isHTTP && c.state != recordHeader {
		_ = c.message.Close() // fails only if its writer fails, and it has none
	}
	begin, size := c.header, c.length
	if c.isHTTP {
		begin += c.message.HeadLength()
		size -= c.message.HeadLength()
	}
	switch is := c.body; {
	case c.state == recordHeader, c.state == recordUnreadable:
		return c.unreadable()
	case c.state == recordBlock:
		return "ends before the record does"
	case c.longer:
		return "does not end where the record does"
	case c.part.owner != "" && c.id != "" && isPlain(c.id) && c.part.owner != clip(c.id):
		return "has the OWNERID " + strconv.Quote(clip(c.part.owner))
	case c.stray != nil:
		return "has the file " + c.stray.id + " within, which is not the bytestream of this record"
	case is == nil && size > 0:
		return "has no file within for the bytestream at bytes " + rangeText(begin, size)
	case is != nil && is.end >= recordSize:
		return ""
	case is != nil && (max(is.begin, 0) != begin || is.length() >= 0 && is.length() != size || size == 0):
		return "has the file " + is.id + " within; the bytestream of the record is at bytes " + rangeText(begin, size)
	}
	return ""
}

// unreadable returns the finding for an element without a record. Crawlers wrote ARC records with
// line breaks before them.
func (c *recordCheck) unreadable() string {
	if len(bytes.Trim(c.head[:min(len(c.head), 1)], "\r\n")) == 0 {
		return ""
	}
	return "is not at a record with a header and a length"
}

// name returns the identifier of the record for messages.
func (c *recordCheck) name() string {
	if c.id == "" {
		return "of element " + c.part.id
	}
	return c.id
}

// rangeText returns the first and last byte of a range.
func rangeText(begin, size int64) string {
	if size == 0 {
		return "none: it is empty"
	}
	return strconv.FormatInt(begin, 10) + " to " + strconv.FormatInt(begin+size-1, 10)
}

// isPlain reports whether a text has visible ASCII characters only: XML states others escaped
// (docs/reference/350_xml-escaping.md).
func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}
