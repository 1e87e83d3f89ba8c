package client

import "quire/model"

// Codes of findings about what a server answers.
const (
	CodeRecord    = "OAI-RECORD"    // a record that cannot be read: its bytes are kept aside
	CodeProlog    = "OAI-PROLOG"    // an XML declaration within a record
	CodeDate      = "OAI-DATE"      // a date that is not written as the protocol has it
	CodeNamespace = "OAI-NAMESPACE" // the elements of the protocol stand in another namespace
	CodeEnvelope  = "OAI-ENVELOPE"  // something in an answer that does not belong there, or is missing
	// the bytes are in another encoding, or compressed otherwise, than the answer says
	CodeEncoding    = "OAI-ENCODING"
	CodeToken       = "OAI-TOKEN"       // a resumptionToken that breaks a rule
	CodeUnavailable = "OAI-UNAVAILABLE" // the server was busy, failed, or broke off; it was asked again
	CodeRedirect    = "OAI-REDIRECT"    // the server sent the harvester elsewhere
)

// Tell takes findings. Record is the identifier of the record, where it is about one; Offset the
// place in the answer.
type Tell func(model.Finding)

func (t Tell) find(code string, severity model.Severity, offset int64, record, message string) {
	if t == nil {
		return
	}
	f := model.Finding{Code: code, Severity: severity, Offset: offset, Message: message}
	if record != "" {
		f.Record = &record
	}
	t(f)
}
