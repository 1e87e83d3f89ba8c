package policy

import (
	"errors"
	"slices"
	"time"

	"quire/internal/spool"
	"quire/model"
	"quire/preserve/identify"
	"quire/preserve/inspect"
)

// JudgeFiles judges containers that are in no package, to see what is at risk in them. They are
// taken for one harvest, of which nothing is known but what the containers say: it began with the
// first capture, and ended with the last. read reads one container as the options say. id
// identifies formats, where the policy asks for them; nil is the built-in identifier.
func JudgeFiles(files []string, p *Policy, id *identify.Identifier,
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
		o := j.Inspect(1, file)
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
		h.tell(c)
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

// tell takes up what a container says of its harvest.
func (h *HarvestFacts) tell(c *model.Container) {
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

// Due says of a copy that was read again at the time checked, when it is to be read the next time;
// the zero time when the policy asks for nothing. A copy that was never read again is due at once.
func (p *Policy) Due(checked time.Time) time.Time {
	switch {
	case p.Fixity.IsZero():
		return time.Time{}
	case checked.IsZero():
		return time.Unix(0, 0).UTC()
	}
	return p.Fixity.After(checked)
}
