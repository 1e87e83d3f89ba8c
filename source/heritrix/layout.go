package heritrix

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"quire/model"
	"quire/source/records"
)

// folders are the folders that Heritrix creates below a job or launch, with the role of their
// files.
var folders = map[string]model.Role{
	"logs": model.RoleLog, "reports": model.RoleReport, "settings": model.RoleConfiguration,
	"arcs": model.RoleOther, "warcs": model.RoleOther,
	"checkpoints": model.RoleCache, "state": model.RoleCache, "scratch": model.RoleCache,
	"action": model.RoleConfiguration, "actions-done": model.RoleConfiguration,
}

// reportNames are the report names that identify a folder of Heritrix.
var reportNames = map[string]bool{
	"crawl-report.txt": true, "hosts-report.txt": true, "mimetype-report.txt": true, "responsecode-report.txt": true,
	"seeds-report.txt": true, "source-report.txt": true, "processors-report.txt": true, "frontier-report.txt": true,
	"frontier-summary-report.txt": true, "frontier-nonempty-report.txt": true, "threads-report.txt": true,
}

// roleOf returns the role of a file in the harvest, by its path below the root.
func roleOf(p string) model.Role {
	base := path.Base(p)
	if is, _ := records.NamedContainer(base); is {
		return model.RoleContainer
	}
	if first, _, deep := strings.Cut(p, "/"); deep {
		// the place where the Web Curator Tool puts them
		if first == "reports" && (isConfiguration(base) || base == "seeds.txt") {
			return model.RoleConfiguration
		}
		return folders[first]
	}
	switch {
	case strings.HasSuffix(base, "-report.txt") || base == "crawl-manifest.txt":
		return model.RoleReport
	case isConfiguration(base) || base == "seeds.txt" || base == "settings.xml" || strings.HasSuffix(base, ".dump"):
		return model.RoleConfiguration
	case strings.HasSuffix(base, ".log") || strings.Contains(base, ".log.") || strings.HasSuffix(base, "recover.gz") ||
		base == "heritrix.out" || strings.HasPrefix(base, "heritrix_out"):
		return model.RoleLog
	case strings.HasSuffix(base, ".cdx") || strings.HasSuffix(base, ".cdx.gz") || strings.HasSuffix(base, ".cdxj"):
		return model.RoleIndex
	}
	return model.RoleOther
}

// isConfiguration reports whether a file has the name of a configuration: order.xml and its
// templates, or crawler-beans.cxml and profiles.
func isConfiguration(base string) bool {
	return base == "order.xml" || strings.HasSuffix(base, "-order.xml") || strings.HasSuffix(base, ".cxml")
}

// isLaunch reports whether a folder has the name of a launch: a time of 14 or 17 digits.
func isLaunch(base string) bool {
	return (len(base) == 14 || len(base) == 17) && strings.Trim(base, "0123456789") == ""
}

// piece reports whether a file is the named log, or a piece of it from a checkpoint:
// crawl.log.000031 in Heritrix 1, crawl.log.cp00001-20220930061713 in Heritrix 3. The number orders
// the pieces.
func piece(base, log string) (number int, is bool) {
	if base == log {
		return 1 << 62, true
	}
	rest, ok := strings.CutPrefix(base, log+".")
	if !ok {
		return 0, false
	}
	digits, _, _ := strings.Cut(strings.TrimPrefix(rest, "cp"), "-")
	number, err := strconv.Atoi(digits)
	return number, err == nil && number >= 0
}

// pieces returns the pieces of a log in the order of writing; the last one has the bare name.
func pieces(files []model.SourceFile, log string) []string {
	type numbered struct {
		number int
		path   string
	}
	var all []numbered
	for _, f := range files {
		if n, ok := piece(path.Base(f.Path), log); ok && f.Role != model.RoleCache {
			all = append(all, numbered{n, f.Path})
		}
	}
	slices.SortFunc(all, func(a, b numbered) int {
		return cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(a.path, b.path))
	})
	var paths []string
	for _, p := range all {
		paths = append(paths, p.path)
	}
	return paths
}
