package wget

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"slices"

	"quire/internal/archivefs"
	"quire/internal/lines"
	"quire/model"
)

// run is common to both kinds of harvests: the description, and the logs.
type run struct {
	about    *model.Harvest
	tree     *archivefs.Tree
	logs     []loggedRun
	rejected []string // files of --rejected-log

	writesWARC bool
}

// loggedRun is one log, with the interpretation of its times.
type loggedRun struct {
	place
	journal journal
	clock   clock
}

// About returns the known facts of the run.
func (r *run) About() *model.Harvest { return r.about }

// Fetches yields each request of the logs, in their order, and then the rejected URLs of
// --rejected-log. The time is set if the zone is known; otherwise it is zero, and Logged is on the
// crawler's clock.
func (r *run) Fetches(ctx context.Context, report func(model.Finding)) iter.Seq2[model.Fetch, error] {
	return func(yield func(model.Fetch, error) bool) {
		for i := range r.logs {
			l := &r.logs[i]
			more := true
			err := l.read(r.tree, &logReader{journal: &journal{}, attempt: func(a *attempt) bool {
				f := fetchOf(a, &l.clock, r.writesWARC)
				f.Log = l.Path // the container, if the log is a record in it
				more = ctx.Err() == nil && yield(f, nil)
				return more
			}})
			if err = errors.Join(err, ctx.Err()); err != nil {
				yield(model.Fetch{}, err)
				return
			}
			if !more {
				return
			}
		}
		for _, p := range r.rejected {
			if !r.readRejected(ctx, p, yield, report) {
				return
			}
		}
	}
}

func (r *run) readRejected(ctx context.Context, p string, yield func(model.Fetch, error) bool,
	report func(model.Finding)) bool {
	c, err := r.tree.Open(p)
	if err != nil {
		return yield(model.Fetch{}, err)
	}
	more := true
	err = readRejected(c, func(f model.Fetch) bool {
		f.Log = p
		more = ctx.Err() == nil && yield(f, nil)
		return more
	}, func(l *lines.Reader, problem string) {
		if report != nil {
			report(unreadable(p, l.Offset, "line %d: %s", l.Number, problem))
		}
	})
	if err = errors.Join(err, ctx.Err(), c.Close()); err != nil {
		yield(model.Fetch{}, err)
		return false
	}
	return more
}

// read reads the log.
func (l *loggedRun) read(t *archivefs.Tree, r *logReader) error {
	in, err := l.open(t)
	if err != nil {
		return err
	}
	return errors.Join(readLog(in, r), in.Close())
}

// isLog reports whether a text begins like a log of Wget.
func isLog(head []byte) bool {
	l := lines.NewReader(bytes.NewReader(head))
	for l.Next() == nil && l.Number <= 40 {
		m, s := lineAsked.FindSubmatch(l.Text), lineShort.FindSubmatch(l.Text)
		if m != nil && hasScheme(m[4]) || s != nil && hasScheme(s[3]) || lineDebug.Match(l.Text) ||
			begins2(string(l.Text)) {
			return true
		}
	}
	return false
}

func hasScheme(url []byte) bool {
	scheme, _, ok := bytes.Cut(url, []byte("://"))
	return ok && slices.Contains([]string{"http", "https", "ftp", "ftps"}, string(scheme))
}
