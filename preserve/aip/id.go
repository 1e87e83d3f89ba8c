package aip

import (
	"strconv"
	"strings"
)

// The IDs of elements that a METS has once (clauses 2.3 and 2.4).
const (
	WebsiteDmdID   = "DMD-website"
	PackageAmdID   = "AMD-package"
	WebsiteObjID   = "OBJ-website"
	PackageObjID   = "OBJ-package"
	CaptureEventID = "EVT-capture"
	DigestEventID  = "EVT-digest"
	PackageEventID = "EVT-package"
	IngestEventID  = "EVT-ingest"
	FormatEventID  = "EVT-format"
	PolicyEventID  = "EVT-policy"
	DescribeID     = "EVT-describe"
	AgentIDPrefix  = "AGT-"
)

// The IDs of the elements for container n, counted from 1 in the order of the fileSec (clauses 2.5
// and 2.6).

// ContainerAmdID returns the ID of the amdSec of container n.
func ContainerAmdID(n int) string { return "AMD-c" + strconv.Itoa(n) }

// RecordsAmdID returns the ID of the amdSec with the objects of the bytestreams of container n.
func RecordsAmdID(n int) string { return ContainerAmdID(n) + "-records" }

// SourceAmdID returns the ID of the amdSec with the object of the source of container n.
func SourceAmdID(n int) string { return "AMD-src-c" + strconv.Itoa(n) }

// ContainerObjID returns the ID of the techMD with its premis:object.
func ContainerObjID(n int) string { return "OBJ-c" + strconv.Itoa(n) }

// ContainerMDID returns the ID of the techMD with its containerMD.
func ContainerMDID(n int) string { return "CMD-c" + strconv.Itoa(n) }

// ContainerEventID returns the ID of the digiprovMD with its validation event.
func ContainerEventID(n int) string { return "EVT-val-c" + strconv.Itoa(n) }

// VirusEventID returns the ID of the digiprovMD with its virus check.
func VirusEventID(n int) string { return "EVT-vir-c" + strconv.Itoa(n) }

// ContainerFileID returns the ID of the container's file in the fileSec.
func ContainerFileID(n int) string { return "FILE-c" + strconv.Itoa(n) }

// SourceObjID returns the ID of the techMD with the premis:object of the source of container n.
func SourceObjID(n int) string { return "OBJ-src-c" + strconv.Itoa(n) }

// MigrationEventID returns the ID of the digiprovMD with the event that made container n.
func MigrationEventID(n int) string { return "EVT-mig-c" + strconv.Itoa(n) }

// HarvestEventID returns the ID of the digiprovMD with the capture event of harvest n, counted from
// 1 in the order of the structMap.
func HarvestEventID(n int) string {
	if n == 1 {
		return CaptureEventID
	}
	return CaptureEventID + "-" + strconv.Itoa(n)
}

// SignatureEventID returns the ID of the digiprovMD with the check of the signatures or hashes that
// came with harvest n.
func SignatureEventID(n int) string { return "EVT-signature-" + strconv.Itoa(n) }

// CompletenessEventID returns the ID of the digiprovMD with the comparison of harvest n with its
// lists of containers, its indexes and its logs.
func CompletenessEventID(n int) string { return "EVT-complete-" + strconv.Itoa(n) }

// IsCompletenessEvent reports whether an ID belongs to such a comparison.
func IsCompletenessEvent(id string) bool {
	_, ok := NumberOf(id, CompletenessEventID)
	return ok
}

// HarvestDmdID returns the ID of the dmdSec with the curators' description of harvest n.
func HarvestDmdID(n int) string { return "DMD-harvest-" + strconv.Itoa(n) }

// HarvestDCID returns the ID of the dmdSec with the Dublin Core that the source of harvest n has. The
// section HarvestDmdID says the same in MODS, except for dc:source.
func HarvestDCID(n int) string { return "DMD-dc-" + strconv.Itoa(n) }

