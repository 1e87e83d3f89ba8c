package main

import (
	"quire/internal/jsonline"
	"quire/model"
)

// findingsFile writes every finding as one JSON object per line.
type findingsFile struct {
	*resultFile
}

func newFindingsFile(path string) (*findingsFile, error) {
	f, err := newResultFile(path)
	if err != nil {
		return nil, err
	}
	return &findingsFile{f}, nil
}

func (f *findingsFile) add(finding model.Finding) {
	if f.err == nil {
		f.err = jsonline.Encode(f.resultFile, finding)
	}
}
