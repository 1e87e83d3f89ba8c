package wget

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	"quire/format/warc"
	"quire/internal/archivefs"
	"quire/model"
	"quire/source/internal/facts"
	"quire/source/internal/zone"
	"quire/source/records"
)

// setReading has the facts about a set while its files are read.
type setReading struct {
	*run
	facts    runFacts
	set      *foundSet
	command  command
	words    string            // the arguments in Wget's own form
	infos    map[string]string // WARC-Record-ID of the warcinfo of each container, without brackets
	own      map[string]place
	begun    time.Time // from the first warcinfo
	finished time.Time // from the date of Wget's own records
}

// readSet reads the facts about the run of a set. It opens the containers, but does not read them
// completely.
func readSet(ctx context.Context, t *archivefs.Tree, s *foundSet) (*run, error) {
	about := &model.Harvest{System: model.Wget, ID: s.prefix}
	r := &setReading{run: &run{about: about, tree: t, writesWARC: true}, facts: runFacts{facts.New(about), t}, set: s,
		infos: map[string]string{}, own: map[string]place{}}
	r.list()
	for _, p := range s.containers {
		if err := errors.Join(ctx.Err(), r.container(p)); err != nil {
			return nil, err
		}
	}
	for _, step := range []func() error{r.readOwn, r.readCommand, r.findLog, r.manifest} {
		if err := errors.Join(ctx.Err(), step()); err != nil {
			return nil, err
		}
	}
	r.times()
	r.documentation()
	return r.run, nil
}

// list lists the files with their roles.
func (r *setReading) list() {
	for _, p := range r.set.containers {
		r.facts.AddFile(model.SourceFile{Path: p, Size: r.tree.Find(p).Size, Role: model.RoleContainer})
	}
	for _, f := range r.set.others {
		if r.facts.AddFile(f); f.Role == model.RoleReport {
			r.rejected = append(r.rejected, f.Path)
		}
	}
}

// container reads the first records of a container: the facts about the run, and Wget's request
// headers.
func (r *setReading) container(p string) error {
	c, err := r.tree.Open(p)
	if err != nil {
		return err
	}
	err = r.firstRecords(p, c)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return errors.Join(err, c.Close())
}

// maxFirst is the number of records searched for a request.
const maxFirst = 4

func (r *setReading) firstRecords(p string, c archivefs.Content) error {
	in := records.NewReader(c, nil)
	for range maxFirst {
		rec, err := in.Next()
		switch {
		case errors.Is(err, records.ErrNotContainer):
			return nil
		case err != nil:
			return err
		case rec.Type == warc.TypeWarcinfo:
			if err := r.info(p, rec); err != nil {
				return err
			}
		case rec.Type == warc.TypeRequest && r.about.UserAgent == "":
			head, err := io.ReadAll(io.LimitReader(rec, maxHead))
			r.facts.Set(&r.about.UserAgent, "user agent", headerOf(head, "User-Agent"), "the first request in "+p)
			return err
		}
	}
	return nil
}

// info reads the warcinfo of a container.
func (r *setReading) info(p string, rec *records.Record) error {
	fields, err := rec.Fields()
	if err != nil {
		return err
	}
	r.infos[strings.Trim(rec.ID, "<>")] = p
	if r.begun.IsZero() || rec.Date.Before(r.begun) && !rec.Date.IsZero() {
		r.begun = rec.Date
	}
	r.facts.TellInfo(fields, p)
	for _, f := range fields {
		if f.Name != "wget-arguments" {
			continue
		}
		switch {
		case r.words == "":
			r.words = f.Value
		case r.words != f.Value:
			r.facts.Find(findArguments, model.Warning, p, rec.Offset,
				"its wget-arguments differ from those of %s: it may belong to another run", r.set.containers[0])
		}
	}
	return nil
}

// readOwn finds Wget's records about itself: in the -meta file of a split set, else at the end of
// the container.
func (r *setReading) readOwn() error {
	where := r.set.containers
	if i := slices.IndexFunc(where, isMeta); i >= 0 {
		where = where[i : i+1]
	} else if r.isSplit() {
		r.facts.Find(findLost, model.Warning, r.set.dir, 0,
			"%s-meta.warc is missing: it has Wget's log, with the failed requests",
			r.set.prefix)
		return nil
	}
	for _, p := range where {
		c, err := r.tree.Open(p)
		if err != nil {
			return err
		}
		found, err := ownRecords(c, r.tree.Find(p).Size)
		if err = errors.Join(err, c.Close()); err != nil {
			return err
		}
		for name, at := range found {
			r.own[name] = place{Path: p, Record: ownPrefix + name, Offset: at}
		}
	}
	return nil
}

func isMeta(p string) bool { return strings.Contains(path.Base(p), "-meta.warc") }

// isSplit reports whether the set has several containers.
func (r *setReading) isSplit() bool {
	m := containerName.FindStringSubmatch(path.Base(r.set.containers[0]))
	return m != nil && m[2] != ""
}

