package dedup

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"time"

	"quire/format/warc"
	"quire/internal/atomicdir"
	"quire/internal/spool"
	"quire/model"
)

// Options configures Run, Undo and Annotations. Out and Agent are required.
type Options struct {
	Out     string    // the folder to make; it must not exist, or be empty
	Beside  []string  // files that belong to the source and lie elsewhere, such as its log
	Against []Holding // holdings that may have originals; the caller closes them
	Indexes []Lines   // indexes of these holdings

	Within      bool       // earlier records of the source itself may also be originals
	OnlyChecked bool       // do not rely on indexes: read every original
	Viral       *ViralList // records to leave unchanged; may be nil
	Smallest    int64      // smallest payload to look up, in bytes
	DryRun      bool       // do all work but discard the result: the Report describes the expected result

	Agent    model.Agent       // the software: name and version
	Start    func(total int64) // receives the size of the source before reading; may be nil
	Progress func(bytes int64) // receives the number of bytes read, of the source and the holdings; may be nil
	Now      func() time.Time  // for the event; nil is time.Now
}

// ErrNoContainer reports that the source has no container.
var ErrNoContainer = errors.New("no ARC or WARC file")

// ErrARC reports that a container is an ARC file, which cannot hold revisit records.
var ErrARC = errors.New("is an ARC file, which has no revisit records: convert it first (quire convert)")

// Run writes the containers of a source again, and replaces each record that has a payload stored
// elsewhere by a revisit record. Options.Out appears when everything is written and synced; after
// an error nothing remains.
func Run(ctx context.Context, source string, o Options) (*Report, error) {
	return work(ctx, source, o, "deduplication", (*job).replaceAll)
}

// job is the state of one call.
type job struct {
	o       Options
	source  *Folder
	items   []*item
	out     *atomicdir.Workplace // temporary path of the result
	scratch string               // for temporary files
	library *library
	own     *Index  // of the source
	wanted  *filter // payloads
	twice   *filter // keys that occur more than once in the source
	spool   *spool.Spool[recordFacts]
	report  *Report
	undoing bool
	opener  *opener
}

// work makes Options.Out with the given function.
func work(ctx context.Context, source string, o Options, event string, do func(*job, context.Context) error) (_ *Report,
	err error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if err := atomicdir.Check(o.Out); err != nil {
		return nil, err
	}
	result, err := atomicdir.For(o.Out, o.DryRun)
	if err != nil {
		return nil, err
	}
	defer result.End(&err)
	scratch, err := atomicdir.For(o.Out, o.DryRun)
	if err != nil {
		return nil, err
	}
	defer scratch.End(&err)
	j := &job{o: o, out: result, scratch: scratch.Path(), wanted: newFilter(), twice: newFilter(),
		opener: newOpener(), report: newReport(source, o.Out)}
	start := o.Now()
	if err := j.run(ctx, source, do); err != nil {
		return nil, err
	}
	if err := result.Install(o.Out); err != nil {
		return nil, err
	}
	j.writeEvent(event, start)
	return j.report, nil
}

// run opens the resources, and closes them.
func (j *job) run(ctx context.Context, source string, do func(*job, context.Context) error) (err error) {
	if j.source, err = OpenFolder(ctx, append([]string{source}, j.o.Beside...)...); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.source.Close()) }()
	if j.spool, err = spool.New[recordFacts](j.scratch); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.spool.Close()) }()
	if j.own, err = OpenIndex(ctx, filepath.Join(j.scratch, "own.db")); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.own.Close()) }()
	if j.library, err = openLibrary(ctx, j.scratch, &j.o); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.library.close()) }()
	return do(j, ctx)
}

// writeEvent writes the event.
func (j *job) writeEvent(event string, start time.Time) {
	e := &j.report.Event
	e.Type, e.Start, e.End = event, start.UTC(), j.o.Now().UTC()
	e.Agent, e.Version, e.Outcome = j.o.Agent.Name, j.o.Agent.Version, j.report.Outcome
	for _, c := range j.report.Containers {
		if c.SHA512 != "" {
			e.Sources = append(e.Sources, Object{c.Path, c.Size, c.SHA512})
		}
		e.Results = append(e.Results, Object{c.Path, c.Written, c.WrittenSum})
	}
	if l := j.library.lines; l != nil {
		j.report.Denied, j.report.DeniedAll, j.report.LinesLost = append(j.report.Denied, l.denied...), l.deny, l.faults
	}
}

// replaceAll does the work of Run. It reads everything before it decides: a later record of the
// source may be an earlier capture, or refer to a record to be replaced.
func (j *job) replaceAll(ctx context.Context) error {
	j.report.Event.Detail = "responses and resources whose payload is stored already became revisit records"
	if err := j.readAll(ctx); err != nil {
		return err
	}
	if j.o.Within {
		if err := j.indexOwn(ctx, j.twice); err != nil {
			return err
		}
	}
	if err := j.library.fill(ctx, j.wanted); err != nil {
		return err
	}
	if err := j.writeAll(ctx, j.replace); err != nil {
		return err
	}
	return j.copyBeside(ctx)
}

