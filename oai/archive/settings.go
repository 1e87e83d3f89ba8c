package archive

import (
	"quire/holdings/rights"
	"quire/internal/yamlfile"
	"quire/model"
)

// Settings are what can be set of a repository that is harvested: the section repository of the
// configuration.
type Settings struct {
	// Zone is that of the harvesters who are let in: onsite lets them have what readers in the
	// reading rooms may see, restricted everything but what nobody may. It is open when it is "".
	Zone model.Zone `json:"zone,omitempty"`

	// Unstated is the zone of what nobody says anything of. It is restricted when it is "".
	Unstated model.Zone `json:"unstated,omitempty"`

	// Rules is the path of the file of rules (docs/reference/530_access-rules.md).
	// REPO/access/rules.yaml is asked when it is "".
	Rules string `json:"rules,omitempty"`
}

// ReadSettings reads the section. What is wrong is noted at its line.
func ReadSettings(n *yamlfile.Node) (s Settings) {
	zone := func(to *model.Zone) func(*yamlfile.Node) {
		return func(n *yamlfile.Node) {
			*to = model.Zone(n.OneOf(string(model.Open), string(model.Onsite), string(model.Restricted)))
		}
	}
	n.Fields(map[string]func(*yamlfile.Node){"zone": zone(&s.Zone), "unstated": zone(&s.Unstated),
		"rules": func(n *yamlfile.Node) { s.Rules = n.Text() }})
	return s
}

// Class is that of readers who may have what harvesters are given.
func (s Settings) Class() rights.Class {
	switch s.Zone {
	case model.Onsite:
		return rights.ReadingRoom
	case model.Restricted:
		return rights.Staff
	}
	return rights.Public
}
