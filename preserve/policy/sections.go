package policy

import (
	"fmt"
	"slices"
	"strings"

	"quire/internal/humanize"
	"quire/model"
	"quire/preserve/inspect"
)

// The rules that correspond to the sections of a policy, by their keys.
const (
	sectionReceived    = "containers.formats"
	sectionCompression = "containers.compression"
	sectionAtMost      = "findings.at_most"
	sectionForbid      = "findings.forbid"
	sectionAccept      = "formats.accept"
	sectionRefuse      = "formats.refuse"
	sectionScan        = "viruses.scan"
	sectionInfected    = "viruses.infected"
)

var sectionRules = []string{sectionReceived, sectionCompression, sectionAtMost, sectionForbid, sectionAccept,
	sectionRefuse, sectionScan, sectionInfected}

// sections lists the rules that correspond to the sections.
func (p *Policy) sections() []Result {
	var all []Result
	add := func(asked bool, id string, scope Scope, severity Severity, format string, args ...any) {
		if asked {
			all = append(all, Result{ID: id, Scope: scope, Severity: severity, Message: fmt.Sprintf(format, args...)})
		}
	}
	add(len(p.ContainerFormats) > 0, sectionReceived, ScopeContainer, Refuse, "containers are received as %s",
		either(p.ContainerFormats))
	add(len(p.Compressions) > 0, sectionCompression, ScopeContainer, Refuse, "the compression of containers is %s",
		either(p.Compressions))
	add(p.Findings.AtMost != "", sectionAtMost, ScopeFinding, Refuse, "%s", p.Findings.description())
	add(len(p.Findings.Forbid) > 0, sectionForbid, ScopeFinding, Refuse, "no container has a finding %s",
		either(p.Findings.Forbid))
	add(len(p.Formats.Accept) > 0, sectionAccept, ScopeFormat, Refuse, "the format of each payload is %s",
		either(p.Formats.Accept))
	add(len(p.Formats.Refuse) > 0, sectionRefuse, ScopeFormat, Refuse, "the format of no payload is %s",
		either(p.Formats.Refuse))
	add(p.Viruses.Scan == ScanRequired, sectionScan, ScopeContainer, Refuse,
		"a virus scanner was asked about each container, and answered")
	add(p.Viruses.Scan == ScanComplete, sectionScan, ScopeContainer, Refuse,
		"a virus scanner has seen each payload to its end")
	add(p.Viruses.Infected != "", sectionInfected, ScopeContainer, p.Viruses.Infected,
		"no virus is in a container, unless it was cleaned")
	return all
}

func (f *Findings) description() string {
	said := "no container has a finding"
	if f.AtMost != None {
		said = fmt.Sprintf("no container has a finding graver than %s", f.AtMost)
	}
	if len(f.Allow) > 0 {
		said += ", but for " + either(f.Allow)
	}
	return said
}

// either formats a list of accepted values, shortened for a sentence.
func either(list []string) string {
	const most = 20
	if more := len(list) - most; more > 0 {
		return fmt.Sprintf("%s or one of %d more", strings.Join(list[:most], ", "), more)
	}
	if n := len(list) - 1; n > 0 {
		return strings.Join(list[:n], ", ") + " or " + list[n]
	}
	return strings.Join(list, "")
}

// received judges the received form of a container: its original form, if it was converted from an
// ARC or a mirror.
func (j *Judge) received(c *ContainerFacts, at func(string) func() Place) {
	if t := j.sections[sectionReceived]; t != nil {
		if came := forms(c); !slices.ContainsFunc(came, func(s string) bool {
			return slices.Contains(j.policy.ContainerFormats, s)
		}) || mixed(c, j.policy.ContainerFormats) {
			t.broken(at("received as "+strings.Join(came, ", ")), 0, c.Bytes)
		}
	}
	if t := j.sections[sectionCompression]; t != nil && c.Received == "" &&
		!slices.Contains(j.policy.Compressions, c.Read.Compression) {
		t.broken(at("its compression is "+c.Read.Compression), 0, c.Bytes)
	}
}

