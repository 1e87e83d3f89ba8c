package policy

import (
	"errors"

	"quire/model"
)

// JudgeFormat judges a format by the rules on formats: its name, PUID and media types, and the number and size of its
// payloads. It returns the rules of severity refuse or warn that the format breaks, and the number of rules that
// could not be judged: those that need facts about a harvest.
func JudgeFormat(p *Policy, f model.Format) (broken []Result, unjudged int64, err error) {
	j, err := NewJudge(p, "")
	if err != nil {
		return nil, 0, err
	}
	defer func() { err = errors.Join(err, j.Close()) }()
	if err := j.Settle(Package{}, nil); err != nil {
		return nil, 0, err
	}
	j.Container(ContainerFacts{Read: &model.Container{Formats: []model.Format{f}}})
	for _, rule := range j.Finish().Rules {
		switch {
		case rule.Scope != ScopeFormat:
		case rule.Outcome == Broken && rule.Severity != Note:
			broken = append(broken, rule)
		case rule.Outcome == NotJudged:
			unjudged++
		}
	}
	return broken, unjudged, nil
}
