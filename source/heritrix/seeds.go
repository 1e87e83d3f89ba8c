package heritrix

import (
	"context"
	"path"
	"strings"

	"quire/internal/archivefs"
	"quire/model"
	"quire/source/internal/facts"
)

// maxSeeds bounds what a list of seeds may take, in bytes. That of a national domain crawl takes a
// hundred megabytes; the harvest holds the beginning, and the file the rest.
const maxSeeds = 16 << 20

// addSeed takes a line of a list of seeds: a seed, as written, often without its scheme; a comment;
// or behind a plus sign what else belongs to the harvest.
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

// readSeedFile reads the first file of that name that the harvest has.
func readSeedFile(ctx context.Context, t *archivefs.Tree, f *facts.Facts, name string) error {
	name = path.Base(strings.ReplaceAll(name, `\`, "/")) // the path is that of the crawler's machine
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
