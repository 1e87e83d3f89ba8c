package check

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"path"

	"quire/model"
)

// CodeList is that of a line of a list that cannot be read.
const CodeList = "EXPORT-LIST"

// maxLine bounds a line of a list, in bytes.
const maxLine = 1 << 20

// mirror checks a mirror: what names.jsonl lists is there, with the digests that it states.
func (c *checking) mirror() error {
	in, err := c.tree.Open(c.path("names.jsonl"))
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // only read
	lines, n, digests := bufio.NewScanner(&reader{c, in}), 0, 0
	lines.Buffer(nil, maxLine)
	sums := map[string]string{} // a list may name one large file a million times: it is read once
	for lines.Scan() {
		n++
		var line struct {
			Name   string `json:"name"`
			SHA256 string `json:"sha256"`
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil || line.Name == "" {
			c.find(model.Error, CodeList, "names.jsonl", "line %d is not the name of a file", n)
			continue
		}
		name := c.path(path.Join("web", line.Name))
		if c.tree.Find(name) == nil {
			c.find(model.Error, CodeMissing, path.Join("web", line.Name), "names.jsonl lists it, and it is not there")
			continue
		}
		got, read := sums[name]
		if !read {
			if got, err = c.digest(name, sha256.New()); err != nil {
				return err
			}
			sums[name] = got
			digests++
		}
		if got != line.SHA256 {
			c.find(model.Error, CodeDigest, path.Join("web", line.Name), "its SHA-256 is %s; names.jsonl says %.70s",
				got, line.SHA256)
		}
	}
	if err := lines.Err(); err != nil {
		if c.ctx.Err() != nil {
			return c.ctx.Err()
		}
		c.find(model.Error, CodeList, "names.jsonl", "after line %d: %v", n, err)
	}
	c.passed("files", c.before(CodeMissing, CodeDigest, CodeList), "%d files have the SHA-256 that names.jsonl states",
		digests)
	return nil
}
