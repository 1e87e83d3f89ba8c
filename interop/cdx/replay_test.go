//go:build interop

package cdx

import (
	"bufio"
	"crypto/sha1"
	"encoding/base32"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"quire/format/cdx"
	"quire/holdings/captures"
	"quire/internal/testsamples"
	"quire/interop/internal/peers"
)

// repository makes a repository of the samples of crawlers and related tools, with an exported
// index, and returns its folder.
func repository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	source := filepath.Join(dir, "crawl")
	if err := os.Mkdir(source, 0o777); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, path := range append(testsamples.Samples(t, "warc"), testsamples.Samples(t, "arc")...) {
		name := filepath.ToSlash(path)
		if strings.Contains(name, "/history/") || strings.Contains(name, "/_made/") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		n++
		if err := os.WriteFile(filepath.Join(source, fmt.Sprintf("%03d-%s", n, filepath.Base(path))), text,
			0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d containers", n)
	repo := filepath.Join(dir, "repo")
	quire(t, "pack", source, "--out", filepath.Join(dir, "package"))
	quire(t, "init", repo)
	quire(t, "ingest", "--repo", repo, filepath.Join(dir, "package"))
	if err := os.WriteFile(filepath.Join(dir, "open.yaml"), []byte("unstated: open\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, form := range []string{"cdxj", "cdx"} {
		quire(t, "index", "--repo", repo, "--config", filepath.Join(dir, "open.yaml"), "--export", form, "--out",
			filepath.Join(dir, "index."+form))
	}
	return dir
}

// quire runs our program. Packages with invalid containers count as success.
func quire(t *testing.T, args ...string) {
	t.Helper()
	said, err := exec.Command(peers.Quire(t), args...).CombinedOutput()
	if err != nil && args[0] != "pack" {
		t.Fatalf("quire %s: %v\n%s", strings.Join(args, " "), err, said)
	}
}

func entries(t *testing.T, path string) (all []cdx.Entry) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for e, err := range cdx.NewReader(bufio.NewReader(f), cdx.Options{}).All() {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, e)
	}
	return all
}

// TestSamples tests pywb on a repository of samples.
func TestSamples(t *testing.T) {
	dir := repository(t)
	all := entries(t, filepath.Join(dir, "index.cdxj"))
	t.Logf("%d captures", len(all))
	if len(all) < 500 {
		t.Fatalf("only %d captures", len(all))
	}
	t.Run("closest", func(t *testing.T) { closest(t, dir, all) })
	t.Run("replay-cdxj", func(t *testing.T) { replay(t, dir, "cdxj", 400) })
	t.Run("replay-cdx", func(t *testing.T) { replay(t, dir, "cdx", 100) })
}

