package main

import (
	"encoding/json"
	"reflect"

	"quire/model"
)

// findingsFile writes every finding as one JSON object per line.
type findingsFile struct {
	*resultFile
	enc *json.Encoder
}

func newFindingsFile(path string) (*findingsFile, error) {
	f, err := newResultFile(path)
	if err != nil {
		return nil, err
	}
	enc := json.NewEncoder(f)
	enc.SetEscapeHTML(false)
	return &findingsFile{f, enc}, nil
}

func (f *findingsFile) add(finding model.Finding) {
	if f.err == nil {
		f.err = f.enc.Encode(plain(reflect.ValueOf(finding)))
	}
}
