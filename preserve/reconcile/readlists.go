package reconcile

import (
	"errors"
	"path"
	"strconv"
	"strings"

	"quire/internal/lines"
	"quire/model"
)

// shelve puts the containers on the shelf that are there.
func (r *run) shelve() error {
	for _, f := range r.files(model.RoleContainer) {
		r.shelf.add(f.Path, f.Size)
	}
	return nil
}

// readLists reads which containers there should be: what documents list (a METS), the crawler's
// manifest, the report of archive files of NetarchiveSuite. A gap in the numbers of the containers
// is such a list too.
func (r *run) readLists() error {
	counts := map[string]int64{}
	for i := range r.about.Expected {
		e := &r.about.Expected[i]
		if name := path.Base(strings.ReplaceAll(e.Name, `\`, "/")); isContainerName(name) {
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
			if r.isExpected(path.Base(f.Path)) { // the source has read it
				continue
			}
			read = archiveLine
		default:
			continue
		}
		n := int64(0)
		err := r.lines(f, func(line string) error {
			if name, size := read(line); isContainerName(name) {
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

// isExpected says whether the expected files come from a document of that name.
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

// maxListings bounds how many lists are remembered for a container.
const maxListings = 16

// manifestLine reads a line of crawl-manifest.txt: two letters, and a path on the crawler's
// machine.
func manifestLine(line string) (name string, size int64) {
	kind, listed, _ := strings.Cut(line, " ")
	if len(kind) != 2 {
		return "", -1
	}
	return path.Base(strings.ReplaceAll(strings.TrimSpace(listed), `\`, "/")), -1
}

// archiveLine reads a line of the report of archive files: name, opened, closed, size; newer ones
// leave "opened" out.
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

// isContainerName knows ARC and WARC files by name.
func isContainerName(name string) bool {
	_, is := stem(bareName(name))
	return is
}

// lines visits the lines of a text; of a long one, the beginning.
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

// serial takes the name of a container of Heritrix apart: prefix-time-serial-machine. The crawler
// counts its containers.
type serial struct {
	prefix, machine string
	width           int
}

// serialOf finds the number in a name: five digits, with a time of 14 or 17 digits before them.
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

// maxGap bounds how many containers are missed in one gap: more is no gap, but another crawl.
const maxGap = 1000

// gapList is what stands for a list where a number is left out.
const gapList = "the numbers of the containers"

// listGaps notices the numbers that are left out between the first and the last container of a
// crawl.
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

// gapName is what is known of the name of a container that is missed.
func gapName(s serial, n int) string {
	digits := strconv.Itoa(n)
	digits = strings.Repeat("0", max(0, s.width-len(digits))) + digits
	name := s.prefix + "-(time)-" + digits
	if s.machine != "" {
		name += "-" + s.machine
	}
	return name + ".warc"
}
