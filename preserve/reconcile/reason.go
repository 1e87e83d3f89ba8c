package reconcile

// Class is the result of explaining a difference.
type Class string

// The classes.
const (
	// the sources differ for a known reason; no expected content is missing
	Explained   Class = "explained"
	Lost        Class = "lost"        // the reason is known, and content is lost
	Unexplained Class = "unexplained" // no known reason
)

// Kind is a kind of difference between two sources.
type Kind string

// The kinds.
const (
	// the log reports a fetched URL, and no record contains it
	LoggedWithoutRecord  Kind = "logged_without_record"
	RecordWithoutLine    Kind = "record_without_log_line"  // a record has a capture missing from the log
	IndexWithoutRecord   Kind = "index_without_record"     // an index refers to a place without such a record
	RecordWithoutIndex   Kind = "record_without_index"     // a record missing from the index
	RevisitWithoutTarget Kind = "revisit_without_target"   // the target of a revisit is missing
	ContainerAbsent      Kind = "container_absent"         // listed, but missing
	ContainerNotListed   Kind = "container_not_listed"     // present, but not listed
	ContainerNotIndexed  Kind = "container_not_indexed"    // present, but in no index
	ContainerSizeDiffers Kind = "container_size_differs"   // a list has another size
	ContainerSumDiffers  Kind = "container_digest_differs" // a list has another digest
	StatusDiffers        Kind = "status_differs"           // log and record
	DigestDiffers        Kind = "digest_differs"           // log and record
	SizeDiffers          Kind = "size_differs"             // log and record
	TimeDiffers          Kind = "time_differs"             // log and record
	IndexDiffers         Kind = "index_differs"            // index and record
	ReportDiffers        Kind = "report_differs"           // a report and the log
	PageWithoutRecord    Kind = "page_without_record"      // in a list of pages, but without a record
	numberOfKinds             = 17
)

// Kinds lists the kinds in display order.
var Kinds = [numberOfKinds]Kind{
	LoggedWithoutRecord, RecordWithoutLine, ContainerAbsent, PageWithoutRecord, RevisitWithoutTarget,
	IndexWithoutRecord, RecordWithoutIndex, ContainerSizeDiffers,
	ContainerSumDiffers, ContainerNotListed, ContainerNotIndexed, StatusDiffers, DigestDiffers, SizeDiffers,
	TimeDiffers, IndexDiffers, ReportDiffers,
}

// Means describes a kind in words.
func (k Kind) Means() string { return kindWords[k] }

var kindWords = map[Kind]string{
	LoggedWithoutRecord: "URLs logged as fetched, without a record",
	RecordWithoutLine:   "records without a line in the log",
	ContainerAbsent:     "containers listed, but absent", PageWithoutRecord: "pages without a record",
	RevisitWithoutTarget: "revisits with a missing target",
	IndexWithoutRecord:   "index entries without a record", RecordWithoutIndex: "records missing from the " +
		"index",
	ContainerSizeDiffers: "containers with another size than listed",
	ContainerSumDiffers:  "containers with another digest than listed",
	ContainerNotListed:   "containers missing from the list",
	ContainerNotIndexed:  "containers missing from every index",
	StatusDiffers:        "different status in log and record",
	DigestDiffers:        "different digest in log and record",
	SizeDiffers:          "different size in log and record",
	TimeDiffers:          "different time in log and record",
	IndexDiffers:         "index entries that differ from the record",
	ReportDiffers:        "numbers in reports that differ from the log",
}

// Reason explains a difference. Codes are stable.
type Reason struct {
	Code  string
	Class Class
	Means string
}

