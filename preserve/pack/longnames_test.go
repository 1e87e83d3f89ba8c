package pack

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"quire/internal/portable"
	"quire/preserve/aip"
)

// TestLongNames has names that are longer than a store can hold: the name in the package is
// shortened, and the METS has the original one.
func TestLongNames(t *testing.T) {
	long := strings.Repeat("l", 243)
	dir := crawlOf(t, map[string]string{strings.Repeat("\x01", 80) + ".warc": good, "x.warc": good,
		long + ".log": "1", long + "x.log": "2"})
	o := options(t)
	mustPack(t, o, dir)
	names := strings.Fields(list(t, o.Out))
	logs := 0
	for _, name := range names {
		if portable.Shorten(name) != name {
			t.Errorf("%s has %d bytes", name, len(path.Base(name)))
		}
		if strings.HasPrefix(name, aip.LogsDir+"/lll") && strings.HasSuffix(name, ".log") {
			logs++
		}
	}
	mets := read(t, o.Out, "mets.xml")
	if logs != 2 || !strings.Contains(mets, long+".log") || !strings.Contains(mets, long+"x.log") {
		t.Errorf("the package holds %q, and the METS names the logs: %v", names, strings.Contains(mets, long+".log"))
	}
	if r, err := aip.Validate(context.Background(), o.Out, aip.Options{}); err != nil || r.Outcome != "valid" {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestLogWithoutContainers packs the log of a harvest that got nothing: a fact that is worth keeping.
func TestLogWithoutContainers(t *testing.T) {
	dir := crawlOf(t, map[string]string{
		"crawl.log": "2005-10-02T03:04:05.006Z   -2          - http://a.test/ - - no-type #001 - - - -\n"})
	o := options(t)
	r := mustPack(t, o, dir)
	if r.Containers != 0 || len(r.Harvests) != 1 {
		t.Errorf("%+v", r)
	}
	if got := list(t, o.Out); got != "logs/crawl.log mets.xml mets.xml.sha512" {
		t.Errorf("the package holds %s", got)
	}
	if v, err := aip.Validate(context.Background(), o.Out, aip.Options{}); err != nil || v.Outcome != "valid" {
		t.Errorf("%+v, %v", v, err)
	}
}

// TestDanglingLink has the link "latest" of a job of Heritrix that was moved: nothing is lost without
// it, and the package records it.
func TestDanglingLink(t *testing.T) {
	dir := crawlOf(t, map[string]string{"2024/x.warc": good})
	if err := os.Symlink("/heritrix/jobs/j/2024", filepath.Join(dir, "latest")); err != nil {
		t.Fatal(err)
	}
	o := options(t)
	mustPack(t, o, dir)
	if mets := read(t, o.Out, "mets.xml"); !strings.Contains(mets,
		"not packed: symbolic link latest to /heritrix/jobs/j/2024, which is missing") {
		t.Error("the METS does not name the link")
	}
}
