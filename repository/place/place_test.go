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

// TestNoSecretInMessages: an address with credentials is refused, and no message repeats them.
func TestNoSecretInMessages(t *testing.T) {
	for _, address := range []string{"s3://key:SECRET@bucket/p", "s3://key:SEC/RET@bucket/p",
		"s3://key:1/SECRET@bucket", "s3://bucket/p?X-Amz-Signature=SECRET", "s3://bucket/p#SECRET",
		"s3://key:SECRET%zz@bucket", "s3://:SECRET"} {
		_, err := place.Open(address)
		if err == nil || strings.Contains(err.Error(), "SEC") {
			t.Errorf("%s: %v", address, err)
		}
	}
	for _, endpoint := range []string{"https://key:SECRET@host", "https://host/SECRET", "https://host?a=SECRET",
		"https://host:SECRET"} {
		t.Setenv("QUIRE_S3_ENDPOINT", endpoint)
		_, err := place.Open("s3://bucket")
		if err == nil || strings.Contains(err.Error(), "SECRET") {
			t.Errorf("%s: %v", endpoint, err)
		}
	}
}
