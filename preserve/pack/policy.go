package pack

import (
	"context"
	"fmt"
	"time"

	"quire/metadata/premis"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/policy"
)

// checkPolicy checks, before anything is copied, that the policy can be applied.
func checkPolicy(o *Options) error {
	if o.Policy != nil && o.Policy.Needs().Scan && o.Scan == nil {
		return fmt.Errorf("the policy %s %w", o.Policy.Name, policy.ErrScan)
	}
	return nil
}

// judgeRecord checks a record of the current container against the policy.
func (b *builder) judgeRecord(p *packed, r *model.Record) error {
	if b.judge == nil {
		return nil
	}
	return b.judge.Record(p.capturedIn(), p.Dest, *r)
}

// judged checks the package against its policy, from the results of the pass and the events for the
// METS. The error is a policy.Error if a rejected package must not be made.
func (b *builder) judged(ctx context.Context) error {
	if b.judge == nil {
		return nil
	}
	about := policy.Package{ID: b.result.ID, Title: b.result.Title}
	if err := b.spool.Each(func(p packed) error {
		about.Files++
		about.Bytes += p.Size
		return ctx.Err()
	}); err != nil {
		return err
	}
	if err := b.judge.Settle(about, b.judgedHarvests()); err != nil {
		return err
	}
	err := b.spool.Each(func(p packed) error {
		if p.Container == nil || p.Group != containers {
			return nil
		}
		c := policy.ContainerFacts{Harvest: p.capturedIn(), Path: p.Dest, Bytes: p.Size, Read: p.Container}
		if p.Made != nil {
			c.Received = policy.ReceivedMirror
			if p.Made.ARC != nil {
				c.Received = policy.ReceivedARC
			}
		}
		if p.Container.Scan != nil {
			var err error
			if c.Scan, err = policy.ScanOf(b.virusCheck(p)); err != nil {
				return err
			}
		}
		b.judge.Container(c)
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	b.result.Policy = b.judge.Finish()
	if b.result.Policy.Outcome == policy.Refused && b.o.Policy.Stop {
		return &policy.Error{Judgement: b.result.Policy}
	}
	return nil
}

// judgedHarvests returns the facts of the harvests for the METS, by their numbers.
func (b *builder) judgedHarvests() map[int]*policy.HarvestFacts {
	agents := b.agents()
	names := map[string]string{}
	for _, a := range agents {
		names[a.agent.Identifiers[0].Value] = a.agent.Names[0].Text
	}
	all := map[int]*policy.HarvestFacts{}
	for _, e := range b.captures(agents) {
		n := policy.HarvestNumber(e.id)
		said := &e.event.Outcomes[0]
		said.Notes = append(said.Notes, b.facts.harvests[n-1].factNotes()...) // as readers of the package see them
		all[n] = policy.HarvestOf(e.event, names)
	}
	return all
}

// assignments returns the event of checking the policy, if there was one (2.4, 3.6).
func (b *builder) assignments() []event {
	j := b.result.Policy
	if j == nil {
		return nil
	}
	outcome := model.Success
	switch j.Outcome {
	case policy.Refused:
		outcome = model.Fail
	case policy.Warned:
		outcome = model.Warned
	}
	detail := "judged by the policy " + j.Policy
	if j.Title != "" {
		detail += " (" + j.Title + ")"
	}
	return []event{{aip.PolicyEventID, premis.Event{
		Type: premis.EventType(string(model.PolicyAssignment)), DateTime: premis.Time(b.now()),
		Details:  []string{detail + ", file with SHA-512 " + j.SHA512},
		Outcomes: []premis.Outcome{{Outcome: premis.EventOutcome(string(outcome)), Notes: j.Notes()}},
		Agents: append([]premis.Link{b.link(packerID, "executing program", premis.AgentRole)},
			b.toolLinks()...),
		Objects: []premis.Link{b.link(aip.PackageObjID, "source", premis.ObjectRole)},
	}}}
}

// levels returns the service level that applies to the package. The event states whether the
// package meets it.
func (b *builder) levels() []premis.PreservationLevel {
	j := b.result.Policy
	if j == nil {
		return nil
	}
	level := premis.PreservationLevel{
		Value: premis.Text(j.Policy), Role: premis.PreservationLevelRole("requirement"),
		DateAssigned: b.now().Format(time.DateOnly),
		Rationales:   []string{string(j.Outcome) + ": see event " + aip.PolicyEventID},
	}
	return []premis.PreservationLevel{level}
}
