package browsertrix

import (
	"quire/format/fault"
	"quire/format/wacz"
	"quire/model"
)

// Codes of the findings of this reader. The reader also reports the findings of format/wacz.
const (
	findLine       = "LOG-LINE"               // an unreadable line
	findSignature  = "WACZ-SIGNATURE"         // a step of the verification failed
	findSigned     = "WACZ-SIGNED"            // signed: by this signer, with these checks
	findUntrusted  = "WACZ-UNTRUSTED"         // signed, but no trusted roots were named
	findCompressed = "WACZ-COMPRESSED"        // the zip compresses a container a second time
	findProfile    = "BROWSERTRIX-PROFILE"    // made with a browser profile
	findUnfinished = "BROWSERTRIX-UNFINISHED" // the log does not state how the crawl ended
	findRequires   = "WACZ-REQUIRES"          // it depends on other packages
	findConfig     = "BROWSERTRIX-CONFIG"     // an unreadable configuration
	findPageInfo   = "BROWSERTRIX-PAGEINFO"   // an unreadable record about a page
	findMore       = "WACZ-MORE"              // more findings than are listed
)

// maxFindings bounds the findings of one code.
const maxFindings = 100

// severities are the severities of violations of the specification. A missing or different part is
// a warning unless content is misstated.
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
