package inspect

import (
	"bytes"
	"fmt"
	"strings"

	"quire/format/fault"
	"quire/format/warc"
)

// fieldsObserver checks blocks of type application/warc-fields, line by line (ISO 28500:2017,
// clause 4: warc-fields).
type fieldsObserver struct {
	report fault.Sink
	on     bool
	within bool  // a line has begun
	good   bool  // the current line is a field, continues one, or is empty
	line   int64 // number of the current line, from 1
	bad    int64 // lines that are not fields
	first  int64 // the first of them
}

// begin implements observer. It skips a partial block, because that has partial lines.
func (o *fieldsObserver) begin(e *entry) {
	*o = fieldsObserver{report: o.report}
	o.on = e.warc != nil && isFieldsType(e.warc.Get(warc.FieldContentType)) && !e.warc.Has(warc.FieldSegmentNumber) &&
		!e.warc.Has(warc.FieldTruncated)
}

// isFieldsType reports whether a media type, without its parameters, is application/warc-fields.
func isFieldsType(contentType string) bool {
	const want = "application/warc-fields"
	if len(contentType) < len(want) || !strings.EqualFold(contentType[:len(want)], want) {
		return false
	}
	rest := contentType[len(want):]
	return rest == "" || rest[0] == ';' || rest[0] == ' '
}

// chunk implements observer.
func (o *fieldsObserver) chunk(p []byte) error {
	for o.on && len(p) > 0 {
		if !o.within {
			o.within = true
			o.line++
			o.good = p[0] == ' ' || p[0] == '\t' || p[0] == '\r' || p[0] == '\n'
		}
		line, rest, ended := bytes.Cut(p, []byte{'\n'})
		o.good = o.good || bytes.IndexByte(line, ':') >= 0
		if ended {
			o.endLine()
		}
		p = rest
	}
	return nil
}

func (o *fieldsObserver) endLine() {
	if !o.good {
		if o.bad == 0 {
			o.first = o.line
		}
		o.bad++
	}
	o.within = false
}

// end implements observer.
func (o *fieldsObserver) end(e *entry) error {
	if !o.on {
		return nil
	}
	if o.within && !e.cut {
		o.endLine()
	}
	if o.bad > 0 {
		o.report.Add(fault.Fault{Code: FaultFieldsBlock, Offset: e.offset, Record: e.id,
			Detail: fmt.Sprintf("line %d of the block has no colon (first of %d)", o.first, o.bad)})
	}
	return nil
}
