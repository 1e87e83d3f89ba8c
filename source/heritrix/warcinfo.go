package heritrix

import (
	"errors"

	"quire/internal/archivefs"
	"quire/model"
	"quire/source/internal/facts"
	"quire/source/records"
)

// readContainerInfo reads the writer from the first record of the first container. It is the best
// source for the crawler's version and the user agent that was sent. A configuration may be a
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
