package inspect

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A file that is named twice, or together with its folder, is listed once. Other files in a folder
// are omitted.
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

// If a folder contains symbolic links, the targets of the links are found. A broken link with the
// name of a container is treated as a lost container.
func TestFindFollowsLinksToFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, folder := range []string{"disk", "crawl"} {
		if err := os.Mkdir(folder, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile("disk/a.warc", []byte(warcinfo), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"a.warc": "../disk/a.warc", "b.warc": "../disk/a.warc",
		"lost.warc.gz": "nowhere", "lost.log": "nowhere", "round": "."} {
		if err := os.Symlink(to, filepath.Join("crawl", name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("disk", "link"); err != nil {
		t.Fatal(err)
	}
	if got, err := Find([]string{"link"}); err != nil || !slices.Equal(got, []string{"link/a.warc"}) {
		t.Errorf("of a link to a folder: %q, %v", got, err)
	}
	got, err := Find([]string{"crawl", "disk"})
	want := []string{"crawl/a.warc", "crawl/lost.warc.gz"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}
