package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"html"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"
)

// picturesHost is the second host of the museum. Every other name gets the answers of the first.
const (
	picturesHost = "pictures.harbour-museum.example"
)

// built is the Last-Modified date of every page, so that two crawls of an unchanged site agree.
var built = time.Date(2026, time.April, 4, 9, 30, 0, 0, time.UTC)

// types are the media types that the site declares. The old page of 1998 declares its charset only
// in its HTML, as usual then.
var types = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript", ".xml": "application/xml",
	".txt": "text/plain; charset=utf-8", ".png": "image/png", ".jpg": "image/jpeg", ".gif": "image/gif",
	".svg": "image/svg+xml", ".ico": "image/x-icon", ".pdf": "application/pdf",
}

// newSite returns a handler for both hosts.
func newSite(files fs.FS) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", folder{files, "www"})
	mux.Handle(picturesHost+"/", folder{files, "pictures"})
	mux.Handle("/en/shop", http.RedirectHandler("/en/gifts.html", http.StatusMovedPermanently))
	mux.HandleFunc("/en/events", events)
	mux.HandleFunc("/search", search)
	return mux
}

// folder serves files below one folder of the site.
type folder struct {
	files fs.FS
	name  string
}

func (f folder) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
	if strings.HasSuffix(r.URL.Path, "/") {
		name = path.Join(name, "index.html")
	}
	data, err := fs.ReadFile(f.files, path.Join(f.name, name))
	if err != nil {
		f.notFound(w)
		return
	}
	media := types[path.Ext(name)]
	if strings.Contains(name, "1998") {
		media = "text/html"
	}
	w.Header().Set("Content-Type", media)
	w.Header().Set("Last-Modified", built.Format(http.TimeFormat))
	if path.Ext(name) == ".css" && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		data = packed(data)
		w.Header().Set("Content-Encoding", "gzip")
	}
	w.Header().Set("Content-Length", fmt.Sprint(len(data)))
	_, _ = w.Write(data) // a crawler that hangs up loses its own copy only
}

// notFound answers 404 with the museum's own page, as most sites do.
func (f folder) notFound(w http.ResponseWriter) {
	page, err := fs.ReadFile(f.files, "www/not-found.html")
	if err != nil {
		http.Error(w, "not found", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", types[".html"])
	w.WriteHeader(http.StatusNotFound)
	_, _ = w.Write(page)
}

// packed returns data as one gzip member, for Content-Encoding: gzip.
func packed(data []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(data) // into memory: cannot fail
	_ = z.Close()
	return b.Bytes()
}

// events sends the page in chunks, one a month, because its length is unknown at the start.
func events(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", types[".html"])
	say := func(text string) {
		_, _ = fmt.Fprintln(w, text)
		_ = http.NewResponseController(w).Flush()
	}
	say(`<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Events</title><link rel="stylesheet" ` +
		`href="/css/harbour.css"></head><body><h1>Events</h1>`)
	for _, event := range []string{"May: laying of the new keelson", "June: Tern is 118",
		"September: regatta of boats under 16 feet"} {
		say("<p>" + event + "</p>")
	}
	say(`<p><a href="/en/">The museum</a></p></body></html>`)
}

// catalogue is the data for the search.
var catalogue = []struct{ words, title, link string }{
	{"good intent lugger lougre log books 1874 voile sail", "Good Intent, lugger, 1874", "/en/boats/good-intent.html"},
	{"tern skiff yole 1908 voile sail", "Tern, skiff, 1908", "/en/boats/tern.html"},
	{"watchful pilot cutter 1891 sail", "Watchful, pilot cutter, 1891", "/en/boats/watchful.html"},
}

// search answers a query URL. The page exists only as the answer to a query.
func search(w http.ResponseWriter, r *http.Request) {
	query := strings.ToLower(r.URL.Query().Get("q"))
	w.Header().Set("Content-Type", types[".html"])
	w.Header().Set("Cache-Control", "no-store")
	lang := "en"
	if r.URL.Query().Get("lang") == "fr" {
		lang = "fr"
	}
	var hits strings.Builder
	for _, boat := range catalogue {
		if query != "" && strings.Contains(boat.words, query) {
			fmt.Fprintf(&hits, "<li><a href=\"%s\">%s</a></li>\n", boat.link, html.EscapeString(boat.title))
		}
	}
	_, _ = fmt.Fprintf(w, "<!DOCTYPE html>\n<html lang=\"%s\"><head><meta charset=\"utf-8\"><title>%s</title>"+
		"<link rel=\"stylesheet\" href=\"/css/harbour.css\"></head>\n<body><h1>“%s”</h1>\n<ul>\n%s</ul>\n"+
		"<p><a href=\"/search?q=%s&amp;lang=%s&amp;order=year\">1874–1908</a></p></body></html>\n",
		lang, html.EscapeString(query), html.EscapeString(query), hits.String(), url.QueryEscape(query), lang)
}
