package cdx

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Writer writes an index in the order of the calls. If the index must be sorted, the caller sorts
// the entries before or the lines afterwards.
type Writer struct {
	out     *bufio.Writer
	columns []column // of classic CDX; nil for CDXJ
	numbers bool
	err     error
}

// NewWriter returns a Writer of classic CDX, legend line first. The legend is, for example,
// Legend11.
func NewWriter(w io.Writer, legend string) (*Writer, error) {
	columns, err := columnsOf(legend)
	if err != nil {
		return nil, fmt.Errorf("cdx: %w", err)
	}
	x := &Writer{out: bufio.NewWriter(w), columns: columns}
	if _, err := x.out.WriteString(" CDX " + strings.Join(strings.Fields(legend), " ") + "\n"); err != nil {
		return nil, err
	}
	return x, nil
}

// NewJSONWriter returns a Writer of CDXJ. If numbers is set, status, length and offset are numbers,
// as Browsertrix writes them; otherwise strings, as pywb does.
func NewJSONWriter(w io.Writer, numbers bool) *Writer {
	return &Writer{out: bufio.NewWriter(w), numbers: numbers}
}

// Write adds an entry. It returns an error and writes nothing if the form cannot hold the entry: a
// space in a column, or text that is not UTF-8 in JSON.
func (w *Writer) Write(e Entry) error {
	if w.err != nil {
		return w.err
	}
	line, err := w.line(&e)
	if err != nil {
		return err
	}
	if _, w.err = w.out.WriteString(line + "\n"); w.err != nil {
		return w.err
	}
	return nil
}

// Close writes the buffered lines. It does not close the underlying writer.
func (w *Writer) Close() error {
	if w.err == nil {
		w.err = w.out.Flush()
	}
	return w.err
}

func (w *Writer) line(e *Entry) (string, error) {
	if w.columns == nil {
		return w.object(e)
	}
	var words []string
	for _, c := range w.columns {
		word := e.column(c)
		if strings.ContainsAny(word, " \r\n") {
			return "", fmt.Errorf("cdx: column %c of %.100q contains a space or a line break", c.letter, e.URL)
		}
		if word == "" {
			word = dash
		}
		words = append(words, word)
	}
	return strings.Join(words, " "), nil
}

// column returns the value of a column, or "".
func (e *Entry) column(c column) string {
	switch c.place {
	case toKey:
		return e.Key
	case toURL:
		return e.URL
	case toTime:
		return e.timestamp()
	case toMIME:
		return e.MIME
	case toStatus:
		return decimal(int64(e.Status), 0)
	case toDigest:
		return e.Digest
	case toRedirect:
		return e.Redirect
	case toLength:
		return decimal(e.Length, -1)
	case toOffset:
		return decimal(e.Offset, -1)
	case toFile:
		return e.File
	case toIP:
		return e.IP
	case toRecordID:
		return e.RecordID
	}
	for _, x := range e.Extra {
		if x.Name == string(c.letter) && !x.JSON {
			return x.Value
		}
	}
	return ""
}

// timestamp returns the time as found, or else as 14 digits.
func (e *Entry) timestamp() string {
	if e.Timestamp != "" || e.Time.IsZero() {
		return e.Timestamp
	}
	return e.Time.UTC().Format(timestampLayout)
}

func decimal(n, none int64) string {
	if n == none {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

// object returns a line of CDXJ.
func (w *Writer) object(e *Entry) (string, error) {
	if e.Key == "" || strings.ContainsAny(e.Key+e.timestamp(), " \r\n") {
		return "", fmt.Errorf("cdx: the key %.100q is empty, or contains a space or a line break", e.Key)
	}
	var b strings.Builder
	b.WriteString(e.Key + " ")
	if ts := e.timestamp(); ts != "" {
		b.WriteString(ts + " ")
	}
	b.WriteByte('{')
	separator := ""
	for _, m := range e.members(w.numbers) {
		value := m.Value
		if !m.JSON {
			if !utf8.ValidString(value) {
				return "", fmt.Errorf("cdx: %s of %.100q is not UTF-8, and JSON cannot hold it", m.Name, e.URL)
			}
			var err error
			if value, err = jsonText(value); err != nil {
				return "", err
			}
		} else if !json.Valid([]byte(value)) || strings.ContainsAny(value, "\r\n") {
			return "", fmt.Errorf("cdx: %s of %.100q is not JSON on one line", m.Name, e.URL)
		}
		name, err := jsonText(m.Name)
		if err != nil {
			return "", err
		}
		b.WriteString(separator + name + ": " + value)
		separator = ", "
	}
	return b.String() + "}", nil
}

// members returns the members of the entry's JSON object, in the order of pywb.
func (e *Entry) members(numbers bool) []Extra {
	all := []Extra{
		{Name: "url", Value: e.URL}, {Name: "mime", Value: e.MIME},
		{Name: "status", Value: decimal(int64(e.Status), 0), JSON: numbers},
		{Name: "digest", Value: e.Digest}, {Name: "redirect", Value: e.Redirect},
		{Name: "length", Value: decimal(e.Length, -1), JSON: numbers},
		{Name: "offset", Value: decimal(e.Offset, -1), JSON: numbers}, {Name: "filename", Value: e.File},
		{Name: "ip", Value: e.IP},
		{Name: memberRecord, Value: e.RecordID},
	}
	kept := all[:0]
	for _, m := range all {
		if m.Value != "" {
			kept = append(kept, m)
		}
	}
	return append(kept, e.Extra...)
}
