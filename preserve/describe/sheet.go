package describe

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

// Limits of a sheet. A hostile one ends in an error that names the limit.
const (
	MaxSheetRows    = 100_000
	MaxSheetColumns = 256
	MaxSheetBytes   = 64 << 20 // of all values together
	maxSheetFile    = 128 << 20
	maxUnpacked     = 64 << 20 // of the parts of a workbook; the library takes about five times that
	MaxProblems     = 1000     // that are listed
)

// Separator stands between several values of a cell, unless the user names another.
const Separator = " # "

// SheetOptions say how a sheet is read. The zero value takes the names of OCLC's elements for
// columns.
type SheetOptions struct {
	Mapping   *Mapping // what the columns are; nil for the names of the elements
	Separator string   // of several values in a cell; "" is that of the mapping, or Separator
	Name      string   // of the sheet in a workbook; "" is the first
}

// Sheet is what a spreadsheet says.
type Sheet struct {
	Rows     []Description
	Problems []Problem // up to MaxProblems
	Total    int       // of problems
}

// Problem is something wrong with a sheet. A sheet with problems is put right by who wrote it, not
// here.
type Problem struct {
	Row    int    `json:"row"`              // from 1, the header included, as the program that made the sheet counts
	Column string `json:"column,omitempty"` // its name in the header, or its letters
	Why    string `json:"why"`
}

func (p Problem) String() string {
	if p.Column == "" {
		return fmt.Sprintf("row %d: %s", p.Row, p.Why)
	}
	return fmt.Sprintf("row %d, column %s: %s", p.Row, p.Column, p.Why)
}

// OpenSheet reads an XLSX, ODS, CSV or TSV file. What it is shows in its content; of text, the name
// tells which.
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
	n, _ := f.ReadAt(head[:], 0) // a shorter file is no workbook
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

// bounds holds a sheet to the limits, whatever it is read from.
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
