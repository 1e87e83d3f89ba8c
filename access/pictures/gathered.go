package pictures

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"quire/access/figures"
	"quire/access/search/extract"
	"quire/access/thumbnail"
	"quire/holdings/captures"
)

// facts are the parts of a payload that the index needs.
type facts struct {
	Bytes  int64           `json:",omitempty"` // of an image
	Width  int             `json:",omitempty"`
	Height int             `json:",omitempty"`
	Colour int             `json:",omitempty"`
	Images []figures.Image `json:",omitempty"` // of a page, with words
}

// The limits of gathered facts: beyond them, the index reads the payloads itself.
const (
	maxGathered      = 1 << 30 // bytes in the file
	maxGatheredFacts = 1 << 20
)

// gathered keeps the facts of payloads that the text index has read, until the index of pictures reaches their package.
// They lie in a file without a name, which ends with the process.
type gathered struct {
	dir string

	decoding sync.Mutex // one image is decoded at a time: each may need much memory

	mu     sync.Mutex
	begun  bool
	purges int64 // that the index had seen when it was begun
	file   *os.File
	size   int64
	at     map[gatheredKey]stretch
}

// begin begins to gather.
func (g *gathered) begin(purges int64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.begun, g.purges = true, purges
}

// end ends it. It reports whether it was begun, and how many purges the index had seen then.
func (g *gathered) end() (begun bool, purges int64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	begun, g.begun = g.begun, false
	return begun, g.purges
}

// on reports whether facts are gathered.
func (g *gathered) on() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.begun
}

type gatheredKey [sha256.Size / 2]byte

// stretch is a part of the file.
type stretch struct {
	begin  int64
	length int32
}

// keyOf returns the key of the facts of a capture. The same bytes have other facts as a page of another address.
func keyOf(kind string, c *captures.Capture) (key gatheredKey) {
	text := kind + "\n" + digestOf(c)
	if kind == "page" {
		text += "\n" + c.URL
	}
	sum := sha256.Sum256([]byte(text))
	copy(key[:], sum[:])
	return key
}

// put keeps facts.
func (g *gathered) put(key gatheredKey, f *facts) error {
	line, err := json.Marshal(f)
	if err != nil {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.size+int64(len(line)) > maxGathered || len(g.at) == maxGatheredFacts {
		return nil
	}
	if g.file == nil {
		if g.file, err = os.CreateTemp(g.dir, ".gathered-*"); err != nil {
			return err
		}
		_ = os.Remove(g.file.Name()) // leaves nothing after a kill
		g.at = map[gatheredKey]stretch{}
	}
	if _, err := g.file.WriteAt(line, g.size); err != nil {
		return err
	}
	g.at[key] = stretch{g.size, int32(len(line))} //nolint:gosec // 200 images of a few hundred bytes
	g.size += int64(len(line))
	return nil
}

// get returns the facts of a payload; nil if they are not there.
func (g *gathered) get(key gatheredKey) *facts {
	g.mu.Lock()
	defer g.mu.Unlock()
	s, known := g.at[key]
	if !known {
		return nil
	}
	line := make([]byte, s.length)
	var f facts
	if _, err := g.file.ReadAt(line, s.begin); err != nil || json.Unmarshal(line, &f) != nil {
		return nil
	}
	return &f
}

// clear drops all facts.
func (g *gathered) clear() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.file == nil {
		return nil
	}
	file := g.file
	g.file, g.at, g.size = nil, nil, 0
	return errors.Join(file.Close(), removed(file.Name()))
}

