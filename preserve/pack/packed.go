package pack

import (
	"time"

	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/convert"
)

// packed is the data kept of a file in the package. It waits in a spool: the METS needs it several
// times, in different orders. A package may have tens of thousands of containers, each with a long
// list of hosts.
type packed struct {
	N          int // from 1 within its group, in the order of the fileSec
	Group      group
	Harvest    int    // from 1; 0 if it belongs to none
	Dest       string // path within the package
	Name       string // path in the source, as found
	Size       int64
	SHA512     string
	Done       time.Time        // when it was read
	Container  *model.Container // nil for other files
	Role       model.Role
	Contents   gathered       // of a container: its records, as far as the METS lists them
	Restricted string         // why it must be restricted
	Made       *normalization // of a container made by normalizing; nil if it is as received
	Cleaned    bool           // a container with cleaned bytestreams
	SourceOf   int            // N of the container made from this original; 0 if none
	Lines      aip.MadeFile   // of a container: its CDXJ index

	source string // path in the tree of its harvest; not kept
}

// transformed returns the number of pages of a mirror in which links were restored while the mirror
// became this container.
func (p *packed) transformed() int64 {
	if p.Made == nil || p.Made.Mirror == nil {
		return 0
	}
	return p.Made.Mirror.Transformed
}

// capturedIn returns the number of the harvest that captured the content; 0 for none. Cleaned content
// was not captured.
func (p *packed) capturedIn() int {
	if p.Cleaned {
		return 0
	}
	return p.Harvest
}

// normalization describes the source of a container.
type normalization struct {
	Of     string // path in the source
	When   time.Time
	ARC    *convert.Converted // of an ARC
	Proof  *convert.Proof
	Mirror *convert.MirrorResult // of a mirror
	Kept   bool                  // the original is in the package
}
