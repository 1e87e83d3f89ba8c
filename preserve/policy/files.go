package policy

import (
	"context"
	"errors"
	"slices"
	"time"

	"quire/internal/spool"
	"quire/model"
	"quire/preserve/identify"
	"quire/preserve/inspect"
)

// JudgeFiles judges containers outside a package, to find their risks. It treats them as one
// harvest, known only from the containers: it began with the first capture, and ended with the
// last. The function read reads one container with the options. The argument id identifies formats,
// if the policy needs them; nil means the built-in identifier.
func JudgeFiles(ctx context.Context, files []string, p *Policy, id *identify.Identifier,
	read func(path string, o inspect.Options) (*model.Container, error)) (_ *Judgement, err error) {
	j, err := NewJudge(p, "")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, j.Close()) }()
	if j.needs.Formats && id == nil {
		if id, err = identify.New(identify.Options{}); err != nil {
			return nil, err
		}
	}
	held, err := spool.New[*model.Container]("")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, held.Close()) }()
	h := &HarvestFacts{System: string(model.Bare), Documentation: string(model.Undocumented)}
	pkg := Package{Files: int64(len(files))}
	for _, file := range files {
		o := j.Inspect(ctx, 1, file)
		if j.needs.Formats {
			o.Identify = id
		}
		c, err := read(file, o)
		if err == nil {
			err = held.Add(c)
		}
		if err != nil {
			return nil, err
		}
		pkg.Bytes += c.Bytes
		h.addContainer(c)
	}
	if err := j.Settle(pkg, map[int]*HarvestFacts{1: h}); err != nil {
		return nil, err
	}
	err = held.Each(func(c *model.Container) error {
		j.Container(ContainerFacts{Harvest: 1, Path: c.Path, Bytes: c.Bytes, Read: c})
		return nil
	})
	return j.Finish(), err
}

// addContainer adds the facts about the harvest from a container.
func (h *HarvestFacts) addContainer(c *model.Container) {
	if c.First != nil && (h.Start.IsZero() || c.First.Before(h.Start)) {
		h.Start = c.First.UTC()
	}
	if c.Last != nil && c.Last.After(h.End) {
		h.End = c.Last.UTC()
	}
	for _, f := range c.Info {
		list := map[string]*[]string{
			"software": &h.Software, "operator": &h.Operators, "http-header-user-agent": &h.UserAgents,
			"robots": &h.Robots,
		}[f.Name]
		if list != nil && len(*list) < maxTexts && !slices.Contains(*list, f.Value) {
			*list = append(*list, f.Value)
		}
	}
}

// Due returns the date of the next fixity check of a copy checked at the given time; zero if the
// policy requires none. A copy that was never checked is due at once.
func (p *Policy) Due(checked time.Time) time.Time {
	switch {
	case p.Fixity.IsZero():
		return time.Time{}
	case checked.IsZero():
		return time.Unix(0, 0).UTC()
	}
	return p.Fixity.After(checked)
}
