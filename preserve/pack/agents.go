package pack

import (
	"regexp"
	"slices"
	"strconv"

	"quire/metadata/premis"
	"quire/preserve/aip"
)

// agent is an agent of the package, with the ID of its section.
type agent struct {
	id    string
	role  string              // its role in a capture
	in    func(*harvest) bool // reports whether it acts in the capture of a harvest; nil for none
	agent premis.Agent
}

// actsIn reports whether the agent acts in the capture of a harvest.
func (a *agent) actsIn(h *harvest) bool { return a.in != nil && a.in(h) }

const packerID = aip.AgentIDPrefix + "packer"

// agents lists the agents of the package: the packing software first, then the agents that the
// containers name.
func (b *builder) agents() []agent {
	list := []agent{{id: packerID, agent: premis.Agent{
		Identifiers: []premis.Identifier{b.identify(packerID)},
		Names:       []premis.Term{premis.Text(b.o.Agent.Name)}, Type: premis.AgentType("software"),
		Version: b.o.Agent.Version,
	}}}
	for i, p := range b.facts.programs() {
		id := namedID("software", i)
		list = append(list, agent{id: id, role: "executing program", in: p.ranIn, agent: premis.Agent{
			Identifiers: []premis.Identifier{b.identify(id)},
			Names:       []premis.Term{premis.Text(p.name)}, Type: premis.AgentType("software"),
			Version: versionIn(p.name), Notes: p.notes(),
		}})
	}
	// An operator may be a person or an institution. Neither the containers nor the package state
	// this.
	for i, name := range b.facts.values("operator") {
		id := namedID("operator", i)
		list = append(list, agent{id: id, role: "implementer", in: states("operator", name), agent: premis.Agent{
			Identifiers: []premis.Identifier{b.identify(id)}, Names: []premis.Term{premis.Text(name)},
		}})
	}
	list = append(list, b.planAgents()...)
	return slices.Concat(list, b.formatAgents(), b.grantorAgents(), b.scannerAgents(), b.cleanerAgents(),
		b.toolAgents())
}

// namedID returns the ID of a crawl's software or operator with that index.
func namedID(fact string, i int) string { return aip.AgentIDPrefix + fact + "-" + strconv.Itoa(i+1) }

// version matches the version in a crawler's name: "Heritrix/3.4.0 http://…", "Wget/1.16.2
// (darwin14.1.0)", "HTTrack 3.49-2", "Browsertrix-Crawler 1.2.3 (with warcio.js 2.3.1)". The
// agent's name contains the whole text.
var version = regexp.MustCompile(`^[^\s/()]*(?: [A-Za-z][^\s/()]*)*[ /][vV]?(\d[^\s();,]*)`)

func versionIn(software string) string {
	if m := version.FindStringSubmatch(software); m != nil {
		return m[1]
	}
	return ""
}
