package crawllog

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"

	"quire/format/fault"
	"quire/model"
)

// FaultLine is a line that is none of a crawl log. Its offset is that of the line in the file, in bytes.
const FaultLine fault.Code = "LOG-LINE"

// maxLine bounds a line, in bytes. The longest URLs that crawlers take are a few kilobytes; what is longer is a fault, and
// is passed over.
const maxLine = 1 << 20

// Reader reads a log line by line.
type Reader struct {
	Report fault.Sink // told of lines that cannot be read; may be nil

	in     *bufio.Reader
	line   int64
	offset int64 // of the line to come
}

// NewReader reads the log that r holds.
func NewReader(r io.Reader) *Reader {
	return &Reader{in: bufio.NewReaderSize(r, 64<<10)}
}

// All gives what became of each URL, in the order of the lines. The error is that of the file, and the last.
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
		at := r.offset
		line, long, err := r.readLine()
		if err != nil {
			return model.Fetch{}, err
		}
		r.line++
		if len(bytes.TrimSpace(line)) == 0 && !long {
			continue
		}
		problem := fmt.Sprintf("longer than %d bytes", maxLine)
		if !long {
			var f model.Fetch
			if f, problem = parse(line); problem == "" {
				f.Line = r.line
				return f, nil
			}
		}
		r.Report.Add(fault.Fault{Code: FaultLine, Offset: at, Detail: fmt.Sprintf("line %d: %s: %.100q", r.line, problem, line)})
	}
}

// readLine gives a line without its end, and says whether it was too long to keep. io.EOF comes alone, after the last line.
func (r *Reader) readLine() (line []byte, long bool, err error) {
	var whole []byte
	for {
		part, err := r.in.ReadSlice('\n')
		r.offset += int64(len(part))
		switch {
		case err == nil && whole == nil:
			return trimEnd(part), false, nil
		case err != nil && !errors.Is(err, bufio.ErrBufferFull) && (!errors.Is(err, io.EOF) || len(part)+len(whole) == 0):
			return nil, false, err
		case len(whole)+len(part) <= maxLine:
			whole = append(whole, part...)
		default:
			long = true
		}
		if err == nil || errors.Is(err, io.EOF) {
			return trimEnd(whole), long, nil
		}
	}
}

func trimEnd(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
}
