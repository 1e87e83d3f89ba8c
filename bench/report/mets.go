package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
)

// metsRow is one way of writing a METS of a million files.
type metsRow struct {
	What  string
	Bytes int64
	usage
	Copy usage // the floor: cp of the file, and sync; only for rows that write to a file
}

// Goal reports whether the row meets issue 2's goal for a million files: under 5 s, by both clocks,
// and under 50 MB.
func (m metsRow) Goal() string {
	if max(m.CPU, m.Wall) < 5 && m.RSS*1024 < 50e6 {
		return "met"
	}
	return "**missed**"
}

// measureMETS writes each kind to nowhere and to a file. It copies the file to measure the cost of
// the bytes alone.
func measureMETS(o options) ([]metsRow, error) {
	file := filepath.Join(o.work, "mets.xml")
	rows := []struct {
		metsRow
		flags []string
	}{
		{metsRow{What: "file and pointer, to nowhere"}, nil},
		{metsRow{What: "file and pointer, to a file, synced"}, []string{"-out", file}},
		{metsRow{What: "file, pointer and premis:object, to nowhere"}, []string{"-premis"}},
		{metsRow{What: "file, pointer and premis:object, to a file, synced"}, []string{"-premis", "-out", file}},
	}
	var list []metsRow
	for i := range rows {
		row := &rows[i]
		for range o.rounds {
			if err := row.measure(append([]string{filepath.Join(o.tool, "million")}, row.flags...), file); err != nil {
				return nil, err
			}
		}
		list = append(list, row.metsRow)
	}
	return list, nil
}

func (m *metsRow) measure(command []string, file string) error {
	u, out, err := run(command...)
	if err != nil {
		return err
	}
	m.best(u)
	if m.Bytes, err = strconv.ParseInt(string(bytes.TrimSpace(out)), 10, 64); err != nil {
		return err
	}
	if _, err := os.Stat(file); err != nil {
		return nil //nolint:nilerr // this one writes no file
	}
	u, err = shell(`cp "$1" "$1.copy"; sync "$1.copy"; rm "$1.copy"`, file)
	if err != nil {
		return err
	}
	m.Copy.best(u)
	return os.Remove(file)
}
