package pack

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/model"
)

// The METS lists the seeds and scope rules up to a limit, with the number of the others.
func TestSeedsAndScopeAreTold(t *testing.T) {
	dir := crawlOf(t, map[string]string{"job/arcs/x.warc": good})
	const order = `<crawl-order><controller><newObject name="scope" class="org.archive.crawler.scope.DomainScope">` +
		`<integer name="max-link-hops">25</integer></newObject></controller></crawl-order>`
	var others strings.Builder
	for i := range maxListed {
		fmt.Fprintf(&others, "http://a%d.example/\n", i)
	}
	for name, content := range map[string]string{"order.xml": order,
		"seeds.txt": "http://first.example/\n" + others.String() + "http://last.example/\n"} {
		if err := os.WriteFile(filepath.Join(dir, "job", name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	o := options(t)
	mustPack(t, o, dir)
	mets := read(t, o.Out, "mets.xml")
	for _, want := range []string{`name="seed">http://first.example/<`, ">seed: and 2 more, which its files hold<",
		`name="scope">scope: org.archive.crawler.scope.DomainScope max-link-hops=25<`} {
		if !strings.Contains(mets, want) {
			t.Errorf("the METS does not say %q", want)
		}
	}
	if strings.Contains(mets, "http://last.example/") {
		t.Error("the METS lists more than there is room for")
	}
}

// Omissions from a package are recorded: links within the source with packed targets, and empty
// folders.
func TestWhatIsLeftOutIsRecorded(t *testing.T) {
	dir := crawlOf(t, map[string]string{"2024/x.warc": good})
	for _, err := range []error{
		os.Symlink("2024", filepath.Join(dir, "latest")),
		os.MkdirAll(filepath.Join(dir, "a", "empty"), 0o777),
		os.Mkdir(filepath.Join(dir, "z"), 0o777),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	o := options(t)
	mustPack(t, o, dir)
	if got := list(t, o.Out); got != "containers/2024/x.warc indexes/2024/x.warc.cdxj.gz mets.xml mets.xml.sha512" {
		t.Errorf("the package holds %s", got)
	}
	mets := read(t, o.Out, "mets.xml")
	for _, want := range []string{"not packed: symbolic link latest to 2024,", "not packed: empty folder a/empty<",
		"not packed: empty folder z<"} {
		if !strings.Contains(mets, want) {
			t.Errorf("the METS does not say %q", want)
		}
	}
}

// A container that cannot be read from an archive is not packed. The package and the result report
// it.
func TestWhatIsRefusedIsRecorded(t *testing.T) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range []string{"a.warc", "../b.warc"} {
		f, err := w.Create(name)
		if err == nil {
			_, err = f.Write([]byte(good))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	o := options(t)
	r := mustPack(t, o, filepath.Join(crawlOf(t, map[string]string{"s.zip": b.String()}), "s.zip"))
	if got := list(t, o.Out); got != "containers/a.warc indexes/a.warc.cdxj.gz mets.xml mets.xml.sha512" {
		t.Errorf("the package holds %s", got)
	}
	if mets := read(t, o.Out, "mets.xml"); !strings.Contains(mets, "not packed: what SOURCE-PATH tells of") ||
		r.Outcome != model.Invalid || len(r.Refused) != 1 {
		t.Errorf("the package passes for whole: %s, %q", r.Outcome, r.Refused)
	}
}

// A file that changes during packing without changing its size is also noticed.
func TestChangedWhilePacked(t *testing.T) {
	dir := crawlOf(t, map[string]string{"x.warc": good, "y.warc": good})
	o := options(t)
	o.Start = func(int64) {
		later := time.Now().Add(time.Hour)
		if err := os.Chtimes(filepath.Join(dir, "y.warc"), later, later); err != nil {
			t.Error(err)
		}
	}
	_, err := Pack(context.Background(), []string{dir}, o)
	if err == nil || !strings.Contains(err.Error(), "y.warc was changed") {
		t.Errorf("error %v", err)
	}
}

// Pack does not overwrite a file that appears at the package's path during the run. If an empty
// folder is at the path, the package keeps the folder's permissions.
func TestPlaceOfThePackage(t *testing.T) {
	dir := crawlOf(t, map[string]string{"x.warc": good})
	o := options(t)
	o.Start = func(int64) {
		if err := os.WriteFile(o.Out, []byte("precious"), 0o666); err != nil {
			t.Error(err)
		}
	}
	if _, err := Pack(context.Background(), []string{dir}, o); err == nil ||
		!strings.Contains(err.Error(), "appeared during the run") {
		t.Errorf("error %v", err)
	}
	if got := read(t, o.Out); got != "precious" {
		t.Errorf("the file is now %q", got)
	}
	o = options(t)
	if err := os.Mkdir(o.Out, 0o700); err != nil {
		t.Fatal(err)
	}
	mustPack(t, o, dir)
	if info, err := os.Stat(o.Out); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("permissions %v, %v", info.Mode(), err)
	}
}

// A package may be made within its source; it does not contain itself.
func TestPackageWithinItsSource(t *testing.T) {
	dir, o := crawlOf(t, map[string]string{"x.warc": good}), options(t)
	o.Out = filepath.Join(dir, "package")
	mustPack(t, o, dir)
	if got := list(t, o.Out); got != "containers/x.warc indexes/x.warc.cdxj.gz mets.xml mets.xml.sha512" {
		t.Errorf("the package holds %s", got)
	}
}

func TestIdentifiers(t *testing.T) {
	for id, ok := range map[string]bool{
		"": true, "ark:/99999/x": true, "ünï cödé": true, "a\nb": false, "a\x00": false, " a": false, "a ": false,
		"a\xff": false, `a\b`: false,
	} {
		if err := checkID(id); (err == nil) != ok {
			t.Errorf("%q: %v", id, err)
		}
	}
}
