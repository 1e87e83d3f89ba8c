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

// Writer writes an index, in the order of the calls: who wants it sorted sorts it before, or the
// lines behind.
type Writer struct {
	out     *bufio.Writer
	columns []column // of classic CDX; nil for CDXJ
	numbers bool
	err     error
}

// NewWriter writes classic CDX, the legend line first; the legend is such as Legend11.
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

// NewJSONWriter writes CDXJ. Status, length and offset are written as texts, as pywb does, or with
// numbers as numbers, as Browsertrix does.
func NewJSONWriter(w io.Writer, numbers bool) *Writer {
	return &Writer{out: bufio.NewWriter(w), numbers: numbers}
}

// Write adds an entry. One that cannot be written in this form (a space in a column, a text that is
// not UTF-8 in JSON) is an error, and nothing is written of it.
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

// Close writes what is still held. It does not close the file below.
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
			return "", fmt.Errorf("cdx: column %c of %.100q has a space or a line break in it", c.letter, e.URL)
		}
		if word == "" {
			word = dash
		}
		words = append(words, word)
	}
	return strings.Join(words, " "), nil
}

// column is what stands in a column, "" for nothing.
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

// timestamp is the time as found, or else as 14 digits.
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

// object writes a line of CDXJ.
func (w *Writer) object(e *Entry) (string, error) {
	if e.Key == "" || strings.ContainsAny(e.Key+e.timestamp(), " \r\n") {
		return "", fmt.Errorf("cdx: the key %.100q is empty, or there is a space or a line break in it", e.Key)
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
			return "", fmt.Errorf("cdx: %s of %.100q is no JSON on one line", m.Name, e.URL)
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

// members lists what there is to say, in the order that pywb has.
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
