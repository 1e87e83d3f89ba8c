package catalogue

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"time"
)

// Candidate is a package that an audit may choose.
type Candidate struct {
	ID      string
	Bytes   int64                // of the newest version
	Checked map[string]time.Time // copy → when every byte was last read there; nil if not asked for
}

// Candidates yields the packages after an id, sorted by id, as [Catalogue.Packages] does. checked
// asks for the times of the last readings.
func (c *Catalogue) Candidates(ctx context.Context, after string, checked bool) iter.Seq2[Candidate, error] {
	column := "NULL"
	if checked {
		column = "(SELECT string_agg(name || ' ' || checked, '\n') FROM copies WHERE package = id)"
	}
	return paged(after, func(after string) ([]Candidate, error) {
		return collect(ctx, c, scanCandidate,
			"SELECT id, bytes, "+column+" FROM packages WHERE id > ? ORDER BY id LIMIT ?", after, candidatePage)
	}, func(k Candidate) string { return k.ID })
}

// candidatePage is the number of candidates that are read at once.
const candidatePage = 1000

func scanCandidate(row scanner) (Candidate, error) {
	var k Candidate
	var times *string
	if err := row.Scan(&k.ID, &k.Bytes, &times); err != nil || times == nil {
		return k, err
	}
	k.Checked = map[string]time.Time{}
	for line := range strings.SplitSeq(*times, "\n") {
		name, at, _ := strings.Cut(line, " ") // the name of a copy has no space
		k.Checked[name] = unstamp(at)
	}
	return k, nil
}

// Count returns the number of packages.
func (c *Catalogue) Count(ctx context.Context) (n int64, err error) {
	if err := c.row(ctx, "SELECT count(*) FROM packages").Scan(&n); err != nil {
		return 0, fmt.Errorf("catalogue: counting the packages: %w", err)
	}
	return n, nil
}
