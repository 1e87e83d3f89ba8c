package nas

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"

	"quire/format/warc"
	"quire/internal/archivefs"
	"quire/model"
	"quire/source"
	"quire/source/records"
)

// Reader finds and reads jobs of NetarchiveSuite.
type Reader struct {
	// Dumps are files on this machine: dumps of the harvest database. Dumps in the source are found
	// automatically.
	Dumps []string
}

var _ source.Reader = Reader{}

// Name returns "netarchivesuite".
func (Reader) Name() string { return string(model.NetarchiveSuite) }

// Find claims jobs by their metadata file: by its name, or by records that are documents of a job.
// It adds the containers named for the job. It also claims folders of a crawl with a
// harvestInfo.xml beside or inside, and containers with the job in their warcinfo. It ignores
// containers that only have the name of a job.
func (r Reader) Find(ctx context.Context, t *archivefs.Tree) ([]source.Claim, error) {
	s := &search{ctx: ctx, tree: t, claimed: map[string]bool{}, asked: map[string]string{}}
	for _, step := range []func() error{s.findFolders, s.findMetadata, s.findByWarcinfo} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	db, err := s.findDumps(r.Dumps)
	if err != nil {
		return nil, err
	}
	var claims []source.Claim
	for _, j := range s.jobs {
		j.database = db
		claims = append(claims, source.Claim{Reader: r.Name(), Root: j.root, Why: j.why,
			Files: slices.Concat(j.files, db.Within),
			Read:  func(ctx context.Context) (source.Harvest, error) { return j.job.read(ctx) }})
	}
	slices.SortStableFunc(claims, func(a, b source.Claim) int { return cmp.Or(cmp.Compare(a.Root, b.Root), 0) })
	return claims, nil
}

// search is the search of one Tree.
type search struct {
	ctx     context.Context
	tree    *archivefs.Tree
	jobs    []*claimed
	claimed map[string]bool
	asked   map[string]string // opened containers, and the job in their warcinfo
}

// claimed is a job with the reasons for its claim.
type claimed struct {
	job
	root  string
	why   []string
	files []string
}

// maxReasons bounds the reasons for one job.
const maxReasons = 20

func (c *claimed) because(format string, args ...any) {
	if len(c.why) < maxReasons {
		c.why = append(c.why, fmt.Sprintf(format, args...))
	}
}

func (s *search) claim(c *claimed, paths ...string) {
	for _, p := range paths {
		if !s.claimed[p] {
			s.claimed[p] = true
			c.files = append(c.files, p)
		}
	}
}

// metadataFacts has the facts from the first records of a metadata file.
type metadataFacts struct {
	path                          string
	name                          metadataName
	job, definition, organization string
	why                           string
}

// findMetadata finds the metadata files, groups them by job, and assigns each job its containers.
func (s *search) findMetadata() error {
	var witnesses []metadataFacts
	for _, f := range s.tree.Files() {
		if !isContainer(f.Path) || s.claimed[f.Path] && !s.inFolder(f.Path) {
			continue
		}
		name, named := parseMetadataName(f.Path)
		if _, data := ParseDataName(f.Path); data {
			continue
		}
		w, is, err := s.inspectContainer(f.Path)
		if err != nil {
			return err
		}
		if w.path, w.name = f.Path, name; named {
			w.job, w.definition, w.why = cmp.Or(w.job, name.job), cmp.Or(w.definition, name.definition),
				"is named like a metadata file"
		}
		switch folder := s.folderOf(f.Path, w); {
		case !is && !named:
		case folder != nil:
			s.addMetadata(folder, []metadataFacts{w})
		default:
			witnesses = append(witnesses, w)
		}
	}
	for _, of := range groupByJob(witnesses) {
		c := &claimed{job: job{tree: s.tree, id: of[0].job}, root: path.Dir(of[0].path)}
		s.jobs = append(s.jobs, c)
		s.addMetadata(c, of)
	}
	return s.giveContainers()
}

// The limits for finding the job: the number of records and bytes to read. The first record names
// the job, unless another version wrote it; a configuration has some sixty thousand bytes.
const (
	maxAsked  = 8
	askedHead = 512 << 10
)

