package heritrix

import (
	"fmt"
	"path"
	"strings"

	"quire/model"
	"quire/source/internal/facts"
)

// The limit for the files with originals of duplicates: a broad crawl of a nation refers to some
// thousand.
const (
	maxForeign     = 1 << 16
	maxForeignName = 512 // bytes
)

// duplicates counts the log's references to content that was not stored again, by the container
// that has this content.
type duplicates struct {
	counts map[string]int64
	names  []string // in the order found
	more   int64    // lines about files above the limit
}

func (d *duplicates) add(p *model.Place) {
	if p == nil {
		return
	}
	if _, known := d.counts[p.Container]; !known {
		if len(d.names) == maxForeign || len(p.Container) > maxForeignName {
			d.more++
			return
		}
		if d.counts == nil {
			d.counts = map[string]int64{}
		}
		d.names = append(d.names, strings.Clone(p.Container))
	}
	d.counts[p.Container]++
}

// addFacts records the files that belong to other harvests.
func (d *duplicates) addFacts(f *facts.Facts, log string) {
	own := map[string]bool{}
	for _, file := range f.About.Files {
		if file.Role == model.RoleContainer {
			own[withoutGzip(file.Path)] = true
		}
	}
	var lines int64
	for _, name := range d.names {
		if !own[withoutGzip(name)] {
			f.About.Foreign = append(f.About.Foreign, model.ForeignFile{Name: name, Duplicates: d.counts[name]})
			lines += d.counts[name]
		}
	}
	if len(f.About.Foreign) > 0 {
		f.Note("foreign files", fmt.Sprintf("%d duplicates lie in %d containers that are not of this harvest", lines,
			len(f.About.Foreign)), "annotations in "+log)
	}
	if d.more > 0 {
		f.Find(CodeLarge, model.Warning, "", 0, "%s: %d more lines refer to further files with originals "+
			"of duplicates", log,
			d.more)
	}
}

// withoutGzip returns the name of a container without ".gz".
func withoutGzip(p string) string { return strings.TrimSuffix(path.Base(p), ".gz") }
