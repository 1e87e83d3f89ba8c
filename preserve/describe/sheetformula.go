package describe

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"
)

// Some programs (openpyxl and others) write workbooks with formulas that have no values. A
// spreadsheet program computes the values when it opens the workbook. Until then such a cell looks
// empty, and its value would be lost.

// uncomputed marks a cell that has a formula without a value. XML does not allow this character, so
// no sheet contains it.
const uncomputed = "\x00"

// notComputed is the problem reported for a cell that has a formula without a value.
const notComputed = "there is a formula without its value: open the workbook in a spreadsheet program " +
	"and save it"

// cellAt is the position of a cell, from 1.
type cellAt struct{ row, column int }

// formulasIn returns the cells of a sheet that have a formula without a value. If sheet is "", it
// reads the first sheet. It stops at MaxProblems, because one such cell is enough to reject the
// sheet.
func formulasIn(archive *zip.Reader, sheet string) (map[cellAt]bool, error) {
	part, err := partOf(archive, sheet)
	if err != nil || part == "" {
		return nil, err
	}
	s := &formulaScan{found: map[cellAt]bool{}}
	return s.found, eachToken(archive, part, s.token)
}

// partOf returns the package part that contains a sheet (ISO/IEC 29500-1, 18.2.19; -2, 9.3). It
// returns "" if there is no such part. The library reports this error.
func partOf(archive *zip.Reader, sheet string) (part string, err error) {
	id := ""
	err = eachToken(archive, "xl/workbook.xml", func(t xml.Token) bool {
		e, ok := t.(xml.StartElement)
		if ok && e.Name.Local == "sheet" && (sheet == "" || strings.EqualFold(value(e, "name"), sheet)) {
			id = value(e, "id")
		}
		return id == ""
	})
	if err != nil || id == "" {
		return "", err
	}
	err = eachToken(archive, "xl/_rels/workbook.xml.rels", func(t xml.Token) bool {
		if e, ok := t.(xml.StartElement); ok && e.Name.Local == "Relationship" && value(e, "Id") == id {
			part = value(e, "Target")
		}
		return part == ""
	})
	if rest, rooted := strings.CutPrefix(part, "/"); rooted || part == "" {
		return rest, err
	}
	return path.Join("xl", part), err
}

// value returns an attribute with any prefix.
func value(e xml.StartElement, local string) string {
	for _, a := range e.Attr {
		if a.Name.Local == local {
			return a.Value
		}
	}
	return ""
}

// eachToken reads a part until visit returns false. A missing part has no tokens.
func eachToken(archive *zip.Reader, part string, visit func(xml.Token) bool) error {
	for _, f := range archive.File {
		if f.Name != part {
			continue
		}
		in, err := f.Open()
		if err != nil {
			return fmt.Errorf("reading the workbook: %w", err)
		}
		x := xml.NewDecoder(io.LimitReader(in, maxUnpacked))
		x.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // cell positions are ASCII
		for more := true; more && err == nil; {
			var t xml.Token
			if t, err = x.RawToken(); err == nil {
				more = visit(t)
			}
		}
		if errors.Is(err, io.EOF) {
			err = nil
		}
		if err = errors.Join(err, in.Close()); err != nil {
			return fmt.Errorf("reading %s of the workbook: %w", part, err)
		}
		return nil
	}
	return nil
}

// formulaScan reads the cells of a worksheet (ISO/IEC 29500-1, 18.3.1.4).
type formulaScan struct {
	found   map[cellAt]bool
	at      cellAt
	formula bool // the cell has a formula
	text    bool // its result is a text
	valued  bool // the result is stored
	in      string
}

// token reads one token; it returns false to stop.
func (s *formulaScan) token(t xml.Token) bool {
	switch t := t.(type) {
	case xml.StartElement:
		s.start(t)
	case xml.CharData:
		if s.in == "v" && len(t) > 0 {
			s.valued = true
		}
	case xml.EndElement:
		if s.in = ""; t.Name.Local == "c" && s.formula && !s.valued {
			s.found[s.at] = true
			return len(s.found) < MaxProblems
		}
	}
	return true
}

func (s *formulaScan) start(e xml.StartElement) {
	s.in = e.Name.Local
	switch s.in {
	case "row":
		s.at = cellAt{row: s.at.row + 1}
		if n, err := strconv.Atoi(value(e, "r")); err == nil {
			s.at.row = n
		}
	case "c":
		s.at.column++
		if column, row, err := excelize.CellNameToCoordinates(value(e, "r")); err == nil {
			s.at = cellAt{row, column}
		}
		s.formula, s.valued, s.text = false, false, value(e, "t") == "str"
	case "f":
		s.formula = true
	case "v":
		s.valued = s.text // programs that compute write an empty text like this
	case "is":
		s.valued = true
	}
}
