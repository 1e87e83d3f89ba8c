package httrack

import (
	"bytes"
	"fmt"
	"io"
	"mime"
	"path"
	"strconv"
	"strings"

	"quire/source"
)

// body finds the best remaining bytes of a URL: the entity in the cache, then a file that HTTrack
// does not rewrite, then a rewritten file. Without any of these, the bytes are lost.
func (t *resourcePass) body(c *Capture, r *source.Resource) error {
	cached, err := t.cached(c, r)
	switch {
	case err != nil:
		return err
	case cached:
		r.Grade, r.Size = source.OriginalEntity, c.Entry.Length
		r.Body = func() (io.ReadCloser, error) {
			b, err := t.content.Body(c.Entry)
			return io.NopCloser(b), err
		}
		if c.File != "" {
			r.Copy = t.fileBody(c.File)
		}
		r.Why = append(r.Why, "grade: "+c.Entry.Cache+" holds the entity (X-In-Cache: 1)")
		return nil
	case c.File == "":
		r.Grade = source.Lost
		r.Why = append(r.Why, "grade: neither the cache nor a file holds its bytes")
		return nil
	case c.FileSize == 0 && (c.Status() != 200 || r.Sent > 0):
		r.Grade = source.Lost
		r.Why = append(r.Why, "grade: the file is empty, and stands for an answer that was not kept")
		return nil
	}
	r.Why = append(r.Why, "file: "+c.Basis.description())
	r.Body, r.Size = t.fileBody(c.File), c.FileSize
	return t.grade(c, r)
}

// description returns the evidence that the file belongs to the URL.
func (b Basis) description() string {
	switch b {
	case BasisCache:
		return "X-Save in the cache"
	case BasisLog:
		return "the logs name it"
	case BasisComment:
		return "its comment \"Mirrored from\" names the URL"
	case BasisState:
		return "HTTrack's state of the unfinished download beside it names the URL"
	case BasisPath:
		return "its path is taken for the URL"
	}
	return "concluded from how HTTrack names such files"
}

// brokenOff reports whether the file has the beginning of a response that HTTrack did not complete,
// and sets the reason. The codes are HTTrack's own (htsnet.h).
func (t *resourcePass) brokenOff(c *Capture, r *source.Resource) bool {
	if r.Status >= 0 && c.Whole <= r.Size && !c.Partial {
		return false
	}
	switch status := r.Status; {
	case status == codeTimeout || status == codeSlow:
		r.Truncated = "time"
	case status == codeTooBig:
		r.Truncated = "length"
	case status == codeConnect || status >= 0 && c.Whole > 0:
		r.Truncated = "disconnect"
	default:
		r.Truncated = "unspecified"
	}
	problem := fmt.Sprintf("it has %d bytes of a response that broke off", r.Size)
	switch {
	case r.Status < 0:
		problem += fmt.Sprintf(", with HTTrack's code %d", r.Status)
	case c.Basis == BasisState:
		problem += ": HTTrack's state of the download is beside it"
	case c.Partial:
		problem = fmt.Sprintf("it has %d bytes, and no source shows whether these are all: the run broke off", r.Size)
	}
	if c.Whole > 0 {
		r.Sent = c.Whole
		problem += fmt.Sprintf("; the server announced %d", c.Whole)
	}
	r.Grade = source.Differing
	r.Why = append(r.Why, "grade: "+problem)
	t.find(findSize, c.File, problem)
	return true
}

// grade returns how closely a file on disk matches the bytes that the server sent.
func (t *resourcePass) grade(c *Capture, r *source.Resource) error {
	marked, err := t.marked(c.File)
	if err != nil {
		t.find(findCache, c.File, fmt.Sprintf("the file cannot be read: %v", err))
	}
	// HTTrack caches the files it parses, and rewrites the same files
	notParsed := c.Entry != nil && !c.Entry.InCache
	fits := r.Sent == r.Size || r.Sent < 0 || c.Row != nil && c.Row.answered() && c.Row.Size == r.Size
	switch {
	case t.brokenOff(c, r):
		r.Rewritten = marked
	case c.Whole > 0 && c.Whole < r.Size && !marked:
		r.Grade = source.Differing
		problem := fmt.Sprintf("it has %d bytes, and the server announced %d", r.Size, c.Whole)
		r.Why = append(r.Why, "grade: "+problem)
		t.find(findSize, c.File, problem)
	case r.Size == 0 && fits:
		r.Grade = source.OriginalFile
		r.Why = append(r.Why, "grade: there is nothing in it that could have been rewritten"+sizeWords(r))
	case marked:
		r.Rewritten, r.Grade = true, source.LinksReconstructed
		r.Why = append(r.Why, "grade: the file has HTTrack's insertions")
	case notParsed && r.Sent >= 0 && fits:
		r.Grade = source.OriginalFile
		r.Why = append(r.Why, "grade: HTTrack did not parse it (X-In-Cache: 0), and its size is the "+
			strconv.FormatInt(r.Size, 10)+" bytes that were sent")
	case r.Status >= 400 && r.Sent >= 0 && fits:
		r.Grade = source.OriginalFile
		r.Why = append(r.Why,
			"grade: HTTrack does not parse the pages of errors; it has put nothing in, and the size is what was sent")
	case rewrites(r.MIME, c.File):
		r.Rewritten, r.Grade = true, source.LinksReconstructed
		r.Why = append(r.Why, "grade: HTTrack rewrites files of this kind")
	case fits:
		r.Grade = source.OriginalFile
		r.Why = append(r.Why, "grade: HTTrack does not rewrite files of this kind"+sizeWords(r))
	default:
		r.Grade = source.Differing
		r.Why = append(r.Why, fmt.Sprintf("grade: the file has %d bytes, and %d were sent", r.Size, r.Sent))
		t.find(findSize, c.File,
			fmt.Sprintf("it has %d bytes, but %d are recorded: it was truncated, or changed afterwards", r.Size,
				r.Sent))
	}
	return nil
}

