package report

import (
	"cmp"
	"strings"

	"quire/internal/humanize"
	"quire/model"
	"quire/source/survey"
)

// scope shows the first scope rules of the harvest, and the number of others.
func (p *lines) scope(h *survey.HarvestSurvey, o TextOptions) {
	rules := make([]string, 0, len(h.Scope))
	for _, rule := range h.Scope {
		rules = append(rules, humanize.Clip(oneLine(rule), noteWidth))
	}
	p.someOf("scope", rules, h.ScopeTotal, o)
}

// rights shows permissions and access of the harvest. It omits contacts, which are personal data.
func (p *lines) rights(h *survey.HarvestSurvey, o TextOptions) {
	var allowed, access []string
	for i := range h.Rights.Permissions {
		r := &h.Rights.Permissions[i]
		allowed = append(allowed, permissionOf(r)+from(r.Source, o))
	}
	for i := range h.Rights.Access {
		a := &h.Rights.Access[i]
		access = append(access, accessOf(a)+from(a.Source, o))
	}
	p.some("permission", allowed, o)
	p.some("access", access, o)
}

func permissionOf(r *model.Permission) string {
	return phrase(r.State, r.Basis, labelled("for ", strings.Join(r.Patterns, " ")), span(r.Start, r.End),
		r.AccessStatus,
		labelled("open from ", r.OpenAccessDate), labelled("requested ", r.Requested), labelled("decided ", r.Decided),
		labelled("by ", r.Agent), r.Special, r.Copyright, r.CopyrightURL, labelled("file ", r.FileReference), r.Note)
}

func accessOf(a *model.Access) string {
	displayed := map[string]string{"true": "listed", "false": "not listed"}[a.Displayed]
	return phrase(a.Of, cmp.Or(a.Written, string(a.Zone)), displayed, labelled("for ", a.For), span(a.From, a.To),
		a.State, a.Note, a.Reason)
}

// from names the source of a fact, if evidence is requested.
func from(place string, o TextOptions) string {
	if !o.All || place == "" {
		return ""
	}
	return "   [" + place + "]"
}

// described shows people's descriptions of the harvest, or their extent.
func (p *lines) described(h *survey.HarvestSurvey, o TextOptions) {
	d := &h.Description
	var list []string
	add := func(source string, parts ...string) { list = append(list, phrase(parts...)+from(source, o)) }
	for _, f := range d.Fields {
		add(f.Source, f.Name+" "+f.Value)
	}
	for _, g := range d.Groups {
		add(g.Source, "part of "+g.Name, g.Type, labelled("reference ", g.Reference), g.Description, g.Ownership)
	}
	for _, v := range d.Versions {
		add(v.Source, "version"+labelled(" ", v.Number), labelled("by ", v.Creator), v.Date, v.State, v.Note,
			strings.Join(v.Changes, "; "))
	}
	for _, s := range d.States {
		add(s.Source, "state "+s.Name, span(s.Start, s.End), labelled("by ", s.Who))
	}
	for _, a := range d.Annotations {
		add(a.Source, "note"+labelled(" on the ", a.Of), a.Date, labelled("by ", a.Who), a.Text)
	}
	if n := int64(len(list)); n > 0 && !o.All {
		list = []string{"in " + humanize.Number(n, "statement", "statements") + " of its system, which --verbose shows"}
	}
	p.some("described", list, o)
}

// phrase joins non-empty parts.
func phrase(parts ...string) string {
	var there []string
	for _, part := range parts {
		if part = humanize.Clip(oneLine(part), noteWidth); part != "" {
			there = append(there, part)
		}
	}
	return strings.Join(there, ", ")
}

// labelled puts a label before a non-empty value.
func labelled(word, value string) string {
	if strings.TrimSpace(value) == "" {
		return ""
	}
	return word + value
}

// span formats a period of validity.
func span(from, to string) string {
	return phrase(labelled("from ", from), labelled("until ", to))
}
