package aip

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strconv"
	"strings"

	"quire/internal/portable"
)

// The endings of the files that describe containers.
const (
	indexEnding = ".cdxj.gz"
	metsEnding  = ".mets.xml.gz"
)

// IndexOf returns the path of the CDXJ index of a container (clause 2.17). If the name is too long
// for the ending, a digest replaces its end.
func IndexOf(container string) string { return beside(container, IndexesDir, indexEnding) }

// ContainerMETSOf returns the path of the METS of the records of a container (clause 2.18). Long
// names are cut as by [IndexOf].
func ContainerMETSOf(container string) string {
	return beside(container, METSDir+"/"+ContainersDir, metsEnding)
}

// PagesMETSOf returns the path of the METS of the pages of harvest n (clause 2.18); 0 is for pages
// outside any harvest.
func PagesMETSOf(n int) string {
	return METSDir + "/pages/harvest-" + strconv.Itoa(n) + metsEnding
}

// beside returns the path of a container's file in another folder, with an ending.
func beside(container, folder, ending string) string {
	dir, name := path.Split(strings.TrimPrefix(container, ContainersDir+"/"))
	if len(name)+len(ending) > portable.Longest {
		sum := sha256.Sum256([]byte(name))
		name = strings.ToValidUTF8(name[:portable.Longest-len(ending)-17], "") + "-" + hex.EncodeToString(sum[:8])
	}
	return path.Join(folder, dir, name+ending)
}

// Relative returns the path from the folder of one file of the package to another file, for
// references between METS documents: a URL in METS is relative to its document.
func Relative(from, to string) string {
	for {
		folder, rest, ok := strings.Cut(from, "/")
		if !ok || !strings.HasPrefix(to, folder+"/") {
			return strings.Repeat("../", strings.Count(from, "/")) + to
		}
		from, to = rest, to[len(folder)+1:]
	}
}

// resolveFrom returns the path within the package that a relative path in a document names, or ""
// if it leads out of the package.
func resolveFrom(document, relative string) string {
	depth := strings.Count(document, "/")
	dir := path.Dir(document)
	for strings.HasPrefix(relative, "../") {
		if depth == 0 {
			return ""
		}
		relative, dir, depth = relative[3:], path.Dir(dir), depth-1
	}
	if dir == "." {
		return relative
	}
	return dir + "/" + relative
}
