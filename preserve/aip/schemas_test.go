package aip

import (
	"strconv"
	"strings"
	"testing"

	"github.com/jacoelho/xsd/xsderrors"

	"quire/internal/testsamples"
)

// METS declares wrapped content as lax, and code checks only the structure of METS. Errors inside
// wrapped content are found only by the schemas.
func TestSchemas(t *testing.T) {
	schemas := testsamples.Path(t, "schemas")
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

// A METS that is not readable XML is not validated by schemas, and does not count as passed.
func TestSchemasOfABrokenMETS(t *testing.T) {
	s := ordinary()
	s.edit = func(mets string) string { return mets[:len(mets)/2] }
	r := mustValidate(t, s.write(t), Options{Schemas: testsamples.Path(t, "schemas")})
	if outcomes(r)[CheckSchemas] != NotDone {
		t.Errorf("%+v", r.Checks)
	}
}

// The METS exceeds the default limits of the schema validator for IDs and bytes.
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
		return strings.Replace(mets, `<mets:div TYPE="container">`,
			`<mets:div>`+b.String()+`</mets:div><mets:div TYPE="container">`, 1)
	}
	r := mustValidate(t, s.write(t), Options{Schemas: testsamples.Path(t, "schemas")})
	if r.Bytes < 64<<20 {
		t.Fatalf("the METS is too small to show anything: %d bytes", r.Bytes)
	}
	if r.Outcome != "valid" || outcomes(r)[CheckSchemas] != Passed {
		t.Errorf("%+v %v", r.Checks, r.Findings)
	}
}

// If the schema validator stops early, the check is not done: it has neither passed nor failed.
func TestSchemaValidatorGivesUp(t *testing.T) {
	v := &validation{findings: newFindings(), skipped: map[string]string{}}
	v.judgeSchemas(METSName, xsderrors.Validation(xsderrors.CodeValidationLimit, 7, 8, "/mets",
		"too many identity entries"))
	c := v.findings.outcome(CheckSchemas, v.skipped[CheckSchemas], "")
	if c.Outcome != NotDone || !strings.Contains(c.Detail, "too many identity entries") || len(v.findings.kept) != 0 {
		t.Errorf("%+v, %v", c, v.findings.kept)
	}
	v.judgeSchemas(METSName, xsderrors.Errors{xsderrors.Validation(xsderrors.CodeValidationElement, 7, 8, "/mets",
		"unexpected element")})
	if c = v.findings.outcome(CheckSchemas, v.skipped[CheckSchemas], ""); c.Outcome != Failed ||
		len(v.findings.kept) != 1 {
		t.Errorf("%+v, %v", c, v.findings.kept)
	}
}