// OwnDmdID returns the ID of the dmdSec with a description that another system stored in that record of
// container n.
func OwnDmdID(n int, order int64) string { return partID("DMD-own-c", n, "-b", order) }

// WorkDmdID returns the ID of the dmdSec with the working notes on harvest n.
func WorkDmdID(n int) string { return "DMD-work-" + strconv.Itoa(n) }

// RestrictionIDPrefix begins the IDs of the amdSec that state why files are restricted; before
// clause 2.18, of their rightsMD.
const RestrictionIDPrefix = "RGT-restricted-"

// RestrictionID returns the ID of the amdSec of restriction n.
func RestrictionID(n int) string { return RestrictionIDPrefix + strconv.Itoa(n) }

// RestrictionRightsID returns the ID of the rightsMD of restriction n.
func RestrictionRightsID(n int) string { return RestrictionID(n) + "-rights" }

// RightsID returns the ID of the rightsMD of rights statement n.
func RightsID(n int) string { return "RGT-" + strconv.Itoa(n) }

// OriginalFileID returns the ID of file n of the originals.
func OriginalFileID(n int) string { return "FILE-o" + strconv.Itoa(n) }

// LogFileID returns the ID of file n of the other files.
func LogFileID(n int) string { return "FILE-l" + strconv.Itoa(n) }

// DocumentFileID returns the ID of file n of the documentation.
func DocumentFileID(n int) string { return "FILE-d" + strconv.Itoa(n) }

// IndexFileID returns the ID of the CDXJ index of container n.
func IndexFileID(n int) string { return "FILE-i" + strconv.Itoa(n) }

// ContainerMETSFileID returns the ID of the file with the METS of the records of container n.
func ContainerMETSFileID(n int) string { return "FILE-m" + strconv.Itoa(n) }

// PagesMETSFileID returns the ID of the file with the METS of the pages of harvest n; 0 is for pages
// outside any harvest.
func PagesMETSFileID(n int) string { return "FILE-p" + strconv.Itoa(n) }

// FileObjID returns the ID of the techMD with the premis:object of a file of the package, from the
// ID of its file element: "FILE-l3" has "OBJ-l3" (clause 2.5.1).
func FileObjID(file string) string { return "OBJ-" + strings.TrimPrefix(file, "FILE-") }

// FileAmdID returns the ID of the amdSec of a file of the package, from the ID of its file element.
func FileAmdID(file string) string { return "AMD-" + strings.TrimPrefix(file, "FILE-") }

// IndexObjID returns the ID of the techMD with the premis:object of the CDXJ index of container n.
func IndexObjID(n int) string { return FileObjID(IndexFileID(n)) }

// The TYPE of the div of a web page, and of another object of a website (clause 2.10).
const (
	WebPage          = "web page"
	AssociatedObject = "associated object"
)

// PageID returns the ID, and the label, of the div of the page or object in a record (clauses 2.14 and
// 2.18).
func PageID(n int, order int64) string { return partID("P-c", n, "-b", order) }

// SheetDmdID returns the ID of the dmdSec of the row with this number in a sheet.
func SheetDmdID(row int) string { return "DMD-sheet-" + strconv.Itoa(row) }

// IsSheetDmd reports whether an ID belongs to a row of a sheet.
func IsSheetDmd(id string) bool {
	_, ok := NumberOf(id, SheetDmdID)
	return ok
}

// The IDs that the profiles full and linked have for the records of container n. order counts the
// records from 1, in the order of the container (clause 2.8).

// MemberFileID returns the ID of the gzip member or zstd frame that holds a record.
func MemberFileID(n int, order int64) string { return partID("FILE-c", n, "-m", order) }

// RecordFileID returns the ID of a record: header, block and trailing bytes.
func RecordFileID(n int, order int64) string { return partID("FILE-c", n, "-r", order) }

// BodyFileID returns the ID of the body of a record, as the server sent it.
func BodyFileID(n int, order int64) string { return partID("FILE-c", n, "-b", order) }

