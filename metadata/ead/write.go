package ead

import (
	"fmt"
	"regexp"
	"slices"

	"quire/metadata/xmlstream"
)

// normal is the date form that EAD 2002 prescribes, without its compact and negative forms.
var normal = regexp.MustCompile(`^[012]\d{3}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?(/[012]\d{3}(-(0[1-9]|` +
	`1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?)?$`)

// IsNormal reports whether s can be the Normal of a Date; it cannot have a time of day.
func IsNormal(s string) bool { return normal.MatchString(s) }

// maxDepth is the deepest nesting of components.
const maxDepth = 12

// Write writes the finding aid as an ead element.
func Write(x *xmlstream.Writer, v Version, d Document) error {
	w := writer{x, v}
	if v != EAD3 && v != EAD2002 {
		w.failf("%.60q is not a version", string(v))
		return w.Err()
	}
	if d.ID == "" || d.Title == "" || d.Agency == "" || d.Created.IsZero() {
		w.failf("a finding aid needs an ID, a title, an agency and a creation time")
	}
	w.Declare("ead", string(v))
	if v == EAD2002 {
		w.Declare("xlink", xlink)
	}
	w.Start("ead:ead")
	if v == EAD3 {
		w.control(d)
	} else {
		w.header(d)
	}
	w.Start("ead:archdesc")
	if d.Level == "" {
		w.failf("the described material needs a level")
	}
	w.unit(&d.Unit, 0)
	w.End("ead:archdesc")
	w.End("ead:ead")
	return w.Err()
}

type writer struct {
	*xmlstream.Writer
	v Version
}

func (w writer) failf(format string, args ...any) { w.Fail(fmt.Errorf("ead: "+format, args...)) }

// wrapped writes an element within the other named elements, each the only child.
func (w writer) wrapped(text string, names ...string) {
	for _, n := range names {
		w.Start("ead:" + n)
	}
	w.Text(text)
	for _, n := range slices.Backward(names) {
		w.End("ead:" + n)
	}
}

func (w writer) encodings() {
	w.Attr("countryencoding", "iso3166-1")
	w.Attr("dateencoding", "iso8601")
	w.Attr("langencoding", "iso639-2b")
	w.Attr("repositoryencoding", "iso15511")
	w.Attr("scriptencoding", "iso15924")
}

func (w writer) control(d Document) {
	w.Start("ead:control")
	w.encodings()
	w.Element("ead:recordid", d.ID)
	w.wrapped(d.Title, "filedesc", "titlestmt", "titleproper")
	w.Start("ead:maintenancestatus")
	w.Attr("value", "new")
	w.End("ead:maintenancestatus")
	w.wrapped(d.Agency, "maintenanceagency", "agencyname")
	w.Start("ead:maintenancehistory")
	w.Start("ead:maintenanceevent")
	w.Start("ead:eventtype")
	w.Attr("value", "created")
	w.End("ead:eventtype")
	w.Start("ead:eventdatetime")
	w.Attr("standarddatetime", xmlstream.FormatTime(d.Created))
	w.Text(xmlstream.FormatTime(d.Created))
	w.End("ead:eventdatetime")
	w.Start("ead:agenttype")
	w.Attr("value", "machine")
	w.End("ead:agenttype")
	w.Element("ead:agent", d.Software)
	w.End("ead:maintenanceevent")
	w.End("ead:maintenancehistory")
	w.End("ead:control")
}

// header writes the header of EAD 2002. Only its text has the time of day.
func (w writer) header(d Document) {
	w.Start("ead:eadheader")
	w.encodings()
	w.Element("ead:eadid", d.ID)
	w.Start("ead:filedesc")
	w.wrapped(d.Title, "titlestmt", "titleproper")
	w.wrapped(d.Agency, "publicationstmt", "publisher")
	w.End("ead:filedesc")
	w.Start("ead:profiledesc")
	w.Start("ead:creation")
	w.Text(d.Software + " ")
	w.Start("ead:date")
	w.Attr("normal", d.Created.UTC().Format("2006-01-02"))
	w.Text(xmlstream.FormatTime(d.Created))
	w.End("ead:date")
	w.End("ead:creation")
	w.Start("ead:langusage") // ArchivesSpace requires the language and script of a finding aid
	w.Start("ead:language")
	w.Attr("langcode", "und")
	w.Attr("scriptcode", "Zyyy") // ISO 15924: undetermined script
	w.Text("Undetermined")
	w.End("ead:language")
	w.End("ead:langusage")
	w.End("ead:profiledesc")
	w.End("ead:eadheader")
}

// unit writes the content of archdesc or c.
func (w writer) unit(u *Unit, depth int) {
	switch {
	case len(u.Titles) == 0:
		w.failf("a unit needs a title")
	case depth > maxDepth:
		w.failf("components are nested deeper than %d", maxDepth)
		return
	}
	if slices.Contains(levels, u.Level) || u.Level == "" {
		w.AttrOpt("level", u.Level)
	} else {
		if !xmlstream.IsNCName(u.Level) {
			w.failf("%.40q cannot be a level", u.Level)
		}
		w.Attr("level", "otherlevel")
		w.Attr("otherlevel", u.Level)
	}
	w.did(u)
	for _, n := range u.Notes {
		w.note(n)
	}
	w.access(u.Access)
	if len(u.Parts) == 0 {
		return
	}
	if depth == 0 {
		w.Start("ead:dsc")
		w.Attr(map[Version]string{EAD3: "dsctype", EAD2002: "type"}[w.v], "combined")
	}
	for i := range u.Parts {
		w.Start("ead:c")
		w.unit(&u.Parts[i], depth+1)
		w.End("ead:c")
	}
	if depth == 0 {
		w.End("ead:dsc")
	}
}

func (w writer) note(n Note) {
	if !slices.Contains(NoteKinds, n.Kind) {
		w.failf("%.40q is not a kind of note", n.Kind)
		return
	}
	w.Start("ead:" + n.Kind)
	w.lang(n.Lang)
	w.ElementOpt("ead:head", n.Head)
	w.Element("ead:p", n.Text.Text)
	w.End("ead:" + n.Kind)
}

func (w writer) access(terms []Term) {
	if len(terms) == 0 {
		return
	}
	w.Start("ead:controlaccess")
	for _, t := range terms {
		if !slices.Contains(TermKinds, t.Kind) {
			w.failf("%.40q is not a kind of access point", t.Kind)
			return
		}
		w.point(t.Kind, t.Text, t.Role)
	}
	w.End("ead:controlaccess")
}

// lang writes the language of a text if the version has an attribute for it.
func (w writer) lang(tag string) {
	if w.v.HasLang() {
		w.AttrOpt("lang", tag)
	}
}
