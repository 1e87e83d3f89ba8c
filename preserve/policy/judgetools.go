package policy

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"quire/internal/humanize"
	"quire/internal/spool"
	"quire/model"
	"quire/preserve/inspect"
	"quire/preserve/policy/tools"
)

// examiner runs the tools of a policy on the records of their formats, and judges the rules that
// use their facts. The tools run beside the pass; records are judged in their order.
type examiner struct {
	j       *Judge
	parent  context.Context // as given
	ctx     context.Context // ends with the judge, too
	rules   []*ruled
	runner  *tools.Runner
	waiting []examined
	reports []ToolReport // by the index of the tool
	cancel  context.CancelFunc
}

// examined is a record whose tools run.
type examined struct {
	harvest   int
	container string
	record    model.Record
	apply     []int // the tools
	pending   []*tools.Pending
}

// toolFacts is the result of a tool for one record.
type toolFacts struct {
	Why    string // it has no facts; "" if it has
	Values []fact
}

func (f toolFacts) fact(n int) *fact {
	switch {
	case f.Why != "":
		return &fact{Why: f.Why}
	case n >= len(f.Values):
		return &fact{Why: "the tool does not examine this format"}
	}
	return &f.Values[n]
}

func newExaminer(j *Judge, dir string) *examiner {
	x := &examiner{j: j, ctx: context.Background(), cancel: func() {}}
	var all []tools.Tool
	for i := range j.policy.Tools {
		t := &j.policy.Tools[i]
		all = append(all, t.Tool)
		x.reports = append(x.reports, ToolReport{Label: t.Label, Command: t.Program.Command, Formats: t.Formats})
	}
	x.runner = tools.New(tools.Options{Tools: all, TempDir: dir,
		Reduce: func(tool int, v tools.Value) any { return j.policy.Tools[tool].facts(v) }})
	return x
}

// begin begins a container. The tools stop when the context ends.
func (x *examiner) begin(ctx context.Context) {
	if x.parent != ctx { // tools of the last container may still run
		now, stop := context.WithCancel(ctx)
		before := x.cancel
		x.parent, x.ctx, x.cancel = ctx, now, func() {
			before()
			stop()
		}
	}
	x.runner.Begin()
}

func (x *examiner) close() error {
	x.cancel()
	return x.runner.Close()
}

// record starts the tools for a record. They wait for further records, but not for many.
func (x *examiner) record(harvest int, container string, r *model.Record) error {
	apply := x.apply(r)
	if len(apply) == 0 {
		x.runner.Drop(r.Order)
		return nil
	}
	pending, err := x.runner.Run(x.ctx, r, apply)
	if err != nil {
		return err
	}
	kept := *r
	kept.Content, kept.Body = nil, nil
	x.waiting = append(x.waiting, examined{harvest, container, kept, apply, pending})
	if most := 4 * x.runner.Jobs(); len(x.waiting) > most {
		return x.settle(1)
	}
	return nil
}

// apply returns the tools for a record: those of its format that the rules need.
func (x *examiner) apply(r *model.Record) (all []int) {
	f := format{puid: r.Format.PUID, name: r.Format.Name, types: typesOf(r.Format.MIME)}
	if f.name == "" || !tools.Examines(r) {
		return nil // the crawler's own records; or nothing was identified: a segment, an empty payload
	}
	for i := range x.j.policy.Tools {
		if x.needed(i) && x.j.policy.Tools[i].applies(&f, r.DeclaredMIME) {
			all = append(all, i)
		}
	}
	return all
}

// needed reports whether a rule uses facts of a tool.
func (x *examiner) needed(tool int) bool {
	return slices.ContainsFunc(x.rules, func(r *ruled) bool { return slices.Contains(r.Tools, tool) })
}

// settle waits for the tools of the first records, and judges them.
func (x *examiner) settle(n int) error {
	for _, e := range x.waiting[:n] {
		if err := x.settleOne(&e); err != nil {
			return err
		}
	}
	x.waiting = slices.Delete(x.waiting, 0, n)
	return nil
}

func (x *examiner) settleOne(e *examined) error {
	facts := map[int]toolFacts{}
	for i, tool := range e.apply {
		res, err := e.pending[i].Wait()
		if err != nil {
			return err
		}
		t := &x.j.policy.Tools[tool]
		found := toolFacts{}
		if found.Values, _ = res.Facts.([]fact); res.Outcome == tools.Failed || res.Outcome == tools.NotRun {
			found.Why = fmt.Sprintf("the tool %s %s: %s", t.Label, verb[res.Outcome], res.Why)
		}
		facts[tool] = found
		x.reports[tool].count(res, Place{Harvest: e.harvest, Container: e.container, Offset: &e.record.Offset,
			What: whatOf(&e.record)})
	}
	if x.j.needs.Harvests && !x.j.settled {
		return x.j.late.Add(lateRecord{e.harvest, e.container, e.record, facts})
	}
	x.judge(e.harvest, e.container, &e.record, facts)
	return nil
}

