package httrack

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"quire/internal/archivefs"
	"quire/internal/lines"
	"quire/internal/secret"
	"quire/model"
)

// errEnough reports that the caller wants no more fetches.
var errEnough = errors.New("enough")

// Fetches yields each row of old.txt and new.txt, and then the errors of hts-log.txt for URLs
// without a row. The time is set if day and zone are known. Otherwise it is zero, and Logged is on
// the crawler's clock.
func (h *Harvest) Fetches(ctx context.Context, report func(model.Finding)) iter.Seq2[model.Fetch, error] {
	return func(yield func(model.Fetch, error) bool) {
		f := &fetching{h.Mirror, ctx, report, yield}
		for _, g := range generations {
			err := h.Mirror.with("hts-cache/"+g+".txt", func(p string, c archivefs.Content) error {
				return f.rows(p, c, h.day(g))
			})
			if f.ended(err) {
				return
			}
		}
		f.ended(h.Mirror.with("hts-log.txt", func(p string, c archivefs.Content) error {
			return f.errors(p, c, h.day("new"))
		}))
	}
}

func (h *Harvest) day(generation string) days {
	if generation == "old" {
		return days{}
	}
	return startAt(h.launched)
}

type fetching struct {
	*Mirror
	ctx    context.Context
	report func(model.Finding)
	yield  func(model.Fetch, error) bool
}

// ended reports whether this is the end, and yields the error that caused it.
func (f *fetching) ended(err error) bool {
	if err != nil && !errors.Is(err, errEnough) {
		f.yield(model.Fetch{}, err)
	}
	return err != nil
}

func (f *fetching) rows(p string, c archivefs.Content, d days) error {
	return readRows(c, func(r *Row) error {
		if err := f.ctx.Err(); err != nil {
			return err
		}
		fetch := f.fetch(r)
		fetch.Log = p
		f.date(&fetch, d.at(r.Clock))
		if !f.yield(fetch, nil) {
			return errEnough
		}
		return nil
	}, func(l *lines.Reader, problem string) {
		if f.report != nil {
			f.report(model.Finding{Code: findLine, Severity: model.Warning, Path: p, Offset: l.Offset,
				Message: secret.Conceal(fmt.Sprintf("line %d: %s: %.100q", l.Number, problem, l.Text))})
		}
	})
}

func (f *fetching) fetch(r *Row) model.Fetch {
	fetch := model.Fetch{URI: withoutUser(r.URL), Status: r.Status, Size: r.Size, MIME: r.MIME,
		Via: withoutUser(r.Via), Line: r.Line, Offset: -1, Notes: []string{r.Outcome}}
	if r.Message != "" {
		fetch.Notes = append(fetch.Notes, "message:"+r.Message)
	}
	if strings.Trim(r.Flags, "-") != "" {
		fetch.Notes = append(fetch.Notes, "flags:"+r.Flags)
	}
	kept := false
	for _, c := range f.named(r.URL) {
		kept = kept || c.Kept()
	}
	fetch.Miss = miss(r.Status, kept)
	return fetch
}

// date sets the time of a fetch, as far as it is known.
func (f *fetching) date(fetch *model.Fetch, local time.Time) {
	fetch.Logged = local
	if local.IsZero() {
		fetch.Notes = append(fetch.Notes, "day unknown")
		return
	}
	if !f.zone.Known() {
		fetch.Notes = append(fetch.Notes, "zone unknown")
		return
	}
	fetch.Logged = local.Add(-f.zone.Ahead)
	fetch.Time = fetch.Logged
}

// errors yields the URLs that failed before a row was written.
func (f *fetching) errors(p string, c archivefs.Content, d days) error {
	enough := false
	err := readMessages(c, &journal{}, func(m message) bool {
		local := d.at(m.Clock)
		if m.Status == 0 || f.hasRow(m.URL) {
			return true
		}
		fetch := model.Fetch{URI: withoutUser(m.URL), Status: m.Status, Size: -1, Via: withoutUser(m.Via),
			Offset: -1, Log: p, Line: m.Line, Notes: []string{"error", "message:" + m.Text},
			Miss: miss(m.Status, false)}
		f.date(&fetch, local)
		enough = f.ctx.Err() != nil || !f.yield(fetch, nil)
		return !enough
	})
	if enough {
		return errors.Join(errEnough, f.ctx.Err())
	}
	return err
}

func (f *fetching) hasRow(url string) bool {
	for _, c := range f.named(url) {
		if c.Row != nil {
			return true
		}
	}
	return false
}

// HTTrack's own codes (htsnet.h).
const (
	codeTooBig  = -7
	codeConnect = -4
	codeSlow    = -3
	codeTimeout = -2
	codeInvalid = -1
)

// miss returns the reason for missing content. A redirect has no content of its own, and misses
// none.
func miss(status int, kept bool) model.Miss {
	switch {
	case kept:
		return ""
	case status >= 400:
		return model.MissServer
	case status == codeTooBig:
		return model.MissQuota
	case status == codeInvalid:
		return model.MissSoftware
	case status < 0: // no name, no connection, timeout, interruption, no TLS
		return model.MissNetwork
	}
	return ""
}
