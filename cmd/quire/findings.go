package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"

	"quire/model"
)

// findingsFile takes every finding, one JSON object a line.
type findingsFile struct {
	file *os.File
	out  *bufio.Writer
	enc  *json.Encoder
	err  error // the first, kept until close
}

func newFindingsFile(path string) (*findingsFile, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	out := bufio.NewWriter(f)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	return &findingsFile{file: f, out: out, enc: enc}, nil
}

func (f *findingsFile) add(finding model.Finding) {
	if f.err == nil {
		f.err = f.enc.Encode(finding)
	}
}

func (f *findingsFile) close() error {
	return errors.Join(f.err, f.out.Flush(), f.file.Sync(), f.file.Close())
}
