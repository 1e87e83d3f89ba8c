package wacz

import "quire/format/fault"

// What the specification asks for, and a package may lack.
const (
	FaultNoPackage   fault.Code = "WACZ-DATAPACKAGE-MISSING" // no datapackage.json
	FaultPackage     fault.Code = "WACZ-DATAPACKAGE"         // datapackage.json is not what it should be
	FaultProfile     fault.Code = "WACZ-PROFILE"             // profile is missing, or none that is known
	FaultResource    fault.Code = "WACZ-RESOURCE"            // a resource is not described as it should be
	FaultMissing     fault.Code = "WACZ-RESOURCE-MISSING"    // a resource that is listed is not there
	FaultHash        fault.Code = "WACZ-RESOURCE-HASH"       // a resource has another hash than is stated
	FaultSize        fault.Code = "WACZ-RESOURCE-SIZE"       // a resource has another size than is stated
	FaultUnlisted    fault.Code = "WACZ-UNLISTED"            // a file is there and not listed
	FaultDigest      fault.Code = "WACZ-DIGEST"              // datapackage-digest.json is not what it should be
	FaultDigestHash  fault.Code = "WACZ-DIGEST-HASH"         // datapackage.json has another hash than is stated
	FaultPages       fault.Code = "WACZ-PAGES"               // a line of a list of pages cannot be read
	FaultNoPages     fault.Code = "WACZ-PAGES-MISSING"       // no pages/pages.jsonl
	FaultUnreadable  fault.Code = "WACZ-UNREADABLE"          // a file cannot be read to its end
	FaultNoIndex     fault.Code = "WACZ-INDEX-MISSING"       // no index
	FaultNoContainer fault.Code = "WACZ-ARCHIVE-MISSING"     // no WARC
)
