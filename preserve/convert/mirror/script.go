package mirror

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"strings"

	"quire/model"
	"quire/source"
)

// The links of a script follow no standard. Crawlers change quoted text that looks like a link, and
// their changes cannot be undone. It can only be shown that they changed nothing: the size is the
// one that the server sent, and no quoted text leads to a file of the mirror. A link that does not
// lead to a file would have been made absolute, which makes the script longer.

// script grades a file with links that cannot be restored.
func (c *conversion) script(p *present) error {
	leads, err := c.leadsIntoMirror(p)
	switch {
	case err != nil:
		return fmt.Errorf("reading a script again: %w", err)
	case !leads && p.Sent == p.size && !p.damaged:
		p.regrade(source.OriginalFile,
			"grade: nothing in it leads to a file of the mirror, and its size is what was sent")
	default:
		c.find(model.Finding{Code: CodeLinks, Severity: model.Info, Path: p.File,
			Message: "links in files of this type cannot be turned back; it is as the crawler left it"})
		p.regrade(source.Differing,
			"links: they cannot be turned back in files of this type; the file is as the crawler left it")
	}
	return nil
}

// maxQuoted bounds a quoted text that may be a link, in bytes.
const maxQuoted = 2 << 10

// leadsIntoMirror reports whether a quoted text is the path of a file of the mirror, relative to
// this file.
func (c *conversion) leadsIntoMirror(p *present) (bool, error) {
	in := bufio.NewReaderSize(c.body.Reader(), 32<<10)
	dir := path.Dir(p.place())
	var word []byte
	for {
		b, err := in.ReadByte()
		if errors.Is(err, io.EOF) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		switch b {
		case '"', '\'', '`', '\n':
			if c.leads(dir, string(word)) {
				return true, nil
			}
			word = word[:0]
		default:
			if len(word) < maxQuoted {
				word = append(word, b)
			}
		}
	}
}

func (c *conversion) leads(dir, link string) bool {
	link, _, _ = strings.Cut(link, "#")
	link, _, _ = strings.Cut(link, "?")
	if link == "" || strings.Contains(link, "://") {
		return false
	}
	link = strings.ReplaceAll(link, `\/`, "/")
	if plain, err := url.PathUnescape(link); err == nil && plain != link {
		if _, ok := c.links.lookup(path.Join(dir, plain)); ok {
			return true
		}
	}
	_, ok := c.links.lookup(path.Join(dir, link))
	return ok
}
