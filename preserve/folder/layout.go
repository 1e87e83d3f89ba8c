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
	LogsDir       = "logs"
)

// The file groups, fileGrp/@USE (clause 2.6).
const (
	UseContainers = "DigitalManifestation"
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

// ContainerFileID is its file in the fileSec.
func ContainerFileID(n int) string { return "FILE-c" + strconv.Itoa(n) }

// LogFileID is file n of the other files.
func LogFileID(n int) string { return "FILE-l" + strconv.Itoa(n) }

// DigestLine gives the content of mets.xml.sha512 for the SHA-512 of mets.xml, in lower-case hexadecimal (clause 1.2).
func DigestLine(sum string) []byte { return []byte(sum + "  " + METSName + "\n") }
