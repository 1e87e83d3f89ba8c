package pack

import (
	"time"

	"quire/model"
	"quire/preserve/convert"
)

// packed is what is remembered of a file that is in the package. It waits in a spool: METS wants it
// several times over, in different orders, and a package may have tens of thousands of containers
// with a long list of hosts each.
type packed struct {
	N          int // from 1 within its group, in the order of the fileSec
	Group      group
	Harvest    int    // from 1; 0 of what belongs to none
	Dest       string // path within the package
	Name       string // path in the source, as found
	Size       int64
	SHA512     string
	Done       time.Time        // when it had been read
	Container  *model.Container // nil for other files
	Role       model.Role
	Contents   gathered // of a container: its records, as far as the METS tells them
	Restricted string   // why it must not be shown to everyone
	Made       *made    // of a container that was made by normalizing; nil when it is as received
	Cleaned    bool     // a container of what a program made of infected bytestreams
	SourceOf   int      // the N of the container that was made of this original; 0 when none was
	Lines      lines    // of a container: the file of its capture lines
}

// made says what a container was made of.
type made struct {
	Of     string // path in the source
	When   time.Time
	ARC    *convert.Converted // of an ARC
	Proof  *convert.Proof
	Mirror *convert.MirrorResult // of a mirror
	Kept   bool                  // the original is in the package
}
