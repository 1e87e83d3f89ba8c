package salvage

import (
	"context"
	"io"
	"slices"
	"strings"

	"quire/format/warc"
	"quire/model"
	"quire/preserve/inspect"
)

// examined is the result of the first pass.
type examined struct {
	*model.Container
	broken map[int64]string   // damaged members by offset: the strongest code
	doubts map[int64]struct{} // records with an error or another digest, by inflated offset
	codes  map[int64][]string // the findings of records, by offset
	full   bool               // one of them has no room for more
}

// maxNoted bounds the damaged members and the doubtful records that are kept in memory. After that, no record
// counts as proven by its member.
const maxNoted = 1 << 18

// maxCodes bounds the findings that are kept of one place.
const maxCodes = 8

// strength orders the codes of a damaged member: of several, the strongest counts.
var strength = map[string]int{"GZIP-ISIZE": 1, "GZIP-TRUNCATED": 2, "ZSTD-TRUNCATED": 2, "GZIP-CRC32": 3,
	"GZIP-DEFLATE": 4, "ZSTD-FRAME": 4}

// examine runs the pass over a container.
func examine(ctx context.Context, name string, file io.ReadSeeker, progress func(int64)) (*examined, error) {
	e := &examined{broken: map[int64]string{}, doubts: map[int64]struct{}{}, codes: map[int64][]string{}}
	c, err := inspect.Reader(ctx, file, inspect.Options{Name: name, Progress: progress, Finding: e.finding,
		Record: e.record})
	if err != nil {
		return nil, err
	}
	e.Container = c
	return e, nil
}

func (e *examined) finding(f model.Finding) {
	if have := e.codes[f.Offset]; !slices.Contains(have, f.Code) && len(have) < maxCodes &&
		(len(have) > 0 || len(e.codes) < maxNoted) {
		e.codes[f.Offset] = append(have, f.Code)
	}
	if strength[f.Code] <= strength[e.broken[f.Offset]] {
		return
	}
	if e.full = e.full || len(e.broken) >= maxNoted; !e.full {
		e.broken[f.Offset] = f.Code
	}
}

func (e *examined) record(r model.Record) error {
	if r.Sound && (r.DigestsFit || strings.EqualFold(r.Type, warc.TypeRevisit)) {
		return nil
	}
	if e.full = e.full || len(e.doubts) >= maxNoted; !e.full {
		e.doubts[r.Inflated] = struct{}{}
	}
	return nil
}
