package browser

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/andybalholm/brotli"

	"quire/format/warc"
)

// recorder is a proxy before a website that writes requests and responses into a WARC file, like a
// crawler.
type recorder struct {
	site http.Handler
	mu   sync.Mutex
	out  *warc.Writer
	when time.Time
	err  error
}

// notCrawled is the beginning of the paths that a recorder leaves out, as a crawler would.
const notCrawled = "/not-crawled/"

func (r *recorder) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	var sent bytes.Buffer
	if req.Body != nil {
		_, _ = sent.ReadFrom(req.Body)
		req.Body = http.NoBody
		if sent.Len() > 0 {
			req.Body = http.MaxBytesReader(w, readCloser{bytes.NewReader(sent.Bytes())}, 1<<20)
		}
	}
	ranged := req.Header.Get("Range")
	req.Header.Del("Range") // a crawler requests the whole
	answer := httptest.NewRecorder()
	r.site.ServeHTTP(answer, req)
	if !strings.HasPrefix(req.URL.Path, notCrawled) {
		r.record(req, sent.Bytes(), answer)
	}
	for name, values := range answer.Header() {
		w.Header()[name] = values
	}
	if ranged != "" && answer.Code == http.StatusOK {
		req.Header.Set("Range", ranged)
		http.ServeContent(w, req, "", time.Time{}, bytes.NewReader(answer.Body.Bytes()))
		return
	}
	w.WriteHeader(answer.Code)
	_, _ = w.Write(answer.Body.Bytes())
}

type readCloser struct{ *bytes.Reader }

func (readCloser) Close() error { return nil }

func (r *recorder) record(req *http.Request, sent []byte, answer *httptest.ResponseRecorder) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.when = r.when.Add(time.Second)
	url, date := "http://"+req.Host+req.URL.RequestURI(), warc.FormatDate(r.when)
	n := r.when.Unix()
	var head bytes.Buffer
	fmt.Fprintf(&head, "HTTP/1.1 %d %s\r\n", answer.Code, http.StatusText(answer.Code))
	fields := answer.Header().Clone()
	body := answer.Body.Bytes()
	if fields.Get(brotliRecord) != "" {
		fields.Del(brotliRecord)
		fields.Set("Content-Encoding", "br")
		body = inBrotli(body)
	}
	if fields.Get(chunkedRecord) != "" {
		fields.Del(chunkedRecord)
		fields.Set("Transfer-Encoding", "chunked")
		body = inChunks(body)
	}
	_ = fields.Write(&head)
	head.WriteString("\r\n")
	head.Write(body)
	r.write([]warc.NameValue{
		{Name: "WARC-Type", Value: "response"},
		{Name: "WARC-Record-ID", Value: fmt.Sprintf("<urn:uuid:00000000-0000-4000-8000-%012d>", n)},
		{Name: "WARC-Date", Value: date}, {Name: "WARC-Target-URI", Value: url},
		{Name: "Content-Type", Value: "application/http; msgtype=response"},
	}, head.Bytes())
	var asked bytes.Buffer
	fmt.Fprintf(&asked, "%s %s HTTP/1.1\r\nHost: %s\r\n", req.Method, req.URL.RequestURI(), req.Host)
	_ = req.Header.Write(&asked)
	asked.WriteString("\r\n")
	asked.Write(sent)
	r.write([]warc.NameValue{
		{Name: "WARC-Type", Value: "request"},
		{Name: "WARC-Record-ID", Value: fmt.Sprintf("<urn:uuid:00000000-0000-4000-9000-%012d>", n)},
		{Name: "WARC-Concurrent-To", Value: fmt.Sprintf("<urn:uuid:00000000-0000-4000-8000-%012d>", n)},
		{Name: "WARC-Date", Value: date}, {Name: "WARC-Target-URI", Value: url},
		{Name: "Content-Type", Value: "application/http; msgtype=request"},
	}, asked.Bytes())
}

func inBrotli(body []byte) []byte {
	var b bytes.Buffer
	z := brotli.NewWriter(&b)
	_, _ = z.Write(body)
	_ = z.Close()
	return b.Bytes()
}

// inChunks encodes a body in chunks (RFC 9112, 7.1).
func inChunks(body []byte) []byte {
	var b bytes.Buffer
	for part := range slices.Chunk(body, 1000) {
		fmt.Fprintf(&b, "%x\r\n%s\r\n", len(part), part)
	}
	b.WriteString("0\r\n\r\n")
	return b.Bytes()
}

func (r *recorder) write(fields []warc.NameValue, block []byte) {
	if _, _, err := r.out.WriteBytes(fields, block); err != nil && r.err == nil {
		r.err = err
	}
}

// crawled is the file of crawl, made once for all tests.
var crawled struct {
	once sync.Once
	dir  string
	file string // "" if it does not exist
}

func TestMain(m *testing.M) {
	status := m.Run()
	_ = os.RemoveAll(crawled.dir) // "" has no effect
	os.Exit(status)
}

// crawl visits the pages of the website with Chromium, and returns the WARC file of its requests.
func crawl(t *testing.T) (file string) {
	t.Helper()
	crawled.once.Do(func() {
		dir, err := os.MkdirTemp("", "quire-crawl-")
		if err != nil {
			t.Fatal(err)
		}
		crawled.dir = dir
		crawled.file = crawlInto(t, dir+"/hard.warc.gz")
	})
	if crawled.file == "" {
		t.Fatal("the website could not be crawled, see above")
	}
	return crawled.file
}

func crawlInto(t *testing.T, file string) string {
	t.Helper()
	r, closeFile := record(t, file, newSite())
	origin := httptest.NewServer(r)
	defer origin.Close()
	port := origin.Listener.Addr().String()
	b := open(t, "MAP "+liveHost+" ~NOTFOUND, MAP *.example "+port)
	checks := b.checks(t, "http://"+siteHost+"/")
	for _, name := range checkNames {
		if checks[name] != true {
			t.Errorf("live: %s: %v", name, checks[name])
		}
	}
	if t.Failed() {
		t.Fatal("the website itself does not work, so nothing can be said of its replay")
	}
	for path := range hostile {
		b.visit(t, "http://"+siteHost+path)
	}
	// Pages that redirect the browser are requested separately.
	for _, path := range []string{"/refresh.html", "/moved", "/deep/page.html", "/leave.html", "/pic/15.png",
		"/pic/16.png", "/pic/18.png"} {
		req, _ := http.NewRequest("GET", origin.URL+path, nil)
		req.Host = siteHost
		answer, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
	}
	closeFile()
	return file
}

// record starts a WARC file for a website. The recorder's requests end before closeFile.
func record(t *testing.T, file string, site http.Handler) (r *recorder, closeFile func()) {
	t.Helper()
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	out, err := warc.NewWriter(f, warc.WriterOptions{Compression: warc.Gzip})
	if err != nil {
		t.Fatal(err)
	}
	r = &recorder{site: site, out: out, when: time.Date(2026, 3, 4, 5, 6, 0, 0, time.UTC)}
	return r, func() {
		t.Helper()
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.err != nil {
			t.Fatal(r.err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// live listens in place of the live web and records connections.
type live struct {
	address string
	mu      sync.Mutex
	came    []string
}

func (l *live) note(what string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, own := range []string{"google", "gvt1.com", "chromium"} { // Chromium's own requests
		if strings.Contains(what, own) {
			return
		}
	}
	l.came = append(l.came, what)
}

func (l *live) all() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]string(nil), l.came...)
}
