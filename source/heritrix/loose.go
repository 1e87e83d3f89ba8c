package heritrix

import (
	"bytes"
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"quire/internal/archivefs"
	"quire/model"
	"quire/source"
	"quire/source/crawllog"
	"quire/source/records"
)

// Loose finds parts of a harvest without its folder: renamed crawl logs, and other logs alone. It
// must run after the other readers: the files it sees belong to no job, launch or target instance.
type Loose struct{}

var _ source.Reader = Loose{}

// Name returns "heritrix".
func (Loose) Name() string { return string(model.Heritrix) }

// Find claims each crawl log as a harvest, by its content. If it is the only one in its folder, the
// containers and indexes there belong to it. Without a crawl log, the logs of one folder are one
// harvest.
func (r Loose) Find(ctx context.Context, t *archivefs.Tree) ([]source.Claim, error) {
	logs, others := map[string][]string{}, map[string][]string{} // by folder
	for _, f := range t.Files() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		kind, err := looseKind(t, f.Path)
		if err != nil {
			return nil, err
		}
		switch dir := path.Dir(f.Path); kind {
		case looseCrawl:
			logs[dir] = append(logs[dir], f.Path)
		case looseLog:
			others[dir] = append(others[dir], f.Path)
		}
	}
	var claims []source.Claim
	for _, dir := range slices.Sorted(maps.Keys(logs)) {
		beside := others[dir]
		delete(others, dir)
		if len(logs[dir]) > 1 {
			beside = nil
		} else {
			beside = append(beside, contentIn(t, dir)...)
		}
		for _, log := range logs[dir] {
			claims = append(claims, r.claim(t, dir, log, "is a crawl log, under a name of its own",
				append([]string{log}, beside...), []string{log}))
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(others)) {
		claims = append(claims, r.claim(t, dir, others[dir][0], "is a log of Heritrix, without the crawl log",
			others[dir], nil))
	}
	return claims, nil
}

func (r Loose) claim(t *archivefs.Tree, dir, log, why string, files, crawlLogs []string) source.Claim {
	read := func(ctx context.Context) (source.Harvest, error) {
		h := &harvest{about: model.Harvest{System: model.Heritrix, ID: strings.TrimSuffix(path.Base(log), ".log")}}
		return h, h.read(ctx, t, dir, files, crawlLogs)
	}
	return source.Claim{Reader: r.Name(), Root: dir, Why: []string{log + " " + why}, Files: files, Read: read}
}

// The kinds of a loose file.
const (
	looseNone = iota
	looseCrawl
	looseLog
)

// looseLogs are log names that only Heritrix uses.
var looseLogs = map[string]bool{
	"local-errors.log": true, "runtime-errors.log": true, "uri-errors.log": true, "nonfatal-errors.log": true,
	"heritrix_dmesg.log": true, "heritrix_out.log": true,
}

// looseKind returns the kind of a file, by its name and, for ambiguous names, by its content.
func looseKind(t *archivefs.Tree, p string) (int, error) {
	base := strings.ToLower(path.Base(p))
	if is, _ := records.NamedContainer(p); is {
		return looseNone, nil
	}
	kind, fits := looseCrawl, holdsFetches
	switch {
	case looseLogs[base]:
		return looseLog, nil
	case base == "progress-statistics.log":
		kind, fits = looseLog, holdsProgress
	case strings.Contains(base, ".log") || strings.Contains(base, "crawl"):
	default:
		return looseNone, nil
	}
	if reason, err := ifHolds(t, p, "fits", fits); reason == "" || err != nil {
		return looseNone, err
	}
	return kind, nil
}

func holdsProgress(head []byte) bool {
	return bytes.Contains(head, []byte(" CRAWL ")) || bytes.Contains(head, []byte("discovered      queued"))
}

// holdsFetches reports whether most lines belong to a crawl log.
func holdsFetches(head []byte) bool {
	lines := 0
	for _, err := range crawllog.NewReader(bytes.NewReader(head)).All() {
		if err != nil {
			break
		}
		lines++
	}
	return lines > 0 && 2*lines >= bytes.Count(head, []byte("\n"))
}

// contentIn lists the containers and indexes of a folder.
func contentIn(t *archivefs.Tree, dir string) []string {
	var all []string
	for _, f := range t.Files() {
		if role := roleOf(path.Base(f.Path)); path.Dir(f.Path) == dir &&
			(role == model.RoleContainer || role == model.RoleIndex) {
			all = append(all, f.Path)
		}
	}
	return all
}