// ServedFileID returns the ID of the body as it would be served.
func ServedFileID(n int, order int64) string { return partID("FILE-c", n, "-s", order) }

// BodyObjID returns the ID of the techMD with the premis:object of both bodies.
func BodyObjID(n int, order int64) string { return partID("OBJ-c", n, "-b", order) }

// PageDmdID returns the ID of the dmdSec with the metadata that the page in a record declares.
func PageDmdID(n int, order int64) string { return partID("DMD-page-c", n, "-b", order) }

// TransformationEventID returns the ID of the digiprovMD with the transformation of bytestreams in
// container n.
func TransformationEventID(n int) string { return "EVT-trf-c" + strconv.Itoa(n) }

// OriginalPartsID returns the ID of container n in the group OriginalFiles.
func OriginalPartsID(n int) string { return ContainerFileID(n) + "-original" }

// ViralFileID returns the ID of container n in the group of infected bytestreams.
func ViralFileID(n int) string { return ContainerFileID(n) + "-viral" }

// CleanEventID is the digiprovMD with the cleaning of all infected bytestreams.
const CleanEventID = "EVT-clean"

// partID joins the parts of an ID. There are five for each record.
func partID(kind string, n int, part string, order int64) string {
	id := make([]byte, 0, 32)
	id = strconv.AppendInt(append(id, kind...), int64(n), 10)
	return string(strconv.AppendInt(append(id, part...), order, 10))
}

// DedupEventID returns the ID of the digiprovMD with the deduplication of container n.
func DedupEventID(n int) string { return "EVT-dedup-c" + strconv.Itoa(n) }

// The IDs that a migration adds for container n (clause 2.16).

// ContainerDigestEventID returns the ID of the digiprovMD with the computing of the container's
// digest, where it was added later.
func ContainerDigestEventID(n int) string { return "EVT-digest-c" + strconv.Itoa(n) }

// ContainerFixityEventID returns the ID of the fixity check of the earlier digests.
func ContainerFixityEventID(n int) string { return "EVT-fixity-c" + strconv.Itoa(n) }

// ContainerFormatEventID returns the ID of the identification of formats.
func ContainerFormatEventID(n int) string { return "EVT-format-c" + strconv.Itoa(n) }

// FailedMigrationEventID returns the ID of failed conversion k, counted from 1.
func FailedMigrationEventID(n, k int) string { return MigrationEventID(n) + "-f" + strconv.Itoa(k) }

// ContainerAgentID returns the ID of an agent of the migration.
func ContainerAgentID(n int, role string) string {
	return AgentIDPrefix + "c" + strconv.Itoa(n) + "-" + role
}

// NumberOf returns the n for which of(n) is id. For example, "OBJ-c3" with [ContainerObjID] is 3.
func NumberOf(id string, of func(n int) string) (int, bool) {
	_, digits := cutNumber(id)
	if digits == "" {
		return 0, false
	}
	if n, err := strconv.Atoi(digits); err == nil && n > 0 && of(n) == id {
		return n, true
	}
	return 0, false
}

// PartOf returns the container and the record for which of returns id. For example, "OBJ-c3-b7"
// with [BodyObjID] is 3 and 7.
func PartOf(id string, of func(n int, order int64) string) (n int, order int64, ok bool) {
	rest, digits := cutNumber(id)
	if digits == "" {
		return 0, 0, false
	}
	order, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return 0, 0, false
	}
	_, digits = cutNumber(strings.TrimRight(rest, letters))
	if n, err = strconv.Atoi(digits); err == nil && n > 0 && order > 0 && of(n, order) == id {
		return n, order, true
	}
	return 0, 0, false
}

// letters are the characters between the numbers of an ID.
const letters = "-abcdefghijklmnopqrstuvwxyz"

// cutNumber cuts an ID before the digits at its end.
func cutNumber(id string) (rest, digits string) {
	at := len(id)
	for at > 0 && '0' <= id[at-1] && id[at-1] <= '9' {
		at--
	}
	return id[:at], id[at:]
}
