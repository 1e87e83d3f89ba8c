package httrack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"quire/internal/archivefs"
	"quire/internal/lines"
	"quire/model"
	"quire/source"
	"quire/source/internal/zone"
)

// Harvest is one mirror.
type Harvest struct {
	Mirror *Mirror

	about    *model.Harvest
	launched time.Time // on the crawler's clock
	complete string    // the line that states it
	footer   string    // option -%F
}

var _ source.Harvest = (*Harvest)(nil)

// About returns the known facts of the run.
func (h *Harvest) About() *model.Harvest { return h.about }

// read reads all sources in turn: first those about the run, because they date the rows, then the
// cache, the rows, and the headers as sent and received.
func read(ctx context.Context, t *archivefs.Tree, root string, files []string) (*Harvest, error) {
	return readNamed(ctx, t, root, files, nil)
}

// readNamed reads a mirror in which some files were renamed.
func readNamed(ctx context.Context, t *archivefs.Tree, root string, files []string, names map[string]string) (*Harvest,
	error) {
	m := &Mirror{tree: t, root: root, names: names, byKey: map[string]*Capture{}, byFile: map[string]*Capture{},
		secrets: map[string]string{}, moved: map[string]bool{}, twins: map[string]*Capture{},
		states: map[string]bool{}, folded: map[string][]string{}}
	w := &runFacts{Mirror: m}
	for _, step := range []func() error{w.logs, w.arguments, w.cache, w.rows, w.headers, w.moves, w.cookies} {
		if err := errors.Join(ctx.Err(), step()); err != nil {
			return nil, err
		}
	}
	m.unfinished = w.journal.Launched != "" && w.journal.Complete == "" || t.Find(m.path(lock)) != nil
	m.assignFiles(files)
	w.readComments()
	if err := w.concludeZone(); err != nil {
		return nil, err
	}
	return &Harvest{m, w.about(), w.launched, w.journal.Complete, w.options.Footer}, nil
}

// runFacts collects the facts while the files are read.
type runFacts struct {
	*Mirror
	journal  journal
	doit     string // arguments in doit.log
	made     string // date in doit.log
	options  options
	launched time.Time // on the crawler's clock
	agent    string    // as sent to the server

	validators, written zone.Evidence // from the rows
}

// with opens a file of the mirror, if it exists.
func (m *Mirror) with(name string, read func(path string, c archivefs.Content) error) error {
	p := m.path(name)
	if m.tree.Find(p) == nil {
		return nil
	}
	c, err := m.tree.Open(p)
	if err != nil {
		return err
	}
	if err := errors.Join(read(p, c), c.Close()); err != nil {
		return fmt.Errorf("%s: %w", p, err)
	}
	return nil
}

func (w *runFacts) logs() error {
	for _, name := range []string{"hts-log.txt", "hts-err.txt", "logs/info", "logs/err", "logs/warn", "logs/debug"} {
		err := w.with(name, func(p string, c archivefs.Content) error {
			if err := readMessages(c, &w.journal, func(message) bool { return true }); err != nil {
				return err
			}
			_, err := c.Seek(0, io.SeekStart)
			return errors.Join(err, w.searchText(p, c))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *runFacts) arguments() error {
	err := w.with("hts-cache/doit.log", func(p string, c archivefs.Content) error {
		l := lines.NewReader(c)
		for _, line := range []*string{&w.doit, &w.made} {
			if err := l.Next(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return err
			}
			*line = string(l.Text)
		}
		_, err := c.Seek(0, io.SeekStart)
		return errors.Join(err, w.searchText(p, c))
	})
	line := w.doit
	if line == "" {
		line = w.journal.Command
	}
	w.options = readOptions(arguments(line))
	w.output = w.options.Output
	w.launched = parseLaunched(w.journal.Launched)
	if w.launched.IsZero() {
		w.launched = parseLaunched(generated(w.made))
	}
	return err
}

// generations are the names of the caches and logs: first of the previous run, then of the last
// run.
var generations = []string{"old", "new"}

func (w *runFacts) cache() error {
	for _, g := range generations {
		if err := w.with("hts-cache/"+g+".zip", w.zip); err != nil {
			return err
		}
		err := w.with("hts-cache/"+g+".ndx", func(index string, c archivefs.Content) error {
			return w.dat(index, "hts-cache/"+g+".dat", c)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *runFacts) zip(p string, c archivefs.Content) error {
	torn, err := readZip(c, w.tree.Find(p).Size,
		func(e *Entry) { e.Cache = p; w.addEntry(e) },
		func(at int64, problem string) {
			w.findings.add(findCache, model.Warning, p, at, "an entry of the cache: %s", problem)
		})
	if torn != nil {
		w.findings.add(findCache, model.Warning, p, 0, "%v: its entries were read in sequence", torn)
	}
	return err
}

func (w *runFacts) dat(index, name string, c archivefs.Content) error {
	found := false
	err := w.with(name, func(p string, dat archivefs.Content) error {
		found = true
		return readIndex(c, func(url string, at int64) error {
			e, err := readDat(dat, w.tree.Find(p).Size, url, at)
			if err != nil {
				w.findings.add(findCache, model.Warning, p, max(at, -at), "the entry of %q: %v", url, err)
				return nil
			}
			e.Cache = p
			w.addEntry(e)
			return nil
		})
	})
	if errors.Is(err, errDat) {
		w.findings.add(findCache, model.Warning, index, 0, "%v", err)
		err = nil
	}
	if !found {
		w.findings.add(findCache, model.Error, index, 0, "%s, which has the content of this index, is missing", name)
	}
	return err
}

// rows reads the logs of URLs. The day of the last run is known. The day of the previous run is
// unknown.
func (w *runFacts) rows() error {
	w.validators = zone.Evidence{Kind: "the Date headers in the column Etag|Date of hts-cache/new.txt, against its " +
		"first column", Weight: 2, Before: 30 * time.Second, After: 5 * time.Second}
	w.written = zone.Evidence{Kind: "the time at which hts-cache/new.txt was written, against its last row",
		Weight: zone.Disputes, Before: 2 * time.Second, After: 10 * time.Second}
	for _, g := range generations {
		err := w.with("hts-cache/"+g+".txt", func(p string, c archivefs.Content) error {
			var d days
			var last time.Time
			if g == "new" {
				d = startAt(w.launched)
			}
			err := readRows(c, func(r *Row) error {
				last = d.at(r.Clock)
				addDate(&w.validators, last, r.Validator)
				w.addRow(r, p, last)
				return nil
			}, func(*lines.Reader, string) {}) // reported when the Fetches are read
			w.written.Add(last, w.tree.Find(p).Modified)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *runFacts) headers() error {
	return w.with("hts-ioinfo.txt", func(p string, c archivefs.Content) error {
		in := ioinfo{
			found:  w.addHeaders,
			agent:  func(a string) { w.agent = a },
			secret: func(l *lines.Reader, what string) { w.restrict(p, what, l.Offset) },
		}
		return in.read(c)
	})
}

// moves takes the redirects of older versions from their warnings, and the URLs that failed before
// a row was written.
func (w *runFacts) moves() error {
	for _, name := range []string{"hts-log.txt", "hts-err.txt", "logs/warn", "logs/debug"} {
		err := w.with(name, func(_ string, c archivefs.Content) error {
			return readMessages(c, &journal{}, func(m message) bool {
				w.addMessage(m)
				return true
			})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *runFacts) cookies() error {
	return w.with("cookies.txt", func(p string, c archivefs.Content) error { return w.searchCookies(p, c) })
}
