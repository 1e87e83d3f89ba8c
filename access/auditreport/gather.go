package auditreport

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"quire/holdings"
	"quire/preserve/policy"
	"quire/repository/catalogue"
	"quire/repository/register"
	"quire/repository/store"
)

// Options are the options of Gather. The zero value is ready to use.
type Options struct {
	Since    time.Time               // begin of the period; zero is the beginning
	Attested *Attestations           // nil for none
	Holdings holdings.Options        // rules and defaults of access
	Now      func() time.Time        // for tests; nil means time.Now
	Progress func(done, total int64) // called with the packages read; may be nil
	Policies []*policy.Policy        // judge formats by these, too, beside those of the repository
	Reasons  bool                    // name the reasons and authorities of purges, which may be confidential
}

// readWithin are the ages, in days, by which readings of packages are counted.
var readWithin = []int{30, 90, 365}

// gatherer collects the parts of a report.
type gatherer struct {
	store   *store.Store
	options Options
	now     time.Time
	report  *Report
	tallies []catalogue.StateTally
	open    map[string]bool // the packages of the incidents → whether they are open to the public
	formats map[[2]string]*FormatCount
	level   []*policy.Policy
}

// Gather reads the records of a repository. It reads the METS of every package, and no container.
func Gather(ctx context.Context, s *store.Store, o Options) (*Report, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	g := &gatherer{store: s, options: o, now: o.Now(), open: map[string]bool{}, formats: map[[2]string]*FormatCount{}}
	g.report = &Report{Format: Format, Repository: s.ID(), Created: s.Created().UTC(), Software: s.Software(),
		Made: g.now.UTC().Truncate(time.Second), Since: o.Since.UTC()}
	if o.Attested != nil {
		g.report.Institution, g.report.Attested = o.Attested.Institution, o.Attested.SHA256
	}
	for _, part := range []func(context.Context) error{g.register, g.documents, g.copies, g.audits, g.overdue, g.events,
		g.incidents, g.survey, g.nameIncidents, g.takedowns, g.purges} {
		if err := part(ctx); err != nil {
			return nil, err
		}
	}
	g.report.Frameworks = assess(g.report, o.Attested)
	return g.report, nil
}

// register reads the head of the register.
func (g *gatherer) register(context.Context) error {
	head, err := g.store.Register()
	if errors.Is(err, store.ErrNoRegister) {
		return nil
	}
	if err != nil {
		return err
	}
	keys, err := g.store.Keys()
	if err != nil {
		return err
	}
	if len(keys) == 0 {
		return errors.New("the register names no key: audit the repository")
	}
	r := &Register{Leaves: head.Size, Root: head.Root.String(), Key: keys[len(keys)-1].Key, Keys: len(keys)}
	r.Fingerprint = register.Fingerprint(r.Key)
	for _, k := range keys {
		if k.Link == register.UnlinkedKey {
			r.Unlinked++
		}
	}
	g.report.Register = r
	return nil
}

// documents reads the documents of the repository, and its policies.
func (g *gatherer) documents(ctx context.Context) error {
	all, err := g.store.Documents(ctx)
	if err != nil {
		return err
	}
	g.level = g.options.Policies
	g.report.Documents = []Document{}
	for _, d := range all {
		out := documentOf(&d)
		g.report.Documents = append(g.report.Documents, out)
		if out.Kind != kindPolicy {
			continue
		}
		_, text, err := g.store.Document(ctx, d.Name, 0)
		if err != nil {
			return err
		}
		p, err := policy.Read(bytes.NewReader(text))
		if err != nil {
			continue // a later version of Quire may have stored it: its duties are not listed
		}
		g.level = append(g.level, p)
	}
	return nil
}

// The kinds of documents. Other names may tell what an agreement is about.
const (
	kindPolicy = "policy"
	kindOther  = "other"
)

func documentOf(d *store.DocumentVersion) Document {
	kind, _, _ := strings.Cut(d.Name, "-")
	if kind != store.RulesDocument && kind != store.WithdrawalsDocument && kind != kindPolicy {
		kind = kindOther
	}
	return Document{Kind: kind, Version: d.Version, Created: d.Created.UTC(), SHA512: d.SHA512}
}

// copies counts the packages in each copy.
func (g *gatherer) copies(ctx context.Context) error {
	times := make([]time.Time, 0, len(readWithin))
	for _, days := range readWithin {
		times = append(times, g.now.AddDate(0, 0, -days))
	}
	var err error
	if g.tallies, err = g.store.StateTallies(ctx, times...); err != nil {
		return err
	}
	states := g.store.CopyStates()
	for _, c := range states {
		out := Copy{Name: c.Name, Path: c.Path, Available: c.Problem == "", States: map[catalogue.Status]int64{}}
		out.SameDisk = sameDisk(c, states)
		sums := make([]int64, len(readWithin))
		for _, t := range g.tallies {
			if t.Copy != c.Name {
				continue
			}
			out.States[t.Status] += t.Packages
			out.Never += t.Never
			if t.Status == catalogue.Good {
				out.Bytes += t.Bytes
			}
			if !t.Oldest.IsZero() && (out.Oldest.IsZero() || t.Oldest.Before(out.Oldest)) {
				out.Oldest = t.Oldest
			}
			for i, n := range t.Since {
				sums[i] += n
			}
		}
		for i, days := range readWithin {
			out.Read = append(out.Read, ReadSince{days, sums[i]})
		}
		if a := g.options.Attested; a != nil {
			out.Place = a.Copies[c.Name]
		}
		g.report.Copies = append(g.report.Copies, out)
	}
	return nil
}

