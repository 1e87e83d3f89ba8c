package model

import "time"

// Harvest is one run of a crawler: an event with a start, an end and an outcome, as far as its
// records show. An unknown fact is empty; Evidence has the source of each conclusion.
type Harvest struct {
	System     System // the system that ran the crawler
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
	Scope        []string // scope rules, in order, in the crawler's own words
	Limits       []Field  // of bytes, documents, time, in the crawler's own words

	Start     time.Time
	End       time.Time
	EndReason string // in the crawler's own words

	// Foreign lists containers of other harvests with content that was not stored again: this
	// harvest depends on them.
	Foreign []ForeignFile

	Counted     []Field // the system's counts, with its own names: "urls downloaded"
	Description Description
	Rights      Rights
	Expected    []ExpectedFile // listed in documents, present or not

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
	// a package by ArchiveWeb.page, Scoop, py-wacz or another tool: see Software
	WACZ        System = "wacz"
	OAIPMH      System = "oai-pmh"         // harvested by quire oai harvest
	SavedPages  System = "saved-pages"     // pages that a person saved in a browser
	Bare        System = "bare-containers" // only ARC or WARC files
	PlainFolder System = "plain-folder"    // files of a site, without documentation
)

// Documentation is how well a run is documented.
type Documentation string

// The grades of documentation.
const (
	Documented       Documentation = "documented" // configuration and log are present
	PartlyDocumented Documentation = "partly-documented"
	Undocumented     Documentation = "absent" // only the content
)

// Evidence is the source of a fact. If two sources disagree, each has an entry, and the Harvest
// holds the first.
type Evidence struct {
	Fact  string `json:"fact"`  // "software", "start"
	Value string `json:"value"` // the value in that source
	// "field software of the warcinfo record in crawl.warc.gz", "logs/crawl.log, line 1, column 9"
	Source string `json:"source"`
}

// SourceFile is one file of a harvest.
type SourceFile struct {
	Path string // within the source; for a document in a record, among the harvest's documents
	Size int64  // bytes
	Role Role
	// why it must not be public: "password in plain text"; "" if no reason is known
	Restricted string
	Record     *InRecord // the record that contains it; nil for a separate file
	// path within the source of the archive that contains it, a prefix of Path; "" for a separate
	// file
	Archive string
}

// InRecord is the record of a container that contains a document: the logs of NetarchiveSuite are
// records of a metadata file.
type InRecord struct {
	Container string // path within the source
	URI       string // of the record
	Offset    int64  // of the record in the container, or of its member
}

// ForeignFile is a container of another or unknown harvest that a log names as the place of
// duplicates.
type ForeignFile struct {
	Name       string // as in the log
	Job        string // the file's job, by its name; "" if unknown
	Duplicates int64  // log lines that refer to it
}

// Role is the function of a file in the harvest.
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
	RoleArtefact      Role = "artefact"    // added to the content by the crawler
	RoleOther         Role = "other"
)