// removed removes a file on systems that do not remove open ones.
func removed(name string) error {
	if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// Payload gathers the facts of a payload that another index has read and verified. It keeps no rights: the
// index asks the decision on access when it uses the facts. It may be called from several goroutines.
func (p *Pictures) Payload(c *captures.Capture, payload []byte, contentType string) {
	kind := extract.TypeOf(c.MIME, c.URL)
	if kind != "image" && kind != "page" || len(payload) > thumbnail.MaxBytes || place(c).SHA256 == "" ||
		!p.gathered.on() {
		return
	}
	defer func() {
		_ = recover() // a fault of a reader of archived bytes: the index reads it itself, and reports it
	}()
	key := keyOf(kind, c)
	var f *facts
	if kind == "image" {
		p.gathered.decoding.Lock()
		defer p.gathered.decoding.Unlock()
		f = factsOfImage(payload)
	} else {
		f = factsOfPage(payload, contentType, c.URL)
	}
	if err := p.gathered.put(key, f); err != nil {
		p.problem(fmt.Errorf("keeping the facts of images: %w; they are read again", err))
	}
}

// factsOfImage measures an image.
func factsOfImage(payload []byte) *facts {
	f := &facts{Bytes: int64(len(payload))}
	f.Width, f.Height, f.Colour = measure(payload)
	return f
}

// factsOfPage returns the images of a page that have words there.
func factsOfPage(payload []byte, contentType, url string) *facts {
	f := &facts{}
	if !mayShow(payload) {
		return f
	}
	for _, i := range figures.Read(payload, contentType, url).Images {
		if i.Alt != "" || i.Words != "" {
			f.Images = append(f.Images, figures.Image{URL: i.URL, Alt: i.Alt, Words: i.Words})
		}
	}
	return f
}

// mayShow reports whether a page may have an img element. In UTF-16, other bytes are between its letters.
func mayShow(page []byte) bool {
	const name = "img"
	page = page[:min(len(page), figures.MaxPage)]
	if bytes.IndexByte(page, 0) >= 0 {
		return true
	}
	for {
		n := bytes.IndexByte(page, '<')
		if n < 0 || len(page)-n <= len(name) {
			return false
		}
		if page = page[n+1:]; bytes.EqualFold(page[:len(name)], []byte(name)) {
			return true
		}
	}
}

// Begin begins to gather facts, until End. It does not keep the right to write: reading a package may take hours, and a
// purge in between must not wait for it.
func (p *Pictures) Begin() {
	purges, err := p.purges(context.Background())
	if err != nil {
		p.problem(err)
		return
	}
	p.gathered.begin(purges)
}

// End reads a package that is new or has changed, with the gathered facts. It only drops them without success of the
// other index, while another process writes, and after a purge since Begin: they may be of the purged. Then an update
// reads the package.
func (p *Pictures) End(ctx context.Context, name string, success bool) {
	begun, purges := p.gathered.end()
	if !begun {
		return
	}
	var err error
	if success {
		err = p.take(ctx, name, purges)
	}
	if err = errors.Join(err, p.gathered.clear()); err != nil && ctx.Err() == nil && !errors.Is(err, ErrBusy) {
		p.problem(err)
	}
	if p.paused.IsZero() || time.Since(p.paused) > p.limits.turn {
		p.pause(ctx)
		p.paused = time.Now()
	}
}

// Updated brings the rest up to date: see [Pictures.Update].
func (p *Pictures) Updated(ctx context.Context) {
	if err := p.Update(ctx); err != nil && ctx.Err() == nil && !errors.Is(err, ErrBusy) {
		p.problem(err)
	}
}

// take removes packages that are gone, and reads a package with the gathered facts, if it is new or has changed, and
// no purge was since they were begun.
func (p *Pictures) take(ctx context.Context, name string, purges int64) error {
	unlock, err := p.lock()
	if err != nil {
		return err
	}
	defer unlock()
	there, have, err := p.forgetGone(ctx)
	if err != nil {
		return err
	}
	now, err := p.purges(ctx)
	state := there[name]
	if err != nil || now != purges || state == "" || have[name] == state {
		return err
	}
	if err := p.read(ctx, name, state); err != nil {
		return fmt.Errorf("indexing the pictures of package %s: %w", name, err)
	}
	return nil
}
