package crawllog

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"

	"quire/format/fault"
	"quire/internal/lines"
	"quire/model"
)

// FaultLine is an invalid line in a crawl log. Its offset is the line's offset in the file, in
// bytes.
const FaultLine fault.Code = "LOG-LINE"

// maxLine is the maximum length of a line in bytes. The longest URLs that crawlers accept have a
// few kilobytes; longer lines are faults and are skipped.
const maxLine = 1 << 20

// Reader reads a log line by line.
type Reader struct {
	Report fault.Sink // called for unreadable lines; may be nil

	in *lines.Reader
}

// NewReader returns a reader of the log in r.
func NewReader(r io.Reader) *Reader {
	in := lines.NewReader(r)
	in.Max = maxLine
	return &Reader{in: in}
}

// All yields the outcome of each URL, in the order of the lines. An error of the file comes last.
func (r *Reader) All() iter.Seq2[model.Fetch, error] {
	return func(yield func(model.Fetch, error) bool) {
		for {
			f, err := r.next()
			if errors.Is(err, io.EOF) || !yield(f, err) || err != nil {
				return
			}
		}
	}
}

// next returns the next readable line.
func (r *Reader) next() (model.Fetch, error) {
	for {
		if err := r.in.Next(); err != nil {
			return model.Fetch{}, err
		}
		line, long := r.in.Text, r.in.Long
		if len(bytes.TrimSpace(line)) == 0 && !long {
			continue
		}
		problem := fmt.Sprintf("longer than %d bytes", maxLine)
		if !long {
			var f model.Fetch
			if f, problem = parse(line); problem == "" {
				f.Line = r.in.Number
				return f, nil
			}
		}
		r.Report.Add(fault.Fault{Code: FaultLine, Offset: r.in.Offset,
			Detail: fmt.Sprintf("line %d: %s: %.100q", r.in.Number, problem, line)})
	}
}
