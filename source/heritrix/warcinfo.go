package heritrix

import (
	"errors"

	"quire/internal/archivefs"
	"quire/model"
	"quire/source/internal/facts"
	"quire/source/records"
)

// readContainerInfo takes from the first record of the first container who wrote it. It is the best
// witness of the crawler's version and of the user agent that was sent: a configuration may be a
// template, years older than the crawler.
func readContainerInfo(t *archivefs.Tree, f *facts.Facts) error {
	for _, file := range f.About.Files {
		if file.Role != model.RoleContainer || file.Size == 0 {
			continue
		}
		content, err := t.Open(file.Path)
		if err != nil {
			return err
		}
		fields, err := records.Info(content)
		if err := errors.Join(err, content.Close()); err != nil {
			return err
		}
		f.TellInfo(fields, file.Path)
		return nil
	}
	return nil
}
