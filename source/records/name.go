package records

import (
	"bytes"
	"path"
	"regexp"

	"quire/format/arc"
	"quire/format/inflate"
	"quire/format/warc"
)

// containerName matches names of containers, including those that a crawler is still writing or
// failed to write.
var containerName = regexp.MustCompile(`(?i)\.w?arc(\.gz|\.zst)?(\.open|\.invalid)?$`)

// NamedContainer reports whether a file has the name of a container, and whether the name marks it
// as unfinished.
func NamedContainer(name string) (is, unfinished bool) {
	m := containerName.FindStringSubmatch(name)
	return m != nil, m != nil && m[2] != ""
}

// Stem returns the name of a container without its folder and endings.
func Stem(name string) string {
	base := path.Base(name)
	return base[:len(base)-len(containerName.FindString(base))]
}

// Window is the number of bytes that suffices to recognise a container.
const Window = sniffed

// Begins returns the format of a file with this stored beginning. Only a file that begins with a
// record is a container. A crawl's folder also has logs and CDX files with lines like ARC headers,
// and packages that contain whole WARC files. A container with other bytes before its first record
// is recognised by its name.
func Begins(head []byte) Format {
	in := inflate.NewReader(bytes.NewReader(head), inflate.Options{})
	b, _ := in.Peek(Window) // the window may truncate a member
	_ = in.Close()          // it used only memory
	b = bytes.TrimLeft(b, "\r\n")
	switch {
	case warc.Index(b) == 0:
		return WARC
	case bytes.HasPrefix(b, []byte("filedesc://")) && arc.Sniff(b):
		return ARC
	}
	return None
}
