package aip

import (
	"strings"
	"testing"

	"quire/metadata/mets"
	"quire/preserve/schemas"
)

// The versions in the METS determine the driver.
func TestDriverOfTheVersions(t *testing.T) {
	for stated, want := range map[string]string{
		"":                            schemas.Driver,
		"MODS 3.8, PREMIS:OBJECT 3.0": schemas.Driver,
		"MODS 3.4, PREMIS:EVENT 2.2":  schemas.LegacyDriver,
		"PREMIS:AGENT 2.1":            schemas.LegacyDriver,
		"MODS 3.4, PREMIS:OBJECT 3.0": schemas.LegacyDriver, // has both versions of PREMIS
		"OTHER:containerMD 1.1":       schemas.LegacyDriver,
		"OTHER:containerMD 1.2, PREMIS:RIGHTS 2.2":   schemas.Driver, // 2.2 is valid by 2.3
		"MODS 3.4, OTHER:containerMD 1.2":            schemas.Driver,
		"PREMIS:OBJECT 2.3":                          schemas.Driver,
		"MODS 3.4, PREMIS 2.3":                       schemas.Driver,
		"MODS 9.9":                                   schemas.Driver,
		"OTHER:wct 1.1":                              schemas.Driver,
		"DC 1.1, PREMIS 2.2, OTHER:containerMD 1.1 ": schemas.LegacyDriver,
	} {
		var g generation
		g.see(&mets.Section{}) // a reference without wrapped content
		for s := range strings.SplitSeq(stated, ", ") {
			kind, version, _ := strings.Cut(strings.TrimSpace(s), " ")
			mdType, other, isOther := strings.Cut(kind, "OTHER:")
			if isOther {
				mdType = "OTHER"
			}
			g.see(&mets.Section{Wrap: &mets.Wrap{MetadataType: mets.MetadataType{MDType: mdType, OtherMDType: other,
				MDTypeVersion: version}}})
		}
		if got := g.driver(); got != want {
			t.Errorf("%q: %s, want %s", stated, got, want)
		}
	}
}
