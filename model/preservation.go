package model

import "time"

// Agent is the agent of an event (PREMIS 3.0, 3.1 Agent).
type Agent struct {
	ID      string
	Name    string
	Type    string // "software", "organization", "person", "hardware"
	Version string
	Note    string
}

// EventType is a term of https://id.loc.gov/vocabulary/preservation/eventType.
type EventType string

// The event types that Quire records.
const (
	Capture              EventType = "capture"
	DigestCalc           EventType = "message digest calculation"
	Validation           EventType = "validation"
	FixityCheck          EventType = "fixity check"
	Ingestion            EventType = "ingestion"
	Replication          EventType = "replication"
	PackageMaking        EventType = "information package creation"
	Recovery             EventType = "recovery"
	Migration            EventType = "migration"
	VirusCheck           EventType = "virus check"
	Modification         EventType = "modification"
	Deduplication        EventType = "deduplication"
	FormatIdentification EventType = "format identification"
	Dissemination        EventType = "dissemination"
	// PolicyAssignment is the assessment of a package against its required service level.
	PolicyAssignment EventType = "policy assignment"
	Describing       EventType = "description" // the vocabulary has no such term
	// MetadataChange is a change of the description of a package without its content.
	MetadataChange EventType = "metadata modification"
	// Withdrawing closes content by a decision, and Reinstating ends that. The vocabulary has no such
	// terms.
	Withdrawing EventType = "withdrawal"
	Reinstating EventType = "reinstatement"
	Deletion    EventType = "deletion"
	// Transformation is the restoring of the links of a mirror's pages. The vocabulary has no such
	// term.
	Transformation EventType = "transformation"
	// SignatureCheck is the check of a received package's hashes and signatures.
	SignatureCheck EventType = "digital signature validation"
)

// EventOutcome is a term of https://id.loc.gov/vocabulary/preservation/eventOutcome.
type EventOutcome string

// The outcomes of an event.
const (
	Success EventOutcome = "success"
	Fail    EventOutcome = "fail"
	Warned  EventOutcome = "warning"
)

// The outcomes of a complete virus check, in the terms of the British Library. They are not in that
// vocabulary.
const (
	NoVirus      EventOutcome = "no virus detected"
	ViralCleaned EventOutcome = "viral, cleaned"
	ViralForced  EventOutcome = "viral, failed but forced"
)

// Event is an action on content (PREMIS 3.0, 2 Event).
type Event struct {
	ID      string
	Type    EventType
	Time    time.Time
	End     time.Time // zero, unless the event has a duration
	Detail  string
	Outcome EventOutcome
	Notes   []string // evidence for the outcome
	Agents  []Link
	Objects []Link
}

// Link points from an event to an agent or object, with its role.
type Link struct {
	ID   string
	Role string // "executing program", "implementer"; "source", "outcome"
}
