package main

import (
	"errors"
	"os"

	"quire/preserve/describe"
	"quire/preserve/pack"
)

// sheetFlags are the flags for reading a spreadsheet, in every command that takes one.
type sheetFlags struct {
	Sheet     string `type:"path" placeholder:"FILE" help:"A spreadsheet of websites: XLSX, ODS, CSV or TSV, one row for each."`
	Mapping   string `type:"path" placeholder:"FILE" help:"Mapping of the sheet's columns, by their names in any language (YAML)."`
	Separator string `placeholder:"TEXT" help:"Separator between values in a cell. Default: from the mapping, else ' # '."`
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

// packed returns the sheet for pack, or nil if none is named.
func (f sheetFlags) packed() (*pack.Sheet, error) {
	if f.Sheet == "" {
		if f.Mapping+f.Separator+f.SheetName != "" {
			return nil,
				errors.New("--mapping, --separator and --sheet-name need a sheet: name a sheet with --sheet")
		}
		return nil, nil
	}
	o, err := f.options()
	return &pack.Sheet{Path: f.Sheet, Mapping: f.Mapping, Options: o}, err
}

func readMapping(path string) (_ *describe.Mapping, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = closed(err, f.Close()) }()
	return describe.ReadMapping(f)
}
