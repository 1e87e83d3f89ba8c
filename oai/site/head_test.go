package site

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// odd is an answer with fields in an order and spelling that net/http does not keep.
const odd = "HTTP/1.1 200 All right\r\nX-second: 1\r\nETag: \"x\"\r\nset-cookie: a\r\ncontent-TYPE: text/plain\r\n" +
	"X-First:  spaced \r\nSet-Cookie: b\r\nX-XSS-Protection: 0\r\nContent-Length: 4\r\n" +
	"Connection: keep-alive\r\n\r\nbody"

const oddFields = `[{X-second 1} {ETag "x"} {set-cookie a} {content-TYPE text/plain} {X-First spaced} ` +
	`{Set-Cookie b} {X-XSS-Protection 0} {Content-Length 4}`

// speak answers each request on a listener with the same bytes.
func speak(t *testing.T, l net.Listener, answer string) {
	t.Helper()
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer func() { _ = c.Close() }()
				for in := bufio.NewReader(c); ; {
					r, err := http.ReadRequest(in)
					if err != nil {
						return
					}
					_, _ = io.Copy(io.Discard, r.Body)
					// in pieces, so that the head comes in several reads
					for len(answer) > 0 {
						n := min(len(answer), 50)
						if _, err := io.WriteString(c, answer[:n]); err != nil {
							return
						}
						answer = answer[n:]
						time.Sleep(time.Millisecond)
					}
				}
			}()
		}
	}()
}

func fieldsOf(t *testing.T, next http.Handler) string {
	t.Helper()
	a, err := (&asker{next: next, visitors: &Visitors{}, wait: time.Minute}).ask(context.Background(), http.MethodGet,
		"http://a.example/x")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = a.Close() }()
	if _, err := io.Copy(io.Discard, a); err != nil {
		t.Fatal(err)
	}
	res := (&Site{}).resource("http://a.example/x", &row{}, look{}, a)
	return fmt.Sprint(res.Header)
}

// The head of an upstream server's answer keeps its order and spelling, also behind an interim
// answer and over TLS.
func TestHeadOfUpstream(t *testing.T) {
	for name, answer := range map[string]string{"plain": odd,
		"interim": "HTTP/1.1 103 Early\r\nLink: </a>\r\n\r\n" + odd} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		speak(t, l, answer)
		up, err := Upstream("http://"+l.Addr().String(), func(p string) { t.Error(p) })
		if err != nil {
			t.Fatal(err)
		}
		if got := fieldsOf(t, up); !strings.HasPrefix(got, oddFields+" {Date ") || strings.Count(got, "{") != 9 {
			t.Errorf("%s: %s\nwant %s and a Date", name, got, oddFields)
		}
	}
}

// Connections of the transport for internal requests keep heads over TLS, too.
func TestHeadOverTLS(t *testing.T) {
	server := httptest.NewUnstartedServer(nil)
	server.StartTLS() // for its certificate
	defer server.Close()
	plain, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	config := &tls.Config{Certificates: server.TLS.Certificates, MinVersion: tls.VersionTLS12}
	speak(t, tls.NewListener(plain, config), odd)
	transport := server.Client().Transport.(*http.Transport).Clone()
	keepHeads(transport, &net.Dialer{Timeout: dialTimeout})
	raw := &rawHead{}
	r, err := http.NewRequestWithContext(context.WithValue(context.Background(), headKey{}, raw), http.MethodGet,
		"https://"+plain.Addr().String()+"/", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := (&headTransport{internal: transport}).RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	want := strings.TrimSuffix(oddFields, "]") + " {Connection keep-alive}]"
	if got := fmt.Sprint(headFields(raw.get(), answer.Header, nil)); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// A handler's fields are in the order in which net/http sends them: the handler's by name, then those
// that the server adds.
func TestHeadOfHandlers(t *testing.T) {
	h := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["ETag"] = []string{`"x"`}
		w.Header().Set("X-Last", "1")
		w.Header().Set("Accept-Ranges", "none")
		w.Header().Add("X-Twice", "1")
		w.Header().Add("X-Twice", "2")
		_, _ = io.WriteString(w, "<html><p>text")
	})
	server := httptest.NewServer(h)
	defer server.Close()
	c, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	if _, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	sent, err := io.ReadAll(c)
	if err != nil {
		t.Fatal(err)
	}
	name := func(line string) string { n, _, _ := strings.Cut(line, ":"); return n }
	var want, got []string
	head, _, _ := strings.Cut(string(sent), "\r\n\r\n")
	for _, line := range strings.Split(head, "\r\n")[1:] {
		if n := name(line); n != "Connection" && n != "Content-Length" { // of this connection, and computed by it
			want = append(want, n)
		}
	}
	for _, f := range strings.Split(strings.Trim(fieldsOf(t, h), "[]{}"), "} {") {
		n, _, _ := strings.Cut(f, " ")
		got = append(got, n)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) || len(got) != 7 {
		t.Errorf("%v\nwant %v", got, want)
	}
}

// A server that prefers HTTP/2 is asked in HTTP/1.1, in which heads are text.
func TestHeadOfHTTP2Server(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header()["ETag"] = []string{`"x"`}
		_, _ = io.WriteString(w, r.Proto)
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	original := server.Client().Transport.(*http.Transport)
	original.ForceAttemptHTTP2 = true
	internal := original.Clone()
	keepHeads(internal, &net.Dialer{Timeout: dialTimeout})
	raw := &rawHead{}
	r, err := http.NewRequestWithContext(context.WithValue(context.Background(), headKey{}, raw), http.MethodGet,
		server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := (&headTransport{visitors: original, internal: internal}).RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(answer.Body)
	_ = answer.Body.Close()
	if head := raw.get(); err != nil || string(text) != "HTTP/1.1" || head == nil || head.Fields[0].Name != "ETag" {
		t.Errorf("%q, %v, %+v", text, err, head)
	}
}
