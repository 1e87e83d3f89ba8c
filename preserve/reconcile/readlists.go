package reconcile

import (
	"errors"
	"path"
	"strconv"
	"strings"

	"quire/internal/lines"
	"quire/model"
)

// shelve adds the existing containers to the shelf.
func (r *run) shelve() error {
	for _, f := range r.files(model.RoleContainer) {
		r.shelf.add(f.Path, f.Size)
	}
	return nil
}

// readLists reads the lists of expected containers: in documents (a METS), the crawler's manifest,
// NetarchiveSuite's report of archive files. A gap in the numbers of the containers is also treated
// as a list.
func (r *run) readLists() error {
	counts := map[string]int64{}
	for i := range r.about.Expected {
		e := &r.about.Expected[i]
		if name := path.Base(strings.ReplaceAll(e.Name, `\`, "/")); IsContainerName(name) {
			by := e.Source
			if _, document, ok := strings.Cut(by, " of "); ok { // "file 3 of METS-622593.xml"
				by = document
			}
			counts[by]++
			r.list(name, listing{by: by, size: e.Size, algorithm: string(e.Digest.Algorithm), digest: e.Digest.Value})
		}
	}
	for by, n := range counts {
		r.out.Witnesses.Lists = append(r.out.Witnesses.Lists, List{by, n})
	}
	for i := range r.about.Files {
		f := &r.about.Files[i]
		var read func(line string) (name string, size int64)
		switch path.Base(f.Path) {
		case "crawl-manifest.txt":
			read = manifestLine
		case "arcfiles-report.txt", "archivefiles-report.txt":
			if r.isExpected(path.Base(f.Path)) { // already read by the source
				continue
			}
			read = archiveLine
		default:
			continue
		}
		n := int64(0)
		err := r.lines(f, func(line string) error {
			if name, size := read(line); IsContainerName(name) {
				n++
				r.list(name, listing{by: f.Path, size: size})
			}
			return nil
		})
		if err != nil {
			return err
		}
		if n > 0 {
			r.out.Witnesses.Lists = append(r.out.Witnesses.Lists, List{f.Path, n})
		}
	}
	r.listGaps()
	return nil
}

// isExpected reports whether the expected files come from a document of that name.
func (r *run) isExpected(document string) bool {
	for i := range r.about.Expected {
		if strings.Contains(r.about.Expected[i].Source, document) {
			return true
		}
	}
	return false
}

func (r *run) list(name string, l listing) {
	id := r.shelf.find(name)
	if id < 0 {
		return
	}
	c := r.shelf.all[id]
	if len(c.listings) < maxListings {
		c.listings = append(c.listings, l)
	}
}

// maxListings limits the lists stored per container.
const maxListings = 16

// manifestLine parses a line of crawl-manifest.txt: two letters, and a path on the crawler's
// machine.
func manifestLine(line string) (name string, size int64) {
	kind, listed, _ := strings.Cut(line, " ")
	if len(kind) != 2 {
		return "", -1
	}
	return path.Base(strings.ReplaceAll(strings.TrimSpace(listed), `\`, "/")), -1
}

// archiveLine parses a line of the report of archive files: name, opened, closed, size; newer
// versions omit "opened".
func archiveLine(line string) (name string, size int64) {
	words := strings.Fields(line)
	if len(words) < 2 || strings.HasPrefix(words[0], "[") {
		return "", -1
	}
	size, err := strconv.ParseInt(words[len(words)-1], 10, 64)
	if err != nil || size < 0 {
		size = -1
	}
	return path.Base(words[0]), size
}

// IsContainerName reports whether a file has the name of an ARC or WARC file.
func IsContainerName(name string) bool {
	_, is := stem(bareName(name))
	return is
}

// lines visits the lines of a text, up to a limit.
func (r *run) lines(f *model.SourceFile, visit func(line string) error) (err error) {
	in, err := r.reading(f)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	l := lines.NewReader(in)
	for l.Scan() {
		if err := visit(string(l.Text)); err != nil {
			return err
		}
	}
	return l.Err()
}

// serial is a parsed container name of Heritrix: prefix-time-serial-machine. The crawler numbers
// its containers.
type serial struct {
	prefix, machine string
	width           int
}

// serialOf finds the number in a name: five digits after a time of 14 or 17 digits.
func serialOf(bare string) (s serial, n int, ok bool) {
	name, is := stem(bare)
	if !is {
		return s, 0, false
	}
	parts := strings.Split(name, "-")
	for i := 1; i < len(parts); i++ {
		before, p := parts[i-1], parts[i]
		if (len(before) == 14 || len(before) == 17) && len(p) == 5 && isDigits(before) && isDigits(p) {
			n, err := strconv.Atoi(p)
			return serial{strings.Join(parts[:i-1], "-"), strings.Join(parts[i+1:], "-"), len(p)}, n, err == nil
		}
	}
	return s, 0, false
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// maxGap limits the missing containers in one gap: a larger gap means another crawl.
const maxGap = 1000

// gapList replaces the name of a list for a missing number.
const gapList = "the numbers of the containers"

// listGaps finds the missing numbers between the first and the last container of a crawl.
func (r *run) listGaps() {
	seen := map[serial]map[int]bool{}
	for _, c := range r.shelf.all {
		if s, n, ok := serialOf(bareName(c.name)); ok {
			if seen[s] == nil {
				seen[s] = map[int]bool{}
			}
			seen[s][n] = true
		}
	}
	for s, numbers := range seen {
		first, last := 1<<30, 0
		for n := range numbers {
			first, last = min(first, n), max(last, n)
		}
		for n := first + 1; n < last && last-first-len(numbers) < maxGap; n++ {
			if !numbers[n] {
				r.list(gapName(s, n), listing{by: gapList, size: -1})
			}
		}
	}
}

// gapName returns the known parts of a missing container's name.
func gapName(s serial, n int) string {
	digits := strconv.Itoa(n)
	digits = strings.Repeat("0", max(0, s.width-len(digits))) + digits
	name := s.prefix + "-(time)-" + digits
	if s.machine != "" {
		name += "-" + s.machine
	}
	return name + ".warc"
}
