package workplace_test

import (
	"log"
	"path/filepath"

	"quire/internal/workplace"
)

func Example() {
	const out = "package"
	if err := workplace.Check(out); err != nil { // before any work
		log.Fatal(err)
	}
	w, err := workplace.New(filepath.Dir(out))
	if err != nil {
		log.Fatal(err)
	}
	defer w.Close()
	// Files are written below w.Path(), and synced. After an error: w.Remove().
	if err := w.Install(out); err != nil {
		log.Fatal(err)
	}
}