// inspectContainer reads the first records of a container. It reports whether they are documents of a job, and
// returns the job.
func (s *search) inspectContainer(p string) (w metadataFacts, is bool, err error) {
	if err := s.ctx.Err(); err != nil {
		return w, false, err
	}
	head, err := s.tree.Head(p, askedHead)
	if err != nil {
		return w, false, err
	}
	s.asked[p] = ""
	r := records.NewReader(bytes.NewReader(head), nil)
	for range maxAsked {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) || errors.Is(err, records.ErrNotContainer) {
			return w, is, nil
		}
		if err != nil {
			return w, is, err
		}
		if rec.Type == warc.TypeWarcinfo {
			fields, err := rec.Fields()
			if err != nil {
				return w, is, err
			}
			s.asked[p] = number(value(infoOf(fields), "jobId"))
			continue
		}
		u, ok := parseURL(rec.URI)
		if ok && (u.class != "other" || u.job() != "") {
			is = true
			w.why = "holds documents of a job: " + fmt.Sprintf("%.200s", rec.URI)
			w.organization = cmp.Or(w.organization, u.organization)
			w.definition = cmp.Or(w.definition, u.definition())
			if w.job = cmp.Or(w.job, u.job()); w.job != "" && w.definition != "" {
				return w, is, nil
			}
		}
		if !ok && !is && rec.Type != records.TypeFiledesc {
			return w, false, nil // content
		}
	}
	return w, is, nil
}

// addMetadata adds metadata files to a job.
func (s *search) addMetadata(c *claimed, of []metadataFacts) {
	for _, w := range of {
		c.metadata = append(c.metadata, w.path)
		c.because("%s %s", w.path, w.why)
		s.claim(c, w.path)
		c.root = common(c.root, path.Dir(w.path))
		c.id, c.definition = cmp.Or(c.id, w.job), cmp.Or(c.definition, w.definition)
	}
}

// common returns the common folder of two paths.
func common(a, b string) string {
	for a != b {
		if len(a) < len(b) {
			a, b = b, a
		}
		if a = path.Dir(a); a == "." || b == "." {
			return "."
		}
	}
	return a
}

// giveContainers assigns each job the containers named for it: those in the folder of a metadata
// file or of its crawl. It also assigns containers elsewhere if their names include the harvest
// definition, and the source has no other job with these numbers.
func (s *search) giveContainers() error {
	byID := map[string][]*claimed{}
	for _, c := range s.jobs {
		if c.id != "" {
			byID[c.id] = append(byID[c.id], c)
		}
	}
	for _, f := range s.tree.Files() {
		name, ok := ParseDataName(f.Path)
		if !ok || s.claimed[f.Path] {
			continue
		}
		candidates := slices.DeleteFunc(slices.Clone(byID[name.Job]), func(c *claimed) bool {
			return c.definition != "" && c.definition != name.Definition
		})
		at := slices.IndexFunc(candidates, func(c *claimed) bool { return c.isNear(f.Path) })
		if at < 0 && len(candidates) == 1 && candidates[0].definition != "" {
			at = 0
		}
		if at >= 0 {
			s.give(candidates[at], f.Path)
		}
	}
	return s.ctx.Err()
}

// isNear reports whether a file is beside a metadata file of the job, or in the folder of the job's
// crawl.
func (c *claimed) isNear(p string) bool {
	beside := slices.ContainsFunc(c.metadata, func(m string) bool { return path.Dir(m) == path.Dir(p) })
	return beside || c.info != "" && within(p, path.Dir(c.info))
}

// give adds a container to a job.
func (s *search) give(c *claimed, p string) {
	c.data = append(c.data, p)
	c.because("%s is named for job %s", p, c.id)
	c.root = common(c.root, path.Dir(p))
	s.claim(c, p)
}

// findByWarcinfo finds unclaimed containers with the job in their warcinfo: Heritrix 3 under
// NetarchiveSuite writes it there.
func (s *search) findByWarcinfo() error {
	told := map[string]*claimed{}
	for _, f := range s.tree.Files() {
		if !isContainer(f.Path) || s.claimed[f.Path] {
			continue
		}
		id, asked := s.asked[f.Path]
		if !asked {
			fields, err := containerInfo(s.tree, f.Path)
			if err = errors.Join(err, s.ctx.Err()); err != nil {
				return err
			}
			id = number(value(infoOf(fields), "jobId"))
		}
		if id == "" {
			continue
		}
		key := id + " in " + path.Dir(f.Path)
		c := told[key]
		if c == nil {
			c = &claimed{job: job{tree: s.tree, id: id}, root: path.Dir(f.Path)}
			told[key], s.jobs = c, append(s.jobs, c)
		}
		c.data = append(c.data, f.Path)
		c.because("%s has %sjobId %s in its first record", f.Path, infoPrefix, id)
		s.claim(c, f.Path)
	}
	return nil
}
