package httrack

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// HTTrack writes the state of an unfinished download beside its file, as "x.tmp" and
// "x.delayed.tmp": the memory of a structure, which begins with a number, the host and the path.
// It deletes them when it ends. So they are left of a run that broke off, and the files beside them
// have the beginning of a body.

// lock is the file that HTTrack deletes when it ends.
const lock = "hts-in_progress.lock"

// The fields of the structure in a .tmp file (htsbackground.h, lien_back; HTS_URLMAXSIZE is 1024).
const (
	sizeLength = 8 // of a number
	urlLength  = 2048
)

// stateOf returns the URL in the state of an unfinished download; ok is false for another file.
func (m *Mirror) stateOf(p string) (url string, ok bool) {
	if !strings.HasSuffix(p, ".tmp") {
		return "", false
	}
	b, err := m.beginning(p)
	if err != nil || len(b) < sizeLength+2*urlLength {
		return "", false
	}
	text := func(at int) string {
		s, _, _ := bytes.Cut(b[at:at+urlLength], []byte{0})
		return string(s)
	}
	host, file := text(sizeLength), text(sizeLength+urlLength)
	if host == "" || !strings.HasPrefix(file, "/") || strings.ContainsAny(host+file, " \r\n\t") {
		return "", false
	}
	url, _ = withScheme(host + file)
	top, _, _ := strings.Cut(m.within(p), "/")
	return url, hostFolder(url) == top
}

// assignUnfinished marks the states of unfinished downloads, and gives their URLs to the files
// beside them.
func (m *Mirror) assignUnfinished(paths []string) {
	for _, p := range paths {
		url, ok := m.stateOf(p)
		if !ok || m.byFile[p] != nil {
			continue
		}
		m.states[p] = true
		file := strings.TrimSuffix(p, ".tmp")
		if m.tree.Find(file) == nil || m.byFile[file] != nil {
			continue
		}
		if c := m.capture(url, true); c.File == "" && !c.Kept() {
			m.claim(c, file, BasisState)
			c.Partial = true
		}
	}
}

// leftovers are endings of files that HTTrack deletes or renames when a download ends.
var leftovers = []string{".delayed.tmp", ".delayed", ".readme"}

// isLeftover reports whether HTTrack left a file behind that is not content.
func (m *Mirror) isLeftover(p string) bool {
	return m.states[p] || slices.ContainsFunc(leftovers, func(e string) bool { return strings.HasSuffix(p, e) })
}

// numbered matches a name with the number that HTTrack puts there if the folder has another name
// that differs in case alone. A number that is there already is increased.
var numbered = regexp.MustCompile(`^(.*)-(\d{1,9})(\.[^.]*)?$`)

// isRenamed reports whether HTTrack may have made the name of a file because of another name: without
// its number, or with the number before, it differs from that of another file in case alone.
func (m *Mirror) isRenamed(p string) bool {
	dir, name := path.Split(p)
	parts := numbered.FindStringSubmatch(name)
	if parts == nil {
		return false
	}
	n, err := strconv.Atoi(parts[2])
	if err != nil {
		return false
	}
	before := []string{fmt.Sprintf("%s%s-%d%s", dir, parts[1], n-1, parts[3])}
	if n == 2 {
		before = append(before, dir+parts[1]+parts[3])
	}
	for _, b := range before {
		if slices.ContainsFunc(m.folded[strings.ToLower(b)], func(other string) bool { return other != b }) {
			return true
		}
	}
	return false
}

// hashed matches the four digits that HTTrack puts into a name for a query.
var hashed = regexp.MustCompile(`[0-9a-f]{4}\.[a-z0-9]+$`)
