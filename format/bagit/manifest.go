package bagit

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"fmt"
	"hash"
	"path"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// algorithms are the algorithms of the standard (2.4) and of the conformance suite.
var algorithms = map[string]func() hash.Hash{
	"md5": md5.New, "sha1": sha1.New, "sha224": sha256.New224, "sha256": sha256.New, "sha384": sha512.New384,
	"sha512": sha512.New,
}

// manifest is one manifest of the bag.
type manifest struct {
	name      string
	algorithm string
	tags      bool // it lists tag files
}

// manifestOf recognizes a manifest by its file name.
func manifestOf(name string) (m manifest, ok bool) {
	stem, isText := strings.CutSuffix(name, ".txt")
	algorithm, isManifest := strings.CutPrefix(stem, "manifest-")
	if !isManifest {
		algorithm, isManifest = strings.CutPrefix(stem, "tagmanifest-")
		m.tags = isManifest
	}
	m.name, m.algorithm = name, strings.ToLower(algorithm)
	return m, isText && isManifest && algorithm != ""
}

// list adds the lines of manifest n to the expected files.
func (v *validator) list(n int) error {
	m := &v.manifests[n]
	size := algorithms[m.algorithm]().Size()
	return v.eachLine(m.name, func(line string, number int64) error {
		if line == "" {
			return nil
		}
		sum, p, ok := cutSpace(line)
		sum = strings.ToLower(sum)
		raw, notHex := hex.DecodeString(sum)
		switch {
		case !ok || notHex != nil:
			v.fail(CodeLine, m.name, "line %d is not a digest and a path: %.100q", number, line)
			return nil //nolint:nilerr // it is told
		case len(raw) != size:
			v.fail(CodeLine, m.name, "line %d has a digest of a length that %s does not have: "+
				"%.100q", number, m.algorithm, line)
		}
		p, ok = v.within(m.name, fmt.Sprintf("line %d", number), p, !m.tags)
		if !ok {
			return nil
		}
		if m.tags && strings.HasPrefix(p, "tagmanifest-") && !strings.Contains(p, "/") {
			v.fail(CodeTagListed, m.name, "line %d lists %s: a tag manifest must not list tag manifests", number, p)
		}
		return v.add(p, fmt.Sprintf("%d %s", n, sum))
	})
}

// cutSpace splits a line at its first run of white space.
func cutSpace(line string) (first, rest string, ok bool) {
	i := strings.IndexAny(line, " \t")
	if i <= 0 {
		return line, "", false
	}
	rest = strings.TrimLeft(line[i:], " \t")
	return line[:i], rest, rest != ""
}

// within returns the cleaned path of a manifest or of fetch.txt. The path must be within the bag,
// and within the payload if data is set.
func (v *validator) within(file, where, p string, data bool) (string, bool) {
	if rest, ok := strings.CutPrefix(p, "*"); ok { // md5sum marks binary files so
		v.warn(CodePathForm, file, "%s: the path begins with an asterisk", where)
		p = rest
	}
	if rest, ok := strings.CutPrefix(p, "./"); ok {
		v.warn(CodePathForm, file, "%s: the path begins with ./", where)
		p = rest
	}
	p = decodePath(p, v.old)
	switch {
	case p == "", path.IsAbs(p), strings.HasPrefix(p, "~"), path.Clean(p) != p, p == ".", p == "..",
		strings.HasPrefix(p, "../"), strings.ContainsRune(p, 0),
		strings.HasPrefix(p, `\`), len(p) > 1 && p[1] == ':', strings.Contains(p, `..\`), strings.Contains(p, `\.`),
		strings.HasPrefix(p, "%"):
		v.fail(CodePath, file, "%s: %.200q is not a path within a bag", where, p)
		return "", false
	case data && !strings.HasPrefix(p, DataDir+"/"):
		v.fail(CodePath, file, "%s: %.200q is not in %s/", where, p, DataDir)
		return "", false
	case !data && strings.HasPrefix(p, DataDir+"/"):
		v.fail(CodePath, file, "%s: %.200q is in the payload; tag manifests list tag files only", where, p)
		return "", false
	}
	return p, true
}

// add notes one statement about a path: the manifest that lists it, or that the file exists. Names
// that differ only in their Unicode form share one entry.
func (v *validator) add(p, what string) error {
	return v.sorter.Add([]byte(norm.NFC.String(p)+"\x00"), []byte(what+"\x00"+p))
}

// fetch reads fetch.txt, the list of files that the bag does not have yet.
func (v *validator) fetch() error {
	return v.eachLine(FetchName, func(line string, n int64) error {
		if strings.TrimSpace(line) == "" {
			return nil
		}
		url, rest, ok := cutSpace(line)
		length, p, fits := cutSpace(rest)
		if _, err := strconv.ParseUint(length, 10, 63); !ok || !fits || url == "" || err != nil && length != "-" {
			v.fail(CodeLine, FetchName, "line %d is not a URL, a length and a path: %.100q", n, line)
			return nil
		}
		p, ok = v.within(FetchName, fmt.Sprintf("line %d", n), p, true)
		if !ok {
			return nil
		}
		return v.add(p, "fetch")
	})
}
