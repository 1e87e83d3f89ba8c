package describe

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// The namespaces of OpenDocument 1.2 and later, part 1, that a sheet needs.
const (
	odTable  = "urn:oasis:names:tc:opendocument:xmlns:table:1.0"
	odText   = "urn:oasis:names:tc:opendocument:xmlns:text:1.0"
	odOffice = "urn:oasis:names:tc:opendocument:xmlns:office:1.0"
)

// odsReader reads the content.xml of an ODS file: table, table-row, table-cell and their paragraphs
// (clauses 9.1, 5).
type odsReader struct {
	*xml.Decoder
	add  func(int, []string) error
	name string // of the wanted sheet; "" is the first
	row  int
	held int
}

func readODS(in io.Reader, sheet string, add func(int, []string) error) error {
	r := &odsReader{Decoder: xml.NewDecoder(in), add: add, name: sheet}
	found := false
	for {
		t, err := r.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("reading the workbook: %w", err)
		}
		e, ok := t.(xml.StartElement)
		if !ok || e.Name != (xml.Name{Space: odTable, Local: "table"}) {
			continue
		}
		if found || sheet != "" && attr(e, odTable, "name") != sheet {
			if err := r.Skip(); err != nil {
				return fmt.Errorf("reading the workbook: %w", err)
			}
			continue
		}
		found = true
		if err := r.table(); err != nil {
			return err
		}
	}
	if !found {
		return fmt.Errorf("the workbook has no sheet %q", sheet)
	}
	return nil
}

func attr(e xml.StartElement, space, local string) string {
	for _, a := range e.Attr {
		if a.Name.Space == space && a.Name.Local == local {
			return a.Value
		}
	}
	return ""
}

// repeated returns how often a row or a cell is repeated (19.675, 19.677).
func repeated(e xml.StartElement, name string) int {
	n, err := strconv.Atoi(attr(e, odTable, name))
	if err != nil || n < 1 {
		return 1
	}
	return n
}

// table reads rows up to the end of the table, also those in groups and headers of rows.
func (r *odsReader) table() error {
	for depth := 0; ; {
		t, err := r.Token()
		if err != nil {
			return fmt.Errorf("reading the workbook: %w", err)
		}
		switch t := t.(type) {
		case xml.StartElement:
			switch {
			case t.Name == xml.Name{Space: odTable, Local: "table-row"}:
				if err := r.tableRow(t); err != nil {
					return err
				}
			case t.Name.Space == odTable && strings.HasPrefix(t.Name.Local, "table-row"),
				t.Name == xml.Name{Space: odTable, Local: "table-header-rows"}:
				depth++
			default:
				if err := r.Skip(); err != nil {
					return fmt.Errorf("reading the workbook: %w", err)
				}
			}
		case xml.EndElement:
			if depth--; depth < 0 {
				return nil
			}
		}
	}
}

func (r *odsReader) tableRow(row xml.StartElement) error {
	times := repeated(row, "number-rows-repeated")
	var cells []string
	empty := 0 // empty cells that others may follow
	for {
		t, err := r.Token()
		if err != nil {
			return fmt.Errorf("reading the workbook: %w", err)
		}
		if _, ends := t.(xml.EndElement); ends {
			break
		}
		e, ok := t.(xml.StartElement)
		if !ok {
			continue
		}
		value, err := r.cell(e)
		if err != nil {
			return fmt.Errorf("reading the workbook: %w", err)
		}
		n := min(repeated(e, "number-columns-repeated"), MaxSheetColumns+1)
		if value == "" {
			empty = min(empty+n, MaxSheetColumns+1)
			continue
		}
		if len(cells)+empty+n > MaxSheetColumns {
			return fmt.Errorf("row %d: a sheet of more than %d columns is not read", r.row+1, MaxSheetColumns)
		}
		cells = append(cells, make([]string, empty)...)
		for empty = 0; n > 0; n-- {
			cells = append(cells, value)
		}
	}
	for i := 0; i < times && len(cells) > 0; i++ {
		if err := r.add(r.row+i+1, cells); err != nil {
			return err
		}
	}
	r.row += min(times, MaxSheetRows+1)
	return nil
}

// cell returns the value of a date, or the displayed text of any other cell. It skips comments.
func (r *odsReader) cell(e xml.StartElement) (string, error) {
	var b strings.Builder
	paragraphs := 0
	for depth := 1; depth > 0; {
		t, err := r.Token()
		if err != nil {
			return "", err
		}
		switch t := t.(type) {
		case xml.EndElement:
			depth--
		case xml.CharData:
			if depth > 1 { // the rest is only layout
				b.Write(t)
			}
		case xml.StartElement:
			if t.Name.Space != odText {
				if err := r.Skip(); err != nil {
					return "", err
				}
				continue
			}
			depth++
			switch t.Name.Local {
			case "p":
				if paragraphs++; paragraphs > 1 {
					b.WriteByte('\n')
				}
			case "s":
				n, err := strconv.Atoi(attr(t, odText, "c"))
				if err != nil {
					n = 1
				}
				b.WriteString(strings.Repeat(" ", max(0, min(n, 1000))))
			case "tab":
				b.WriteByte('\t')
			case "line-break":
				b.WriteByte('\n')
			}
		}
		if r.held+b.Len() > MaxSheetBytes {
			return "", fmt.Errorf("more than %d MiB of text", MaxSheetBytes>>20)
		}
	}
	r.held += b.Len()
	if attr(e, odOffice, "value-type") == "date" {
		if v := attr(e, odOffice, "date-value"); v != "" {
			return v, nil
		}
	}
	return b.String(), nil
}
