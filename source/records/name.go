package records

import (
	"bytes"
	"path"
	"regexp"

	"quire/format/arc"
	"quire/format/inflate"
	"quire/format/warc"
)

// containerName is how the names of containers end, also while a crawler still writes them, or when
// writing failed.
var containerName = regexp.MustCompile(`(?i)\.w?arc(\.gz|\.zst)?(\.open|\.invalid)?$`)

// NamedContainer says whether a file has the name of a container, and whether the name tells that
// the crawler did not finish it.
func NamedContainer(name string) (is, unfinished bool) {
	m := containerName.FindStringSubmatch(name)
	return m != nil, m != nil && m[2] != ""
}

// Stem is the name of a container without its folder and the endings that say what it is.
func Stem(name string) string {
	base := path.Base(name)
	return base[:len(base)-len(containerName.FindString(base))]
}

// Window is how much of a file is enough to say whether it is a container, in bytes.
const Window = sniffed

// Begins says what a file is that begins so, as it is stored. Only what begins with a record is a
// container: in the folder of a crawl lie its logs, its CDX files, and packages, whose lines look
// like the headers of ARC records or which hold whole WARC files. A file in which something else
// comes before the first record is known by its name.
func Begins(head []byte) Format {
	in := inflate.NewReader(bytes.NewReader(head), inflate.Options{})
	b, _ := in.Peek(Window) // the window may cut a member off
	_ = in.Close()          // it held memory alone
	b = bytes.TrimLeft(b, "\r\n")
	switch {
	case warc.Index(b) == 0:
		return WARC
	case bytes.HasPrefix(b, []byte("filedesc://")) && arc.Sniff(b):
		return ARC
	}
	return None
}