func sizeWords(r *source.Resource) string {
	if r.Sent < 0 {
		return "; nothing tells the size it should have"
	}
	return ", and its size is what was sent"
}

// The states of a cached body.
const (
	unread = iota
	whole
	damaged
)

// cached reports whether the cache has the entity with a correct checksum. HTTrack also writes
// entries with an empty body, after a second attempt without a response.
func (t *resourcePass) cached(c *Capture, r *source.Resource) (bool, error) {
	e := c.Entry
	if e == nil || !e.InCache {
		return false, nil
	}
	if e.Length == 0 && (r.Sent > 0 || c.Row != nil && c.Row.Size > 0 || c.FileSize > 0 || e.Size < 0 &&
		c.Status() != 200) {
		r.Why = append(r.Why, "body: the entry in "+e.Cache+" is empty, and stands for none")
		return false, nil
	}
	if c.body == unread {
		b, err := t.content.Body(e)
		if err != nil {
			return false, err
		}
		c.body = whole
		if _, err := io.Copy(io.Discard, b); err != nil {
			c.body = damaged
		}
	}
	if c.body == damaged {
		r.Why = append(r.Why, "body: the entity in "+e.Cache+" is damaged")
		t.find(findCache, e.Cache,
			fmt.Sprintf("the body of %q cannot be read, or its checksum is wrong; another source is used", e.URL))
		return false, nil
	}
	return true, nil
}

// rewritten are the types in which HTTrack looks for links (htslib.h, is_hypertext_mime and
// may_be_hypertext_mime), including types of old versions. All script types are included, because
// each version supports different script types.
var rewritten = map[string]bool{
	"text/html": true, "application/xhtml+xml": true, "text/css": true, "image/svg+xml": true, "image/svg-xml": true,
	"application/x-javascript": true, "application/javascript": true, "text/javascript": true,
	"application/ecmascript": true, "text/ecmascript": true,
	"application/x-authorware-map": true, "audio/x-pn-realaudio": true, "audio/x-mpegurl": true,
	"text/vnd.wap.wml": true,
}

// rewrittenNames are the file extensions of those types.
var rewrittenNames = map[string]bool{
	".html": true, ".htm": true, ".shtml": true, ".xhtml": true, ".xht": true, ".php": true, ".asp": true, ".jsp": true,
	".cfm": true,
	".css": true, ".js": true, ".svg": true, ".aam": true, ".ram": true, ".rpm": true, ".ra": true, ".m3u": true,
	".wml": true,
}

// rewrites reports whether HTTrack changes the links in such a file. The type of the file decides,
// or its name if the type is missing.
func rewrites(declared, file string) bool {
	ext := strings.ToLower(path.Ext(file))
	if declared == "" {
		return rewrittenNames[ext]
	}
	t, _, err := mime.ParseMediaType(declared)
	if err != nil {
		t, _, _ = strings.Cut(declared, ";")
		t = strings.ToLower(strings.TrimSpace(t))
	}
	return rewritten[t] || ext == ".html" || ext == ".htm" // HTTrack's extension for files identified as HTML
}

// maxMark is the number of bytes searched for HTTrack's insertions: they follow the first tags.
const maxMark = 32 << 10

// marked reports whether a file has HTTrack's insertions.
func (t *resourcePass) marked(p string) (bool, error) {
	b, err := t.Mirror.beginning(p)
	return bytes.Contains(b, []byte("<!-- Mirrored from ")) || bytes.Contains(b, []byte("<!-- Added by HTTrack -->")),
		err
}

// beginning reads the first bytes of a file.
func (m *Mirror) beginning(p string) ([]byte, error) { return m.tree.Head(p, maxMark) }