// forms returns the names that a policy may use for the received form.
func forms(c *ContainerFacts) []string {
	switch {
	case c.Received != "":
		return []string{c.Received}
	case c.Read.Format == "":
		return []string{"no container"}
	}
	all := []string{c.Read.Format}
	for _, v := range c.Read.Versions {
		all = append(all, c.Read.Format+"/"+v)
	}
	return all
}

// mixed reports whether a container has an unaccepted version, if the policy lists versions.
func mixed(c *ContainerFacts, accepted []string) bool {
	if c.Received != "" || slices.Contains(accepted, c.Read.Format) {
		return false
	}
	return slices.ContainsFunc(c.Read.Versions, func(v string) bool {
		return !slices.Contains(accepted, c.Read.Format+"/"+v)
	})
}

// graded judges a kind of finding by the section on findings.
func (j *Judge) graded(f *finding, at func() Place) {
	accept := &j.policy.Findings
	if t := j.sections[sectionForbid]; t != nil && slices.Contains(accept.Forbid, f.code) {
		t.broken(at, 0, 0)
	}
	if t := j.sections[sectionAtMost]; t != nil && grade(f.severity) > grade(accept.AtMost) &&
		!slices.Contains(accept.Allow, f.code) {
		t.broken(at, 0, 0)
	}
}

func grade(s model.Severity) int {
	return slices.Index([]model.Severity{None, model.Info, model.Warning, model.Error}, s)
}

// accepted judges a format by the section on formats.
func (j *Judge) accepted(f *format, at func() Place) {
	if t := j.sections[sectionAccept]; t != nil && !f.among(j.policy.Formats.Accept) {
		t.broken(at, f.count, f.bytes)
	}
	if t := j.sections[sectionRefuse]; t != nil && f.among(j.policy.Formats.Refuse) {
		t.broken(at, f.count, f.bytes)
	}
}

// among reports whether a list includes the format: by its PUID, by one of its media types, or as
// unknown.
func (f *format) among(list []string) bool {
	return slices.ContainsFunc(list, func(s string) bool {
		group, many := strings.CutSuffix(s, "*")
		switch {
		case f.puid == "" && len(f.types) == 0:
			return s == Unknown
		case many:
			return slices.ContainsFunc(f.types, func(t string) bool { return strings.HasPrefix(t, group) })
		}
		return s == f.puid || slices.Contains(f.types, s)
	})
}

// viruses judges the virus check of a container.
func (j *Judge) viruses(c *ContainerFacts, at func(string) func() Place) {
	if t := j.sections[sectionScan]; t != nil {
		switch s := c.Scan; {
		case s == nil:
			t.broken(at("no virus scanner was asked"), 0, c.Bytes)
		case s.Outcome == model.ScanNotDone && s.NotScanned > 0:
			t.broken(at("nothing in it was scanned"), 0, c.Bytes)
		case j.policy.Viruses.Scan == ScanComplete && s.NotScanned > 0:
			t.broken(at(humanize.Count(s.NotScanned, "payload")+" not scanned to the end"), 0, c.Bytes)
		}
	}
	if t := j.sections[sectionInfected]; t != nil && c.Scan != nil && c.Scan.Infected > c.Scan.Cleaned {
		left := c.Scan.Infected - c.Scan.Cleaned
		t.broken(at(humanize.Count(left, "payload")+" infected"), left, c.Bytes)
	}
}

// graded counts the findings of a severity in a container.
func graded(f *facts, s model.Severity) (n int64) {
	for code, count := range f.container.Read.FindingCounts {
		if !ofScan(code) && !ofFormats(code) && inspect.Catalogue.Severity(code) == s {
			n += count
		}
	}
	return n
}

// codesOf lists the codes of findings about the container itself.
func codesOf(f *facts) []string {
	var all []string
	for code := range f.container.Read.FindingCounts {
		if !ofScan(code) && !ofFormats(code) {
			all = append(all, code)
		}
	}
	slices.Sort(all)
	return all
}
