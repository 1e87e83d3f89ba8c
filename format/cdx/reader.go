package cdx

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"quire/format/fault"
)

// Options are the options of a Reader. The zero value is valid.
type Options struct {
	Legend string     // for an index without a legend line, such as LegendNAS; "" derives it from the columns
	Report fault.Sink // receives faults of unreadable or damaged lines; may be nil
}

// maxLine bounds the length of a line, in bytes.
const maxLine = 1 << 20

// Reader reads an index line by line.
type Reader struct {
	in           *bufio.Reader
	report       fault.Sink
	form         Form
	columns      []column
	callerLegend string // the caller's legend
	legendErr    error  // the error in it
	line         int64
	offset       int64 // of the next line
	words        []string
}

// NewReader returns a Reader of the index r.
func NewReader(r io.Reader, o Options) *Reader {
	x := &Reader{in: bufio.NewReaderSize(r, 64<<10), report: o.Report, callerLegend: o.Legend}
	if o.Legend != "" {
		x.legendErr = x.setLegend(o.Legend, ' ')
	}
	return x
}

// Form returns the form of the index, as far as the reader has determined it.
func (r *Reader) Form() Form { return r.form }

// All returns the entries in the order of the lines. An error comes from the file, or from the
// legend in Options, and ends the sequence.
func (r *Reader) All() iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for {
			e, err := r.Next()
			if errors.Is(err, io.EOF) || !yield(e, err) || err != nil {
				return
			}
		}
	}
}

// Next returns the next entry, or io.EOF after the last.
func (r *Reader) Next() (Entry, error) {
	if r.legendErr != nil {
		return Entry{}, fmt.Errorf("cdx: %w", r.legendErr)
	}
	for {
		at := r.offset
		line, long, err := r.readLine()
		if err != nil {
			return Entry{}, err
		}
		r.line++
		e := Entry{Line: r.line, At: at, Length: -1, Offset: -1}
		switch {
		case long:
			r.fault(&e, FaultLong, "the line is longer than %d bytes: %.100q", maxLine, line)
		case len(bytes.TrimSpace(line)) == 0:
		case r.read(&e, string(line)):
			return e, nil
		}
	}
}

// read parses a line and reports whether it is an entry.
func (r *Reader) read(e *Entry, line string) bool {
	if legend, delimiter, is := legendOf(line); is {
		if err := r.setLegend(legend, delimiter); err != nil {
			r.fault(e, FaultLegend, "%v: %.100q", err, line)
		}
		return false
	}
	if isMeta(line) {
		r.meta(line)
		return false
	}
	if r.form.Kind == Unknown {
		r.recognise(line)
	}
	switch r.form.Kind {
	case Classic:
		return r.classic(e, line)
	case JSON:
		return r.object(e, line)
	case ZipNum:
		if strings.IndexByte(line, '\t') < 0 {
			return r.object(e, line)
		}
		return r.block(e, line)
	}
	r.fault(e, FaultLine, "the line fits no known form of index: %.100q", line)
	return false
}

// setLegend makes legend the form of all following lines.
func (r *Reader) setLegend(legend string, delimiter byte) error {
	columns, err := columnsOf(legend)
	if err != nil {
		return err
	}
	r.columns, r.form.Kind, r.form.Legend, r.form.Delimiter, r.form.Guessed = columns, Classic, legend, delimiter, false
	return nil
}

// isMeta reports whether line is about the index itself: !meta, !context, and the names of early
// CDXJ: @context, @id, @keys, @meta.
func isMeta(line string) bool {
	name, _, _ := strings.Cut(line, " ")
	switch name {
	case "@context", "@id", "@keys", "@meta":
		return true
	}
	return line[0] == '!'
}

// meta keeps a line about the index itself.
func (r *Reader) meta(line string) {
	name, text, _ := strings.Cut(line, " ")
	if len(r.form.Meta) < maxMeta {
		r.form.Meta = append(r.form.Meta, Meta{Name: name, Text: strings.TrimSpace(text)})
	}
	// {"format":"cdxj-gzip-1.0"}
	if r.form.Kind == Unknown && strings.HasSuffix(name, "meta") && strings.Contains(text, "-gzip-") {
		r.form.Kind, r.form.Delimiter = ZipNum, ' '
	}
}

