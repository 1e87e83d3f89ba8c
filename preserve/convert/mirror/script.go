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

// A script has no links that a standard defines: crawlers change what looks like one, between
// quotation marks, and what they made of it cannot be told from what stood there. What can be told
// is that they changed nothing: the size is what the server sent, and nothing between quotation
// marks leads to a file of the mirror. For where a crawler does not lead to a file, it makes the
// link absolute, and the script grows.

// script grades a file whose links cannot be turned back.
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

// maxQuoted bounds what is taken for a link, in bytes.
const maxQuoted = 2 << 10

// leadsIntoMirror says whether something between quotation marks is the path of a file of the
// mirror, seen from this file.
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
