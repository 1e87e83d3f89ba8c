//go:build interop

package roundtrip

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"quire/internal/testsamples"
	"quire/interop/internal/peers"
	"quire/source/oaiharvest"
	"quire/source/records"
)

func TestRoundTrip(t *testing.T) {
	quire, w := peers.Quire(t), newWebsite(t)
	behind := nginx(t, w.dir)
	root := caddy(t, behind, w.dir)
	out := t.TempDir()
	begun := time.Now()
	await(t, root+"/modoai?verb=Identify", http.StatusOK)
	t.Logf("the first look at %d files: %.1f s", len(w.bytes), time.Since(begun).Seconds())

	pkg := filepath.Join(out, "package")
	harvest(t, quire, root+"/modoai", "--as", "package", "--out", pkg)
	got := containers(t, root, filepath.Join(pkg, "*", "*.warc.gz"), filepath.Join(pkg, "*.warc.gz"),
		filepath.Join(pkg, "*", "*", "*.warc.gz"))
	sameFiles(t, got, w.bytes)
	sameHeaders(t, got)
	if said, status := peers.Try(t, nil, quire, "validate", pkg, "--schemas",
		testsamples.Path(t, "schemas")); status != 0 {
		t.Errorf("the package is not valid: status %d\n%s", status, said)
	}

	at := time.Now().UTC().Add(time.Second).Truncate(time.Second) // all earlier records have an earlier datestamp
	time.Sleep(time.Until(at))
	changed, gone := change(t, w)
	from := at.Format(time.RFC3339)
	waitListed(t, root, from, len(changed), len(gone))
	second := filepath.Join(out, "second")
	harvest(t, quire, root+"/modoai", "--from", from, "--out", second)
	sameFiles(t, containers(t, root, filepath.Join(second, "*.warc.gz")), changed)
	if went := deleted(t, root, second); !slices.Equal(went, gone) {
		t.Errorf("gone are %q; want %q", went, gone)
	}
}

// change changes, adds and deletes files. It returns the changed files, and the names of the
// deleted files.
func change(t *testing.T, w *website) (changed map[string][]byte, gone []string) {
	changed = map[string][]byte{}
	names := slices.Sorted(maps.Keys(w.bytes))
	for i, name := range names {
		switch {
		case i%100 == 3:
			w.put(t, name, fmt.Appendf(nil, "changed %d", i))
			changed[name] = w.bytes[name]
		case i%200 == 7:
			w.remove(t, name)
			gone = append(gone, name)
		}
	}
	for i := range 30 {
		name := fmt.Sprintf("new/%d \u00fc%%.html", i)
		w.put(t, name, fmt.Appendf(nil, "new %d", i))
		changed[name] = w.bytes[name]
	}
	return changed, gone
}

// harvest runs quire oai harvest and logs its cost.
func harvest(t *testing.T, quire string, args ...string) {
	t.Helper()
	cmd := exec.Command(quire, append([]string{"oai", "harvest", "--json"}, args...)...)
	var said, wrong bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &wrong
	begun := time.Now()
	err := cmd.Run()
	if err != nil {
		t.Fatalf("quire oai harvest %q: %v\n%s\n%s", args, err, &wrong, said.Bytes()[max(0, said.Len()-4000):])
	}
	var result struct {
		Counts oaiharvest.Counts `json:"counts"`
		Took   float64           `json:"seconds"`
	}
	if err := json.Unmarshal(said.Bytes(), &result); err != nil {
		t.Fatal(err)
	}
	t.Logf("quire oai harvest %s: %d records in %.1f s; with packing %.1f s, %.1f s of processor",
		strings.Join(args[1:], " "), result.Counts.Records, result.Took, time.Since(begun).Seconds(),
		cmd.ProcessState.UserTime().Seconds()+cmd.ProcessState.SystemTime().Seconds())
}

// harvested is a harvest's content for one URL.
type harvested struct {
	content []byte
	head    string
	url     string
}

// containers reads the harvested records, by the path of the file.
func containers(t *testing.T, root string, patterns ...string) map[string]*harvested {
	t.Helper()
	all := map[string]*harvested{}
	for _, pattern := range patterns {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			container(t, root, path, all)
		}
	}
	return all
}

func container(t *testing.T, root, path string, all map[string]*harvested) {
	t.Helper()
	in, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	r := records.NewReader(in, nil)
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		part := rec.WARC.Get("OAI-Part")
		if rec.Type != "resource" && part != "http-header" {
			continue
		}
		block, err := io.ReadAll(rec)
		if err != nil {
			t.Fatalf("%s: %v", rec.URI, err)
		}
		name := fileOf(t, root, rec.URI)
		if all[name] == nil {
			all[name] = &harvested{url: rec.URI}
		}
		switch {
		case rec.Type != "resource":
			all[name].head = string(block)
		case all[name].content != nil:
			t.Errorf("%s is duplicated", rec.URI)
		default:
			all[name].content = append([]byte{}, block...)
		}
	}
}

