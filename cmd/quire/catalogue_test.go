package main

import (
	"strings"
	"testing"

	"quire/repository/catalogue"
	"quire/repository/store"
)

// TestCatalogueMovedWithWarning: a warning is on standard error, beside the whole result, and is no error.
func TestCatalogueMovedWithWarning(t *testing.T) {
	c := catalogueCopyCmd{To: store.CatalogueFile}
	c.Repo = "archive"
	moved := store.Moved{Transferred: catalogue.Transferred{Packages: 3}, Warnings: []string{"copy-2 is read-only"}}
	for _, asJSON := range []bool{false, true} {
		c.JSON = asJSON
		var out, errs strings.Builder
		if err := c.report(newTerminal(&out, &errs), moved); err != nil {
			t.Error(err)
		}
		if !strings.Contains(errs.String(), "copy-2 is read-only") {
			t.Errorf("warned: %q", errs.String())
		}
		want := "the catalogue of archive is in sqlite: 3 packages"
		if asJSON {
			want = `"packages":3,"events":0,"runs":0,"warnings":["copy-2 is read-only"]}`
		}
		if !strings.Contains(out.String(), want) {
			t.Errorf("printed %q, want %q", out.String(), want)
		}
	}
}
