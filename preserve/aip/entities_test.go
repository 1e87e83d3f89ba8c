package aip

import (
	"fmt"
	"strings"
	"testing"
)

// TestForeignPremis: entities that a METS of another program has in one section, or outside the METS,
// are no false findings.
func TestForeignPremis(t *testing.T) {
	const event = `<mets:digiprovMD ID="EVT-digest">`
	at := func(text string) func(string) string {
		return func(s string) string { return strings.Replace(s, event, text+event, 1) }
	}
	wrap := func(content string) string {
		return `<mets:digiprovMD ID="EVT-other"><mets:mdWrap MDTYPE="PREMIS"><mets:xmlData>` + content +
			`</mets:xmlData></mets:mdWrap></mets:digiprovMD>`
	}
	const made = `<p:event><p:eventIdentifier><p:eventIdentifierType>UUID</p:eventIdentifierType>` +
		`<p:eventIdentifierValue>e</p:eventIdentifierValue></p:eventIdentifier><p:eventType>x</p:eventType>` +
		`<p:eventDateTime>2020</p:eventDateTime><p:linkingAgentIdentifier><p:linkingAgentIdentifierType>UUID` +
		`</p:linkingAgentIdentifierType><p:linkingAgentIdentifierValue>a</p:linkingAgentIdentifierValue>` +
		`</p:linkingAgentIdentifier><p:linkingObjectIdentifier><p:linkingObjectIdentifierType>local` +
		`</p:linkingObjectIdentifierType><p:linkingObjectIdentifierValue>OBJ-c1</p:linkingObjectIdentifierValue>` +
		`</p:linkingObjectIdentifier></p:event>`
	const agent = `<p:agent><p:agentIdentifier><p:agentIdentifierType>UUID</p:agentIdentifierType>` +
		`<p:agentIdentifierValue>a</p:agentIdentifierValue></p:agentIdentifier></p:agent>`
	premis := func(content string) string {
		return `<p:premis xmlns:p="http://www.loc.gov/premis/v3" version="3.0">` + content + `</p:premis>`
	}
	const ref = `<mets:digiprovMD ID="AGT-ref"><mets:mdRef LOCTYPE="URL" MDTYPE="PREMIS:AGENT" ` +
		`xlink:href="urn:a"/></mets:digiprovMD>`
	for _, c := range []struct {
		name, add string
		want      string
		entities  CheckOutcome
	}{
		{"event and agent together", wrap(premis(made + agent)), "[]", Passed},
		{"an agent that is nowhere", wrap(premis(made)), "[" + CodePremisOutside + "]", Passed},
		{"an agent outside the METS", wrap(premis(made)) + ref, "[]", NotDone},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := ordinary()
			s.edit = at(c.add)
			r := mustValidate(t, s.write(t), Options{})
			codes := []string{}
			for _, f := range r.Findings {
				codes = append(codes, f.Code)
			}
			if got := outcomes(r)[CheckEntities]; fmt.Sprint(codes) != c.want || got != c.entities {
				t.Errorf("%v and %s, want %s and %s: %+v", codes, got, c.want, c.entities, r.Findings)
			}
		})
	}
}
