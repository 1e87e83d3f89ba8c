package httrack

import (
	"fmt"

	"quire/internal/archivefs"
	"quire/internal/secret"
	"quire/model"
)

// The findings of this reader.
const (
	findLine      = "LOG-LINE"                  // an unreadable line
	findCache     = "HTTRACK-CACHE"             // the cache is damaged, or inconsistent
	findPath      = string(archivefs.FaultPath) // a path that leads out of the mirror
	findAmbiguous = "HTTRACK-AMBIGUOUS"         // a name that means two files
	findUnclaimed = "HTTRACK-UNCLAIMED"         // a file that neither a URL nor a known behaviour of HTTrack explains
	findShared    = "HTTRACK-SHARED-FILE"       // several URLs with the same file
	findEnd       = "HTTRACK-UNFINISHED"        // the log does not state that the mirror was complete
	findSize      = "HTTRACK-SIZE"              // a file size that differs from the cache or log
	findMore      = "HTTRACK-MORE"              // more findings than are listed
)

// maxFindings bounds the findings of a harvest: a hostile log could cause one per line.
const maxFindings = 1000

// findings collects findings. Passwords are not repeated.
type findings struct{ list []model.Finding }

func (f *findings) add(code string, severity model.Severity, path string, offset int64, format string, args ...any) {
	switch {
	case len(f.list) < maxFindings:
		f.list = append(f.list, model.Finding{Code: code, Severity: severity, Path: path, Offset: offset,
			Message: secret.Conceal(fmt.Sprintf(format, args...))})
	case len(f.list) == maxFindings:
		f.list = append(f.list, model.Finding{Code: findMore, Severity: model.Info, Path: path,
			Message: "there are more findings than are listed"})
	}
}
