package amend

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"quire/preserve/aip"
)

// pages rewrites the METS documents of pages whose statements change: they repeat the statements about
// URLs (clause 2.18).
func (j *job) pages(ctx context.Context) error {
	touched := false
	for i := range j.s.rights.Statements {
		st := &j.s.rights.Statements[i]
		touched = touched || j.removed[st.ID] && ofURLs(st)
	}
	for i := range j.added {
		touched = touched || ofURLs(&j.added[i])
	}
	if !touched {
		return nil
	}
	for _, f := range j.s.pages {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := j.pagesDocument(f); err != nil {
			return fmt.Errorf("%s: %w", f.path, err)
		}
	}
	return nil
}

// pagesDocument rewrites one document. It is inflated into a temporary file, because a change needs its
// positions.
func (j *job) pagesDocument(f file) (err error) {
	text, err := os.CreateTemp("", "quire-amend-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, text.Close(), os.Remove(text.Name())) }()
	if err := aip.CopyDocument(text, j.pkg, f.path); err != nil {
		return err
	}
	if _, err := text.Seek(0, io.SeekStart); err != nil {
		return err
	}
	made := aip.MadeFile{ID: f.id, Path: f.path}
	err = j.write(filepath.ToSlash(f.path), func(out io.Writer) error {
		return aip.WriteDocument(out, &made, func(out io.Writer) error {
			return rewrite(out, text, &editor{job: j, harvest: numbered(f.id, "FILE-p")})
		})
	})
	j.files[f.id] = &newFile{id: f.id, path: f.path, size: made.Size, sha512: made.SHA512}
	return err
}
