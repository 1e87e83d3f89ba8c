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

// FaultLine is a line that is none of a crawl log. Its offset is that of the line in the file, in
// bytes.
const FaultLine fault.Code = "LOG-LINE"

// maxLine bounds a line, in bytes. The longest URLs that crawlers take are a few kilobytes; what is
// longer is a fault, and is passed over.
const maxLine = 1 << 20

// Reader reads a log line by line.
type Reader struct {
	Report fault.Sink // told of lines that cannot be read; may be nil

	in *lines.Reader
}

// NewReader reads the log that r holds.
func NewReader(r io.Reader) *Reader {
	in := lines.NewReader(r)
	in.Max = maxLine
	return &Reader{in: in}
}

// All gives what became of each URL, in the order of the lines. The error is that of the file, and
// the last.
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

// next gives the next line that can be read.
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
