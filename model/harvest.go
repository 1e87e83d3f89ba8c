package model

import "time"

// Harvest is one run of a crawler: an event with a start, an end and an outcome, as far as its
// records show. An unknown fact is empty; Evidence has the source of each conclusion.
type Harvest struct {
	System     System // who ran the crawler
	ID         string // name of the run in that system: job, launch, target instance, PI and date
	Collection string // wider work of the run: harvest definition, target, title
	Title      string
	Note       string // description, as the operator wrote it

	Software     string // name and version as the crawler wrote it
	Operator     string
	Organization string
	Contact      string // address that the crawler gave to the servers
	UserAgent    string
	Robots       string // robots policy, in the crawler's own word
	Host         string // machine the crawler ran on
	Seeds        []string
	Scope        []string // rules of scope, in their order, in the crawler's own words
	Limits       []Field  // of bytes, documents, time, in the crawler's own words

	Start     time.Time
	End       time.Time
	EndReason string // in the crawler's own words

	// Foreign lists containers of other harvests with duplicates that were not stored again: this
	// harvest depends on them.
	Foreign []ForeignFile

	Counted     []Field // counts of the system, in its own words: "urls downloaded"
	Description Description
	Rights      Rights
	Expected    []ExpectedFile // that documents list, whether they are there or not

	Documentation Documentation
	Evidence      []Evidence
	Files         []SourceFile
	Findings      []Finding // odd, restricted or contradictory facts
}

// System is a family of sources.
type System string

// The systems.
const (
	Heritrix        System = "heritrix"
	NetarchiveSuite System = "netarchivesuite"
	WebCurator      System = "web-curator-tool"
	Pandas          System = "pandas"
	HTTrack         System = "httrack"
	Wget            System = "wget"
	Browsertrix     System = "browsertrix"
	// a package by ArchiveWeb.page, Scoop, py-wacz or another: Software says whose
	WACZ        System = "wacz"
	OAIPMH      System = "oai-pmh"         // harvested by quire oai harvest
	Bare        System = "bare-containers" // ARC or WARC files and nothing else
	PlainFolder System = "plain-folder"    // files of a site, without a word on how they came
)

// Documentation says how much is known of a run.
type Documentation string

// The grades of documentation.
const (
	Documented       Documentation = "documented" // configuration and log are there
	PartlyDocumented Documentation = "partly-documented"
	Undocumented     Documentation = "absent" // only the content itself
)

// Evidence is the source of a fact. Where two sources disagree, each has its line, and the Harvest
// holds the first.
type Evidence struct {
	Fact  string `json:"fact"`  // "software", "start"
	Value string `json:"value"` // as concluded there
	// "field software of the warcinfo record in crawl.warc.gz", "logs/crawl.log, line 1, column 9"
	Source string `json:"source"`
}

// SourceFile is one file that belongs to a harvest.
type SourceFile struct {
	Path string // within the source; of a document in a record, among the documents of the harvest
	Size int64  // bytes
	Role Role
	// why it must not be shown to everyone: "password in plain text"; "" when nothing speaks
	// against it
	Restricted string
	Record     *InRecord // the record that holds it; nil of a file of its own
	// path of the archive within the source that holds it, and with which Path begins; "" of a file
	// of its own
	Archive string
}

// InRecord says which record of a container holds a document: the logs of NetarchiveSuite are
// records of a metadata file.
type InRecord struct {
	Container string // path within the source
	URI       string // of the record
	Offset    int64  // of the record in the container, or of the member that holds it
}

// ForeignFile is a container of another harvest, or of an unknown one, that a log names as the
// place of duplicates.
type ForeignFile struct {
	Name       string // as the log has it
	Job        string // that the file is of, by its name; "" when unknown
	Duplicates int64  // lines of the log that refer to it
}

// Role is the part of a file in the harvest.
type Role string

// The roles.
const (
	RoleContainer     Role = "container"
	RoleContent       Role = "content" // a file of a mirror
	RoleLog           Role = "log"
	RoleReport        Role = "report"
	RoleConfiguration Role = "configuration"
	RoleIndex         Role = "index"
	RoleDescription   Role = "description" // METS, Dublin Core, pages
	RoleCache         Role = "cache"       // kept by the crawler for its next run
	RoleArtefact      Role = "artefact"    // put among the content by the crawler
	RoleOther         Role = "other"
)
