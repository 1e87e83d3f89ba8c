package reconcile

// Class says what an explanation comes to.
type Class string

// The classes.
const (
	// the witnesses differ, and something says why; nothing is missing that should be there
	Explained   Class = "explained"
	Lost        Class = "lost"        // something says why, and content is gone with it
	Unexplained Class = "unexplained" // nothing says why
)

// Kind is a kind of difference between two witnesses.
type Kind string

// The kinds.
const (
	// the log says that a URL was fetched, and no record holds it
	LoggedWithoutRecord  Kind = "logged_without_record"
	RecordWithoutLine    Kind = "record_without_log_line"  // a record holds a capture that the log does not tell of
	IndexWithoutRecord   Kind = "index_without_record"     // an index names a place where no such record is
	RecordWithoutIndex   Kind = "record_without_index"     // a record that the index passes over
	RevisitWithoutTarget Kind = "revisit_without_target"   // what a revisit refers to is nowhere
	ContainerAbsent      Kind = "container_absent"         // listed, and not there
	ContainerNotListed   Kind = "container_not_listed"     // there, and not in the list
	ContainerNotIndexed  Kind = "container_not_indexed"    // there, and no index has an entry for it
	ContainerSizeDiffers Kind = "container_size_differs"   // a list says another size
	ContainerSumDiffers  Kind = "container_digest_differs" // a list says another digest
	StatusDiffers        Kind = "status_differs"           // log and record
	DigestDiffers        Kind = "digest_differs"           // log and record
	SizeDiffers          Kind = "size_differs"             // log and record
	TimeDiffers          Kind = "time_differs"             // log and record
	IndexDiffers         Kind = "index_differs"            // index and record
	ReportDiffers        Kind = "report_differs"           // a report and the log
	PageWithoutRecord    Kind = "page_without_record"      // a list of pages has it, and no record does
	numberOfKinds             = 17
)

// Kinds lists the kinds in the order in which they are shown.
var Kinds = [numberOfKinds]Kind{
	LoggedWithoutRecord, RecordWithoutLine, ContainerAbsent, PageWithoutRecord, RevisitWithoutTarget,
	IndexWithoutRecord, RecordWithoutIndex, ContainerSizeDiffers,
	ContainerSumDiffers, ContainerNotListed, ContainerNotIndexed, StatusDiffers, DigestDiffers, SizeDiffers,
	TimeDiffers, IndexDiffers, ReportDiffers,
}

// Means says a kind in words.
func (k Kind) Means() string { return kindWords[k] }

var kindWords = map[Kind]string{
	LoggedWithoutRecord: "URLs logged as fetched, without a record",
	RecordWithoutLine:   "records without a line in the log",
	ContainerAbsent:     "containers listed, but absent", PageWithoutRecord: "pages without a record",
	RevisitWithoutTarget: "revisits whose target is nowhere",
	IndexWithoutRecord:   "index entries without a record", RecordWithoutIndex: "records that the index passes over",
	ContainerSizeDiffers: "containers of another size than listed",
	ContainerSumDiffers:  "containers of another digest than listed",
	ContainerNotListed:   "containers that the list passes over",
	ContainerNotIndexed:  "containers that no index covers",
	StatusDiffers:        "another status in the log than in the record",
	DigestDiffers:        "another digest in the log than in the record",
	SizeDiffers:          "another size in the log than in the record",
	TimeDiffers:          "another time in the log than in the record",
	IndexDiffers:         "index entries that say something else than the record",
	ReportDiffers:        "numbers in reports that are not those of the log",
}

// Reason explains a difference. Codes are stable.
type Reason struct {
	Code  string
	Class Class
	Means string
}

