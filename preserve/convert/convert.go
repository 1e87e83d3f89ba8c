package convert

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"quire/format/fault"
	"quire/internal/archivefs"
	"quire/internal/atomicdir"
	"quire/model"
	"quire/preserve/convert/joinsegments"
	"quire/preserve/inspect"
	"quire/source/detect"
)

// Options configures Run.
type Options struct {
	Out   string      // the folder of results; it must not exist, or be empty
	Agent model.Agent // the converting software: name and version
	// date of the WARCs. If zero, the date of the source is used, so the result is the same each
	// time.
	Date          time.Time
	Level         int  // of gzip; 0 is the default
	KeptHeadsOnly bool // of mirrors: create no heads for redirects and errors; see mirror.Options
	// JoinSegments makes one record of the segments of a record in copied WARCs; see joinsegments.
	JoinSegments bool

	Report   io.Writer // receives a line of JSON for each file; may be nil
	Start    func(total int64)
	Progress func(bytes int64)
}

// Result describes the conversion of a source.
type Result struct {
	Out      string           `json:"out"`
	Harvests []HarvestRef     `json:"harvests"`
	Outputs  int64            `json:"warcs"` // WARCs written, including copies
	Records  int64            `json:"records"`
	Files    map[Action]int64 `json:"files"` // of the source, by action
	Bytes    int64            `json:"bytes"` // written
	ARCs     []Converted      `json:"arcs"`  // at most MaxListed
	Mirrors  []MirrorResult   `json:"mirrors"`
	Copies   []Copied         `json:"damaged_copies"` // copied WARCs that are damaged, at most MaxListed
	// records joined of segments, at most MaxListed, and their number
	Joined        []joinsegments.Joined `json:"joined,omitempty"`
	JoinedTotal   int64                 `json:"joined_total,omitempty"`
	DamagedFiles  int64                 `json:"damaged_files"` // ARCs and copied WARCs that quire salvage can rescue
	Outcome       model.Outcome         `json:"outcome"`       // invalid if a file has an error, or is damaged
	Findings      []model.Finding       `json:"findings"`      // of the source, at most MaxListed
	FindingsTotal int64                 `json:"findings_total"`
}

// HarvestRef names the harvest in short form.
type HarvestRef struct {
	System        model.System        `json:"system"`
	ID            string              `json:"id"`
	Root          string              `json:"root"`
	Documentation model.Documentation `json:"documentation"`
}

// MaxListed is how many ARCs, and how many findings, a Result lists. The report lists all.
const MaxListed = 1000

// ErrNothing reports that no content of a source can be converted to WARC.
var ErrNothing = errors.New("no container and no mirror")

// Run converts the content of a source. Options.Out appears when all is written and synced; after
// an error nothing remains.
func Run(ctx context.Context, s *detect.Source, o Options) (_ *Result, err error) {
	if err := atomicdir.Check(o.Out); err != nil {
		return nil, err
	}
	plan, err := Make(ctx, s)
	if err != nil {
		return nil, err
	}
	work, err := atomicdir.Beside(o.Out)
	if err != nil {
		return nil, err
	}
	defer work.End(&err)
	r := newRun(plan, o)
	r.dir = work.Path()
	if o.Start != nil {
		o.Start(plan.Bytes)
	}
	if err := r.all(ctx); err != nil {
		return nil, err
	}
	if r.result.Outputs == 0 {
		return nil, nothing(s)
	}
	return &r.result, work.Install(o.Out)
}

func nothing(s *detect.Source) error {
	return fmt.Errorf("%w in %s that can be converted to WARC", ErrNothing, strings.Join(s.Paths, ", "))
}

// run is the state of one Run call.
type run struct {
	o       Options
	plan    *Plan
	dir     string
	account *account
	result  Result
	set     *joinsegments.Set // nil unless segments are joined
}

func newRun(plan *Plan, o Options) *run {
	var set *joinsegments.Set
	if o.JoinSegments {
		set = &joinsegments.Set{}
	}
	return &run{o: o, plan: plan, account: newAccount(o.Report), set: set,
		result: Result{Out: o.Out, Files: map[Action]int64{}, ARCs: []Converted{}, Mirrors: []MirrorResult{},
			Copies:  []Copied{},
			Outcome: model.Valid, Findings: []model.Finding{}, Harvests: []HarvestRef{}}}
}

func (r *run) all(ctx context.Context) error {
	r.source()
	for step := range r.plan.Steps() {
		if err := r.step(ctx, step); err != nil {
			return fmt.Errorf("%s: %w", step.Name, err)
		}
	}
	return r.join(ctx)
}

// source records the harvests of the source and the findings about it.
func (r *run) source() {
	for _, h := range r.plan.Harvests {
		about := h.About()
		r.result.Harvests = append(r.result.Harvests,
			HarvestRef{about.System, about.ID, h.Found.Path(), about.Documentation})
	}
	for _, f := range r.plan.Findings {
		r.find(f)
	}
	if r.plan.Incomplete() {
		r.result.Outcome = model.Invalid
	}
}

// Incomplete reports whether content of the source may be in no WARC.
func (p *Plan) Incomplete() bool {
	return slices.ContainsFunc(p.Findings, func(f model.Finding) bool {
		return f.Severity == model.Error && slices.Contains(unread, fault.Code(f.Code))
	})
}

