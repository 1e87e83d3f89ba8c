package wacz

import "quire/format/fault"

// Requirements of the specification that a package can break.
const (
	FaultNoPackage   fault.Code = "WACZ-DATAPACKAGE-MISSING" // datapackage.json is missing
	FaultPackage     fault.Code = "WACZ-DATAPACKAGE"         // datapackage.json is invalid
	FaultProfile     fault.Code = "WACZ-PROFILE"             // the profile is missing or unknown
	FaultResource    fault.Code = "WACZ-RESOURCE"            // the description of a resource is invalid
	FaultMissing     fault.Code = "WACZ-RESOURCE-MISSING"    // a listed resource is missing
	FaultHash        fault.Code = "WACZ-RESOURCE-HASH"       // a resource's hash differs from the stated one
	FaultSize        fault.Code = "WACZ-RESOURCE-SIZE"       // a resource's size differs from the stated one
	FaultUnlisted    fault.Code = "WACZ-UNLISTED"            // a file is not listed
	FaultDigest      fault.Code = "WACZ-DIGEST"              // datapackage-digest.json is invalid
	FaultDigestHash  fault.Code = "WACZ-DIGEST-HASH"         // datapackage.json has another hash than stated
	FaultPages       fault.Code = "WACZ-PAGES"               // a line of a page list cannot be read
	FaultNoPages     fault.Code = "WACZ-PAGES-MISSING"       // no pages/pages.jsonl
	FaultUnreadable  fault.Code = "WACZ-UNREADABLE"          // a file cannot be read to its end
	FaultNoIndex     fault.Code = "WACZ-INDEX-MISSING"       // no index
	FaultNoContainer fault.Code = "WACZ-ARCHIVE-MISSING"     // no WARC
)