// fileOf returns the file of a URL.
func fileOf(t *testing.T, root, link string) string {
	t.Helper()
	u, err := url.Parse(link)
	if err != nil || !strings.HasPrefix(link, root+"/") || u.RawQuery != "" || u.Fragment != "" {
		t.Fatalf("%q is no URL of a file of the site: %v", link, err)
	}
	name := strings.TrimPrefix(u.Path, "/")
	if name == "" || strings.HasSuffix(name, "/") {
		name += "index.html"
	}
	return name
}

// sameFiles checks that the harvest has exactly the files on the disk.
func sameFiles(t *testing.T, got map[string]*harvested, want map[string][]byte) {
	t.Helper()
	wrong := 0
	tell := func(format string, args ...any) {
		if wrong++; wrong <= 20 {
			t.Errorf(format, args...)
		}
	}
	total := 0
	for name, content := range want {
		total += len(content)
		switch h := got[name]; {
		case h == nil:
			tell("%q was not harvested", name)
		case h.content == nil:
			tell("%q has no bytes", name)
		case !bytes.Equal(h.content, content):
			tell("%q: %d bytes other than the %d of the file", name, len(h.content), len(content))
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			tell("%q was harvested, and is none of the files", name)
		}
	}
	t.Logf("%d files of %.1f MB, of which %d are not right", len(want), float64(total)/1e6, wrong)
}

// sameHeaders compares the harvested headers with those that a visitor gets.
func sameHeaders(t *testing.T, got map[string]*harvested) {
	t.Helper()
	wrong := 0
	for name, h := range got {
		r, err := http.NewRequest(http.MethodGet, h.url, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Accept-Encoding", "identity")
		res, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, res.Body); err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		head, err := http.ReadResponse(bufio.NewReader(strings.NewReader(h.head)), r)
		if err != nil {
			t.Errorf("%s: %v in\n%s", h.url, err, h.head)
			continue
		}
		head.Body.Close()
		if a, b := fields(head), fields(res); !slices.Equal(a, b) {
			if wrong++; wrong <= 5 {
				t.Errorf("%q: harvested\n%s\na visitor gets\n%s", name, strings.Join(a, "\n"), strings.Join(b, "\n"))
			}
		}
	}
	t.Logf("headers of %d resources, of which %d are not those of visitors", len(got), wrong)
}

// fields returns the header fields of an answer, except the time and the fields about the
// connection.
func fields(res *http.Response) (all []string) {
	all = append(all, strconv.Itoa(res.StatusCode)) // without the reason phrase: HTTP/2 has none
	for name, values := range res.Header {
		if name == "Date" || name == "Connection" {
			continue
		}
		for _, v := range values {
			all = append(all, name+": "+v)
		}
	}
	slices.Sort(all)
	return all
}

var (
	recordForm  = regexp.MustCompile(`<header[ >]`)
	deletedForm = regexp.MustCompile(`<header status="deleted"`)
)

// waitListed waits until the site was scanned again and the changes are listed.
func waitListed(t *testing.T, root, from string, changed, gone int) {
	t.Helper()
	var body []byte
	for end := time.Now().Add(3 * time.Minute); time.Now().Before(end); time.Sleep(500 * time.Millisecond) {
		res, err := http.Get(root + "/modoai?verb=ListIdentifiers&metadataPrefix=oai_dc&from=" + from)
		if err != nil {
			t.Fatal(err)
		}
		body, err = io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		if len(deletedForm.FindAll(body, -1)) == gone && len(recordForm.FindAll(body, -1)) == changed+gone {
			return
		}
	}
	t.Fatalf("%d changed and %d gone; listed are %d, of which %d have gone", changed, gone,
		len(recordForm.FindAll(body, -1)), len(deletedForm.FindAll(body, -1)))
}

// deleted returns the files with records that a harvest found deleted.
func deleted(t *testing.T, root, out string) (names []string) {
	t.Helper()
	list, err := os.ReadFile(filepath.Join(out, oaiharvest.DeletedFile))
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(list) {
		var d oaiharvest.Deleted
		if err := json.Unmarshal(line, &d); err != nil {
			t.Fatal(err)
		}
		names = append(names, fileOf(t, root, d.Identifier))
	}
	slices.Sort(names)
	return names
}
