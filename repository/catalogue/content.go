package catalogue

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
)

// contentSchema is the version of the schema that has the table content. An older one has the table
// files instead, with a row for each version.
const contentSchema = 2

// span is a file with the versions that have it.
type span struct {
	File
	first, last int
}

// files adds the files to the versions of a package.
func (c *Catalogue) files(ctx context.Context, id string, vs []Version) error {
	all, err := c.spans(ctx, id)
	// Another process may have migrated the catalogue since it was opened.
	if err != nil && !c.engine.content(ctx, false) && c.engine.content(ctx, true) {
		all, err = c.spans(ctx, id)
	}
	if err != nil {
		return err
	}
	for _, s := range all { // sorted by path
		for i := range vs {
			if s.first <= vs[i].Number && vs[i].Number <= s.last {
				vs[i].Files = append(vs[i].Files, s.File)
			}
		}
	}
	return nil
}

func (c *Catalogue) spans(ctx context.Context, id string) ([]span, error) {
	query := "SELECT path, size, sha512, use, first, last FROM content WHERE package = ? ORDER BY path, first"
	if !c.engine.content(ctx, false) {
		query = "SELECT path, size, sha512, use, version, version FROM files WHERE package = ? ORDER BY path, version"
	}
	return collect(ctx, c, func(row scanner) (span, error) {
		var s span
		var digest any
		err := row.Scan(&s.Path, &s.Size, &digest, &s.Use, &s.first, &s.last)
		s.SHA512 = unpacked(digest)
		return s, err
	}, query, id)
}

// spansOf returns the rows of the files of all versions.
func spansOf(vs []Version) []span {
	var all []span
	open := map[File]int{} // file → its row that reaches to the version before
	for _, v := range vs {
		now := make(map[File]int, len(v.Files))
		for _, f := range v.Files {
			at, ok := open[f]
			if !ok {
				at = len(all)
				all = append(all, span{f, v.Number, v.Number})
			}
			all[at].last = v.Number
			now[f] = at
		}
		open = now
	}
	return all
}

func putContent(ctx context.Context, tx *transaction, id string, vs []Version) error {
	var rows [][]any
	for _, s := range spansOf(vs) {
		rows = append(rows, []any{id, s.Path, s.first, s.last, s.Size, tx.engine.digest(s.SHA512), s.Use})
	}
	return tx.engine.insert(ctx, tx, "content",
		[]string{"package", "path", "first", "last", "size", "sha512", "use"}, rows)
}

// packed returns the bytes of a digest, which take half the room of its text. Other text stays as
// it is.
func packed(digest string) any {
	bytes, err := hex.DecodeString(digest)
	if err != nil || len(bytes) == 0 || hex.EncodeToString(bytes) != digest {
		return digest
	}
	return bytes
}

// unpacked is the inverse of packed.
func unpacked(value any) string {
	switch v := value.(type) {
	case []byte:
		return hex.EncodeToString(v)
	case string:
		return v
	}
	return ""
}

// SizeOf returns the size in bytes of the content with a digest, in any version of a package.
func (c *Catalogue) SizeOf(ctx context.Context, id, sha512 string) (int64, error) {
	query, value := "SELECT size FROM content WHERE package = ? AND sha512 = ? LIMIT 1", c.engine.digest(sha512)
	if !c.engine.content(ctx, false) {
		query, value = "SELECT size FROM files WHERE package = ? AND sha512 = ? LIMIT 1", sha512
	}
	var size int64
	err := c.row(ctx, query, id, value).Scan(&size)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, fmt.Errorf("content %s of %s: %w", sha512, id, ErrNotFound)
	}
	if err != nil {
		return 0, fmt.Errorf("catalogue: reading the files of %s: %w", id, err)
	}
	return size, nil
}
