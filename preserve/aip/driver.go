package aip

import (
	"slices"
	"strings"

	"quire/metadata/mets"
	"quire/metadata/mods"
	"quire/metadata/premis"
	"quire/metadata/xmlstream"
	"quire/preserve/schemas"
)

// legacyVersions are the versions that only the legacy driver has, and older versions.
// laterVersions are the versions that only the other driver has.
var (
	legacyVersions = map[string][]string{
		"PREMIS": {"2.0", "2.1", "2.2"}, "MODS": {"3.0", "3.1", "3.2", "3.3", "3.4"}, "containerMD": {"1.0", "1.1"},
	}
	laterVersions = map[string][]string{
		"PREMIS": {"2.3"}, "MODS": {"3.5", "3.6", "3.7", "3.8"}, "containerMD": {"1.2"},
	}
)

// generation tracks which driver fits a METS, by the MDTYPEVERSION of its sections.
type generation struct{ legacy, later bool }

func (g *generation) see(s *mets.Section) {
	if s.Wrap == nil {
		return
	}
	kind := s.Wrap.MDType
	switch kind {
	case "OTHER":
		kind = s.Wrap.OtherMDType
	case "PREMIS:OBJECT", "PREMIS:EVENT", "PREMIS:AGENT", "PREMIS:RIGHTS":
		kind = "PREMIS"
	}
	g.legacy = g.legacy || slices.Contains(legacyVersions[kind], s.Wrap.MDTypeVersion)
	g.later = g.later || slices.Contains(laterVersions[kind], s.Wrap.MDTypeVersion)
}

// driver returns the legacy driver for a METS that has legacy versions and no later versions.
func (g *generation) driver() string {
	if g.legacy && !g.later {
		return schemas.LegacyDriver
	}
	return schemas.Driver
}

// misnamed reports a section with content of another standard or version than its MDTYPE and
// MDTYPEVERSION state. The schemas are chosen by these attributes, and they skip unknown elements.
func misnamed(document string, s *mets.Section, payload *xmlstream.Reader) *breach {
	if payload == nil || s.Wrap == nil {
		return nil
	}
	want := ""
	switch s.Wrap.MDType {
	case "MODS":
		want = mods.Namespace
	case "PREMIS", "PREMIS:OBJECT", "PREMIS:EVENT", "PREMIS:AGENT", "PREMIS:RIGHTS":
		switch version := s.Wrap.MDTypeVersion; {
		case strings.HasPrefix(version, "3."):
			want = premis.Namespace
		case strings.HasPrefix(version, "2."):
			want = premis.Namespace2
		}
	}
	if space := payload.Element().Space; want != "" && space != want {
		return breaks(CodeMETSStructure, document, "section %s states %s %s, but holds an element of %q",
			clip(s.ID), s.Wrap.MDType, clip(s.Wrap.MDTypeVersion), clip(space))
	}
	return nil
}
