package mets

import "strings"

// kind is an element with children in a fixed order.
type kind string

const (
	kMets       kind = "mets"
	kAmdSec     kind = "amdSec"
	kFileSec    kind = "fileSec"
	kFileGrp    kind = "fileGrp"
	kFile       kind = "file"
	kStructMap  kind = "structMap"
	kDiv        kind = "div"
	kStructLink kind = "structLink"
)

// rule is the position of a child among the children of an element, and how often it may occur.
type rule struct {
	name string
	once bool
}

// The content model of METS 1.12.1, for the parts that this package writes and reads. fileGrp is a
// choice: groups or files, never both.
var (
	metsOrder = []rule{{"metsHdr", true}, {"dmdSec", false}, {"amdSec", false}, {"fileSec", true}, {"structMap", false},
		{"structLink", true}, {"behaviorSec", false}}
	amdSecOrder  = []rule{{"techMD", false}, {"rightsMD", false}, {"sourceMD", false}, {"digiprovMD", false}}
	fileSecOrder = []rule{{"fileGrp", false}}
	fileGrpOrder = []rule{{"fileGrp", false}, {"file", false}}
	fileOrder    = []rule{{"FLocat", false}, {"FContent", true}, {"stream", false}, {"transformFile", false},
		{"file", false}}
	structMapOrder  = []rule{{"div", true}}
	divOrder        = []rule{{"mptr", false}, {"fptr", false}, {"div", false}}
	structLinkOrder = []rule{{"smLink", false}, {"smLinkGrp", false}}
)

// order returns the order of the children.
func (k kind) order() []rule {
	switch k {
	case kMets:
		return metsOrder
	case kAmdSec:
		return amdSecOrder
	case kFileSec:
		return fileSecOrder
	case kFileGrp:
		return fileGrpOrder
	case kFile:
		return fileOrder
	case kStructMap:
		return structMapOrder
	case kDiv:
		return divOrder
	case kStructLink:
		return structLinkOrder
	}
	return nil
}

// level is an open element with the state of its children.
type level struct {
	kind  kind
	rules []rule
	at    int // index of the last child's rule, plus one; 0 without children
}

func newLevel(k kind) level { return level{kind: k, rules: k.order()} }

// admit notes that child comes next. It returns the error, or "".
func (l *level) admit(child string) string {
	for i, r := range l.rules {
		if r.name != child {
			continue
		}
		switch {
		case l.kind == kFileGrp && l.at != 0 && l.at != i+1:
			return "a fileGrp contains groups or files, not both"
		case l.kind == kStructLink: // a choice, in any order
		case i+1 < l.at:
			return child + " comes too late: the order in " + string(l.kind) + " is " + names(l.rules)
		case i+1 == l.at && r.once:
			return "second " + child + " in " + string(l.kind)
		}
		l.at = i + 1
		return ""
	}
	return child + " does not belong in " + string(l.kind)
}

// missing returns the missing part of the element at its end, or "".
func (l *level) missing() string {
	switch l.kind {
	case kMets:
		if l.at < 5 { // rules up to and including structMap
			return "a METS document needs a structMap"
		}
	case kFileSec:
		if l.at == 0 {
			return "fileSec needs a fileGrp"
		}
	case kStructMap:
		if l.at == 0 {
			return "structMap needs a div"
		}
	case kStructLink:
		if l.at == 0 {
			return "structLink needs a smLink"
		}
	}
	return ""
}

func names(rules []rule) string {
	all := make([]string, len(rules))
	for i, r := range rules {
		all[i] = r.name
	}
	return strings.Join(all, ", ")
}