// closest checks that pywb and Quire find the same capture for a thousand URLs and dates.
func closest(t *testing.T, dir string, all []cdx.Entry) {
	x, err := captures.Open(filepath.Join(dir, "repo", "access", captures.DirName), captures.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	r := rand.New(rand.NewPCG(7, 7))
	lines := []string{filepath.Join(dir, "index.cdxj")}
	var urls, times []string
	for range 1000 {
		e := all[r.IntN(len(all))]
		for strings.HasPrefix(e.URL, "file:") { // pywb fails on them
			e = all[r.IntN(len(all))]
		}
		at := time.Date(1996+r.IntN(30), time.Month(1+r.IntN(12)), 1+r.IntN(28), r.IntN(24), r.IntN(60), r.IntN(60), 0,
			time.UTC)
		if r.IntN(2) == 0 { // a time near a capture
			at = e.Time.Add(time.Duration(r.IntN(20_000_000)-10_000_000) * time.Second)
		}
		urls, times = append(urls, e.URL), append(times, at.Format("20060102150405"))
		lines = append(lines, e.URL+"\t"+times[len(times)-1])
	}
	answers := strings.Split(strings.TrimSpace(peers.Python(t, "pywb_closest.py", lines)), "\n")
	if len(answers) != len(urls) {
		t.Fatalf("%d answers", len(answers))
	}
	several := 0
	for i, answer := range answers {
		var first *captures.Capture
		n := 0
		for c, err := range x.Captures(t.Context(), captures.Query{URL: urls[i], Closest: times[i]}) {
			if err != nil {
				t.Fatal(err)
			}
			if n++; n == 1 {
				first = c
			}
		}
		words := strings.Split(answer, "\t")
		if first == nil || len(words) != 3 || words[0] != first.Timestamp {
			t.Errorf("%s at %s: pywb %q, we %+v", urls[i], times[i], answer, first)
			continue
		}
		if n > 1 {
			several++
		}
		same := 0 // several containers may have the same capture
		for _, e := range all {
			if e.Key == first.Key && e.Timestamp == first.Timestamp {
				same++
			}
		}
		if same == 1 && (words[1] != strconv.FormatInt(first.Record.Offset, 10) ||
			filepath.Base(words[2]) != filepath.Base(first.Record.Container)) {
			t.Errorf("%s at %s: pywb %q, we %+v", urls[i], times[i], answer, first.Record)
		}
	}
	t.Logf("1000 questions, %d with a choice", several)
}

// replay checks that pywb returns the same for each capture with our index, which locates our
// copies, as with its own index.
func replay(t *testing.T, dir, form string, most int) {
	all := entries(t, filepath.Join(dir, "index."+form))
	index := ownIndex(t, dir, filepath.Dir(all[0].File))
	known := map[string]bool{} // captures in pywb's own index: it fails on some files
	for _, e := range entries(t, index) {
		known[e.Key+e.Timestamp] = true
	}
	base := wayback(t,
		fmt.Sprintf("collections:\n  ours:\n    index_paths: %s\n    archive_paths: /\n  own:\n    index_paths: %s\n "+
			"   archive_paths: %s/\n",
			filepath.Join(dir, "index."+form), index, filepath.Dir(all[0].File)))
	asked, same, good, more := 0, 0, 0, 0
	last := ""
	for _, e := range all {
		if e.Key+e.Timestamp == last || e.Status != 200 && e.Status != 404 || !strings.HasPrefix(e.URL, "http") ||
			strings.Contains(e.Key, "__wb_method") {
			continue
		}
		if last = e.Key + e.Timestamp; asked == most {
			break
		}
		asked++
		ours, own := get(base+"ours/"+e.Timestamp+"id_/"+e.URL), get(base+"own/"+e.Timestamp+"id_/"+e.URL)
		if ours.status == e.Status && ours.digest == e.Digest {
			good++
		}
		if ours == own {
			same++
			continue
		}
		if !known[e.Key+e.Timestamp] && ours.status == e.Status {
			more++
			continue
		}
		t.Logf("%s %s of %s: by our index %+v, by its own %+v", e.Timestamp, e.URL, filepath.Base(e.File), ours, own)
	}
	t.Logf("%d of %d come back as by pywb's own index, %d that this does not have; of %d the bytes have the digest "+
		"that is stated", same, asked, more, good)
	if same+more < asked*98/100 || asked < most*9/10 {
		t.Errorf("only %d of %d come back", same, asked)
	}
}

// ownIndex has pywb index containers, and returns the path of the index.
func ownIndex(t *testing.T, dir, containers string) string {
	t.Helper()
	out := filepath.Join(dir, "own.cdxj")
	files, err := filepath.Glob(filepath.Join(containers, "*"))
	if err != nil {
		t.Fatal(err)
	}
	lines := slices.Collect(strings.Lines(peers.Python(t, "pywb_index.py", files)))
	slices.Sort(lines)
	if err := os.WriteFile(out, []byte(strings.Join(lines, "")), 0o666); err != nil {
		t.Fatal(err)
	}
	return out
}

// wayback starts pywb and returns its address.
func wayback(t *testing.T, config string) string {
	t.Helper()
	place := t.TempDir()
	if err := os.WriteFile(filepath.Join(place, "config.yaml"), []byte(config), 0o666); err != nil {
		t.Fatal(err)
	}
	address := peers.FreeAddress(t)
	_, port, _ := strings.Cut(address, ":")
	pywb := exec.Command(filepath.Join(peers.Tools(t), "venv", "bin", "wayback"), "-p", port, "-b", "127.0.0.1")
	pywb.Dir = place
	if err := pywb.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = pywb.Process.Kill()
		_ = pywb.Wait()
	})
	base := "http://" + address + "/"
	for until := time.Now().Add(5 * time.Minute); ; time.Sleep(100 * time.Millisecond) {
		r, err := http.Get(base)
		if err == nil {
			r.Body.Close()
			return base
		}
		if time.Now().After(until) {
			t.Fatal(err)
		}
	}
}

// got is a response.
type got struct {
	status int
	digest string
	failed bool // incomplete, or with a head that is invalid in HTTP
}

func get(url string) (g got) {
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}, Timeout: 5 * time.Minute,
		Transport: &http.Transport{DisableCompression: true, DisableKeepAlives: true}}
	request, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return got{failed: true}
	}
	request.Header.Set("Accept-Encoding", "gzip, br") // otherwise pywb decodes the body
	r, err := client.Do(request)
	if err != nil {
		return got{failed: true}
	}
	defer r.Body.Close()
	h := sha1.New()
	_, err = io.Copy(h, r.Body)
	return got{r.StatusCode, base32.StdEncoding.EncodeToString(h.Sum(nil)), err != nil}
}
