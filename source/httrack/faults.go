package httrack

import (
	"fmt"

	"quire/internal/archivefs"
	"quire/model"
	"quire/source/internal/secret"
)

// The findings of this reader.
const (
	findLine      = "LOG-LINE"                  // a line that cannot be read
	findCache     = "HTTRACK-CACHE"             // the cache is damaged, or says what cannot be
	findPath      = string(archivefs.FaultPath) // a place that leads out of the mirror
	findAmbiguous = "HTTRACK-AMBIGUOUS"         // a name that means two files
	findUnclaimed = "HTTRACK-UNCLAIMED"         // a file that no URL and no habit of HTTrack explains
	findShared    = "HTTRACK-SHARED-FILE"       // several URLs say that they are the same file
	findEnd       = "HTTRACK-UNFINISHED"        // the log does not say that the mirror was complete
	findSize      = "HTTRACK-SIZE"              // a file is not as large as cache or log say
	findMore      = "HTTRACK-MORE"              // more was found than is listed
)

// maxFindings bounds the list of a harvest: a hostile log could make one a line.
const maxFindings = 1000

// findings collects what is odd. Passwords are not repeated.
type findings struct{ list []model.Finding }

func (f *findings) add(code string, severity model.Severity, path string, offset int64, format string, args ...any) {
	switch {
	case len(f.list) < maxFindings:
		f.list = append(f.list, model.Finding{Code: code, Severity: severity, Path: path, Offset: offset,
			Message: secret.Conceal(fmt.Sprintf(format, args...))})
	case len(f.list) == maxFindings:
		f.list = append(f.list, model.Finding{Code: findMore, Severity: model.Info, Path: path,
			Message: "more was found than is listed"})
	}
}
