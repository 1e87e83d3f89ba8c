package check

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"path"

	"quire/model"
)

// CodeList is the code of an unreadable line in a file list.
const CodeList = "EXPORT-LIST"

// maxLine limits a line of a list, in bytes.
const maxLine = 1 << 20

// mirror checks a mirror: the files listed in names.jsonl must exist, with the stated digests.
func (c *checking) mirror() error {
	in, err := c.tree.Open(c.path("names.jsonl"))
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // only read
	lines, n, digests := bufio.NewScanner(&reader{c, in}), 0, 0
	lines.Buffer(nil, maxLine)
	sums := map[string]string{} // a list may name one large file a million times: read it once
	for lines.Scan() {
		n++
		var line struct {
			Name   string `json:"name"`
			SHA256 string `json:"sha256"`
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil || line.Name == "" {
			c.find(model.Error, CodeList, "names.jsonl", "line %d is not a file name", n)
			continue
		}
		name := c.path(path.Join("web", line.Name))
		if c.tree.Find(name) == nil {
			c.find(model.Error, CodeMissing, path.Join("web", line.Name), "listed in names.jsonl, but missing")
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
			c.find(model.Error, CodeDigest, path.Join("web", line.Name), "its SHA-256 is %s; names.jsonl "+
				"states %.70s",
				got, line.SHA256)
		}
	}
	if err := lines.Err(); err != nil {
		if c.ctx.Err() != nil {
			return c.ctx.Err()
		}
		c.find(model.Error, CodeList, "names.jsonl", "after line %d: %v", n, err)
	}
	c.passed("files", c.before(CodeMissing, CodeDigest, CodeList), "%d files match the SHA-256 in names.jsonl",
		digests)
	return nil
}
