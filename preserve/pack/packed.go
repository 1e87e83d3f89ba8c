package pack

import (
	"time"

	"quire/model"
)

// packed is what is remembered of a file that is in the package. It waits in a spool: METS wants it several times over, in
// different orders, and a package may have tens of thousands of containers with a long list of hosts each.
type packed struct {
	N         int    // from 1 within its group, in the order of the fileSec
	Dest      string // path within the package
	Name      string // path in the source, as found
	Size      int64
	SHA512    string
	Done      time.Time        // when it had been read
	Container *model.Container // nil for other files
}
