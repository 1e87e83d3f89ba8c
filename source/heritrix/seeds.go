package heritrix

import (
	"context"
	"path"
	"strings"

	"quire/internal/archivefs"
	"quire/model"
	"quire/source/internal/facts"
)

// maxSeeds is the maximum size of a list of seeds in bytes. The list of a national domain crawl has
// a hundred megabytes. The harvest holds the beginning; the file has the rest.
const maxSeeds = 16 << 20

// addSeed parses a line of a seed list: a seed as written, often without its scheme; a comment; or,
// after a plus sign, another part of the scope.
func addSeed(f *facts.Facts, line, source string) {
	words := strings.Fields(line)
	switch {
	case len(words) == 0 || strings.HasPrefix(words[0], "#"):
	case strings.HasPrefix(words[0], "+") || strings.HasPrefix(words[0], "-"):
		f.Rule("seeds: "+strings.TrimSpace(line), source)
	default:
		f.About.Seeds = append(f.About.Seeds, words[0])
		f.Note("seeds", "addresses to begin with", source)
	}
}

// readSeedFile reads the first file with that name in the harvest.
func readSeedFile(ctx context.Context, t *archivefs.Tree, f *facts.Facts, name string) error {
	name = path.Base(strings.ReplaceAll(name, `\`, "/")) // the path is from the crawler's machine
	for _, file := range f.About.Files {
		if path.Base(file.Path) != name {
			continue
		}
		large := false
		err := fileLines(ctx, t, file.Path, func(line string, offset int64) bool {
			if large = offset > maxSeeds; large {
				return false
			}
			addSeed(f, line, file.Path)
			return true
		})
		if large {
			f.Find(CodeLarge, model.Info, file.Path, 0, "only the seeds in the first %d bytes are listed", maxSeeds)
		}
		return err
	}
	return nil
}
