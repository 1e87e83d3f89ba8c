package describe

import (
	"fmt"
	"strings"

	"quire/metadata/oclc"
)

// Tables returns the crosswalks as in docs/reference/335_crosswalks.md.
func Tables() string {
	var b strings.Builder
	b.WriteString("| element | Dublin Core (oai_dc) | MODS 3.8, 3.4 |\n|---|---|---|\n")
	for _, e := range oclc.Elements {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", e.Label(), where(dcRules, e), where(modsRules, e))
	}
	b.WriteString("\n| element | MARC 21 (MARCXML, ISO 2709) | EAD3, EAD 2002 |\n|---|---|---|\n")
	for _, e := range oclc.Elements {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", e.Label(), where(marcRules, e), where(eadRules, e))
	}
	b.WriteString("\n| element | UNIMARC (MarcXchange, ISO 2709) |\n|---|---|\n")
	for _, e := range oclc.Elements {
		fmt.Fprintf(&b, "| %s | %s |\n", e.Label(), where(unimarcRules, e))
	}
	return b.String()
}

func where[T any](rules []rule[T], e oclc.Element) string {
	for _, r := range rules {
		if r.element == e {
			return r.where
		}
	}
	return ""
}
