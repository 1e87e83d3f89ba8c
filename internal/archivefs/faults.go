package archivefs

import (
	"context"
	"errors"
	"io/fs"

	"quire/format/fault"
)

// The reasons to refuse entries of a source.
const (
	FaultPath fault.Code = "SOURCE-PATH" // an absolute path, or one that leads out of the source
	FaultLink fault.Code = "SOURCE-LINK" // a symbolic or hard link, a device, a pipe
	// a symbolic link to a place in the source itself: nothing is missing
	FaultAlias fault.Code = "SOURCE-ALIAS"
	FaultTwin  fault.Code = "SOURCE-TWIN" // a path that occurs more than once
	FaultBomb  fault.Code = "SOURCE-BOMB" // inflates to more than allowed, or states a wrong size
	// the archive ends early or is damaged: only the files before that are listed
	FaultTorn fault.Code = "SOURCE-TORN"
	FaultMore fault.Code = "SOURCE-REFUSED" // more entries were refused than are listed
)

// maxFaults bounds the list.
const maxFaults = 1000

// Damaged reports whether an error comes from damage to a file in the archive. Errors of the
// machine, or of a caller that stops, are not damage. A damaged file is reported, and the other
// files are read.
func Damaged(err error) bool {
	var machine *fs.PathError
	return err != nil && !errors.As(err, &machine) && !errors.Is(err, context.Canceled) &&
		!errors.Is(err, context.DeadlineExceeded)
}
