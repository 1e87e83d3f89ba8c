package auditreport

import (
	"time"

	"quire/holdings/rights"
	"quire/model"
	"quire/repository/catalogue"
	"quire/repository/store"
)

// Format is the version of the JSON form of a report.
const Format = 1

// MaxRows is the maximum number of rows in the lists of audits, incidents, formats and collections.
// A list that was cut has the number of the rows left out.
const MaxRows = 10_000

// Report is the report on a repository. Its JSON form is part of the contract of "quire report".
type Report struct {
	Format      int       `json:"format"`
	Repository  string    `json:"repository"` // UUID
	Created     time.Time `json:"created,omitzero"`
	Software    string    `json:"software"`
	Made        time.Time `json:"made"`
	Since       time.Time `json:"since,omitzero"` // begin of the period; zero is the beginning
	Institution string    `json:"institution"`    // as attested; "" if nobody stated it
	Attested    string    `json:"attested"`       // SHA-256 of the file of attestations, hex; "" without one

	Register *Register `json:"register"` // null: the repository has none

	Holdings   Holdings    `json:"holdings"`
	Copies     []Copy      `json:"copies"`
	Audits     Audits      `json:"audits"`
	Incidents  Incidents   `json:"incidents"`
	Overdue    Overdue     `json:"overdue"`
	Events     []EventSum  `json:"events"`
	Formats    Formats     `json:"formats"`
	Viruses    Viruses     `json:"viruses"`
	Access     Access      `json:"access"`
	Takedowns  Takedowns   `json:"takedowns"`
	Purges     Purges      `json:"purges"`
	Documents  []Document  `json:"documents"`
	Frameworks []Framework `json:"frameworks"`
}

// Register is the head of the signed register of the repository, and the key that signs it and the
// report.
type Register struct {
	Leaves      int64  `json:"leaves"`
	Root        string `json:"root"` // Merkle tree hash, hex
	Key         string `json:"key"`  // verifier key
	Fingerprint string `json:"fingerprint"`
	Keys        int    `json:"keys"`          // that signed in turn
	Unlinked    int    `json:"keys_unlinked"` // of these, keys that the key before did not sign
}

// Sum counts content.
type Sum struct {
	Packages   int64 `json:"packages"`
	Harvests   int64 `json:"harvests"`
	Containers int64 `json:"containers"`
	Records    int64 `json:"records"`
	Bytes      int64 `json:"bytes"` // of the newest versions, in one copy
}

func (s *Sum) add(o Sum) {
	s.Packages += o.Packages
	s.Harvests += o.Harvests
	s.Containers += o.Containers
	s.Records += o.Records
	s.Bytes += o.Bytes
}

// Holdings sums the packages of the repository.
type Holdings struct {
	Sum
	Files       int64 `json:"files"`
	Versions    int64 `json:"versions"`
	Collections int64 `json:"collections"`
	Unread      int64 `json:"unread"` // without a METS that can be read: parts of the sums are unknown
	// WithoutIngest counts the packages and collections without an event of their ingest, and
	// WithoutReading the good copies of them without an event of a reading.
	WithoutIngest  int64     `json:"without_ingest_event"`
	WithoutReading int64     `json:"copies_without_reading_event"`
	First          time.Time `json:"first_capture,omitzero"`
	Last           time.Time `json:"last_capture,omitzero"`

	// A package in several collections counts in each.
	ByCollection      []CollectionSum `json:"by_collection"`
	MoreCollections   int64           `json:"more_collections"` // left out of the list
	ClosedCollections CollectionSum   `json:"closed_collections"`
	Uncollected       Sum             `json:"in_no_collection"`

	Years []YearSum `json:"by_year_of_storing"`
}

// CollectionSum sums the packages of a collection, or of all collections closed to the public.
type CollectionSum struct {
	ID          string `json:"id,omitempty"`
	Title       string `json:"title,omitempty"`
	Collections int64  `json:"collections"`
	Sum
}

// YearSum sums the packages that were first stored in a year.
type YearSum struct {
	Year string `json:"year"`
	Sum
}

