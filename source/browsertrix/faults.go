package browsertrix

import (
	"quire/format/fault"
	"quire/format/wacz"
	"quire/model"
)

// The findings of this reader, beside those of format/wacz.
const (
	findLine       = "LOG-LINE"               // a line that cannot be read
	findSignature  = "WACZ-SIGNATURE"         // a step of the verification failed
	findSigned     = "WACZ-SIGNED"            // it is signed: by whom, and what of that was checked
	findUntrusted  = "WACZ-UNTRUSTED"         // it is signed, and nobody says whom to trust
	findCompressed = "WACZ-COMPRESSED"        // a container is compressed once more by the zip
	findProfile    = "BROWSERTRIX-PROFILE"    // it was made with a browser profile
	findUnfinished = "BROWSERTRIX-UNFINISHED" // the log does not say how the crawl ended
	findRequires   = "WACZ-REQUIRES"          // it depends on other packages
	findConfig     = "BROWSERTRIX-CONFIG"     // a configuration that cannot be read
	findPageInfo   = "BROWSERTRIX-PAGEINFO"   // a record about a page that cannot be read
	findMore       = "WACZ-MORE"              // more was found than is listed
)

// maxFindings bounds those of one code.
const maxFindings = 100

// severities are those of what the specification asks for. What is missing or otherwise is a
// warning unless content is misstated.
var severities = map[fault.Code]model.Severity{
	wacz.FaultProfile: model.Info, wacz.FaultMissing: model.Error, wacz.FaultHash: model.Error,
	wacz.FaultDigestHash: model.Error, wacz.FaultUnreadable: model.Error,
}

func severityOf(c fault.Code) model.Severity {
	if s, ok := severities[c]; ok {
		return s
	}
	return model.Warning
}
