package pandas

import (
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"quire/internal/archivefs"
)

// key identifies an instance: the persistent identifier of the title, and the gather date on the
// server's clock.
type key struct{ pi, date string }

func (k key) String() string { return k.pi + "/" + k.date }

var (
	// "ps-ar2-13982-20030403-0900.tgz", and the files beside it
	named    = regexp.MustCompile(`^(ps|ac|mi)-ar\d+-(\d+)-(\d{8}(?:-\d{4})?)\.(tgz|tar\.gz|tar|lst|sz|md5)$`)
	converts = regexp.MustCompile(`^nla\.arc-(\d+)-(\d{8}(?:-\d{4})?)-\d+\.w?arc(?:\.gz)?$`)
	ofPI     = regexp.MustCompile(`^\d+$`)
	ofDate   = regexp.MustCompile(`^\d{8}(?:-\d{4})?$`)
	// "/pandas/working/13982/20030403" in the arguments of HTTrack
	working = regexp.MustCompile(`/(\d+)/(\d{8}(?:-\d{4})?)/?(?:["'\s,]|$)`)
)

// kind is the content of a tarball.
type kind string

const (
	preserve kind = "ps" // the mirror as gathered
	access   kind = "ac" // after changes by curators and programs
	mime     kind = "mi" // the media types for the server to declare
)

// isTar reports whether a name ending belongs to a tarball.
func isTar(ending string) bool { return ending == "tgz" || ending == "tar.gz" || ending == "tar" }

// ofPath reads the key from the last two parts of a path: …/13982/20030403-0900.
func ofPath(t *archivefs.Tree, dir string) (key, bool) {
	full := dir
	if strings.Count(dir, "/") == 0 {
		abs, err := filepath.Abs(t.Path())
		if err != nil {
			abs = t.Path()
		}
		full = path.Join(filepath.ToSlash(abs), dir)
	}
	k := key{path.Base(path.Dir(full)), path.Base(full)}
	return k, ofPI.MatchString(k.pi) && k.valid()
}

// valid reports whether the date is valid.
func (k key) valid() bool {
	_, err := k.time()
	return ofDate.MatchString(k.date) && err == nil
}

// time parses the date as UTC. Without a time of day it is midnight.
func (k key) time() (time.Time, error) {
	if len(k.date) == len("20030403") {
		return time.Parse("20060102", k.date)
	}
	return time.Parse("20060102-1504", k.date)
}
