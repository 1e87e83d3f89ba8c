package heritrix

import (
	"context"
	"path"
	"strings"

	"quire/internal/archivefs"
	"quire/model"
	"quire/source/internal/facts"
)

// maxListed bounds the findings about one manifest.
const maxListed = 1000

// readManifest compares the list of files that Heritrix 1 writes, crawl-manifest.txt, with the
// files present. Each line has two letters and a path on the crawler's machine: "L+
// /home/test/job/logs/crawl.log". The plus sign marks files to keep.
func readManifest(ctx context.Context, t *archivefs.Tree, f *facts.Facts) error {
	have := map[string]bool{}
	for _, file := range f.About.Files {
		have[path.Base(file.Path)] = true
	}
	for _, manifest := range pieces(f.About.Files, "crawl-manifest.txt") {
		missing := 0
		err := fileLines(ctx, t, manifest, func(line string, offset int64) bool {
			kind, listed, _ := strings.Cut(line, " ")
			listed = strings.TrimSpace(listed)
			name := path.Base(strings.ReplaceAll(listed, `\`, "/"))
			if len(kind) == 2 && kind[1] == '+' && listed != "" && !have[name] {
				missing++
				f.Find(CodeListed, model.Info, manifest, offset, "lists %.200q, which is missing", listed)
			}
			return missing < maxListed
		})
		if err != nil {
			return err
		}
	}
	return nil
}
