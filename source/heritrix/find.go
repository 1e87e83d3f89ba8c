package heritrix

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"quire/internal/archivefs"
	"quire/model"
	"quire/source"
	"quire/source/crawllog"
)

// Reader finds and reads harvests of Heritrix.
type Reader struct{}

var _ source.Reader = Reader{}

// Name returns "heritrix".
func (Reader) Name() string { return string(model.Heritrix) }

// Find claims folders as harvests if they hold a crawl log, a configuration, a manifest or reports,
// or a folder logs or reports with these. It ignores other folders below. The files of a Heritrix 3
// job (job.log, the configuration before launch) belong to each of its launches.
func (r Reader) Find(ctx context.Context, t *archivefs.Tree) ([]source.Claim, error) {
	why, err := roots(ctx, t)
	if err != nil {
		return nil, err
	}
	dropJobs(t, why)
	owned, inJob := map[string][]string{}, map[string][]string{}
	for _, f := range t.Files() {
		inJob[path.Dir(f.Path)] = append(inJob[path.Dir(f.Path)], f.Path)
		if root, ok := owner(f.Path, why); ok {
			owned[root] = append(owned[root], f.Path)
		}
	}
	var claims []source.Claim
	for _, root := range slices.Sorted(maps.Keys(why)) {
		files := owned[root]
		if root != "." && isLaunch(path.Base(root)) && why[path.Dir(root)] == nil {
			files = append(slices.Clip(files), jobFiles(inJob[path.Dir(root)])...)
		}
		claims = append(claims, source.Claim{Reader: r.Name(), Root: root, Why: why[root], Files: files,
			Read: func(ctx context.Context) (source.Harvest, error) { return read(ctx, t, root, files) }})
	}
	return claims, nil
}

// Read reads a harvest for another reader that knows its files. A target instance of the Web
// Curator Tool has a job of Heritrix in its own folders, and NetarchiveSuite keeps one in records.
// files are paths within t, below root; "." is all of t.
func Read(ctx context.Context, t *archivefs.Tree, root string, files []string) (source.Harvest, error) {
	return read(ctx, t, root, files)
}

// roots finds the folders of harvests, with the reasons.
func roots(ctx context.Context, t *archivefs.Tree) (map[string][]string, error) {
	why := map[string][]string{}
	for _, f := range t.Files() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		reason, err := tells(t, f.Path)
		if err != nil {
			return nil, err
		}
		if reason == "" {
			continue
		}
		root := path.Dir(f.Path)
		if b := path.Base(root); b == "logs" || b == "reports" {
			root = path.Dir(root)
		}
		if len(why[root]) < maxReasons {
			why[root] = append(why[root], f.Path+" "+reason)
		}
	}
	return why, nil
}

// maxReasons bounds the reasons for one harvest.
const maxReasons = 20

// tells returns the reason to identify the folder of a file as a crawl, or "". A file with an
// ambiguous name is a reason only if its content fits.
func tells(t *archivefs.Tree, p string) (string, error) {
	base := path.Base(p)
	_, isLog := piece(base, "crawl.log")
	switch {
	case isLog:
		return ifHolds(t, p, "is a crawl log", isCrawlLog)
	case strings.HasSuffix(base, ".cxml"):
		return ifHolds(t, p, "configures Heritrix 3", mentions("springframework.org"))
	case isConfiguration(base):
		return ifHolds(t, p, "configures Heritrix 1", mentions("<crawl-order"))
	case base == "crawl-manifest.txt":
		return "lists the files of Heritrix 1", nil
	case reportNames[base]:
		return "is a report of Heritrix", nil
	}
	return "", nil
}

// headSize is the number of bytes read to identify a file.
const headSize = 64 << 10

// ifHolds returns the reason if the beginning of the file fits. Damaged files in an archive never
// fit.
func ifHolds(t *archivefs.Tree, p, reason string, fits func(head []byte) bool) (string, error) {
	head, err := t.Head(p, headSize)
	var machine *fs.PathError
	if errors.As(err, &machine) {
		return "", err
	}
	if err != nil || !fits(head) {
		return "", nil //nolint:nilerr // see above
	}
	return reason, nil
}

func mentions(word string) func([]byte) bool {
	return func(head []byte) bool { return bytes.Contains(head, []byte(word)) }
}

// isCrawlLog reports whether the first lines belong to a crawl log. An empty log is also a crawl
// log: the crawl fetched nothing.
func isCrawlLog(head []byte) bool {
	for _, err := range crawllog.NewReader(bytes.NewReader(head)).All() {
		return err == nil
	}
	return len(bytes.TrimSpace(head)) == 0
}

// dropJobs removes the folder of a job that has launches and no log. Such a folder is not a
// separate harvest.
func dropJobs(t *archivefs.Tree, why map[string][]string) {
	for root := range why {
		job := path.Dir(root)
		if root == "." || !isLaunch(path.Base(root)) || why[job] == nil {
			continue
		}
		if t.Find(path.Join(job, "crawl.log")) == nil && t.Find(path.Join(job, "logs/crawl.log")) == nil {
			delete(why, job)
		}
	}
}

// owner finds the harvest of a file: the nearest harvest folder above, if the file is in it or in a
// folder that Heritrix creates.
func owner(p string, roots map[string][]string) (string, bool) {
	below := ""
	for dir := path.Dir(p); ; dir = path.Dir(dir) {
		if _, known := folders[below]; roots[dir] != nil && (below == "" || known) {
			return dir, true
		}
		if dir == "." {
			return "", false
		}
		below = path.Base(dir)
	}
}

// jobFiles returns the files of a job that document its launches.
func jobFiles(files []string) []string {
	var all []string
	for _, p := range files {
		base := path.Base(p)
		if role := roleOf(base); role == model.RoleConfiguration || base == "job.log" {
			all = append(all, p)
		}
	}
	return all
}