// unread lists the findings after which some content of the source may be missing from all WARC
// files.
var unread = []fault.Code{archivefs.FaultPath, archivefs.FaultBomb, archivefs.FaultTorn}

// find adds a finding about the source. Other problems of a source are not errors of the
// conversion.
func (r *run) find(f model.Finding) {
	if r.result.FindingsTotal++; len(r.result.Findings) < MaxListed {
		r.result.Findings = append(r.result.Findings, f)
	}
}

func (r *run) step(ctx context.Context, s Step) (err error) {
	line := Account{File: s.Name, Role: s.File.Role, Action: s.Action, Bytes: s.File.Size, Output: s.Output,
		Restricted: s.File.Restricted, Why: s.Why}
	if s.Harvest >= 0 {
		line.Harvest = r.plan.Harvests[s.Harvest].About().ID
	}
	switch {
	case s.Mirror != nil:
		return r.mirror(ctx, s, line.Harvest)
	case s.Action == Mirrored:
		return nil // the mirror reports it
	case s.Action == ConvertARC:
		line.Converted, err = r.arc(ctx, s)
	case s.Action == KeepWARC:
		line.Damage, err = r.copy(ctx, s)
	}
	var torn *Torn
	if errors.As(err, &torn) {
		err = nil
		line.Action, line.Output, line.Why = Unreadable, "", torn.Error()
		r.result.Outcome = model.Invalid
		r.find(model.Finding{Code: string(archivefs.FaultTorn), Severity: model.Error, Path: s.Name,
			Message: torn.Error()})
	}
	if err != nil {
		return err
	}
	r.result.Files[line.Action]++
	return r.account.add(line)
}

// arc converts one ARC.
func (r *run) arc(ctx context.Context, s Step) (*Converted, error) {
	var c *Converted
	err := r.write(s, func(in archivefs.Content, out io.Writer) (err error) {
		c, err = ARC(ctx, in, filepath.Base(s.File.Path), s.Modified, out, FileOptions{
			Software: r.software(), Date: r.o.Date, Level: r.o.Level, TempDir: r.dir, Progress: r.o.Progress,
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	c.Source, c.Output = s.Name, s.Output
	if !c.Sound() || c.Damaged {
		r.result.Outcome = model.Invalid
	}
	if c.Damaged || inspect.Damaged(c.FindingCounts) {
		r.result.DamagedFiles++
	}
	r.result.Records += c.Records
	r.result.Bytes += c.OutputBytes
	if len(r.result.ARCs) < MaxListed {
		r.result.ARCs = append(r.result.ARCs, *c)
	}
	return c, nil
}

// Copied is a copied WARC that is damaged, as quire inspect reports it.
type Copied struct {
	Source        string           `json:"source"`
	Output        string           `json:"output"`
	Findings      []model.Finding  `json:"findings"` // at most MaxFindings of each code
	FindingCounts map[string]int64 `json:"finding_counts"`
}

// copy copies a WARC unchanged, and inspects it meanwhile. The result is nil if it is not damaged.
func (r *run) copy(ctx context.Context, s Step) (damage *Copied, err error) {
	err = r.write(s, func(in archivefs.Content, out io.Writer) error {
		o := inspect.Options{Name: filepath.Base(s.File.Path), MaxFindings: MaxFindings, CopyTo: out,
			Progress: r.o.Progress}
		if r.set != nil {
			o = r.set.Add(r.path(s.Output), s.Output, strconv.Itoa(s.Harvest), o)
		}
		c, err := inspect.Reader(ctx, in, o)
		if err != nil {
			return err
		}
		r.result.Bytes += c.Bytes
		if inspect.Damaged(c.FindingCounts) {
			damage = &Copied{Source: s.Name, Output: s.Output, Findings: c.Findings, FindingCounts: c.FindingCounts}
		}
		return nil
	})
	if damage != nil {
		r.result.Outcome = model.Invalid
		r.result.DamagedFiles++
		if len(r.result.Copies) < MaxListed {
			r.result.Copies = append(r.result.Copies, *damage)
		}
	}
	return damage, err
}

// software returns the name and version of the converting software.
func (r *run) software() string { return r.o.Agent.Name + " " + r.o.Agent.Version }

// write makes one WARC of one file, and syncs it to disk.
func (r *run) write(s Step, convert func(in archivefs.Content, out io.Writer) error) (err error) {
	in, err := s.Open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	out, err := r.create(s.Output)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	if err := buffered(out, func(w io.Writer) error { return convert(in, w) }); err != nil {
		return err
	}
	return out.Sync()
}

// buffered collects the small writes of a record before they go to disk.
func buffered(out io.Writer, write func(io.Writer) error) error {
	w := bufio.NewWriterSize(out, 1<<20)
	if err := write(w); err != nil {
		return err
	}
	return w.Flush()
}

// path returns the path of a file of results.
func (r *run) path(name string) string { return filepath.Join(r.dir, filepath.FromSlash(name)) }

// create makes a file of results and its folders.
func (r *run) create(name string) (*os.File, error) {
	p := r.path(name)
	if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
		return nil, err
	}
	r.result.Outputs++
	return os.OpenFile(p, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
}
