package policy

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/google/cel-go/cel"

	"quire/internal/humanize"
	"quire/internal/spool"
	"quire/model"
	"quire/preserve/inspect"
)

// Judge judges by a policy. The caller passes records (Record) as they are read; the facts about
// the package and its harvests (Settle) as soon as known, before or after the records; each
// container (Container); and finally calls Finish. A Judge is for one goroutine.
type Judge struct {
	policy   *Policy
	needs    Needs
	rules    map[Scope][]*ruled
	all      []*tally          // in the order of the judgement
	sections map[string]*tally // only the sections in the policy
	facts    facts
	now      current
	tools    *examiner // nil if no rule uses tools

	settled  bool
	late     *spool.Spool[lateRecord] // records that wait for facts about their harvest
	harvests map[int]*HarvestFacts
	pkg      Package
	whole    sums
	formats  map[inHarvest]*format
}

// ruled is a rule with its result.
type ruled struct {
	*Rule
	*tally
}

// lateRecord is a record that waits to be judged.
type lateRecord struct {
	Harvest   int
	Container string
	Record    model.Record
	Tools     map[int]toolFacts // for the rules that use tools; nil for the others
}

// inHarvest is a format in a harvest.
type inHarvest struct {
	harvest    int
	puid, name string
}

// NewJudge returns a Judge. Waiting records are in a temporary file in dir. The caller closes it.
func NewJudge(p *Policy, dir string) (*Judge, error) {
	j := &Judge{policy: p, needs: p.Needs(), rules: map[Scope][]*ruled{}, sections: map[string]*tally{},
		formats: map[inHarvest]*format{}}
	for _, s := range p.sections() {
		t := &tally{s}
		j.all, j.sections[s.ID] = append(j.all, t), t
	}
	if j.needs.Tools {
		j.tools = newExaminer(j, dir)
	}
	for i := range p.Rules {
		r := &p.Rules[i]
		t := &tally{Result{ID: r.ID, Scope: r.Scope, Severity: r.Severity, Message: r.Message, Line: r.Line}}
		j.all = append(j.all, t)
		if len(r.Tools) > 0 {
			j.tools.rules = append(j.tools.rules, &ruled{r, t})
			continue
		}
		j.rules[r.Scope] = append(j.rules[r.Scope], &ruled{r, t})
	}
	j.now.at = j.now.place
	if j.needs.Harvests {
		var err error
		if j.late, err = spool.New[lateRecord](dir); err != nil {
			return nil, err
		}
	}
	return j, nil
}

// Close ends the tools, and removes the temporary files.
func (j *Judge) Close() error {
	err := j.closeTools()
	if j.late != nil {
		err = errors.Join(err, j.late.Close())
	}
	return err
}

// ResolveName implements the activation of CEL. It computes each variable on demand, so unused
// variables cost nothing.
func (j *Judge) ResolveName(name string) (any, bool) {
	v := j.policy.words.variable(name)
	if v == nil {
		return nil, false
	}
	return v.get(&j.facts), true
}

// Parent implements the activation of CEL: it has no other variables.
func (j *Judge) Parent() cel.Activation { return nil }

var _ cel.Activation = (*Judge)(nil)

// Record judges a record of a container of a harvest (0 means none), by the rules of that scope. If
// they need facts about the harvest that are not settled, the record waits.
func (j *Judge) Record(harvest int, container string, r model.Record) error {
	if j.tools != nil {
		if err := j.tools.record(harvest, container, &r); err != nil {
			return err
		}
	}
	if len(j.rules[ScopeRecord]) == 0 {
		return nil
	}
	if j.needs.Harvests && !j.settled {
		r.Content = nil
		return j.late.Add(lateRecord{harvest, container, r, nil})
	}
	j.record(harvest, container, &r)
	return nil
}

// record judges a record. There may be millions: it allocates no memory.
func (j *Judge) record(harvest int, container string, r *model.Record) {
	j.current(harvest, container, r)
	for _, rule := range j.rules[ScopeRecord] {
		j.apply(rule, j.now.at, 1, r.Payload)
	}
}

// current sets the facts to those of a record.
func (j *Judge) current(harvest int, container string, r *model.Record) {
	n := &j.now
	n.harvest, n.container, n.record = harvest, container, *r
	n.format = format{puid: r.Format.PUID, name: r.Format.FullName()}
	if r.Format.MIME != "" {
		n.format.types = typesOf(r.Format.MIME)
	}
	j.facts = facts{harvest: j.harvests[harvest], record: &n.record, format: &n.format}
}

// current is the record being judged.
type current struct {
	harvest   int
	container string
	record    model.Record
	format    format
	at        func() Place
}

func (n *current) place() Place {
	r, offset := &n.record, n.record.Offset
	return Place{Harvest: n.harvest, Container: n.container, Offset: &offset, What: whatOf(r)}
}

// whatOf names a record.
func whatOf(r *model.Record) string { return cmp.Or(r.URI, r.ID, r.Type) }

// apply judges a rule with the current facts.
func (j *Judge) apply(r *ruled, at func() Place, payloads, bytes int64) {
	out, _, err := r.program.Eval(j)
	switch {
	case err != nil:
		r.unjudged(at, err)
	case out.Value() == true:
		r.broken(at, payloads, bytes)
	}
}

// Settle takes the facts about the package and, by number, its harvests, and judges the records
// that waited for them.
func (j *Judge) Settle(p Package, harvests map[int]*HarvestFacts) error {
	if err := j.Wait(); err != nil {
		return err
	}
	j.pkg, j.harvests, j.settled = p, harvests, true
	if j.late == nil {
		return nil
	}
	return j.each(j.late)
}

