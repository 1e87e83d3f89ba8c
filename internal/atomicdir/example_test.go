package atomicdir_test

import (
	"log"
	"os"
	"path/filepath"

	"quire/internal/atomicdir"
)

func Example() {
	write := func(out string) (err error) {
		if err := atomicdir.Check(out); err != nil { // before any work
			return err
		}
		w, err := atomicdir.Beside(out)
		if err != nil {
			return err
		}
		defer w.End(&err)
		// and sync it
		if err := os.WriteFile(filepath.Join(w.Path(), "report.txt"), []byte("done"), 0o600); err != nil {
			return err
		}
		return w.Install(out)
	}
	if err := write("package"); err != nil {
		log.Fatal(err)
	}
}