// Copy is the state of one copy.
type Copy struct {
	Name      string `json:"name"`
	Path      string `json:"path"`
	Available bool   `json:"available"`
	// SameDisk names the other copies on the same file system; null if that is unknown.
	SameDisk []string `json:"same_file_system_as"`
	// the packages and collections by their last known state
	States map[catalogue.Status]int64 `json:"states"`
	Bytes  int64                      `json:"bytes"` // of those that are good
	Oldest time.Time                  `json:"oldest_reading,omitzero"`
	Never  int64                      `json:"never_read"` // packages that were never read there
	Read   []ReadSince                `json:"read_within"`
	Place  *Place                     `json:"attested_place"` // null: nobody attested it
}

// Total returns the number of packages that the copy should have.
func (c *Copy) Total() (n int64) {
	for _, k := range c.States {
		n += k
	}
	return n
}

// Complete reports whether every package is good in the copy by its last known state.
func (c *Copy) Complete() bool { return c.States[catalogue.Good] == c.Total() }

// Listed reports whether the copy has every package, but some only by the checksums of its service. Their
// files are in a cold storage class, and were not read.
func (c *Copy) Listed() bool {
	return !c.Complete() && c.States[catalogue.Good]+c.States[catalogue.AsListed] == c.Total()
}

// ReadSince counts the packages that were read completely within a number of days.
type ReadSince struct {
	Days     int   `json:"days"`
	Packages int64 `json:"packages"`
}

// Place is the place of a copy, as a person attests it.
type Place struct {
	Place  string `json:"place"`
	Threat string `json:"threat"` // the disaster that it is exposed to
	Medium string `json:"medium"`
}

// Audits lists the audit runs of the period.
type Audits struct {
	Schedule string     `json:"schedule"` // "none" without one
	Number   int64      `json:"number"`
	Complete int64      `json:"complete"`
	Problems int64      `json:"problems"`
	LastFull time.Time  `json:"last_full,omitzero"` // begin of the last complete audit of all, in any period
	Ever     int64      `json:"number_ever"`
	Leaves   int64      `json:"with_leaf"` // runs of the period that the register confirms
	Runs     []AuditRun `json:"runs"`
	More     int64      `json:"more"` // runs left out of the list, the oldest
}

// AuditRun is an audit run with the sums over all copies that it read.
type AuditRun struct {
	catalogue.Run
	Copies   []string `json:"copies"`
	Objects  int64    `json:"objects"`
	Bytes    int64    `json:"bytes"`
	Problems int64    `json:"problems"`
	Leaf     int64    `json:"leaf,omitempty"` // in the register, with the same time and numbers; 0: none
	Root     string   `json:"root,omitempty"` // in that leaf: the digest over the lines of the run's record
}

// Incidents lists the damage and loss that checks found in copies, and the repairs.
type Incidents struct {
	catalogue.IncidentSum
	List []Incident `json:"list"`
	More int64      `json:"more"` // left out of the list, the oldest
}

// Incident is a damage or loss in one copy. Its evidence is the event in the logs of the object.
type Incident struct {
	Event    string           `json:"event"` // id
	Time     time.Time        `json:"time"`
	Copy     string           `json:"copy"`
	Kind     string           `json:"kind"`    // package, closed package, or document
	Package  string           `json:"package"` // id; "" if it is not open to the public
	Detail   string           `json:"detail"`  // likewise
	Repair   string           `json:"repair"`  // id of the event; "" if none is known
	Repaired time.Time        `json:"repaired,omitzero"`
	Now      catalogue.Status `json:"now"` // last known state
}

// The kinds of incidents.
const (
	KindPackage  = "package"
	KindClosed   = "closed package"
	KindDocument = "document"
)

// Overdue lists the work that is due.
type Overdue struct {
	Audits   []store.DueAudit `json:"audits"`
	Lacking  map[string]int64 `json:"lacking"` // copy → packages that it lacks: owed or missing
	Damaged  map[string]int64 `json:"damaged"` // copy → packages that are damaged there
	Policies []Duty           `json:"policies"`
}

