package place_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/repository/place"
	"quire/repository/place/placetest"
)

func TestFolder(t *testing.T) {
	placetest.Run(t, placetest.Kind{
		Open: func(t *testing.T) place.Place { return &place.Folder{Path: t.TempDir()} },
		Faults: func(p place.Place, fail bool) {
			p.(*place.Folder).Fault = nil
			if fail {
				p.(*place.Folder).Fault = func(op, name string) error { return errors.New(op + " of " + name) }
			}
		},
	})
}

// TestFolderIsNeverMade checks that nothing is written where the disk of a place is missing.
func TestFolderIsNeverMade(t *testing.T) {
	p := &place.Folder{Path: filepath.Join(t.TempDir(), "missing")}
	if err := p.Replace(context.Background(), "a/f", nil); err == nil {
		t.Error("a file was written")
	}
	if _, err := os.Stat(p.Path); err == nil {
		t.Error("the folder was made")
	}
	for _, err := range p.List(context.Background(), "") {
		if err == nil {
			t.Error("the missing place has a file")
		}
	}
}

func TestClean(t *testing.T) {
	for address, want := range map[string]string{
		"s3://bucket":             "s3://bucket",
		"s3://bucket/":            "s3://bucket",
		"s3://bucket/a//b/":       "s3://bucket/a/b",
		"file:///mnt/x/":          "file:///mnt/x",
		"file://x":                "",
		"file:relative":           "",
		"s3://key:secret@bucket/": "",
		"s3://bucket/?x=1":        "",
		"s3:///prefix":            "",
		"http://bucket/":          "",
		"/folder":                 "",
	} {
		got, err := place.Clean(address)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v; want %q", address, got, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "secret@") {
			t.Errorf("%s: the error shows the secret: %v", address, err)
		}
	}
}
