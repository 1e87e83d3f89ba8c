package describe

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"
)

// readText reads CSV (RFC 4180) or lines with tabs. Spreadsheets in many European countries write
// semicolons into CSV, because their numbers contain commas. A header with semicolons and without
// commas outside quotes indicates this. UTF-16 is recognized by its byte order mark.
func readText(in io.Reader, tabs bool, add func(int, []string) error) error {
	all, err := io.ReadAll(io.LimitReader(in, maxSheetFile+1))
	if err != nil {
		return err
	}
	all = bytes.TrimPrefix(fromUTF16(all), []byte("\xef\xbb\xbf"))
	if endsInCR(all) {
		all = bytes.ReplaceAll(all, []byte("\r"), []byte("\n"))
	}
	r := csv.NewReader(bytes.NewReader(all))
	r.FieldsPerRecord = -1
	r.ReuseRecord = true
	if tabs {
		r.Comma, r.LazyQuotes = '\t', true
	} else {
		r.Comma = comma(all)
	}
	within := 0 // line breaks within cells
	for {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("reading CSV: %w", err)
		}
		line, _ := r.FieldPos(0)
		if err := add(line-within, cells); err != nil { // row numbers as in spreadsheets: empty rows are included
			return err
		}
		for _, c := range cells {
			within += strings.Count(c, "\n")
		}
	}
}

// endsInCR reports whether the header ends in CR alone, as in "CSV (Macintosh)" of Excel.
func endsInCR(all []byte) bool {
	quoted := false
	for i, c := range all {
		switch {
		case c == '"':
			quoted = !quoted
		case c == '\n' && !quoted:
			return false
		case c == '\r' && !quoted:
			return i+1 == len(all) || all[i+1] != '\n'
		}
	}
	return false
}

// comma returns the separator of the fields in the header.
func comma(all []byte) rune {
	for _, c := range ",;\t" {
		r := csv.NewReader(bytes.NewReader(all))
		r.Comma = c
		if header, err := r.Read(); err == nil && len(header) > 1 {
			return c
		}
	}
	return ','
}

func fromUTF16(all []byte) []byte {
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(all, []byte("\xff\xfe")):
		order = binary.LittleEndian
	case bytes.HasPrefix(all, []byte("\xfe\xff")):
		order = binary.BigEndian
	default:
		return all
	}
	units := make([]uint16, 0, len(all)/2)
	for i := 2; i+1 < len(all); i += 2 {
		units = append(units, order.Uint16(all[i:]))
	}
	var b strings.Builder
	for _, c := range utf16.Decode(units) {
		b.WriteRune(c)
	}
	return []byte(b.String())
}