// recognise sets the form of the index from the first line that shows it.
func (r *Reader) recognise(line string) {
	if _, _, _, ok := cutObject(line); ok {
		r.form.Kind, r.form.Delimiter = JSON, ' '
		return
	}
	if isBlock(line) {
		r.form.Kind, r.form.Delimiter = ZipNum, '\t'
		return
	}
	for _, delimiter := range []byte{' ', '\t'} {
		if legend := guess(strings.Split(line, string(delimiter))); legend != "" &&
			r.setLegend(legend, delimiter) == nil {
			r.form.Guessed = true
			return
		}
	}
}

// classic parses a line with the legend.
func (r *Reader) classic(e *Entry, line string) bool {
	r.words = appendSplit(r.words[:0], line, r.form.Delimiter)
	if len(r.words) != len(r.columns) {
		r.fault(e, FaultLine, "the line has %d columns, the legend has %d: %.100q", len(r.words), len(r.columns), line)
		return false
	}
	for i, c := range r.columns {
		r.fill(e, c, r.words[i])
	}
	return true
}

// fill stores the value of a column in its field.
func (r *Reader) fill(e *Entry, c column, word string) {
	value := columnValue(word)
	switch c.place {
	case toKey:
		e.Key = value
	case toURL:
		e.URL = value
	case toTime:
		r.setTime(e, value)
	case toMIME:
		e.MIME = value
	case toStatus:
		r.setStatus(e, value)
	case toDigest:
		e.Digest = value
	case toRedirect:
		e.Redirect = value
	case toLength:
		r.setNumber(e, &e.Length, "length", value)
	case toOffset:
		r.setNumber(e, &e.Offset, "offset", value)
	case toFile:
		e.File = value
	case toIP:
		e.IP = value
	case toRecordID:
		e.RecordID = value
	default:
		if value != "" {
			e.Extra = append(e.Extra, Extra{Name: string(c.letter), Value: value})
		}
	}
}

func (r *Reader) setTime(e *Entry, s string) {
	e.Timestamp = s
	if s == "" {
		return
	}
	var ok bool
	if e.Time, ok = parseTime(s); !ok {
		r.fault(e, FaultTime, "the time %.40q is not a time", s)
	}
}

func (r *Reader) setStatus(e *Entry, s string) {
	var ok bool
	if e.Status, ok = status(s); !ok {
		r.fault(e, FaultNumber, "the status %.40q is not a number", s)
	}
}

func (r *Reader) setNumber(e *Entry, to *int64, what, s string) {
	var ok bool
	if *to, ok = number(s); !ok {
		r.fault(e, FaultNumber, "the %s %.40q is not a number", what, s)
	}
}

func (r *Reader) fault(e *Entry, code fault.Code, format string, args ...any) {
	r.report.Add(fault.Fault{Code: code, Offset: e.At, Record: e.URL,
		Detail: fmt.Sprintf("line %d: ", e.Line) + fmt.Sprintf(format, args...)})
}

// appendSplit splits a line at each delimiter. Two spaces have an empty column between them, as the
// legend requires.
func appendSplit(words []string, line string, delimiter byte) []string {
	for {
		i := strings.IndexByte(line, delimiter)
		if i < 0 {
			return append(words, line)
		}
		words, line = append(words, line[:i]), line[i+1:]
	}
}

// readLine returns a line without its line end, valid until the next call. long means that the line
// is cut to the bound. io.EOF is returned alone, after the last line.
func (r *Reader) readLine() (line []byte, long bool, err error) {
	var whole []byte
	for {
		part, err := r.in.ReadSlice('\n')
		r.offset += int64(len(part))
		end := errors.Is(err, io.EOF)
		switch {
		case err == nil && whole == nil:
			return trimEnd(part), false, nil
		case err != nil && !end && !errors.Is(err, bufio.ErrBufferFull), end && len(part)+len(whole) == 0:
			return nil, false, err
		case len(whole)+len(part) <= maxLine:
			whole = append(whole, part...)
		default:
			long = true
		}
		if err == nil || end {
			return trimEnd(whole), long, nil
		}
	}
}

func trimEnd(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
}