// Container judges a container, its findings and its virus check.
func (j *Judge) Container(c ContainerFacts) {
	if j.harvests[c.Harvest] == nil {
		c.Harvest = 0
	}
	h := j.harvests[c.Harvest]
	j.whole.add(&c)
	if h != nil {
		h.add(&c)
	}
	var scan scanned
	scan.add(c.Scan)
	j.facts = facts{harvest: h, container: &c, scan: &scan}
	at := func(what string) func() Place {
		return func() Place { return Place{Harvest: c.Harvest, Container: c.Path, What: what} }
	}
	j.viruses(&c, at)
	if c.Read == nil {
		return
	}
	j.received(&c, at)
	for _, r := range j.rules[ScopeContainer] {
		j.apply(r, at(fmt.Sprintf("%s, %s, %s", c.Read.Outcome, humanize.Count(c.Read.Records.Total, "record"),
			humanize.Count(c.Bytes, "byte"))), 0, c.Bytes)
	}
	j.findings(&c, at)
	for _, f := range c.Read.Formats {
		j.count(&c, f)
	}
}

// findings judges each kind of finding in a container, in the order of their codes.
func (j *Judge) findings(c *ContainerFacts, at func(string) func() Place) {
	for _, code := range slices.Sorted(maps.Keys(c.Read.FindingCounts)) {
		if !j.counts(code) {
			continue
		}
		f := finding{code: code, severity: inspect.Catalogue.Severity(code), count: c.Read.FindingCounts[code]}
		j.facts.finding = &f
		place := at(fmt.Sprintf("%s %s, %s", f.severity, code, humanize.Count(f.count, "time")))
		if found := slices.IndexFunc(c.Read.Findings, func(f model.Finding) bool {
			return f.Code == code
		}); found >= 0 {
			offset := c.Read.Findings[found].Offset
			bare := place
			place = func() Place {
				p := bare()
				p.Offset = &offset
				return p
			}
		}
		j.graded(&f, place)
		for _, r := range j.rules[ScopeFinding] {
			j.apply(r, place, 0, 0)
		}
	}
}

// counts reports whether the policy takes a finding into account. The caller may request more than
// the policy needs. Findings that appear only for this reason are ignored, so that the judgement of
// a package is always the same.
func (j *Judge) counts(code string) bool {
	return !ofScan(code) && (j.needs.Formats || !ofFormats(code))
}

func (j *Judge) count(c *ContainerFacts, f model.Format) {
	key := inHarvest{c.Harvest, f.PUID, f.FullName()}
	met := j.formats[key]
	if met == nil {
		met = &format{puid: f.PUID, name: f.FullName(), types: typesOf(f.MIME), first: c.Path}
		j.formats[key] = met
	}
	met.count += f.Count
	met.bytes += f.Bytes
}

// Finish judges the rules that need all containers, and returns the judgement.
func (j *Judge) Finish() *Judgement {
	for _, key := range slices.SortedFunc(maps.Keys(j.formats), func(a, b inHarvest) int {
		return cmp.Or(cmp.Compare(a.harvest, b.harvest), cmp.Compare(a.puid, b.puid), cmp.Compare(a.name, b.name))
	}) {
		j.format(key.harvest, j.formats[key])
	}
	for _, n := range slices.Sorted(maps.Keys(j.harvests)) {
		h := j.harvests[n]
		j.facts = facts{harvest: h, scan: &h.scan}
		for _, r := range j.rules[ScopeHarvest] {
			j.apply(r, func() Place { return Place{Harvest: n, What: fmt.Sprintf("%s %s", h.System, h.ID)} }, 0, 0)
		}
	}
	j.facts = facts{pkg: &j.pkg, whole: &j.whole, scan: &j.whole.scan}
	for _, r := range j.rules[ScopePackage] {
		j.apply(r, func() Place { return Place{What: j.pkg.ID} }, 0, j.pkg.Bytes)
	}
	return j.judgement()
}

func (j *Judge) format(harvest int, f *format) {
	j.facts = facts{harvest: j.harvests[harvest], format: f}
	at := func() Place {
		what := fmt.Sprintf("%s, %s, %s", f.name, humanize.Count(f.count, "payload"), humanize.Count(f.bytes, "byte"))
		if f.puid != "" {
			what = f.puid + " " + what
		}
		return Place{Harvest: harvest, Container: f.first, What: what}
	}
	j.accepted(f, at)
	for _, r := range j.rules[ScopeFormat] {
		j.apply(r, at, f.count, f.bytes)
	}
}

func (j *Judge) judgement() *Judgement {
	p := j.policy
	out := &Judgement{Policy: p.Name, Title: p.Title, SHA512: p.SHA512, Outcome: Accepted,
		Rules: make([]Result, 0, len(j.all)), Tools: []ToolReport{}, Copies: p.Copies}
	if !p.Fixity.IsZero() {
		out.FixityInterval = p.Fixity.String()
	}
	if j.tools != nil {
		out.Tools = j.tools.report()
	}
	for _, t := range j.all {
		r := t.result()
		j.place(&r)
		switch {
		case r.Outcome == Broken && r.Severity == Refuse:
			out.Outcome = Refused
		case out.Outcome == Refused:
		case r.Outcome == Broken && r.Severity == Warn, r.Severity != Note && r.NotJudged > 0:
			out.Outcome = Warned
		}
		out.Rules = append(out.Rules, r)
	}
	return out
}

// place removes the harvest number from places in a harvest that the METS does not describe. Such a
// number exists only while a package is made.
func (j *Judge) place(r *Result) {
	for i := range r.First {
		if j.harvests[r.First[i].Harvest] == nil {
			r.First[i].Harvest = 0
		}
	}
	if r.WhyWhere != nil && j.harvests[r.WhyWhere.Harvest] == nil {
		r.WhyWhere.Harvest = 0
	}
}
