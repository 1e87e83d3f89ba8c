package folder

import "strconv"

// Profile is mets/@PROFILE of the packages this package knows (clause 2.1).
const Profile = "Quire web-archive package 1.0"

// Type is mets/@TYPE (clause 2.1).
const Type = "Web archives"

// The names in a package folder (clause 1).
const (
	METSName      = "mets.xml"
	DigestName    = "mets.xml.sha512"
	ContainersDir = "containers"
	OriginalsDir  = "original"
	LogsDir       = "logs"
)

// The file groups, fileGrp/@USE (clause 2.6).
const (
	UseContainers = "DigitalManifestation"
	UseOriginals  = "Original"
	UseLogs       = "Logfile"
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
	AgentIDPrefix  = "AGT-"
)

// The IDs of what a METS has for container n, counted from 1 in the order of the fileSec (clauses 2.5 and 2.6).

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

// HarvestEventID is the digiprovMD with the capture of harvest n, counted from 1 in the order of the structMap.
func HarvestEventID(n int) string {
	if n == 1 {
		return CaptureEventID
	}
	return CaptureEventID + "-" + strconv.Itoa(n)
}

// SignatureEventID is the digiprovMD with the check of what came signed, or with hashes, as harvest n.
func SignatureEventID(n int) string { return "EVT-signature-" + strconv.Itoa(n) }

// RestrictionID is the rightsMD of restriction n.
func RestrictionID(n int) string { return "RGT-restricted-" + strconv.Itoa(n) }

// OriginalFileID is file n of the originals.
func OriginalFileID(n int) string { return "FILE-o" + strconv.Itoa(n) }

// LogFileID is file n of the other files.
func LogFileID(n int) string { return "FILE-l" + strconv.Itoa(n) }

// DigestLine gives the content of mets.xml.sha512 for the SHA-512 of mets.xml, in lower-case hexadecimal (clause 1.2).
func DigestLine(sum string) []byte { return []byte(sum + "  " + METSName + "\n") }
