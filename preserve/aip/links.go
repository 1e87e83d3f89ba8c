package aip

import (
	"regexp"
	"strconv"
	"strings"

	"quire/metadata/mets"
	"quire/metadata/premis"
)

// typeElsewhere is the TYPE of a div for a page of another harvest (2.18.4).
const typeElsewhere = "page of another harvest"

// pageElsewhere is an open div for a page of another harvest. Its mptr must lead to the div of the
// page that its label names: links lead to the label, readers follow the pointer.
type pageElsewhere struct {
	is       bool
	label    string
	pointers int
}

// open notes a div.
func (p *pageElsewhere) open(div *mets.Div) {
	*p = pageElsewhere{is: div.Type == typeElsewhere, label: div.XLinkLabel}
}

// pointer checks an mptr within the div.
func (p *pageElsewhere) pointer(d *description, m *mets.Mptr) {
	if !p.is || d.of != ofPages {
		return
	}
	p.pointers++
	if _, id, _ := strings.Cut(m.Href, "#"); id != p.label {
		d.findings.add(breaks(CodeDocumentLink, d.document, "a div of TYPE %q has the xlink:label %q, but its mptr "+
			"leads to %s", typeElsewhere, clip(p.label), clip(m.Href)))
	}
}

// end checks the div at its end.
func (p *pageElsewhere) end(d *description) {
	if p.is && d.of == ofPages && p.pointers == 0 {
		d.findings.add(breaks(CodeDocumentLink, d.document, "a div of TYPE %q with the xlink:label %q has no mptr",
			typeElsewhere, clip(p.label)))
	}
	*p = pageElsewhere{}
}

// statedLinks is the note of EVT-package about links (2.14).
var statedLinks = regexp.MustCompile(`^links: [0-9]+ on pages, of which ([0-9]+) lead to what is in the package\b`)

// linksOf keeps the number of links with a target in the package, as EVT-package states it.
func (d *description) linksOf(s *mets.Section, e *premis.Event) {
	if s.ID != PackageEventID {
		return
	}
	for i := range e.Outcomes {
		for _, note := range e.Outcomes[i].Notes {
			if m := statedLinks.FindStringSubmatch(note); m != nil {
				if n, err := strconv.ParseInt(m[1], 10, 64); err == nil {
					d.linked = n
				}
			}
		}
	}
}

// judgeLinks compares the number of smLinks, in mets.xml and its documents together, with the number
// that EVT-package states. Without this, nothing would miss a structLink.
func (d *description) judgeLinks() {
	if d.linked < 0 || d.broken || d.partial || d.refs.links == d.linked {
		return
	}
	d.findings.add(breaks(CodeLinkCount, METSName,
		"%s states %d links with a target in the package, but the METS has %d smLinks", PackageEventID, d.linked,
		d.refs.links))
}
