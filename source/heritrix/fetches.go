package heritrix

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"
	"time"

	"quire/format/fault"
	"quire/internal/archivefs"
	"quire/model"
	"quire/source/crawllog"
	"quire/source/internal/facts"
)

// crawlLog is the crawl log of a harvest, in one or more pieces; each checkpoint starts a new
// piece.
type crawlLog struct {
	tree    *archivefs.Tree
	pieces  []string
	offsets map[int64]time.Duration // by how much the line times are ahead of UTC, by day
}

// maxDays bounds the days with an offset, some eleven years. Later days of a longer crawl are not
// corrected.
const maxDays = 4096

// dayOf returns the number of a day.
func dayOf(t time.Time) int64 { return t.Unix() / (24 * 60 * 60) }

// survey reads the log once. It finds the start and end of the harvest, the files with the
// originals of duplicates, and the clock offset of the log. Until 2007 the times were local,
// although each time ends in Z.
func (l *crawlLog) survey(ctx context.Context, f *facts.Facts) error {
	var clock crawllog.Clock
	var first, last time.Time
	var elsewhere duplicates
	l.offsets = map[int64]time.Duration{}
	for fetch, err := range l.lines(ctx, nil) {
		if err != nil {
			return err
		}
		elsewhere.add(fetch.Duplicate)
		if fetch.Time.IsZero() {
			continue
		}
		if end := fetch.Time.Add(fetch.Duration); end.After(last) {
			last = end
		}
		if first.IsZero() || fetch.Time.Before(first) {
			first = fetch.Time
		}
		if _, known := l.offsets[dayOf(fetch.Time)]; known || len(l.offsets) < maxDays {
			l.offsets[dayOf(fetch.Time)] = 0
			clock.Add(&fetch)
		}
	}
	for day := range l.offsets {
		l.offsets[day] = clock.Offset(time.Unix(day*24*60*60, 0))
	}
	place := "column 9 of " + strings.Join(l.pieces, ", ")
	f.TellTime(&f.About.Start, "start", first, "begin of the earliest fetch, "+place)
	f.TellTime(&f.About.End, "end", last, "end of the latest fetch, "+place)
	l.noteClock(f)
	elsewhere.addFacts(f, strings.Join(l.pieces, ", "))
	return nil
}

// noteClock records the days with corrected line times, and the corrections.
func (l *crawlLog) noteClock(f *facts.Facts) {
	var days []int64
	for day, offset := range l.offsets {
		if offset != 0 {
			days = append(days, day)
		}
	}
	slices.Sort(days)
	date := func(day int64) string { return time.Unix(day*24*60*60, 0).UTC().Format(time.DateOnly) }
	for from := 0; from < len(days); {
		to := from
		for to+1 < len(days) && l.offsets[days[to+1]] == l.offsets[days[from]] {
			to++
		}
		f.Note("clock of the log", fmt.Sprintf("%s ahead of UTC from %s to %s; corrected", l.offsets[days[from]],
			date(days[from]), date(days[to])),
			"columns 1 and 9 of "+strings.Join(l.pieces, ", "))
		from = to + 1
	}
}

// fetches yields the lines of all pieces in order, with corrected times. A line without the start
// of its fetch uses the offset of the line before it.
func (l *crawlLog) fetches(ctx context.Context, report func(model.Finding)) iter.Seq2[model.Fetch, error] {
	return func(yield func(model.Fetch, error) bool) {
		var offset time.Duration
		for fetch, err := range l.lines(ctx, report) {
			if !fetch.Time.IsZero() {
				offset = l.offsets[dayOf(fetch.Time)]
			}
			fetch.Logged = fetch.Logged.Add(-offset)
			if !yield(fetch, err) {
				return
			}
		}
	}
}

// lines yields the lines unchanged. An error comes last.
func (l *crawlLog) lines(ctx context.Context, report func(model.Finding)) iter.Seq2[model.Fetch, error] {
	return func(yield func(model.Fetch, error) bool) {
		for _, piece := range l.pieces {
			goOn, err := l.linesOf(ctx, piece, report, yield)
			if err != nil && goOn {
				yield(model.Fetch{}, fmt.Errorf("%s: %w", path.Base(piece), err))
				return
			}
			if !goOn {
				return
			}
		}
	}
}

// linesOf yields the lines of one piece, and reports whether the caller wants more.
func (l *crawlLog) linesOf(ctx context.Context, piece string, report func(model.Finding),
	yield func(model.Fetch, error) bool) (goOn bool, err error) {
	file, err := l.tree.Open(piece)
	if err != nil {
		return true, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	r := crawllog.NewReader(file)
	if report != nil {
		r.Report = func(f fault.Fault) {
			report(model.Finding{Code: string(f.Code), Severity: model.Warning, Path: piece, Offset: f.Offset,
				Message: f.Detail})
		}
	}
	for fetch, err := range r.All() {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return true, err
		}
		fetch.Log = piece
		if !yield(fetch, nil) {
			return false, nil
		}
	}
	return true, nil
}
