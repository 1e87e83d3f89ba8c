package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"quire/model"
	"quire/preserve/inspect"
	"quire/preserve/policy"
	"quire/repository/store"
)

type policyCmd struct {
	Check   policyCheckCmd   `cmd:"" help:"Check keys, values, and expression types of policies."`
	Explain policyExplainCmd `cmd:"" help:"Explain the rules of a policy and the facts that it needs."`
}

type policyCheckCmd struct {
	File []string `arg:"" help:"Policies in YAML (docs/reference/330_policy.md)."`
	jsonFlag
}

// Run reads each policy and prints its errors.
func (c *policyCheckCmd) Run(t *terminal) error {
	var failed error
	for _, file := range c.File {
		p, err := policy.ReadFile(file)
		switch {
		case err != nil && !policy.IsWrong(err):
			return err
		case c.JSON:
			said := struct {
				File  string `json:"file"`
				Name  string `json:"name"`
				Right bool   `json:"right"`
				Wrong string `json:"wrong"`
			}{File: file, Right: err == nil}
			if err != nil {
				said.Wrong = err.Error()
			} else {
				said.Name = p.Name
			}
			failed = errors.Join(failed, t.json(said))
		case err != nil:
			t.printf("%v\n", err)
		default:
			t.printf("%s: policy %s is right\n", file, p.Name)
		}
		if err != nil && failed == nil {
			failed = errContent
		}
	}
	return failed
}

type policyExplainCmd struct {
	File string `arg:"" help:"A policy in YAML (docs/reference/330_policy.md)."`
	jsonFlag
}

// Run explains the policy.
func (c *policyExplainCmd) Run(t *terminal) error {
	p, err := policy.ReadFile(c.File)
	if err != nil {
		return err
	}
	e := p.Explain()
	if c.JSON {
		return t.json(e)
	}
	return e.Text(t.out)
}

// policyFlag is the flag of commands that check against a policy.
type policyFlag struct {
	Policy string `type:"path" placeholder:"FILE" help:"Check against this policy, a service level in YAML (docs/reference/330_policy.md)."`
}

// policy reads the policy, or returns nil if none is named.
func (f policyFlag) policy() (*policy.Policy, error) {
	if f.Policy == "" {
		return nil, nil
	}
	return policy.ReadFile(f.Policy)
}

// judging reads the policy for a command that judges by it, and warns of missing tools before the
// long work.
func (f policyFlag) judging(t *terminal) (*policy.Policy, error) {
	p, err := f.policy()
	if p == nil {
		return nil, err
	}
	for _, missing := range p.MissingTools() {
		t.warn("the policy " + p.Name + " names the tool " + missing + ", which is not installed here: rules that " +
			"need it are not judged")
	}
	return p, nil
}

// judge checks a package folder against a policy and shows a progress bar.
func judge(ctx context.Context, t *terminal, dir string, p *policy.Policy, signature identifyFlags) (*policy.Judgement,
	error) {
	id, err := signature.identifier()
	if err != nil {
		return nil, err
	}
	defer t.clear()
	return policy.JudgePackage(ctx, dir, p, policy.Options{
		Identify: id, Start: func(total int64) { t.begin("judging", total) }, Progress: t.progress,
	})
}

// judgeFiles lists the risks in containers.
func (c *statsCmd) judgeFiles(ctx context.Context, t *terminal, files []string, p *policy.Policy) error {
	if c.Format != "text" && c.Format != "json" {
		return fmt.Errorf("risks by a policy are reported as text or json, not as %s", c.Format)
	}
	if p.Needs().Scan {
		t.warn("the policy asks for a virus check, which stats does not make: that rule is broken here")
	}
	id, err := c.identifier()
	if err != nil {
		return err
	}
	j, err := policy.JudgeFiles(ctx, files, p, id, func(path string, o inspect.Options) (*model.Container, error) {
		return inspectOne(ctx, t, path, o)
	})
	if err != nil {
		return err
	}
	if c.JSON || c.Format == "json" {
		err = t.json(j)
	} else {
		err = j.Text(t.out, false)
	}
	if err == nil && j.Outcome == policy.Refused {
		err = errContent
	}
	return err
}

// admit checks that a package may be stored here. The repository must have as many copies as its
// policy requires, and the policy must not refuse the package.
func (c *ingestCmd) admit(ctx context.Context, t *terminal, s *store.Store, p *policy.Policy, dir string) error {
	if p == nil {
		return nil
	}
	if n := len(s.Copies()); n < p.Copies {
		return fmt.Errorf("the policy %s asks for %d copies, and this repository keeps %d: name another, or make one "+
			"with more (quire init --copy)", p.Name, p.Copies, n)
	}
	j, err := judge(ctx, t, dir, p, identifyFlags{})
	if err == nil && j.Outcome == policy.Refused {
		err = &policy.Error{Judgement: j}
	}
	return err
}

// fixity is the audit interval that a policy requires, and the state of the audits.
type fixity struct {
	Policy string       `json:"policy"`
	Asked  int          `json:"copies_asked"`
	Kept   int          `json:"copies_kept"`
	Every  string       `json:"fixity_interval"`
	Copies []copyFixity `json:"copies"`
}

// copyFixity has the due date of the next audit of a copy.
type copyFixity struct {
	Copy    string    `json:"copy"`
	Checked time.Time `json:"checked"`
	Due     time.Time `json:"due"`
	Overdue bool      `json:"overdue"`
}

func fixityOf(p *policy.Policy, d *store.Details, now time.Time) *fixity {
	if p == nil {
		return nil
	}
	f := &fixity{Policy: p.Name, Asked: p.Copies, Kept: len(d.Copies), Copies: []copyFixity{}}
	if p.Fixity.IsZero() {
		return f
	}
	f.Every = p.Fixity.String()
	for _, c := range d.Copies {
		due := p.Due(c.Checked)
		f.Copies = append(f.Copies, copyFixity{c.Name, c.Checked, due, !now.Before(due)})
	}
	return f
}

func (f *fixity) print(t *terminal) {
	t.printf("  policy %s\n", f.Policy)
	if f.Asked > 0 {
		verdict := "as many as asked"
		if f.Kept < f.Asked {
			verdict = fmt.Sprintf("fewer than the %d asked", f.Asked)
		}
		t.printf("    copies    %d, %s\n", f.Kept, verdict)
	}
	for _, c := range f.Copies {
		verdict := "due " + day(c.Due)
		switch {
		case c.Checked.IsZero():
			verdict = "never audited: due now"
		case c.Overdue:
			verdict = "overdue since " + day(c.Due)
		}
		t.printf("    fixity    %-8s  every %s; %s\n", c.Copy, strings.TrimPrefix(f.Every, "1 "), verdict)
	}
}
