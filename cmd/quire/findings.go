package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"reflect"

	"quire/model"
)

// findingsFile takes every finding, one JSON object a line.
type findingsFile struct {
	file *os.File
	out  *bufio.Writer
	enc  *json.Encoder
	sync func() error
	err  error // the first, kept until close
}

// newFindingsFile opens a file for the findings. One that holds something is not overwritten: with
// "--findings *.warc.gz" the shell would name the first container of a folder.
func newFindingsFile(path string) (*findingsFile, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.Mode().IsRegular() && info.Size() > 0 {
		err = fmt.Errorf("writing findings to %s: %w", path, fs.ErrExist)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	sync := f.Sync
	if !info.Mode().IsRegular() { // a pipe or /dev/stdout has no disk to wait for
		sync = func() error { return nil }
	}
	out := bufio.NewWriter(f)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	return &findingsFile{file: f, out: out, enc: enc, sync: sync}, nil
}

func (f *findingsFile) add(finding model.Finding) {
	if f.err == nil {
		f.err = f.enc.Encode(plain(reflect.ValueOf(finding)))
	}
}

// close writes what waits; a disk that is full is told of once.
func (f *findingsFile) close() error {
	if f.err == nil {
		f.err = f.out.Flush()
	}
	if f.err == nil {
		f.err = f.sync()
	}
	return errors.Join(f.err, f.file.Close())
}