var verb = map[tools.Outcome]string{tools.Failed: "failed", tools.NotRun: "was not run"}

// judge judges the rules that use tools. A rule is only for records of the formats of its tools.
func (x *examiner) judge(harvest int, container string, r *model.Record, found map[int]toolFacts) {
	x.j.current(harvest, container, r)
	x.j.facts.tools = found
	for _, rule := range x.rules {
		if slices.ContainsFunc(rule.Tools, func(tool int) bool { _, of := found[tool]; return !of }) {
			continue
		}
		x.j.apply(rule, func() Place {
			p := x.j.now.place()
			p.What = strings.Join(append([]string{p.What}, x.said(rule, found)...), "; ")
			return p
		}, 1, r.Payload)
	}
}

// said lists the known facts that a rule uses, for people.
func (x *examiner) said(rule *ruled, found map[int]toolFacts) (all []string) {
	for _, name := range rule.Uses {
		v := x.j.policy.words.own[name]
		if v == nil {
			continue
		}
		t := &x.j.policy.Tools[v.tool-1]
		for n := range t.Facts {
			if f := found[v.tool-1].fact(n); t.variable(&t.Facts[n]) == name && f.Why == "" {
				all = append(all, fmt.Sprintf("%s is %v", name, f.val(v.kind, name).Value()))
			}
		}
	}
	return all
}

// wait judges all records that wait for tools.
func (x *examiner) wait() error { return x.settle(len(x.waiting)) }

// Listen begins a container: it returns the function for [inspect.Options], which keeps the
// bytestreams for the tools of the policy, or nil if there are none. Tools stop when the context
// ends.
func (j *Judge) Listen(ctx context.Context) func(model.Record) inspect.Served {
	if j.tools == nil {
		return nil
	}
	j.tools.begin(ctx)
	return j.tools.runner.Served
}

// Wait waits for the tools, and judges the records that wait for them. Settle and Finish need it
// before.
func (j *Judge) Wait() error {
	if j.tools == nil {
		return nil
	}
	return j.tools.wait()
}

// ToolReport is the work of a tool for a judgement.
type ToolReport struct {
	Label   string   `json:"label"`
	Command []string `json:"command"` // as the policy declares it
	Version string   `json:"version"` // "" if it was not needed, or is missing
	Formats []string `json:"formats"`

	Run      int64 `json:"run"`      // bytestreams that it examined
	Repeated int64 `json:"repeated"` // further bytestreams with the same bytes
	Failed   int64 `json:"failed"`   // it ended with an error or at a limit, or its output is unusable
	NotRun   int64 `json:"not_run"`  // it did not start

	Why      string `json:"why"`       // the first reason for a failure, or for not running
	WhyWhere *Place `json:"why_where"` // the place of that
	Missing  bool   `json:"missing"`   // it cannot run on this machine
}

func (t *ToolReport) count(r tools.Result, at Place) {
	switch r.Outcome {
	case tools.Ran:
		t.Run++
	case tools.Repeated:
		t.Repeated++
	case tools.Failed:
		t.Failed++
	case tools.NotRun:
		t.NotRun++
	}
	if r.Why != "" && t.WhyWhere == nil {
		offset := *at.Offset
		at.Offset = &offset
		place := at.clipped()
		t.Why, t.WhyWhere = clip(r.Why), &place
	}
}

// String formats the report on one line.
func (t *ToolReport) String() string {
	said := fmt.Sprintf("tool %s", t.Label)
	if t.Version != "" {
		said += fmt.Sprintf(" (%s, version %s)", filepath.Base(t.Command[0]), t.Version)
	}
	said += fmt.Sprintf(": run on %s", humanize.Count(t.Run, "bytestream"))
	for _, c := range []struct {
		n    int64
		what string
	}{{t.Repeated, "with the same bytes"}, {t.Failed, "failed"}, {t.NotRun, "not run"}} {
		if c.n > 0 {
			said += fmt.Sprintf(", %d %s", c.n, c.what)
		}
	}
	if t.WhyWhere != nil {
		said += "; the first reason: " + t.Why
	}
	return said
}

// report returns the reports of the tools, once all have ended.
func (x *examiner) report() []ToolReport {
	for i := range x.reports {
		version, missing := x.runner.Version(i)
		x.reports[i].Version, x.reports[i].Missing = version, missing != ""
		if missing != "" {
			x.reports[i].Why = clip(missing)
		}
	}
	return x.reports
}

// each judges the records that waited for the facts about their harvest.
func (j *Judge) each(late *spool.Spool[lateRecord]) error {
	return late.Each(func(l lateRecord) error {
		if l.Tools == nil {
			j.record(l.Harvest, l.Container, &l.Record)
		} else {
			j.tools.judge(l.Harvest, l.Container, &l.Record, l.Tools)
		}
		return nil
	})
}

// closeTools ends the tools.
func (j *Judge) closeTools() error {
	if j.tools == nil {
		return nil
	}
	return j.tools.close()
}
