package search

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"quire/access/search/extract"
	"quire/access/search/words"
	"quire/holdings"
	"quire/holdings/captures"
)

// indexable reports whether a capture is worth searching: a response to GET, with content, and not
// infected.
func indexable(c holdings.Judged) bool {
	good := c.Status == 0 || c.Status >= 200 && c.Status < 300 && c.Status != 206
	if c.Record.Scattered() || c.Payload.Scattered() {
		return false // hits are judged by one container
	}
	return good && !c.Infected && !strings.HasSuffix(c.URL, "/robots.txt") && c.Method == "" && c.Length > 0 &&
		extract.TypeOf(c.MIME, c.URL) != "" &&
		(strings.HasPrefix(c.URL, "http://") || strings.HasPrefix(c.URL, "https://") ||
			strings.HasPrefix(c.URL, "ftp://"))
}

// digestOf returns the key of a payload: its digest, and the SHA-256 of its bytes as sent. The
// digest alone is not enough: the package states it (preserve/cdxj), and it could be the digest of
// another payload. The SHA-256 is verified on every read.
func digestOf(c *captures.Capture) string {
	place := &c.Record
	if c.Payload != nil {
		place = c.Payload
	}
	if c.Digest == "" {
		return noDigest + place.SHA256
	}
	return c.Digest + " " + place.SHA256
}

// noDigest is the prefix of the substitute for a missing payload digest.
const noDigest = "body:"

// batch is a group of captures of one package that are written together.
type batch struct {
	s         *Search
	pkg, pass int64
	captures  []*captures.Capture
}

// fresh is a document that is not yet in the index.
type fresh struct {
	digest string
	from   *captures.Capture // source of its content
	urls   []string          // their words are indexed, too
	worth  int
	text   *extract.Text
	packed []byte // its body, compressed
	size   int64
	again  bool // unreadable this time
	id     int64

	indexed indexed
}

// indexed are the tokens of a document.
type indexed struct{ title, url, body, titleStems, bodyStems string }

// maxURLs limits the URLs of one payload that are indexed as words.
const maxURLs = 8

// write reads new documents, and adds them and all captures to a transaction. It returns the number of
// documents read.
func (b *batch) write(ctx context.Context, w *writer) (int64, error) {
	if len(b.captures) == 0 {
		return 0, nil
	}
	if err := w.begin(ctx); err != nil {
		return 0, err
	}
	known := map[string]*fresh{}
	news, err := b.news(w, known)
	if err != nil {
		return 0, err
	}
	if err := b.s.readAll(ctx, news, b.s.pack); err != nil {
		return 0, err
	}
	if err := w.addDocuments(ctx, news); err != nil {
		return 0, err
	}
	if err := b.addCaptures(ctx, w, known); err != nil {
		return 0, err
	}
	return int64(len(news)), w.end(len(b.captures))
}

// news returns the payloads not yet in the index, without duplicates. known receives all payloads of
// the batch, by their keys; those already in the index only have their number.
func (b *batch) news(w *writer, known map[string]*fresh) (all []*fresh, err error) {
	for _, c := range b.captures {
		digest := digestOf(c)
		f, seen := known[digest]
		if !seen {
			f = &fresh{digest: digest}
			err := w.document.QueryRow(digest).Scan(&f.id)
			if errors.Is(err, sql.ErrNoRows) {
				f.from, f.worth = c, urlRank(c.URL)
				all = append(all, f)
			} else if err != nil {
				return nil, err
			}
			known[digest] = f
		}
		if f.from != nil && len(f.urls) < maxURLs && !slices.Contains(f.urls, c.URL) {
			f.urls = append(f.urls, c.URL)
			f.worth = min(f.worth, urlRank(c.URL))
		}
	}
	return all, nil
}

// pack compresses the text of a document that was read, and splits it into tokens.
func (s *Search) pack(f *fresh) {
	if f.text != nil {
		f.packed = s.packer.pack(f.text.Body)
		f.indexed = f.words()
	}
}

// readAll reads payloads, several in parallel, and calls a function with each.
func (s *source) readAll(ctx context.Context, all []*fresh, done func(*fresh)) error {
	workers := cmp.Or(s.options.Workers, runtime.GOMAXPROCS(0))
	next := make(chan *fresh)
	var wait sync.WaitGroup
	for range min(workers, len(all)) {
		wait.Go(func() {
			for f := range next {
				s.readText(ctx, f)
				done(f)
			}
		})
	}
	for _, f := range all {
		if ctx.Err() != nil {
			break
		}
		next <- f
	}
	close(next)
	wait.Wait()
	return ctx.Err()
}

// words returns the indexed texts of a document. Its description and details count as body text.
func (f *fresh) words() indexed {
	var urls, all strings.Builder
	for _, u := range f.urls {
		urls.WriteString(wordsOf(u))
		urls.WriteByte('\n')
	}
	all.WriteString(f.text.Description)
	for _, d := range f.text.Details {
		if d.Name != "position" && d.Name != "pages" {
			all.WriteString("\n" + d.Value)
		}
	}
	all.WriteString("\n" + f.text.Body)
	cache, _ := caches.Get().(*words.Cache)
	defer caches.Put(cache)
	language := f.text.Language
	return indexed{title: forIndex(f.text.Title), url: forIndex(urls.String()), body: forIndex(all.String()),
		titleStems: stemsOf(f.text.Title, language, cache), bodyStems: stemsOf(all.String(), language, cache)}
}

// addCaptures adds the captures; their documents already exist.
func (b *batch) addCaptures(ctx context.Context, w *writer, known map[string]*fresh) error {
	for _, c := range b.captures {
		if err := ctx.Err(); err != nil {
			return err
		}
		time, err := strconv.ParseInt(c.Timestamp, 10, 64)
		if err != nil {
			continue // without a valid time, it cannot be requested
		}
		url, written, err := w.urlOf(c)
		if err != nil {
			return err
		}
		sum, err := hex.DecodeString(c.Record.SHA256)
		if err != nil {
			return fmt.Errorf("%s of %s: invalid SHA-256 %q", c.URL, c.Timestamp, c.Record.SHA256)
		}
		if _, err = w.capture.Exec(url, time, b.pkg, known[digestOf(c)].id, c.Harvest, b.pass, c.Record.Container,
			c.Record.Order, sum, c.MIME, written, origin(c)); err != nil {
			return err
		}
	}
	return nil
}

// origin returns the place of a revisit's payload, as JSON: access to it is decided too. It returns
// "" for other captures.
func origin(c *captures.Capture) string {
	if c.Payload == nil {
		return ""
	}
	b, err := json.Marshal(c.Payload)
	if err != nil {
		return "" // encoding numbers and strings cannot fail
	}
	return string(b)
}
