package archivefs

import (
	"context"
	"errors"
	"io/fs"

	"quire/format/fault"
)

// What is refused of a source.
const (
	FaultPath fault.Code = "SOURCE-PATH" // an absolute path, or one that leads out of the source
	FaultLink fault.Code = "SOURCE-LINK" // a symbolic or hard link, a device, a pipe
	FaultTwin fault.Code = "SOURCE-TWIN" // a path that is there more than once
	FaultBomb fault.Code = "SOURCE-BOMB" // inflates to more than it may, or lies about its size
	// the archive ends early or is damaged: what is listed is what was read before
	FaultTorn fault.Code = "SOURCE-TORN"
	FaultMore fault.Code = "SOURCE-REFUSED" // more was refused than is listed
)

// maxFaults bounds the list.
const maxFaults = 1000

// Damaged says whether an error is that of a file which the archive has damaged, rather than the
// machine's, or that of somebody who does not want more: such a file is told of, and the rest is
// read.
func Damaged(err error) bool {
	var machine *fs.PathError
	return err != nil && !errors.As(err, &machine) && !errors.Is(err, context.Canceled) &&
		!errors.Is(err, context.DeadlineExceeded)
}
