package detect

import (
	"maps"
	"path"
	"path/filepath"
	"slices"

	"quire/model"
	"quire/source/records"
)

// CodeDownload is the code of a finding about a container within a website: no file shows whether
// it is a harvest, or was offered for download.
const CodeDownload = "SOURCE-DOWNLOAD"

// maxDownloads bounds the findings about such containers in one source.
const maxDownloads = 100

// minSite is the number of other files with which a folder around a container can be a website.
const minSite = 3

// downloads returns the containers that stand alone: their harvests have neither logs nor indexes.
func (l *look) downloads() map[string]bool {
	all := map[string]bool{}
	for i := range l.found {
		files := l.found[i].Files
		if slices.ContainsFunc(files, func(p string) bool { is, _ := records.NamedContainer(p); return !is }) {
			continue
		}
		for _, p := range files {
			all[p] = true
		}
	}
	return all
}

// holdsTaken returns a function that reports whether a folder, or one below, has files of another
// harvest, so that it is no website. Containers that stand alone among more other files do not
// count: websites offer some for download.
func (l *look) holdsTaken() func(folder string) bool {
	type count struct{ taken, downloads, others int }
	folders := map[string]*count{}
	downloads := l.downloads()
	for _, f := range l.tree.Files() {
		for dir := path.Dir(f.Path); ; dir = path.Dir(dir) {
			c := folders[dir]
			if c == nil {
				c = &count{}
				folders[dir] = c
			}
			switch {
			case downloads[f.Path]:
				c.downloads++
			case l.taken[f.Path]:
				c.taken++
			default:
				c.others++
			}
			if dir == "." {
				break
			}
		}
	}
	return func(folder string) bool {
		c := folders[folder]
		return c != nil && (c.taken > 0 || c.downloads > 0 && (c.others < minSite || c.others <= c.downloads))
	}
}

// reportDownloads reports the containers within the websites found.
func (l *look) reportDownloads(sites []Found) {
	found := 0
	for _, p := range slices.Sorted(maps.Keys(l.downloads())) {
		for i := range sites {
			if within(path.Dir(p), sites[i].Root) {
				if found++; found > maxDownloads {
					break
				}
				l.find(CodeDownload, model.Warning, filepath.Join(l.tree.Path(), p), 0,
					"it is a container within the website in %s, and is read as a harvest of its own; no file shows "+
						"whether the website offered it for download", sites[i].Path())
				break
			}
		}
	}
	if more := found - maxDownloads; more > 0 {
		l.find(CodeDownload, model.Warning, l.tree.Path(), 0, "%d more containers within its websites are read as "+
			"harvests of their own", more)
	}
}