// The reasons.
var (
	reasonNone = &Reason{"", Unexplained, "no explanation in the source"}

	reasonDuplicate = &Reason{"duplicate", Explained,
		"already captured before, by the log: duplicate:, or a revisit"}
	reasonUnwritten   = &Reason{"unwritten", Explained, "not written by the crawler, by the log: unwritten:"}
	reasonLoggedAgain = &Reason{"logged_again", Explained,
		"another line reports the same fetch: the same URL, second and digest"}
	reasonEmpty = &Reason{"empty", Explained,
		"the server sent no bytes, so there is no record: content-size:0"}
	reasonNamesNotKept = &Reason{"lookups_not_kept", Explained,
		"no container has name look-ups (dns:, whois:): the crawler was configured not to write them"}
	reasonMirror = &Reason{"not_kept_by_mirrors", Explained, "a mirror stores no body of redirects " +
		"and errors"}
	reasonMirrorOnce = &Reason{"kept_once_by_mirrors", Explained,
		"a mirror stores one copy per URL, which belongs to another line: it was updated, or not fetched " +
			"again"}
	reasonRecordedAgain = &Reason{"recorded_again", Explained,
		"another record has the same fetch: the same URL, second and digest"}
	reasonLoggedFailed = &Reason{"logged_as_failed", Explained,
		"the log has the URL and the second, but with a failure status"}
	reasonMade = &Reason{"made_by_crawler", Explained,
		"created by the crawler or a tool, without a fetch: metadata:, urn:, conversions"}
	reasonSegment    = &Reason{"segment", Explained, "a further segment of a record that was split"}
	reasonOutsideLog = &Reason{"outside_log", Explained,
		"captured before the first line of the log, or after the last: the log covers less than the containers"}
	reasonKindUnindexed = &Reason{"kind_not_indexed", Explained, "the index has no entries for this kind " +
		"of record"}
	reasonIndexEnds = &Reason{"index_ends_early", Explained,
		"it comes after the container's last entry in the index"}
	reasonEarlier = &Reason{"earlier_harvest", Explained,
		"captured before this harvest began, by its date or the log: the harvest depends on another"}
	reasonCompressed = &Reason{"compressed_since", Explained,
		"the container was compressed later: the other source has sizes and offsets of the uncompressed file"}
	reasonLengthNotion = &Reason{"other_notion_of_length", Explained,
		"the index counts other bytes: with the record's header, without the HTTP head, or inflated"}
	reasonDeclared = &Reason{"declared_length", Explained,
		"column 3 of the log has the Content-Length declared by the server; the received size " +
			"(content-size) matches the record"}
	reasonTruncated = &Reason{"truncated", Explained, "the crawler stopped in the middle, and recorded that"}
	reasonFramed    = &Reason{"digest_of_framing", Explained,
		"the body is chunked or coded, and the digest covers other bytes of it"}
	reasonOfNothing = &Reason{"digest_of_nothing", Explained,
		"the index has the digest of no bytes: cdxj-indexer reads a record before it computes that digest"}
	reasonResumed = &Reason{"resumed", Explained,
		"the crawl was resumed, and the report covers only the last pieces of the log"}
	reasonNothing    = &Reason{"nothing_in_it", Explained, "empty, according to the list"}
	reasonWholeIndex = &Reason{"index_covers_less", Explained, "only some containers have an index"}
	reasonElsewhere  = &Reason{"other_harvest", Explained,
		"its container is in the source, but belongs to another harvest"}
	reasonRollover = &Reason{"offset_before_rollover", Explained,
		"the index has the end offset of the previous container: wget notes it before starting the next"}
	reasonLineBreak = &Reason{"line_break", Explained,
		"the index counts the line break before the record as its beginning"}
	reasonLoggedDone = &Reason{"logged_when_done", Explained,
		"the log has the start of the request or the end of the download; the time of the record is " +
			"between them"}
	reasonRedirect = &Reason{"redirect_not_logged", Explained,
		"the short log of wget names only the target of a redirect"}
	reasonUnloaded = &Reason{"page_not_loaded", Explained,
		"the browser could not load it, by the list of pages (loadState 0)"}
	reasonRounded = &Reason{"rounded", Explained,
		"the times are less than two seconds apart, and the digest is the same"}

	reasonAbsent     = &Reason{"container_absent", Lost, "the container is missing"}
	reasonCut        = &Reason{"container_cut", Lost, "the container has become shorter"}
	reasonDamaged    = &Reason{"container_damaged", Lost, "the container is damaged there"}
	reasonEndEarly   = &Reason{"records_end_early", Lost, "no container has captures of that time or later"}
	reasonMirrorLost = &Reason{"not_in_the_mirror", Lost, "neither a file of the mirror nor its cache has the body"}
	reasonNowhere    = &Reason{"no_container", Lost, "the harvest has no containers"}
)

// Reasons lists all reasons, for the documentation.
var Reasons = []*Reason{
	reasonDuplicate, reasonUnwritten, reasonLoggedAgain, reasonEmpty, reasonNamesNotKept, reasonMirror,
	reasonMirrorOnce, reasonRecordedAgain, reasonLoggedFailed, reasonMade,
	reasonSegment, reasonOutsideLog, reasonKindUnindexed, reasonIndexEnds, reasonEarlier, reasonCompressed,
	reasonLengthNotion, reasonDeclared,
	reasonTruncated, reasonFramed, reasonOfNothing, reasonResumed, reasonNothing, reasonWholeIndex, reasonElsewhere,
	reasonRollover,
	reasonLineBreak, reasonLoggedDone, reasonRedirect, reasonUnloaded, reasonRounded,
	reasonAbsent, reasonCut, reasonDamaged, reasonEndEarly, reasonMirrorLost, reasonNowhere,
}