// sameDisk returns the other copies on the file system of a copy; nil if it is unknown.
func sameDisk(c store.CopyState, all []store.CopyState) []string {
	if !c.Known {
		return nil
	}
	same := []string{}
	for _, o := range all {
		if o.Known && o.Name != c.Name && o.Device == c.Device {
			same = append(same, o.Name)
		}
	}
	return same
}

// audits lists the audit runs.
func (g *gatherer) audits(ctx context.Context) error {
	runs, sums, err := g.store.AuditRuns(ctx)
	if err != nil {
		return err
	}
	leaves, err := g.store.AuditLeaves(ctx)
	if err != nil {
		return err
	}
	a := &g.report.Audits
	a.Schedule, a.Runs, a.Ever = g.store.Schedule().String(), []AuditRun{}, int64(len(runs))
	for _, r := range runs {
		if r.Kind == catalogue.Full && r.Ended == catalogue.Complete && r.Whole && r.Began.After(a.LastFull) {
			a.LastFull = r.Began
		}
		if r.Started.Before(g.options.Since) {
			continue
		}
		out := AuditRun{Run: r, Copies: []string{}}
		for _, s := range sums[r.Run] {
			out.Copies = append(out.Copies, s.Copy)
			out.Objects += s.Objects
			out.Bytes += s.Bytes
			out.Problems += s.Problems
		}
		if l, entered := leaves[r.Run]; entered && l.Proves(r, out.Problems) {
			out.Leaf, out.Root = l.Index, l.Root
			a.Leaves++
		}
		a.Number++
		a.Problems += out.Problems
		if r.Ended == catalogue.Complete {
			a.Complete++
		}
		if len(a.Runs) < MaxRows {
			a.Runs = append(a.Runs, out)
		} else {
			a.More++
		}
	}
	return nil
}

// overdue lists the work that is due by the schedule, by the copies, and by policies.
func (g *gatherer) overdue(ctx context.Context) error {
	o := &g.report.Overdue
	var err error
	if o.Audits, err = g.store.DueAudits(ctx); err != nil {
		return err
	}
	o.Lacking, o.Damaged, o.Policies = map[string]int64{}, map[string]int64{}, []Duty{}
	for _, t := range g.tallies {
		switch t.Status {
		case catalogue.Owed, catalogue.Missing:
			o.Lacking[t.Copy] += t.Packages
		case catalogue.Damaged:
			o.Damaged[t.Copy] += t.Packages
		}
	}
	for _, p := range g.level {
		d := Duty{Policy: p.Name, SHA512: p.SHA512, Copies: p.Copies, Enough: len(g.report.Copies) >= p.Copies}
		if !p.Fixity.IsZero() {
			d.Fixity = p.Fixity.String()
			since := g.now.AddDate(-p.Fixity.Years, -p.Fixity.Months, -p.Fixity.Days)
			tallies, err := g.store.StateTallies(ctx, since)
			if err != nil {
				return err
			}
			for _, t := range tallies {
				d.Unread += t.Packages - t.Since[0]
			}
		}
		if d.Copies > 0 || d.Fixity != "" {
			o.Policies = append(o.Policies, d)
		}
	}
	return nil
}

// events counts the events of the repository.
func (g *gatherer) events(ctx context.Context) error {
	ever, err := g.store.EventTallies(ctx, time.Time{})
	if err != nil {
		return err
	}
	period, err := g.store.EventTallies(ctx, g.options.Since)
	if err != nil {
		return err
	}
	gaps, err := g.store.Gaps(ctx)
	if err != nil {
		return err
	}
	g.report.Holdings.WithoutIngest, g.report.Holdings.WithoutReading = gaps.Ingest, gaps.Reading
	in := map[[2]string]int64{}
	for _, t := range period {
		in[[2]string{t.Type, t.Outcome}] = t.Number
	}
	g.report.Events = []EventSum{}
	for _, t := range ever {
		g.report.Events = append(g.report.Events,
			EventSum{Type: t.Type, Outcome: t.Outcome, Number: in[[2]string{t.Type, t.Outcome}], Ever: t.Number})
	}
	return nil
}

// incidents lists the damage, before it is known which packages are open to the public.
func (g *gatherer) incidents(ctx context.Context) error {
	all, sum, err := g.store.Incidents(ctx, g.options.Since, MaxRows)
	if err != nil {
		return err
	}
	r := &g.report.Incidents
	r.IncidentSum, r.List, r.More = sum, []Incident{}, sum.Total-int64(len(all))
	for _, i := range all {
		out := Incident{Event: i.Event, Time: i.Time, Copy: i.Copy, Kind: KindPackage, Package: i.Package,
			Detail: i.Detail, Repair: i.Repair, Repaired: i.Repaired, Now: i.Now}
		if i.Document {
			out.Kind, out.Package, out.Detail = KindDocument, "", ""
		} else {
			g.open[i.Package] = false
		}
		r.List = append(r.List, out)
	}
	return nil
}

// nameIncidents removes the identifiers of packages that are not open to the public.
func (g *gatherer) nameIncidents(context.Context) error {
	for i := range g.report.Incidents.List {
		if in := &g.report.Incidents.List[i]; in.Kind == KindPackage && !g.open[in.Package] {
			in.Kind, in.Package, in.Detail = KindClosed, "", ""
		}
	}
	return nil
}

// sortedKeys returns the keys of a map, sorted.
func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
