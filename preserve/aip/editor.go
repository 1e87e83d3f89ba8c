package aip

import (
	"io"

	"quire/metadata/mets"
	"quire/model"
)

// WriteEditor writes the program that changes a METS, for insertion behind the other agents of its
// metsHdr (clause 2.2).
func WriteEditor(out io.Writer, program model.Agent) error {
	return mets.WriteAgent(out, mets.Agent{Role: "EDITOR", Type: "OTHER", OtherType: "SOFTWARE",
		Name: program.Name, Notes: []string{program.Version}})
}
