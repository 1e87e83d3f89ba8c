package main

import (
	"os"
	"path/filepath"
	"testing"

	"quire/metadata/mets"
	"quire/metadata/premis"
	"quire/metadata/xmlstream"
)

func TestWhatIsWrittenReadsBack(t *testing.T) {
	for _, objects := range []bool{false, true} {
		name := filepath.Join(t.TempDir(), "mets.xml")
		size, err := run(name, 100, objects)
		if err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(name); err != nil || info.Size() != size {
			t.Errorf("%v, %v, want %d bytes", info, err, size)
		}
		nowhere, err := run("", 100, objects)
		if err != nil || nowhere != size {
			t.Errorf("%d bytes to nowhere, %d to a file, %v", nowhere, size, err)
		}
		checkRead(t, name, objects)
	}
}

func checkRead(t *testing.T, name string, objects bool) {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	files, described := 0, 0
	err = mets.Read(file, mets.Handler{
		Section: func(_ mets.Section, r *xmlstream.Reader) error {
			described++
			_, err := premis.ReadObject(r, nil)
			return err
		},
		File: func(mets.File, mets.FilePlace) error { files++; return nil },
	})
	want := 0
	if objects {
		want = 100
	}
	if err != nil || files != 100 || described != want {
		t.Errorf("%d files, %d objects, %v; want 100 and %d", files, described, err, want)
	}
}