// Duty is a requirement of a policy of the repository.
type Duty struct {
	Policy string `json:"policy"`
	SHA512 string `json:"sha512"`
	Copies int    `json:"copies"`          // required; 0 for none
	Fixity string `json:"fixity_interval"` // "" for none
	Unread int64  `json:"unread"`          // packages, in each copy, that were not read within the interval
	Enough bool   `json:"enough_copies"`
}

// EventSum counts the events of a type with an outcome.
type EventSum struct {
	Type    string `json:"type"`
	Outcome string `json:"outcome"`
	Number  int64  `json:"number"` // in the period
	Ever    int64  `json:"number_ever"`
}

// Formats sums the identified formats of payloads, as the METS of the packages state them.
type Formats struct {
	Containers   int64 `json:"containers"`
	Unidentified int64 `json:"containers_without_identification"` // formats of their payloads are unknown
	Payloads     int64 `json:"payloads"`                          // in the others
	Unknown      int64 `json:"payloads_of_unknown_format"`        // of these
	AtRisk       int64 `json:"payloads_at_risk"`                  // of these, by a policy

	Policies []PolicyOf    `json:"policies"` // that judged the formats
	List     []FormatCount `json:"list"`     // the most frequent first
	More     int64         `json:"more"`

	// the packages by the outcome of the policy that they were packed under; "" without one
	Packages map[string]int64 `json:"packages_by_policy_outcome"`
}

// PolicyOf identifies a policy.
type PolicyOf struct {
	Name   string `json:"name"`
	SHA512 string `json:"sha512"`
	// Unjudged counts the rules on formats that could not be judged from the METS.
	Unjudged int64 `json:"rules_not_judged"`
}

// FormatCount counts the payloads of a format.
type FormatCount struct {
	PUID     string   `json:"puid"` // "" if it has none
	Name     string   `json:"name"`
	Payloads int64    `json:"payloads"`
	Bytes    int64    `json:"bytes"` // of the blocks of their records
	Risks    []string `json:"risks"` // the broken rules, as POLICY: message
}

// Viruses counts the containers by the outcome of their virus check.
type Viruses struct {
	Containers map[model.ScanOutcome]int64 `json:"containers"`
	Infected   int64                       `json:"infected_bytestreams"`
}

// Access counts packages by the readers who may see them.
type Access struct {
	Packages map[rights.Verdict]int64 `json:"packages"` // by the decision on the most open part
	Hidden   int64                    `json:"hidden"`   // of these, packages whose existence is hidden from the public
	Parts    int64                    `json:"with_parts_decided_apart"`
	Unstated int64                    `json:"without_rights_statement"`
	Unknown  int64                    `json:"undecidable"` // closed, because their rights cannot be read

	Rules         map[rights.Verdict]int64 `json:"rules"` // in force, by their effect
	Override      int64                    `json:"rules_that_override"`
	RulesInCopies bool                     `json:"rules_in_copies"` // false: a file that only this machine keeps
	RulesProblems int64                    `json:"rules_unreadable"`
}

// Takedowns lists the withdrawals.
type Takedowns struct {
	InForce   int64      `json:"in_force"`
	Ended     int64      `json:"ended"`
	Document  *Document  `json:"document"` // null: there never was a withdrawal
	List      []Takedown `json:"list"`
	More      int64      `json:"more"`
	Undecided bool       `json:"unreadable"` // the document cannot be read
}

// Takedown is a withdrawal, without the content that it names. Its certificate has the rest.
type Takedown struct {
	ID       string         `json:"id"`
	At       time.Time      `json:"at"`
	Until    string         `json:"until"` // the last day; "" without end
	Lifted   time.Time      `json:"lifted,omitzero"`
	InForce  bool           `json:"in_force"`
	Access   rights.Verdict `json:"access"`
	Scope    string         `json:"scope"` // package, or URL
	Packages int64          `json:"packages"`
	Captures int64          `json:"captures"`
	Reasoned bool           `json:"reason_and_authority"` // both are recorded
}

// Document is a document of the repository, without its text.
type Document struct {
	Kind    string    `json:"kind"` // rules, withdrawals, policy, other
	Version int       `json:"version"`
	Created time.Time `json:"created"`
	SHA512  string    `json:"sha512"`
}
