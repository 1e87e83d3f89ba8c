package folder

import (
	"strconv"
	"strings"
	"testing"

	"quire/internal/shared"
)

// METS wraps its payloads lax, and the structure is checked in code for METS only: what is wrong inside a payload is for the
// schemas to find.
func TestSchemas(t *testing.T) {
	schemas := shared.Path(t, "schemas")
	r := mustValidate(t, ordinary().write(t), Options{Schemas: schemas})
	if r.Outcome != "valid" || outcomes(r)[CheckSchemas] != Passed {
		t.Fatalf("%+v", r)
	}
	for name, edit := range map[string]func(string) string{
		"an event without its time": cut("<premis:eventDateTime>", "</premis:eventDateTime>"),
		"a date of no encoding":     swap(`encoding="w3cdtf"`, `encoding="none"`),
		"an element MODS lacks":     swap("<mods:titleInfo>", "<mods:heading>x</mods:heading><mods:titleInfo>"),
	} {
		t.Run(name, func(t *testing.T) {
			s := ordinary()
			s.edit = edit
			dir := s.write(t)
			if r := mustValidate(t, dir, Options{}); r.Outcome != "valid" || outcomes(r)[CheckSchemas] != NotDone {
				t.Fatalf("without the schemas: %+v", r)
			}
			r := mustValidate(t, dir, Options{Schemas: schemas})
			if r.Outcome != "invalid" || outcomes(r)[CheckSchemas] != Failed {
				t.Fatalf("with the schemas: %+v", r)
			}
			for _, f := range r.Findings {
				if f.Code != CodeMETSSchema || f.Path != METSName || !strings.HasPrefix(f.Message, "line ") {
					t.Errorf("%v", f)
				}
			}
		})
	}
}

// A METS that cannot be read as XML is not shown to the schema validator, and that is no pass.
func TestSchemasOfABrokenMETS(t *testing.T) {
	s := ordinary()
	s.edit = func(mets string) string { return mets[:len(mets)/2] }
	r := mustValidate(t, s.write(t), Options{Schemas: shared.Path(t, "schemas")})
	if outcomes(r)[CheckSchemas] != NotDone {
		t.Errorf("%+v", r.Checks)
	}
}

// More IDs than the schema validator takes by default, and more bytes.
func TestSchemasOfALargeMETS(t *testing.T) {
	if testing.Short() {
		t.Skip("70 MB of METS")
	}
	s := ordinary()
	const divs = 110_000
	s.edit = func(mets string) string {
		var b strings.Builder
		label := strings.Repeat("x", 600)
		for i := range divs {
			b.WriteString(`<mets:div ID="D` + strconv.Itoa(i) + `" LABEL="` + label + `"/>`)
		}
		return strings.Replace(mets, `<mets:div TYPE="container">`, `<mets:div>`+b.String()+`</mets:div><mets:div TYPE="container">`, 1)
	}
	r := mustValidate(t, s.write(t), Options{Schemas: shared.Path(t, "schemas")})
	if r.Bytes < 64<<20 {
		t.Fatalf("the METS is too small to show anything: %d bytes", r.Bytes)
	}
	if r.Outcome != "valid" || outcomes(r)[CheckSchemas] != Passed {
		t.Errorf("%+v %v", r.Checks, r.Findings)
	}
}
