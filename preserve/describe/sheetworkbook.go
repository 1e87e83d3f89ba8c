package describe

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"

	"github.com/xuri/excelize/v2"
)

// readWorkbook reads XLSX or ODS; both are archives.
func readWorkbook(f io.ReaderAt, size int64, sheet string, add func(int, []string) error) error {
	archive, err := zip.NewReader(f, size)
	if err != nil {
		return fmt.Errorf("reading the workbook: %w", err)
	}
	var unpacked uint64
	var content *zip.File
	for _, part := range archive.File {
		unpacked += part.UncompressedSize64
		if part.Name == "content.xml" {
			content = part
		}
		if unpacked > maxUnpacked || part.UncompressedSize64 > maxUnpacked {
			return fmt.Errorf("a workbook that unpacks to more than %d MiB is not read", maxUnpacked>>20)
		}
	}
	if content == nil {
		formulas, err := formulasIn(archive, sheet)
		if err != nil {
			return err
		}
		return readXLSX(io.NewSectionReader(f, 0, size), sheet, formulas, add)
	}
	in, err := content.Open()
	if err != nil {
		return fmt.Errorf("reading the workbook: %w", err)
	}
	return errors.Join(readODS(io.LimitReader(in, maxUnpacked), sheet, add), in.Close())
}

// readXLSX returns values as the sheet displays them. Dates in the country-dependent format are
// written in ISO 8601. formulas are the cells without a stored value.
func readXLSX(in io.Reader, sheet string, formulas map[cellAt]bool, add func(int, []string) error) (err error) {
	// The library trusts its input in places: a broken workbook must not end the program.
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("reading the workbook: it is broken: %v", p)
		}
	}()
	const iso = "yyyy-mm-dd"
	book, err := excelize.OpenReader(in, excelize.Options{
		UnzipSizeLimit: maxUnpacked, UnzipXMLSizeLimit: 16 << 20, ShortDatePattern: iso, LongDatePattern: iso,
	})
	if err != nil {
		return fmt.Errorf("reading the workbook: %w", err)
	}
	defer func() { err = errors.Join(err, book.Close()) }()
	if sheet == "" {
		sheet = book.GetSheetName(0)
	}
	rows, err := book.Rows(sheet)
	if err != nil {
		return fmt.Errorf("reading the workbook: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for n := 1; rows.Next(); n++ {
		if n > MaxSheetRows {
			return fmt.Errorf("a sheet of more than %d rows is not read", MaxSheetRows)
		}
		cells, err := rows.Columns()
		if err != nil {
			return fmt.Errorf("reading row %d of the workbook: %w", n, err)
		}
		if err := add(n, marked(n, cells, formulas)); err != nil {
			return err
		}
	}
	return rows.Error()
}

// marked marks the cells of a row that have no stored value.
func marked(row int, cells []string, formulas map[cellAt]bool) []string {
	if len(formulas) == 0 {
		return cells
	}
	for i := range MaxSheetColumns {
		if !formulas[cellAt{row, i + 1}] {
			continue
		}
		for len(cells) <= i {
			cells = append(cells, "")
		}
		cells[i] = uncomputed
	}
	return cells
}
