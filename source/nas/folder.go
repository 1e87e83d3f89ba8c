package nas

import (
	"cmp"
	"path"
	"strings"

	"quire/source"
	"quire/source/heritrix"
)

// findFolders finds folders of crawls that are jobs. They contain a harvestInfo.xml, and the reader
// of Heritrix recognises them or a folder below.
func (s *search) findFolders() error {
	infos := map[string]string{}
	for _, f := range s.tree.Files() {
		if path.Base(f.Path) == infoName {
			infos[path.Dir(f.Path)] = f.Path
		}
	}
	if len(infos) == 0 {
		return nil
	}
	crawls, err := heritrix.Reader{}.Find(s.ctx, s.tree)
	if err != nil {
		return err
	}
	used := map[string]bool{}
	for _, crawl := range crawls {
		dir, ok := nearest(crawl.Root, infos)
		if !ok {
			continue
		}
		used[dir] = true
		if err := s.addFolder(dir, infos[dir], &crawl); err != nil {
			return err
		}
	}
	for _, f := range s.tree.Files() { // only those, in the order of the files
		if dir := path.Dir(f.Path); f.Path == infos[dir] && !used[dir] {
			if err := s.addFolder(dir, f.Path, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// nearest finds the folder at or above dir that has a harvestInfo.xml.
func nearest(dir string, infos map[string]string) (string, bool) {
	for ; ; dir = path.Dir(dir) {
		if infos[dir] != "" {
			return dir, true
		}
		if dir == "." {
			return "", false
		}
	}
}

// addFolder turns the folder of a crawl into a job. A readable harvestInfo.xml without a crawl is
// also a job.
func (s *search) addFolder(dir, info string, crawl *source.Claim) error {
	content, err := s.tree.Open(info)
	if err != nil {
		return err
	}
	fields, bad := parseInfo(content)
	if err := content.Close(); err != nil {
		return err
	}
	if crawl == nil && bad != nil {
		return nil //nolint:nilerr // a file of that name that is something else tells nothing
	}
	c := &claimed{job: job{tree: s.tree, id: number(value(fields, "jobId")), info: info,
		definition: number(value(fields, "origHarvestDefinitionID"))}, root: dir}
	c.because("%s names job %s", info, cmp.Or(c.id, "of unknown number"))
	s.claim(c, info)
	s.jobs = append(s.jobs, c)
	if crawl == nil {
		return nil
	}
	c.because("%s is the folder of its crawl", crawl.Root)
	c.folder = &folder{root: crawl.Root}
	for _, p := range crawl.Files {
		if name, is := ParseDataName(p); is && name.Job == c.id {
			c.data = append(c.data, p)
		} else if named, isNamed := parseMetadataName(p); is || isNamed && named.job != "" && named.job != c.id {
			continue // of another job
		}
		c.folder.files = append(c.folder.files, p)
		s.claim(c, p)
	}
	return nil
}

// inFolder reports whether a file was claimed with the folder of a crawl.
func (s *search) inFolder(p string) bool { return s.folder(p) != nil }

// folder returns the job with the folder that contains a file.
func (s *search) folder(p string) *claimed {
	for _, c := range s.jobs {
		if c.info != "" && within(p, path.Dir(c.info)) {
			return c
		}
	}
	return nil
}

// within reports whether a file is in a folder, or below.
func within(p, folder string) bool { return folder == "." || strings.HasPrefix(p, folder+"/") }

// folderOf returns the job with the folder that contains a metadata file, if the file belongs to
// that job.
func (s *search) folderOf(p string, w metadataFacts) *claimed {
	if c := s.folder(p); c != nil && (s.claimed[p] || w.job == c.id) {
		return c
	}
	return nil
}
