package browser

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quire/format/http1"
	"quire/format/warc"
	"quire/source/records"
)

// samplePage is a page of the samples, and the file of its capture.
type samplePage struct {
	visit
	file string // below the folder of samples
}

// samplePages chooses pages of the samples by a rule that knows nothing of their replay, and returns
// the containers for the engines.
//
// The files are all WARC, ARC and WACZ files of the samples but those made damaged on purpose
// (_made/synthetic), in the order of their paths. A page is a capture of HTML with status 200 that
// embeds at least two parts, of which at least one is captured in its file. The pages of a file are
// in the order of the SHA-256 digests of their URLs. Each file gives its first page, then each its
// second, and so on. No URL is taken twice, and no host gives more than four pages. The
// engines get the files of the pages. (pywb ends at a damaged ARC file of the same folders.)
func samplePages(t *testing.T, shared string, most int) (pages []samplePage, containers []string) {
	t.Helper()
	root := filepath.Join(shared, "samples")
	var files []string
	if err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && strings.HasSuffix(path, "_made/synthetic") {
			return filepath.SkipDir
		}
		if isContainer(path) {
			files = append(files, path)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	slices.Sort(files)
	unpacked := map[string][]string{}
	var queues [][]samplePage
	for _, file := range files {
		parts := unpack(t, file)
		unpacked[file] = parts
		var queue []samplePage
		for _, p := range embedding(parts) {
			queue = append(queue, samplePage{p, strings.TrimPrefix(file, root+"/")})
		}
		slices.SortFunc(queue, func(a, b samplePage) int {
			x, y := sha256.Sum256([]byte(a.url)), sha256.Sum256([]byte(b.url))
			return bytes.Compare(x[:], y[:])
		})
		queues = append(queues, queue)
	}
	taken, hosts, chosen := map[string]bool{}, map[string]int{}, map[string]bool{}
	for progress := true; progress && len(pages) < most; {
		progress = false
		for i := range queues {
			for len(queues[i]) > 0 && len(pages) < most {
				p := queues[i][0]
				queues[i] = queues[i][1:]
				if taken[plain(p.url)] || hosts[hostOf(p.url)] >= 4 {
					continue
				}
				taken[plain(p.url)], progress = true, true
				hosts[hostOf(p.url)]++
				chosen[filepath.Join(root, p.file)] = true
				pages = append(pages, p)
				break
			}
		}
	}
	dir := t.TempDir()
	for _, file := range files {
		if !chosen[file] {
			continue
		}
		for _, part := range unpacked[file] {
			name := filepath.Join(dir, fmt.Sprintf("%03d-%s", len(containers), filepath.Base(part)))
			if err := copyTo(name, part); err != nil {
				t.Fatal(err)
			}
			containers = append(containers, name)
		}
	}
	return pages, containers
}

func isContainer(path string) bool {
	for _, ending := range []string{".warc", ".warc.gz", ".arc", ".arc.gz", ".wacz"} {
		if strings.HasSuffix(path, ending) {
			return true
		}
	}
	return false
}

func copyTo(name, from string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o600)
}

// unpack returns the containers of a WACZ file, which may contain further WACZ files, or the file.
func unpack(t *testing.T, file string) (parts []string) {
	t.Helper()
	if !strings.HasSuffix(file, ".wacz") {
		return []string{file}
	}
	z, err := zip.OpenReader(file)
	if err != nil {
		return nil // a damaged sample
	}
	defer z.Close()
	dir := t.TempDir()
	for i, f := range z.File {
		if !isContainer(f.Name) {
			continue
		}
		in, err := f.Open()
		if err != nil {
			continue
		}
		text, err := io.ReadAll(io.LimitReader(in, 64<<20))
		_ = in.Close()
		if err != nil {
			continue
		}
		name := filepath.Join(dir, fmt.Sprintf("%03d-%s", i, filepath.Base(f.Name)))
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
		parts = append(parts, unpack(t, name)...)
	}
	return parts
}

var embeds = regexp.MustCompile(`(?is)<(?:img|script|link|i?frame|embed|source|input)\b[^>]*?\b(?:src|href)\s*=\s*` +
	`(?:"([^"]*)"|'([^']*)'|([^\s>]+))`)

// embedding returns the captures of HTML with two embedded parts or more, one of them captured.
// Damage ends the reading of a file.
func embedding(containers []string) (pages []visit) {
	captured, parts := map[string]bool{}, map[visit][]string{}
	for _, path := range containers {
		in, err := os.Open(path)
		if err != nil {
			continue
		}
		r := records.NewReader(in, nil)
		for {
			rec, err := r.Next()
			if err != nil {
				break
			}
			if rec.Type != warc.TypeResponse || !strings.HasPrefix(rec.URI, "http") {
				continue
			}
			m, err := http1.ReadMessage(rec, http1.Response)
			if err != nil || m.Head == nil || m.Head.StatusCode != 200 {
				continue
			}
			captured[plain(rec.URI)] = true
			if !strings.HasPrefix(strings.ToLower(m.Head.Get("Content-Type")), "text/html") {
				continue
			}
			v := visit{rec.Date.UTC().Format("20060102150405"), rec.URI}
			if found := embedded(rec.URI, m); len(found) >= 2 {
				parts[v] = found
			}
		}
		_ = in.Close()
	}
	for v, found := range parts {
		if slices.ContainsFunc(found, func(part string) bool { return captured[part] }) {
			pages = append(pages, v)
		}
	}
	slices.SortFunc(pages, func(a, b visit) int { return strings.Compare(a.timestamp, b.timestamp) })
	return pages
}

// embedded returns the parts that a page names in its HTML.
func embedded(page string, m *http1.Message) []string {
	base, err := url.Parse(page)
	if err != nil {
		return nil
	}
	text, _ := io.ReadAll(io.LimitReader(m.Body, 8<<20))
	if strings.EqualFold(m.Head.Get("Content-Encoding"), "gzip") {
		if z, err := gzip.NewReader(bytes.NewReader(text)); err == nil {
			text, _ = io.ReadAll(io.LimitReader(z, 8<<20))
		}
	}
	found := map[string]bool{}
	for _, match := range embeds.FindAllSubmatch(text, -1) {
		at := strings.TrimSpace(string(match[1]) + string(match[2]) + string(match[3]))
		if u, err := base.Parse(at); at != "" && err == nil && strings.HasPrefix(u.Scheme, "http") {
			found[plain(u.String())] = true
		}
	}
	return slices.Collect(maps.Keys(found))
}
