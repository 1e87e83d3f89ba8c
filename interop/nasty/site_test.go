//go:build interop

package nasty

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/textproto"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// answer is the answer of the live site to one URL.
type answer struct {
	mime, body string
	status     int      // 0 means 200
	location   string   // of a redirect; "{1}" stands for the second host
	header     []string // more lines of the head
	date       string   // instead of the Date of now; "none" leaves it out
	line       string   // instead of the status line
	link       string   // in pages, if it is not written like the request; "-" if no page has it
	delay      time.Duration
	// Content-Length, if it is not that of the body: the connection breaks off, or the rest is no part
	// of the body.
	announced int
	broken    bool   // the bytes stand for a body that broke off
	coded     bool   // with gzip if the client accepts it
	sent      string // the body in its codings, if it has any
	framed    string // the body with its framing, without Content-Length
	asks      string // "Cookie" or "Authorization": a request without it has another answer
}

// whole reports whether a mirror can have the body.
func (a *answer) whole() bool { return a.status == 0 && !a.broken }

// site is a live site of several hosts. It notes when it answered each URL, and how.
type site struct {
	hosts []string // "http://127.0.0.1:8080"
	pages map[string]answer

	mu   sync.Mutex
	seen map[string][]answered
}

type answered struct {
	at     time.Time
	status int
}

// hosts are where the site listens. The last one is the first on another port.
var hosts = []string{"127.0.0.1", "127.0.0.2", "localhost", "127.0.0.1"}

// newSite starts the site, without some URLs.
func newSite(t *testing.T, leave func(uri string) bool) *site {
	t.Helper()
	s := &site{pages: map[string]answer{}, seen: map[string][]answered{}}
	var listeners []net.Listener
	for _, host := range hosts {
		address := host
		if host == "localhost" {
			address = "127.0.0.1"
		}
		l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", address+":0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = l.Close() })
		_, port, _ := net.SplitHostPort(l.Addr().String())
		s.hosts = append(s.hosts, "http://"+host+":"+port)
		listeners = append(listeners, l)
	}
	for i, all := range pages() {
		maps.DeleteFunc(all, func(uri string, _ answer) bool { return leave(uri) })
		s.add(i, all)
	}
	for i, l := range listeners {
		go s.listen(i, l)
	}
	return s
}

// add adds a host, and its page with links to all of it; the page of the first host links to the others.
func (s *site) add(host int, all map[string]answer) {
	var home bytes.Buffer
	home.WriteString(`<html><head><meta charset="utf-8"><title>nasty</title></head><body>`)
	for _, uri := range slices.Sorted(maps.Keys(all)) {
		link := uri
		if l := all[uri].link; l != "" {
			link = l
		}
		if link != "-" {
			fmt.Fprintf(&home, "<a href=\"%s\">x</a>\n", strings.ReplaceAll(s.full(link), "&", "&amp;"))
		}
	}
	for _, other := range s.hosts[1:] {
		if host == 0 {
			fmt.Fprintf(&home, "<a href=\"%s/\">host</a>\n", other)
		}
	}
	all["/"] = answer{mime: "text/html", body: home.String() + "</body></html>"}
	all["/robots.txt"] = answer{status: 404, mime: "text/plain", body: "none"}
	for uri, a := range all {
		s.pages[s.hosts[host]+uri] = a
	}
}

// full replaces the names of hosts.
func (s *site) full(text string) string {
	for i, host := range s.hosts {
		text = strings.ReplaceAll(text, fmt.Sprintf("{%d}", i), host)
		text = strings.ReplaceAll(text, fmt.Sprintf("{@%d}", i), "http://reader:s3cret@"+host[len("http://"):])
	}
	return text
}

func (s *site) listen(host int, l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go s.serve(s.hosts[host], c)
	}
}

// unknown is the answer to URLs that the site does not have.
var unknown = answer{status: 404, mime: "text/plain", body: "unknown"}

// serve answers one request. It reads and writes the bytes itself, because the library would refuse
// half of them.
func (s *site) serve(base string, c net.Conn) {
	defer func() { _ = c.Close() }()
	_ = c.SetDeadline(time.Now().Add(20 * time.Second))
	r := textproto.NewReader(bufio.NewReader(c))
	line, err := r.ReadLine()
	if err != nil {
		return
	}
	h, _ := r.ReadMIMEHeader()
	method, rest, _ := strings.Cut(line, " ")
	uri := rest[:max(strings.LastIndexByte(rest, ' '), 0)]
	a, ok := s.pages[base+uri]
	switch {
	case !ok:
		a = unknown
	case a.asks == "Cookie" && h.Get(a.asks) == "":
		a = answer{status: 302, location: "/cookie-set"}
	case a.asks != "" && h.Get(a.asks) == "":
		a = status(401).with(`WWW-Authenticate: Basic realm="x"`)
	}
	time.Sleep(a.delay)
	s.mu.Lock()
	s.seen[base+uri] = append(s.seen[base+uri], answered{time.Now(), max(a.status, 200)})
	s.mu.Unlock()
	_, _ = c.Write(s.response(&a, method, strings.Contains(h.Get("Accept-Encoding"), "gzip")))
}

// response returns an answer as it is sent.
func (s *site) response(a *answer, method string, compress bool) []byte {
	var b bytes.Buffer
	status := max(a.status, 200)
	line := fmt.Sprintf("HTTP/1.1 %d %s", status, http.StatusText(status))
	if a.line != "" {
		line = a.line
	}
	head := append([]string{line}, a.header...)
	switch a.date {
	case "":
		head = append(head, "Date: "+time.Now().UTC().Format(http.TimeFormat))
	case "none":
	default:
		head = append(head, "Date: "+a.date)
	}
	if a.mime != "" {
		head = append(head, "Content-Type: "+a.mime)
	}
	if a.location != "" {
		head = append(head, "Location: "+s.full(a.location))
	}
	body := a.body
	if a.sent != "" {
		body = a.sent
	}
	if a.coded && compress {
		body = zipped(body)
		head = append(head, "Content-Encoding: gzip")
	}
	switch {
	case a.framed != "":
		body = a.framed
	case a.announced > 0:
		head = append(head, fmt.Sprintf("Content-Length: %d", a.announced))
	default:
		head = append(head, fmt.Sprintf("Content-Length: %d", len(body)))
	}
	b.WriteString(strings.Join(append(head, "Connection: close"), "\r\n") + "\r\n\r\n")
	if method != http.MethodHead {
		b.WriteString(body)
	}
	return b.Bytes()
}

// zipped returns a text as gzip.
func zipped(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(text)) // a buffer never fails
	_ = z.Close()
	return b.String()
}