// readCommand parses the arguments. The record about them is complete; the warcinfo may have lost
// text at the end of a line.
func (r *setReading) readCommand() error {
	source := "field wget-arguments of the first record of " + r.set.containers[0]
	if p, ok := r.own[ownArguments]; ok {
		in, err := p.open(r.tree)
		if err != nil {
			return err
		}
		b, err := io.ReadAll(io.LimitReader(in, maxHead))
		if err = errors.Join(err, in.Close()); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
			return err
		}
		if words := strings.TrimSpace(string(b)); words != "" && r.words == "" {
			r.words, source = words, p.String()
		}
	}
	r.command = readCommand(splitArguments(r.words))
	r.facts.command(&r.command, source)
	for _, what := range r.command.secrets() {
		for _, p := range r.set.containers {
			r.facts.Restrict(p, 0, "its first record names the arguments of Wget, with "+what)
		}
	}
	for _, f := range r.set.others {
		var err error
		switch f.Role {
		case model.RoleConfiguration:
			err = r.facts.inputFile(f, r.command.on("forcehtml"))
		case model.RoleCache:
			err = r.facts.cookies(f.Path)
		}
		if err != nil {
			return err
		}
	}
	if in := r.command.last("inputfile", "input"); in != "" &&
		!slices.ContainsFunc(r.set.others, func(f model.SourceFile) bool { return f.Role == model.RoleConfiguration }) {
		r.facts.Note("seeds", "in "+in+", which is not here", "option -i in "+source)
	}
	return nil
}

// findLog finds the log. It is in the records or, if Wget wrote it elsewhere (-o), in the file
// beside the containers.
func (r *setReading) findLog() error {
	places := []place{}
	if p, ok := r.own[ownLog]; ok {
		places = append(places, p)
	}
	for _, f := range r.set.others {
		if f.Role == model.RoleLog {
			places = append(places, place{Path: f.Path})
		}
	}
	for _, p := range places {
		l := loggedRun{place: p}
		if err := l.read(r.tree, &logReader{journal: &l.journal, attempt: func(a *attempt) bool {
			r.facts.watch(p, a)
			return true
		}}); err != nil {
			return err
		}
		if l.journal.Requests == 0 {
			continue
		}
		r.facts.revealing(p.Path, l.journal.Revealing)
		r.logs = append(r.logs, l)
		return nil // one of them has everything
	}
	if _, ok := r.own[ownManifest]; ok || !r.isSplit() {
		r.lostLog()
	}
	return nil
}

// lostLog records why there is no log.
func (r *setReading) lostLog() {
	c := readCommand(splitArguments(r.words))
	last := r.set.containers[len(r.set.containers)-1]
	switch out := c.last("outputfile", "appendoutput", "logfile"); {
	case c.last("warckeeplog") == "off":
		r.facts.Note("log", "none was kept, as the arguments say", "option --no-warc-keep-log")
	case out != "":
		r.facts.Find(findLost, model.Warning, last, 0, "the log was written to %q, which is missing", path.Base(out))
	case c.on("quiet"):
		r.facts.Note("log", "it is empty, as the arguments say", "option -q")
	default:
		if _, ok := r.own[ownLog]; !ok {
			r.facts.Find(findLost, model.Warning, last, 0,
				"Wget's log is missing; Wget writes it at the end, so the run was stopped before, or the "+
					"container is truncated")
		}
	}
}

// manifest compares the list of warcinfo records with the containers present.
func (r *setReading) manifest() error {
	p, ok := r.own[ownManifest]
	if !ok {
		return nil
	}
	in, err := p.open(r.tree)
	if err != nil {
		return err
	}
	b, err := io.ReadAll(io.LimitReader(in, maxManifest))
	if err = errors.Join(err, in.Close()); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	listed := strings.Fields(string(b))
	missing := 0
	for _, id := range listed {
		if r.infos[strings.Trim(id, "<>")] == "" {
			missing++
		}
	}
	if missing > 0 {
		r.facts.Find(findMissing, model.Error, p.Path, p.Offset,
			"the set has %d containers according to its MANIFEST.txt, but %d of them are missing", len(listed), missing)
	}
	r.facts.Note("containers", fmt.Sprint(len(listed)), "the record "+p.Record+" of "+p.Path)
	return r.finish(p)
}

// maxManifest is the maximum size in bytes of the list of warcinfo records.
const maxManifest = 8 << 20

// finish uses the date of Wget's own records as the end.
func (r *setReading) finish(p place) error {
	c, err := r.tree.Open(p.Path)
	if err != nil {
		return err
	}
	if _, err = c.Seek(p.Offset, io.SeekStart); err == nil {
		var rec *records.Record
		if rec, err = records.NewReader(c, nil).Next(); err == nil && rec.URI == p.Record {
			r.finished = rec.Date
		}
	}
	return errors.Join(err, c.Close())
}

// times sets begin and end, and derives the zone of the log. Its first line is as old as the first
// record, its last line as the last record.
func (r *setReading) times() {
	first := r.set.containers[0]
	r.facts.TellTime(&r.about.Start, "start", r.begun, "WARC-Date of the first record of "+first)
	for i := range r.logs {
		l := &r.logs[i]
		e := &zone.Evidence{Kind: "the dates of the records at the begin and the end of the set, against the first " +
			"and the last line of the log", Weight: zone.Enough, Undated: l.journal.Undated}
		e.Add(l.journal.First, r.begun)
		e.Add(l.journal.Last, r.finished)
		l.clock = clockOf(&l.journal, e)
		r.facts.log(l)
	}
	if r.about.End.IsZero() {
		r.facts.TellTime(&r.about.End, "end", r.finished,
			"WARC-Date of the records about Wget itself, which it writes last")
	}
}

func (r *setReading) documentation() {
	switch {
	case r.words != "" && len(r.logs) > 0:
		r.about.Documentation = model.Documented
	case r.words != "" || len(r.logs) > 0:
		r.about.Documentation = model.PartlyDocumented
	default:
		r.about.Documentation = model.Undocumented
	}
}
