package main

import (
	"errors"
	"os"

	"quire/preserve/amend"
	"quire/preserve/describe"
	"quire/preserve/pack"
)

// sheetFlags are the flags for reading a spreadsheet, in every command that takes one.
type sheetFlags struct {
	Sheet     string `type:"path" placeholder:"FILE" help:"A spreadsheet of websites: XLSX, ODS, CSV or TSV, one row for each."`
	Mapping   string `type:"path" placeholder:"FILE" help:"@sheet_mapping"`
	Separator string `placeholder:"TEXT" help:"@sheet_separator"`
	SheetName string `name:"sheet-name" placeholder:"NAME" help:"Name of the sheet in a workbook. Default: the first sheet."`
}

func (f sheetFlags) options() (describe.SheetOptions, error) {
	o := describe.SheetOptions{Separator: f.Separator, Name: f.SheetName}
	var err error
	if f.Mapping != "" {
		o.Mapping, err = readMapping(f.Mapping)
	}
	return o, err
}

// named returns false without a sheet, which is an error if a flag needs one.
func (f sheetFlags) named() (bool, error) {
	if f.Sheet == "" && f.Mapping+f.Separator+f.SheetName != "" {
		return false, errors.New("--mapping, --separator and --sheet-name need a sheet: name a sheet with --sheet")
	}
	return f.Sheet != "", nil
}

// packed returns the sheet for pack, or nil if none is named.
func (f sheetFlags) packed() (*pack.Sheet, error) {
	if ok, err := f.named(); !ok {
		return nil, err
	}
	o, err := f.options()
	return &pack.Sheet{Path: f.Sheet, Mapping: f.Mapping, Options: o}, err
}

// amended returns the sheet for amend, or nil if none is named.
func (f sheetFlags) amended() (*amend.Sheet, error) {
	if ok, err := f.named(); !ok {
		return nil, err
	}
	o, err := f.options()
	return &amend.Sheet{Path: f.Sheet, Mapping: f.Mapping, Options: o}, err
}

func readMapping(path string) (_ *describe.Mapping, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = closed(err, f.Close()) }()
	return describe.ReadMapping(f)
}