// The reasons.
var (
	reasonNone = &Reason{"", Unexplained, "nothing in the source says why"}

	reasonDuplicate = &Reason{"duplicate", Explained,
		"the log says that the content was captured before: duplicate:, or a revisit"}
	reasonUnwritten   = &Reason{"unwritten", Explained, "the log says that the crawler did not write it: unwritten:"}
	reasonLoggedAgain = &Reason{"logged_again", Explained,
		"another line tells of the same fetch: the same URL, second and digest"}
	reasonEmpty = &Reason{"empty", Explained,
		"nothing was received, and of nothing no record is written: content-size:0"}
	reasonNamesNotKept = &Reason{"lookups_not_kept", Explained,
		"no look-up of a name (dns:, whois:) is in any container: the crawler was told not to write them"}
	reasonMirror     = &Reason{"not_kept_by_mirrors", Explained, "a mirror keeps no body of redirects and errors"}
	reasonMirrorOnce = &Reason{"kept_once_by_mirrors", Explained,
		"a mirror keeps one copy of a URL, which belongs to another line: it was updated, or not fetched again"}
	reasonRecordedAgain = &Reason{"recorded_again", Explained,
		"another record is of the same fetch: the same URL, second and digest"}
	reasonLoggedFailed = &Reason{"logged_as_failed", Explained,
		"the log has the URL and the second, with a status that says it failed"}
	reasonMade = &Reason{"made_by_crawler", Explained,
		"the crawler or a tool made it, and no fetch stands behind it: metadata:, urn:, conversions"}
	reasonSegment    = &Reason{"segment", Explained, "a further segment of a record that was split"}
	reasonOutsideLog = &Reason{"outside_log", Explained,
		"captured before the first line of the log, or after the last: the log covers less than the containers"}
	reasonKindUnindexed = &Reason{"kind_not_indexed", Explained, "the index has no entry of such records at all"}
	reasonIndexEnds     = &Reason{"index_ends_early", Explained,
		"it lies behind the last entry that the index has for its container"}
	reasonEarlier = &Reason{"earlier_harvest", Explained,
		"it was captured before this harvest began, or the log says so: the harvest depends on another"}
	reasonCompressed = &Reason{"compressed_since", Explained,
		"the container was compressed after the other witness was written: sizes and offsets are those of the " +
			"inflated file"}
	reasonLengthNotion = &Reason{"other_notion_of_length", Explained,
		"the index counts other bytes: with the record's header, without the HTTP head, or inflated"}
	reasonDeclared = &Reason{"declared_length", Explained,
		"column 3 of the log has the Content-Length that the server declared; what was received (content-size) fits " +
			"the record"}
	reasonTruncated = &Reason{"truncated", Explained, "the crawler stopped in the middle, and says so"}
	reasonFramed    = &Reason{"digest_of_framing", Explained,
		"the body is chunked or coded, and the digest is of other bytes of it"}
	reasonResumed = &Reason{"resumed", Explained,
		"the crawl was resumed, and the report covers the last pieces of the log only"}
	reasonNothing    = &Reason{"nothing_in_it", Explained, "the list says that it holds nothing"}
	reasonWholeIndex = &Reason{"index_covers_less", Explained, "there are indexes for some containers only"}
	reasonElsewhere  = &Reason{"other_harvest", Explained,
		"its container lies in the source, and belongs to another harvest there"}
	reasonRollover = &Reason{"offset_before_rollover", Explained,
		"the index has the offset at which the container before it ended: wget notes it before it begins the next"}
	reasonLineBreak = &Reason{"line_break", Explained,
		"the index takes the line break before the record for its beginning"}
	reasonLoggedDone = &Reason{"logged_when_done", Explained,
		"the log has the time when the request was begun or the download was over, and the record has that in between"}
	reasonRedirect = &Reason{"redirect_not_logged", Explained,
		"the short log of wget names only what a redirect led to"}
	reasonUnloaded = &Reason{"page_not_loaded", Explained,
		"the list of pages says that the browser could not load it (loadState 0)"}
	reasonRounded = &Reason{"rounded", Explained,
		"the times are less than two seconds apart, and the digest is the same"}

	reasonAbsent     = &Reason{"container_absent", Lost, "the container is not there"}
	reasonCut        = &Reason{"container_cut", Lost, "the container is shorter than it was"}
	reasonDamaged    = &Reason{"container_damaged", Lost, "the container is damaged there"}
	reasonEndEarly   = &Reason{"records_end_early", Lost, "no container holds anything that was captured so late"}
	reasonMirrorLost = &Reason{"not_in_the_mirror", Lost, "neither a file of the mirror nor its cache has the body"}
	reasonNowhere    = &Reason{"no_container", Lost, "there is no container at all"}
)

// Reasons lists them all, for the documentation.
var Reasons = []*Reason{
	reasonDuplicate, reasonUnwritten, reasonLoggedAgain, reasonEmpty, reasonNamesNotKept, reasonMirror,
	reasonMirrorOnce, reasonRecordedAgain, reasonLoggedFailed, reasonMade,
	reasonSegment, reasonOutsideLog, reasonKindUnindexed, reasonIndexEnds, reasonEarlier, reasonCompressed,
	reasonLengthNotion, reasonDeclared,
	reasonTruncated, reasonFramed, reasonResumed, reasonNothing, reasonWholeIndex, reasonElsewhere, reasonRollover,
	reasonLineBreak, reasonLoggedDone, reasonRedirect, reasonUnloaded, reasonRounded,
	reasonAbsent, reasonCut, reasonDamaged, reasonEndEarly, reasonMirrorLost, reasonNowhere,
}
