package pack

import (
	"context"
	"strings"

	"quire/metadata/premis"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/inspect"
	"quire/preserve/policy"
)

// listeners returns the function that selects the readers of a record's content: those of the
// package (served), and the tools of the policy.
func (b *builder) listeners(ctx context.Context, p *packed) func(model.Record) inspect.Served {
	of := b.served(p)
	if b.judge == nil {
		return of
	}
	examined := b.judge.Listen(ctx)
	if examined == nil {
		return of
	}
	return func(r model.Record) inspect.Served {
		one, other := of(r), examined(r)
		switch {
		case one == nil:
			return other
		case other == nil:
			return one
		}
		return both{one, other}
	}
}

// toolID returns the ID of the agent of a policy's tool.
func toolID(t *policy.ToolReport) string { return aip.AgentIDPrefix + "tool-" + t.Label }

// toolsRun lists the tools of the policy that ran.
func (b *builder) toolsRun() (all []*policy.ToolReport) {
	if b.result.Policy == nil {
		return nil
	}
	for i := range b.result.Policy.Tools {
		if t := &b.result.Policy.Tools[i]; t.Run+t.Failed > 0 {
			all = append(all, t)
		}
	}
	return all
}

// toolAgents returns the tools of the policy (3.6.1).
func (b *builder) toolAgents() (list []agent) {
	for _, t := range b.toolsRun() {
		list = append(list, agent{id: toolID(t), agent: premis.Agent{
			Identifiers: []premis.Identifier{b.identify(toolID(t))},
			Names:       []premis.Term{premis.Text(t.Label)}, Type: premis.AgentType("software"), Version: t.Version,
			Notes: []string{"command: " + strings.Join(t.Command, " ")},
		}})
	}
	return list
}

// toolLinks links the event to the tools that ran.
func (b *builder) toolLinks() (links []premis.Link) {
	for _, t := range b.toolsRun() {
		links = append(links, b.link(toolID(t), "executing program", premis.AgentRole))
	}
	return links
}
