package aip

import (
	"strconv"
	"strings"
)

// The IDs of what a METS has once (clauses 2.3 and 2.4).
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

// The IDs of what a METS has for container n, counted from 1 in the order of the fileSec (clauses
// 2.5 and 2.6).

// ContainerAmdID is the amdSec of container n.
func ContainerAmdID(n int) string { return "AMD-c" + strconv.Itoa(n) }

// ContainerObjID is the techMD with its premis:object.
func ContainerObjID(n int) string { return "OBJ-c" + strconv.Itoa(n) }

// ContainerMDID is the techMD with its containerMD.
func ContainerMDID(n int) string { return "CMD-c" + strconv.Itoa(n) }

// ContainerEventID is the digiprovMD with its validation event.
func ContainerEventID(n int) string { return "EVT-val-c" + strconv.Itoa(n) }

// VirusEventID is the digiprovMD with its virus check.
func VirusEventID(n int) string { return "EVT-vir-c" + strconv.Itoa(n) }

// ContainerFileID is its file in the fileSec.
func ContainerFileID(n int) string { return "FILE-c" + strconv.Itoa(n) }

// SourceObjID is the techMD with the premis:object of what container n was made of.
func SourceObjID(n int) string { return "OBJ-src-c" + strconv.Itoa(n) }

// MigrationEventID is the digiprovMD with the event in which container n was made.
func MigrationEventID(n int) string { return "EVT-mig-c" + strconv.Itoa(n) }

// HarvestEventID is the digiprovMD with the capture of harvest n, counted from 1 in the order of
// the structMap.
func HarvestEventID(n int) string {
	if n == 1 {
		return CaptureEventID
	}
	return CaptureEventID + "-" + strconv.Itoa(n)
}

// SignatureEventID is the digiprovMD with the check of what came signed, or with hashes, as harvest
// n.
func SignatureEventID(n int) string { return "EVT-signature-" + strconv.Itoa(n) }

// HarvestDmdID is the dmdSec with what curators said of harvest n.
func HarvestDmdID(n int) string { return "DMD-harvest-" + strconv.Itoa(n) }

// WorkDmdID is the dmdSec with the notes that people made in the course of their work on harvest n.
func WorkDmdID(n int) string { return "DMD-work-" + strconv.Itoa(n) }

// RestrictionIDPrefix begins the IDs of the rightsMD that say why files must not be shown to
// everyone.
const RestrictionIDPrefix = "RGT-restricted-"

// RestrictionID is the rightsMD of restriction n.
func RestrictionID(n int) string { return RestrictionIDPrefix + strconv.Itoa(n) }

// RightsID is the rightsMD of statement n of who may do what.
func RightsID(n int) string { return "RGT-" + strconv.Itoa(n) }

// OriginalFileID is file n of the originals.
func OriginalFileID(n int) string { return "FILE-o" + strconv.Itoa(n) }

// LogFileID is file n of the other files.
func LogFileID(n int) string { return "FILE-l" + strconv.Itoa(n) }

// DocumentFileID is file n of the documentation.
func DocumentFileID(n int) string { return "FILE-d" + strconv.Itoa(n) }

// IndexFileID is the capture lines of container n.
func IndexFileID(n int) string { return "FILE-i" + strconv.Itoa(n) }

// SheetDmdID is the dmdSec of the row of a sheet that has that number there.
func SheetDmdID(row int) string { return "DMD-sheet-" + strconv.Itoa(row) }

// IsSheetDmd reports whether an ID is that of a row of a sheet.
func IsSheetDmd(id string) bool {
	_, ok := NumberOf(id, SheetDmdID)
	return ok
}

// The IDs of what the profiles full and linked have for the records of container n: order counts
// them from 1, in the order of the container (clause 2.8).

// MemberFileID is the gzip member, or the zstd frame, that a record lies in.
func MemberFileID(n int, order int64) string { return partID("FILE-c", n, "-m", order) }

// RecordFileID is a record: header, block and what stands behind it.
func RecordFileID(n int, order int64) string { return partID("FILE-c", n, "-r", order) }

// BodyFileID is the body of a record, as it was sent.
func BodyFileID(n int, order int64) string { return partID("FILE-c", n, "-b", order) }

// ServedFileID is the same as it would be served.
func ServedFileID(n int, order int64) string { return partID("FILE-c", n, "-s", order) }

// BodyObjID is the techMD with the premis:object of both.
func BodyObjID(n int, order int64) string { return partID("OBJ-c", n, "-b", order) }

// PageDmdID is the dmdSec with what the page in a record declares of itself.
func PageDmdID(n int, order int64) string { return partID("DMD-page-c", n, "-b", order) }

// TransformedFileID is container n in the group of what was transformed.
func TransformedFileID(n int) string { return ContainerFileID(n) + "-transformed" }

// ViralFileID is container n in the group of what is infected.
func ViralFileID(n int) string { return ContainerFileID(n) + "-viral" }

// CleanedFileID is container n in the group of what a program made of something infected.
func CleanedFileID(n int) string { return ContainerFileID(n) + "-cleaned" }

// CleanEventID is the digiprovMD with the cleaning of all that was infected.
const CleanEventID = "EVT-clean"

// partID joins the parts of an ID. There are five for each record.
func partID(kind string, n int, part string, order int64) string {
	id := make([]byte, 0, 32)
	id = strconv.AppendInt(append(id, kind...), int64(n), 10)
	return string(strconv.AppendInt(append(id, part...), order, 10))
}

// DedupEventID is the digiprovMD with the deduplication of container n.
func DedupEventID(n int) string { return "EVT-dedup-c" + strconv.Itoa(n) }

// The IDs of what a migration adds beside these, as container n (clause 2.16).

// ContainerDigestEventID is the digiprovMD with the computing of the container's digest, where it
// was added later.
func ContainerDigestEventID(n int) string { return "EVT-digest-c" + strconv.Itoa(n) }

// ContainerFixityEventID is the check of what was there before.
func ContainerFixityEventID(n int) string { return "EVT-fixity-c" + strconv.Itoa(n) }

// ContainerFormatEventID is the identification of formats.
func ContainerFormatEventID(n int) string { return "EVT-format-c" + strconv.Itoa(n) }

// FailedMigrationEventID is conversion k, counted from 1, of those that failed.
func FailedMigrationEventID(n, k int) string { return MigrationEventID(n) + "-f" + strconv.Itoa(k) }

// ContainerAgentID is an agent of the migration.
func ContainerAgentID(n int, role string) string {
	return AgentIDPrefix + "c" + strconv.Itoa(n) + "-" + role
}

// NumberOf returns the n for which of(n) is an ID: of "OBJ-c3", 3 for [ContainerObjID].
func NumberOf(id string, of func(n int) string) (int, bool) {
	digits, ok := strings.CutPrefix(id, strings.TrimSuffix(of(0), "0"))
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(digits)
	return n, err == nil && n > 0 && of(n) == id
}

// PartOf returns the container and the record for which of is an ID: of "OBJ-c3-b7", 3 and 7 for
// [BodyObjID].
func PartOf(id string, of func(n int, order int64) string) (n int, order int64, ok bool) {
	kind, part, _ := strings.Cut(strings.TrimSuffix(of(0, 0), "0"), "0")
	rest, ok := strings.CutPrefix(id, kind)
	if !ok {
		return 0, 0, false
	}
	a, b, _ := strings.Cut(rest, part)
	n, err := strconv.Atoi(a)
	if err != nil {
		return 0, 0, false
	}
	order, err = strconv.ParseInt(b, 10, 64)
	return n, order, err == nil && n > 0 && order > 0 && of(n, order) == id
}
