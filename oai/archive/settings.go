package archive

import (
	"quire/holdings/rights"
	"quire/internal/yamlfile"
	"quire/model"
)

// Settings are the settings of a harvested repository: the section repository of the configuration.
type Settings struct {
	// Zone is the zone of the harvesters. With onsite they get the records that readers in the
	// reading rooms may see; with restricted, all records except those closed to everyone. "" means
	// open.
	Zone model.Zone `json:"zone,omitempty"`

	// Unstated is the zone of packages without a rights statement. "" means restricted.
	Unstated model.Zone `json:"unstated,omitempty"`

	// Rules is the path of the rules file (docs/reference/530_access-rules.md). "" means
	// REPO/access/rules.yaml.
	Rules string `json:"rules,omitempty"`
}

// ReadSettings reads the section. It reports each error at its line.
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

// Class returns the class of readers with the same access as the harvesters.
func (s Settings) Class() rights.Class {
	switch s.Zone {
	case model.Onsite:
		return rights.ReadingRoom
	case model.Restricted:
		return rights.Staff
	}
	return rights.Public
}
