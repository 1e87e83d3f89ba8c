package client

import "quire/model"

// Codes of findings in a server's answers.
const (
	CodeRecord    = "OAI-RECORD"    // an unreadable record: its bytes are stored separately
	CodeProlog    = "OAI-PROLOG"    // an XML declaration within a record
	CodeDate      = "OAI-DATE"      // a date in a form that the protocol does not allow
	CodeNamespace = "OAI-NAMESPACE" // the protocol's elements are in another namespace
	CodeEnvelope  = "OAI-ENVELOPE"  // unexpected or missing content in an answer
	// the bytes have another encoding or compression than declared
	CodeEncoding    = "OAI-ENCODING"
	CodeToken       = "OAI-TOKEN"       // a resumptionToken that violates a rule
	CodeUnavailable = "OAI-UNAVAILABLE" // the server was busy or failed; the request was repeated
	CodeRedirect    = "OAI-REDIRECT"    // the server redirected the harvester
)

// FindingFunc receives findings. Record is the identifier of the affected record, if any. Offset is
// the position in the answer.
type FindingFunc func(model.Finding)

func (t FindingFunc) find(code string, severity model.Severity, offset int64, record, message string) {
	if t == nil {
		return
	}
	f := model.Finding{Code: code, Severity: severity, Offset: offset, Message: message}
	if record != "" {
		f.Record = &record
	}
	t(f)
}