// replace writes the replacement of a record, if there is one.
func (j *job) replace(ctx context.Context, w *writing, s *recordFacts) error {
	if !s.Content {
		return nil
	}
	j.report.Contents++
	o, why, err := j.decide(ctx, s)
	if err != nil {
		return err
	}
	if o != nil {
		header, head, err := j.replacement(w, s, o)
		if err == nil {
			j.report.Evidence[o.Evidence]++
			w.report.Replaced++
			w.report.Payload += s.Payload.BodyLength
			return w.rewriter.replace(s.Offset, s.Stored, header, bytes.NewReader(head))
		}
		if !errors.Is(err, errOdd) {
			return err
		}
		why = OddHeader
	}
	j.report.leave(&w.report, s, why)
	return nil
}

// readAll examines the containers of the source.
func (j *job) readAll(ctx context.Context) error {
	if err := j.list(ctx); err != nil {
		return err
	}
	for _, it := range j.items {
		if err := j.read(ctx, it); err != nil {
			return err
		}
	}
	return j.own.Flush(ctx)
}

// learn adds the data of a record of the source.
func (j *job) learn(ctx context.Context, s *recordFacts) error {
	for _, name := range s.Refers {
		if err := j.own.note(ctx, key(name)); err != nil {
			return err
		}
	}
	if !s.Content || s.Why != "" || s.Payload.BodyLength == 0 {
		return nil
	}
	k := s.Payload.exact()
	if j.wanted.may(k) {
		j.twice.add(k)
	}
	j.wanted.add(k)
	for _, k := range s.Payload.claims() {
		j.wanted.add(k)
	}
	return nil
}

// indexOwn adds the source's records with a wanted payload to the index of originals.
func (j *job) indexOwn(ctx context.Context, wanted *filter) error {
	containers := make([]int64, len(j.items))
	err := j.spool.Each(func(s recordFacts) error {
		k := s.Payload.exact()
		it := j.items[s.Item]
		if !s.Content || s.Attempt != it.attempt || s.Why != "" && !j.undoing || s.Payload.BodyLength == 0 ||
			!wanted.may(k) {
			return nil
		}
		if containers[s.Item] == 0 {
			id, err := j.own.container(ctx, it.Path, it.Name)
			if err != nil {
				return err
			}
			containers[s.Item] = id
		}
		o := originalOf(&s)
		return j.own.add(ctx, k, containers[s.Item], &o)
	})
	return errors.Join(err, j.own.Flush(ctx))
}

// decide returns the original of a record, or the reason why the record stays unchanged.
func (j *job) decide(ctx context.Context, s *recordFacts) (*Original, Reason, error) {
	switch {
	case s.Why != "":
		return nil, s.Why, nil
	case s.Stored <= 0:
		return nil, SharedMember, nil
	}
	for _, name := range []string{nameOfID(s.ID), nameOfCapture(s.URI, s.Date)} {
		if noted, err := j.own.noted(ctx, key(name)); noted || err != nil {
			return nil, ReferredTo, err
		}
	}
	o, err := j.library.find(ctx, &s.Payload, s.Span)
	if err != nil {
		return nil, "", err
	}
	why := NotStored
	if o != nil && o.Evidence == ByIndex && j.o.OnlyChecked {
		o, why = nil, Unchecked
	}
	if o == nil && j.o.Within {
		found, err := j.own.find(ctx, s.Payload.exact(), s.Span, 1)
		if err != nil {
			return nil, "", err
		}
		if len(found) > 0 {
			o = &found[0]
		}
	}
	switch {
	case o != nil && j.o.Viral.Has(o.ID):
		return nil, Viral, nil
	case o != nil:
		return o, "", nil
	case why == Unchecked:
		return nil, why, nil
	}
	if there, err := j.library.anywhere(ctx, &s.Payload); there || err != nil {
		return nil, NotEarlier, err
	}
	return nil, NotStored, nil
}

// replacement returns the header of the revisit record, and the head that it keeps of the block.
func (j *job) replacement(w *writing, s *recordFacts, o *Original) (header, head []byte, err error) {
	rec, err := j.opener.open(w.content, s.Offset, s.Stored)
	if errors.Is(err, errHeader) {
		return nil, nil, errOdd
	}
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, rec.close()) }()
	if rec.size != s.Head+s.Payload.BodyLength || rec.Get(warc.FieldRecordID) != s.ID {
		return nil, nil, errChanged
	}
	if head, err = rec.head(s.Head); err != nil {
		return nil, nil, err
	}
	header, err = revisitHeader(rec.Header, head, s, o)
	return bytes.Clone(header), head, err
}

var errChanged = errors.New("the file changed while it was read: wait until the crawler has finished with it")
