package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
)

// The site must serve everything that examples/README.md promises for the crawl.
func TestSite(t *testing.T) {
	server := httptest.NewServer(newSite(os.DirFS("../site")))
	defer server.Close()
	// Redirects count as answers here, and compressed bodies are needed as sent.
	client := &http.Client{
		Transport:     &http.Transport{DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}

	for _, c := range []struct {
		name, host, path string
		status           int
		media            string
		also             check
	}{
		{"a page", mainHost, "/en/", 200, "text/html; charset=utf-8", contains(`hreflang="fr"`)},
		{"the other language", mainHost, "/fr/", 200, "text/html; charset=utf-8", contains(`<html lang="fr">`)},
		{"a charset said only inside", mainHost, "/fr/archives-1998.html", 200, "text/html", contains("gard\xe9e")},
		{"a redirect", mainHost, "/en/shop", 301, "text/html; charset=utf-8", header("Location", "/en/gifts.html")},
		{"a dead link", mainHost, "/en/boats/grey-lady.html", 404, "text/html; charset=utf-8",
			contains("Not on this quay")},
		{"a query", mainHost, "/search?q=good+intent", 200, "text/html; charset=utf-8",
			contains("/en/boats/good-intent.html")},
		{"a query with markup in it", mainHost, "/search?q=%3Cb%3E", 200, "text/html; charset=utf-8",
			contains("“&lt;b&gt;”")},
		{"chunks", mainHost, "/en/events", 200, "text/html; charset=utf-8", chunked},
		{"a compressed style sheet", mainHost, "/css/harbour.css", 200, "text/css", gzipped},
		{"what robots may not see", mainHost, "/robots.txt", 200, "text/plain; charset=utf-8",
			contains("Disallow: /staff/")},
		{"a picture of the second host", picturesHost, "/skiff.png", 200, "image/png", contains("\x89PNG")},
		{"a page that the second host has not", picturesHost, "/en/", 404, "text/html; charset=utf-8",
			contains("Not on this quay")},
	} {
		t.Run(c.name, func(t *testing.T) {
			request, err := http.NewRequest(http.MethodGet, server.URL+c.path, nil)
			if err != nil {
				t.Fatal(err)
			}
			request.Host = c.host
			request.Header.Set("Accept-Encoding", "gzip")
			answer, err := client.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			body, err := io.ReadAll(answer.Body)
			if err != nil {
				t.Fatal(err)
			}
			if answer.StatusCode != c.status || answer.Header.Get("Content-Type") != c.media {
				t.Errorf("answered %d %s, want %d %s", answer.StatusCode, answer.Header.Get("Content-Type"), c.status,
					c.media)
			}
			c.also(t, reply{answer.Header, answer.TransferEncoding, body})
		})
	}
}

const mainHost = "harbour-museum.example"

// reply is an answer, and a check tests one property of it.
type reply struct {
	header   http.Header
	transfer []string
	body     []byte
}

type check func(*testing.T, reply)

func contains(want string) check {
	return func(t *testing.T, got reply) {
		t.Helper()
		if !strings.Contains(string(got.body), want) {
			t.Errorf("%q is not in the page:\n%s", want, got.body)
		}
	}
}

func header(name, want string) check {
	return func(t *testing.T, got reply) {
		t.Helper()
		if value := got.header.Get(name); value != want {
			t.Errorf("%s is %q, want %q", name, value, want)
		}
	}
}

func chunked(t *testing.T, got reply) {
	t.Helper()
	if !slices.Equal(got.transfer, []string{"chunked"}) {
		t.Errorf("Transfer-Encoding is %q", got.transfer)
	}
}

func gzipped(t *testing.T, got reply) {
	t.Helper()
	header("Content-Encoding", "gzip")(t, got)
	in, err := gzip.NewReader(bytes.NewReader(got.body))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(in)
	if err != nil || !strings.Contains(string(text), "@import") {
		t.Errorf("inflated to %q, %v", text, err)
	}
}
