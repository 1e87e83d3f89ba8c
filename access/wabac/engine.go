package wabac

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"quire/access/rewrite"
)

// ErrNotInstalled reports that the engine is not installed.
var ErrNotInstalled = errors.New("wabac.js is not installed: run quire assets install --to FOLDER")

// DefaultDir returns the default folder of assets: below XDG_DATA_HOME, or ~/.local/share.
func DefaultDir() (string, error) {
	data := os.Getenv("XDG_DATA_HOME")
	if data == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		data = filepath.Join(home, ".local", "share")
	}
	return filepath.Join(data, "quire", "assets"), nil
}

const aboutName = "about.json"

// folderOf returns the folder of a release in the assets.
func folderOf(r *Release) string { return "wabac-" + r.Version }

// Path is the path of the engine on the replay host: it is used for nothing else, and no collection
// has this name.
const Path = "/-/wabac/"

// Below Path: the start page, and the addresses that the worker answers.
const (
	begin  = Path + "open/"
	played = Path + "r/"
)

// Begin returns the start path for a reader: with a collection as in replay URLs, including its
// capability, a timestamp and a URL.
func Begin(collection, timestamp, url string) string {
	return begin + collection + "/" + timestamp + "/" + url
}

// Asked returns the part after our own path: COLLECTION/TIMESTAMP[MOD]/URL; "" if it is not a
// capture.
func Asked(target string) string {
	for _, prefix := range []string{begin, played} {
		if rest, ok := strings.CutPrefix(target, prefix); ok {
			return rest
		}
	}
	return ""
}

// Engine is an installed wabac.js. It is the http.Handler of everything below Path.
type Engine struct {
	Release Release
	Sites   string // origins of archived sites, with a wildcard: their pages link to engines of others
	UI      string // origin of our own pages, which frame the start page below the banner
	worker  []byte
}

// Open opens the engine in the folder of the assets. It verifies the digest of the worker: a
// modified one is not served.
func Open(dir string) (*Engine, error) { return open(dir, &Pinned) }

func open(dir string, release *Release) (*Engine, error) {
	for name, want := range release.files {
		file := filepath.Join(dir, folderOf(release), path.Base(name))
		content, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, ErrNotInstalled
		}
		if err != nil {
			return nil, err
		}
		if hexOf(content) != want {
			return nil, fmt.Errorf("%s differs from the file in %s %s: install it "+
				"again", file, release.Name, release.Version)
		}
	}
	worker, err := os.ReadFile(filepath.Join(dir, folderOf(release), "sw.js"))
	return &Engine{Release: *release, worker: worker}, err
}

//go:embed static
var static embed.FS

// engineName is the file of the engine: our own worker imports it (static/sw.js).
const engineName = "engine.js"

// workerPolicy allows the engine to contact only our host.
const workerPolicy = "default-src 'none'; script-src 'self'; connect-src 'self'"

// ours returns our worker, which runs the engine, with the policy for the engine's responses.
func (e *Engine) ours() ([]byte, error) {
	script, err := static.ReadFile("static/sw.js")
	if err != nil {
		return nil, err
	}
	head := http.Header{}
	rewrite.Guard(head, rewrite.Among(rewrite.Policy(e.UI), e.Sites), e.Sites)
	policy := map[string]string{}
	for name := range head {
		policy[name] = head.Get(name)
	}
	told, err := json.Marshal(policy)
	return slices.Concat([]byte("const quirePolicy = "), told, []byte(";\n"), script), err
}

// policy of the start page: its only script registers the worker. It frames the archived page, and
// also the start page on the host of another site.
const policy = "default-src 'none'; frame-src 'self'; script-src 'self'; style-src 'self'; worker-src 'self'; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'"

// ServeHTTP implements http.Handler.
func (e *Engine) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	rewrite.Guard(h, policy, e.Sites)
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "only GET and HEAD are allowed here", http.StatusMethodNotAllowed)
		return
	}
	asked, _, _ := strings.Cut(r.RequestURI, "?") // r.URL.Path has the archived URL unescaped
	switch {
	case asked == Path+"sw.js":
		script, err := e.ours()
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		rewrite.Guard(h, workerPolicy, e.Sites)
		h.Set("Service-Worker-Allowed", Path)
		h.Set("Cache-Control", "no-cache")
		e.give(w, r, "text/javascript; charset=utf-8", script)
	case asked == Path+engineName:
		h.Set("Cache-Control", "no-cache")
		e.give(w, r, "text/javascript; charset=utf-8", e.worker)
	case asked == Path+"open.js" || asked == Path+"open.css":
		content, err := static.ReadFile("static/" + path.Base(asked))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		mime := "text/javascript; charset=utf-8"
		if path.Ext(asked) == ".css" {
			mime = "text/css; charset=utf-8"
		}
		h.Set("Cache-Control", "no-cache")
		e.give(w, r, mime, content)
	case strings.HasPrefix(asked, begin):
		content, err := static.ReadFile("static/open.html")
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		rewrite.Guard(h, strings.Replace(policy, "frame-src 'self'", "frame-src 'self' "+e.Sites, 1)+
			strings.TrimRight("; frame-ancestors 'self' "+e.Sites+" "+e.UI, " "), e.Sites)
		h.Set("Cache-Control", "no-store")
		content = bytes.Replace(content, []byte("<html "), []byte(`<html data-ui="`+html.EscapeString(e.UI)+`" `), 1)
		e.give(w, r, "text/html; charset=utf-8", content)
	case strings.HasPrefix(asked, played) && r.Header.Get("Sec-Fetch-Dest") != "empty":
		// The worker is missing, or the browser removed it: start again. Ignore a modifier after
		// the timestamp.
		collection, rest, _ := strings.Cut(strings.TrimPrefix(r.RequestURI, played), "/")
		timestamp, url, ok := strings.Cut(rest, "/")
		if !ok || url == "" {
			http.NotFound(w, r)
			return
		}
		h.Set("Cache-Control", "no-store")
		// http.Redirect would shorten // to /
		h.Set("Location", Begin(collection, strings.TrimRight(timestamp, "abcdefghijklmnopqrstuvwxyz_"), url))
		w.WriteHeader(http.StatusFound)
	default:
		http.NotFound(w, r)
	}
}

func (e *Engine) give(w http.ResponseWriter, r *http.Request, mime string, content []byte) {
	w.Header().Set("Content-Type", mime)
	if r.Method == http.MethodHead {
		return
	}
	_, _ = w.Write(content) // the client may have gone
}
