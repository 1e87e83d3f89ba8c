package reconcile

import (
	"compress/gzip"
	"context"
	"crypto/sha1"
	"encoding/base32"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"
)

// job is a small crawl under construction: a folder of Heritrix 1. Tests can change each part
// before it is written.
type job struct {
	lines      []string // of crawl.log
	containers map[string][]string
	index      []string // of crawl.cdx; nil means no index
	files      map[string]string
	gzipped    bool // the containers were compressed after the index was written
}

// capture is one fetch, as recorded by the crawler.
type capture struct {
	url    string
	at     string // 17 digits
	status int
	body   string
}

// The crawl: a look-up, a page, a picture.
var crawl = []capture{
	{"dns:example.org", "20200101000000100", 1, "20200101000000\nexample.org. 60 IN A 192.0.2.1\n"},
	{"http://example.org/", "20200101000001200", 200, "<p>page</p>"},
	{"http://example.org/a.png", "20200101000002300", 200, "picture"},
}

const (
	first = "T-20200101000000-00000-h.arc"
	other = "T-20200101000000-00001-h.arc"
)

// whole returns a job with consistent sources: two containers, a log, an index, reports, a list.
func whole() *job {
	j := &job{containers: map[string][]string{}, files: map[string]string{}}
	for i, c := range crawl {
		j.line(c)
		name := first
		if i == 2 {
			name = other
		}
		j.record(name, c.arc())
		j.entry(c, name)
	}
	return j
}

// block returns the block of a capture's record.
func (c capture) block() string {
	if c.status < 100 {
		return c.body
	}
	return fmt.Sprintf("HTTP/1.1 %d X\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s", c.status,
		len(c.body), c.body)
}

func (c capture) mime() string {
	if c.status < 100 {
		return "text/dns"
	}
	return "text/html"
}

func (c capture) digest() string {
	sum := sha1.Sum([]byte(c.body))
	return base32.StdEncoding.EncodeToString(sum[:])
}

// arc returns the capture as an ARC record.
func (c capture) arc() string {
	return fmt.Sprintf("%s 192.0.2.1 %s %s %d\n%s\n", c.url, c.at[:14], c.mime(), len(c.block()), c.block())
}

// line adds the line of a capture to the log, with more annotations.
func (j *job) line(c capture, notes ...string) {
	at, err := time.Parse("20060102150405.000", c.at[:14]+"."+c.at[14:])
	if err != nil {
		panic(err)
	}
	notes = append([]string{fmt.Sprintf("content-size:%d", len(c.block()))}, notes...)
	j.lines = append(j.lines, fmt.Sprintf("%s %5d %10d %s L http://example.org/ %s #001 %s+5 sha1:%s - %s",
		at.Add(5*time.Millisecond).Format("2006-01-02T15:04:05.000Z"), c.status, len(c.body), c.url, c.mime(), c.at,
		c.digest(), strings.Join(notes, ",")))
}

// record adds a record to a container.
func (j *job) record(name, record string) {
	if j.containers[name] == nil {
		if strings.HasSuffix(name, ".arc") {
			const version = "1 0 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n"
			j.containers[name] = []string{fmt.Sprintf("filedesc://%s 0.0.0.0 20200101000000 text/plain %d\n%s\n", name,
				len(version), version)}
		} else {
			j.containers[name] = []string{warcRecord("warcinfo", "", "20200101000000", "", "software: x\r\n")}
		}
	}
	j.containers[name] = append(j.containers[name], record)
}

// warcRecord returns a WARC record. More contains more fields, each with its newline.
func warcRecord(kind, uri, at, more, block string) string {
	date, err := time.Parse("20060102150405", at[:14])
	if err != nil {
		panic(err)
	}
	if uri != "" {
		more += "WARC-Target-URI: " + uri + "\r\n"
	}
	id := fmt.Sprintf("<urn:uuid:%x>", sha1.Sum([]byte(kind+uri+at+more)))
	if strings.Contains(more, "WARC-Record-ID") {
		id = ""
	} else {
		id = "WARC-Record-ID: " + id + "\r\n"
	}
	contentType := "application/http; msgtype=response"
	if kind == "warcinfo" {
		contentType = "application/warc-fields"
	}
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: %s\r\n%s%sWARC-Date: %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n"+
		"\r\n%s\r\n\r\n",
		kind, id, more, date.Format(time.RFC3339), contentType, len(block), block)
}

// offset returns the start of the last record of a container.
func (j *job) offset(name string) int {
	n := 0
	for _, r := range j.containers[name][:len(j.containers[name])-1] {
		n += len(r)
	}
	return n
}

// entry adds an index entry for the last record of a container.
func (j *job) entry(c capture, name string) {
	status := fmt.Sprint(c.status)
	if c.status < 100 {
		status = "-"
	}
	j.index = append(j.index, fmt.Sprintf("- %s %s %s %s %s - - %d %d %s", c.at[:14], c.url, c.mime(), status,
		c.digest(), len(j.containers[name][len(j.containers[name])-1]), j.offset(name), name))
}

// report adds the report of archive files for the present containers.
func (j *job) report() {
	text := "[ARCHIVEFILE] [Opened] [Closed] [Size]\n"
	for _, name := range j.names() {
		text += fmt.Sprintf("%s 2020-01-01T00:00:09.000Z %d\n", name, len(strings.Join(j.containers[name], "")))
	}
	j.files["reports/archivefiles-report.txt"] = text
}

func (j *job) names() (all []string) {
	for name := range j.containers {
		all = append(all, name)
	}
	sort.Strings(all)
	return all
}

// write writes the job into a folder.
func (j *job) write(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	put := func(name, text string) {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if j.lines != nil {
		put("logs/crawl.log", strings.Join(j.lines, "\n")+"\n")
	}
	if j.index != nil {
		put("crawl.cdx", " CDX N b a m s k r M S V g\n"+strings.Join(j.index, "\n")+"\n")
	}
	for name, records := range j.containers {
		if !j.gzipped {
			put("arcs/"+name, strings.Join(records, ""))
			continue
		}
		var b strings.Builder
		for _, r := range records {
			w := gzip.NewWriter(&b)
			if _, err := w.Write([]byte(r)); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
		}
		put("arcs/"+name+".gz", b.String())
	}
	for name, text := range j.files {
		put(name, text)
	}
	return dir
}

// reconciled compares the sources of the job.
func (j *job) reconciled(t testing.TB, o Options) *HarvestResult {
	t.Helper()
	result, err := Source(context.Background(), o, j.write(t))
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Harvests) != 1 {
		t.Fatalf("%d harvests", len(result.Harvests))
	}
	return result.Harvests[0]
}

// found lists the differences as "kind code count".
func (h *HarvestResult) found() (all []string) {
	for _, d := range h.Differences {
		for _, b := range d.Reasons {
			all = append(all, strings.TrimSpace(fmt.Sprintf("%s %s %d", d.Kind, strings.TrimSpace(b.Code+" "),
				b.Count)))
		}
	}
	for i := range all {
		all[i] = strings.Join(strings.Fields(all[i]), " ")
	}
	sort.Strings(all)
	return all
}

func number64(s string) (n int) {
	if _, err := fmt.Sscan(s, &n); err != nil {
		panic(err)
	}
	return n
}

func decimal(n int) string { return fmt.Sprint(n) }

// textOf returns the text of a harvest's result.
func textOf(h *HarvestResult) string {
	var b strings.Builder
	r := Result{Harvests: []*HarvestResult{h}}
	if err := r.Text(&b); err != nil {
		return err.Error()
	}
	return b.String()
}
