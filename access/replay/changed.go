package replay

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"quire/access/address"
	"quire/access/playlist"
	"quire/access/rewrite"
	"quire/access/siterules"
)

// maxOffered limits the captures of one variant of a film that are examined.
const maxOffered = 50

// maxOfferedAlike limits the captures that are compared by the site rules, for all variants of a film together.
// Variants behind it are offered.
const maxOfferedAlike = 4 * maxAlike

// changes reports whether a body may be changed for scripts, too: not as exact bytes, not for an
// engine that does so itself, and not in an error.
func (c *call) changes(found *chosen) bool {
	return c.q.Modifier != address.Identity && !c.engine() && found.Status/100 == 2
}

// fixed applies the site rules to a body. by is "" if they change nothing.
func (c *call) fixed(found *chosen, in io.Reader) (out io.Reader, by string, err error) {
	fixes := c.o.Rules().Fixes(found.URL, field(found.Header, "Content-Type"))
	if len(fixes) == 0 {
		return in, "", nil
	}
	held, err := io.ReadAll(io.LimitReader(in, siterules.MaxFixed+1))
	if err != nil {
		return nil, "", err
	}
	if len(held) > siterules.MaxFixed {
		return io.MultiReader(bytes.NewReader(held), in), "", nil
	}
	body, rules, err := siterules.Apply(c.r.Context(), fixes, held)
	switch {
	case c.r.Context().Err() != nil:
		return nil, "", c.r.Context().Err() // the client has gone
	case err != nil:
		c.note(found, "not changed by the site rules, which took too long")
	}
	if len(rules) > 0 {
		by = strings.Join(rules, ", ")
		c.note(found, "changed by the site rules "+by)
	}
	return bytes.NewReader(body), by, nil
}

// note adds a notice to the response.
func (c *call) note(found *chosen, text string) {
	found.Note = strings.TrimPrefix(found.Note+"; "+text, "; ")
	c.w.Header().Set("X-Archive-Note", headerSafe(found.Note))
}

// film sends a playlist that offers only the variants that this reader may see here. done is false
// if it needs no change: then rest is the body.
func (c *call) film(found *chosen, in io.Reader, rw *rewrite.Rewriter) (rest io.Reader, done bool, err error) {
	declared := field(found.Header, "Content-Type")
	if !playlist.May(declared) {
		return in, false, nil
	}
	buffered := bufio.NewReaderSize(in, 64)
	first, _ := buffered.Peek(16) // reading meets the same error again
	form := playlist.Of(declared, first)
	if form == playlist.None {
		return buffered, false, nil
	}
	held, err := io.ReadAll(io.LimitReader(buffered, playlist.MaxBytes+1))
	if err != nil {
		return nil, false, err
	}
	removed := 0
	if len(held) <= playlist.MaxBytes {
		held, removed = playlist.Offer(form, held, found.URL, c.has(found.Timestamp, &err))
		if err != nil {
			return nil, false, err
		}
	}
	rest = io.MultiReader(bytes.NewReader(held), buffered)
	links := form == playlist.HLS && !c.raw() // a script links by itself, and compares addresses
	if removed == 0 && !links {
		return rest, false, nil
	}
	if removed > 0 {
		c.note(found, fmt.Sprintf("%d variants of this film are not available here, and are not offered", removed))
	}
	if c.w.Header().Get("Content-Type") == "" {
		c.w.Header().Set("Content-Type", "application/vnd.apple.mpegurl")
	}
	c.w.WriteHeader(c.status(found)) // without an ETag: the variants depend on the index
	if c.r.Method == http.MethodHead {
		return nil, true, nil
	}
	if !links {
		_, err = io.Copy(c.w, rest)
	} else {
		err = playlist.Link(c.w, rest, found.URL, func(url string) string { return rw.URL(rewrite.Image, url) })
	}
	return nil, true, c.cutOff(err)
}

// has returns a function that reports whether the reader gets an answer to a URL that is no error: a capture of it, or
// a similar one if the index has none.
func (c *call) has(timestamp string, failed *error) func(url string) bool {
	budget := maxOfferedAlike
	return func(url string) bool {
		q := c.query(url)
		q.Closest = timestamp
		looked := 0
		for j, err := range c.archive.Captures(c.r.Context(), c.who, q) {
			if err != nil {
				*failed = err
				return true
			}
			if j.Allowed && j.Status < http.StatusBadRequest {
				return true
			}
			if looked++; looked > maxOffered {
				break
			}
		}
		if looked > 0 {
			return false
		}
		found, err := c.similar(c.lookup(q), q, &budget)
		if err != nil {
			*failed = err
			return true
		}
		good := func(f candidate) bool { return f.Status < http.StatusBadRequest }
		return budget <= 0 || slices.ContainsFunc(found, good)
	}
}
