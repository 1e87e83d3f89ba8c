package describe

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

// Limits of a sheet. Beyond one, the error names the limit.
const (
	MaxSheetRows    = 100_000
	MaxSheetColumns = 256
	MaxSheetBytes   = 64 << 20 // of all values together
	maxSheetFile    = 128 << 20
	maxUnpacked     = 64 << 20 // of the parts of a workbook; the library needs about five times as much
	MaxProblems     = 1000     // in the list
)

// Separator separates the values of a cell, unless the user sets another.
const Separator = " # "

// SheetOptions configures how a sheet is read. The zero value expects OCLC's element names as
// column names.
type SheetOptions struct {
	Mapping   *Mapping // meaning of the columns; nil expects element names
	Separator string   // separates values in a cell; if "", the separator of the mapping, or Separator
	Name      string   // of the sheet in a workbook; "" is the first
}

// Sheet is the content of a spreadsheet.
type Sheet struct {
	Rows     []Description
	Problems []Problem // up to MaxProblems
	Total    int       // of problems
}

// Problem is an error in a sheet. The author of the sheet must correct it.
type Problem struct {
	Row    int    `json:"row"`              // from 1, including the header, as spreadsheet programs count
	Column string `json:"column,omitempty"` // its name in the header, or its letters
	Why    string `json:"why"`
}

// String names the row and the column, and the reason.
func (p Problem) String() string {
	if p.Column == "" {
		return fmt.Sprintf("row %d: %s", p.Row, p.Why)
	}
	return fmt.Sprintf("row %d, column %s: %s", p.Row, p.Column, p.Why)
}

// OpenSheet reads an XLSX, ODS, CSV or TSV file. It recognizes the format from the content, and the
// kind of a text file from its name.
func OpenSheet(path string, o SheetOptions) (_ *Sheet, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() > maxSheetFile {
		return nil, fmt.Errorf("%s: a sheet of more than %d MiB is not read", path, maxSheetFile>>20)
	}
	r := newRows(o)
	if err := readGrid(f, info.Size(), path, o.Name, r.add); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if r.columns == nil {
		return nil, fmt.Errorf("%s: the sheet has no header", path)
	}
	return &r.Sheet, nil
}

func readGrid(f *os.File, size int64, path, sheet string, add func(row int, cells []string) error) error {
	var head [4]byte
	n, _ := f.ReadAt(head[:], 0) // a shorter file is not a workbook
	g := &bounds{add: add}
	if strings.HasPrefix(string(head[:n]), "PK\x03\x04") {
		return readWorkbook(f, size, sheet, g.row)
	}
	if strings.HasPrefix(string(head[:n]), "\xd0\xcf\x11\xe0") {
		return errors.New("this is a workbook of the old format (.xls) or one with a password: save it as .xlsx or " +
			".ods")
	}
	return readText(f, strings.HasSuffix(strings.ToLower(path), ".tsv"), g.row)
}

// bounds enforces the limits of a sheet in any format.
type bounds struct {
	add   func(row int, cells []string) error
	bytes int
}

func (b *bounds) row(n int, cells []string) error {
	for len(cells) > 0 && cells[len(cells)-1] == "" {
		cells = cells[:len(cells)-1]
	}
	if len(cells) == 0 {
		return nil
	}
	for _, c := range cells {
		b.bytes += len(c)
	}
	switch {
	case n > MaxSheetRows:
		return fmt.Errorf("a sheet of more than %d rows is not read", MaxSheetRows)
	case len(cells) > MaxSheetColumns:
		return fmt.Errorf("row %d: a sheet of more than %d columns is not read", n, MaxSheetColumns)
	case b.bytes > MaxSheetBytes:
		return fmt.Errorf("row %d: a sheet with more than %d MiB of text is not read", n, MaxSheetBytes>>20)
	}
	return b.add(n, cells)
}
