package inspect

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A file that is named twice, or named beside its folder, is one file; what a folder holds besides containers is left out.
func TestFindListsAFileOnce(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("crawl", 0o777); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"a.warc": warcinfo, "unnamed": warcinfo, "crawl.log": "log"} {
		if err := os.WriteFile(filepath.Join("crawl", name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	full, err := filepath.Abs("crawl")
	if err != nil {
		t.Fatal(err)
	}
	got, err := Find([]string{"crawl/unnamed", "crawl", "./crawl/../crawl/a.warc", full, "crawl/crawl.log"})
	want := []string{"crawl/unnamed", "crawl/a.warc", "crawl/crawl.log"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}
