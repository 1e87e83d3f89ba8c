package wget

import (
	"fmt"
	"slices"
	"strings"

	"quire/model"
)

// describe records the known facts of the run.
func (m *mirror) describe() {
	f := &m.facts
	for i := range m.logs {
		l := &m.logs[i]
		f.log(l)
		if at := l.journal.Revealing; len(at) > 0 {
			m.revealed(l.Path, at[0], fmt.Sprintf("holds %d requests with cookies or authorization", len(at)))
		}
	}
	for _, c := range m.captures {
		if len(m.logs) > 0 && c.by != nil && c.url != "" && !(c.by.Second && strings.HasSuffix(c.url, "/robots.txt")) {
			f.AddSeedOf(c.url, "the first URL of "+m.logs[0].Path+"; others may have been given")
			break
		}
	}
	f.Note("links", m.changes.why, m.changes.from)
	for i, name := range m.gone {
		if i == maxFindings {
			f.Find(findMore, model.Info, "", 0, "there are more findings than are listed")
			break
		}
		f.Find(findGone, model.Warning, m.logs[0].Path, 0, "it states that %q was saved, but the file is "+
			"missing", name)
	}
	m.about.Documentation = model.Undocumented
	if len(m.logs) > 0 {
		m.about.Documentation = model.PartlyDocumented // no source has the arguments
	}
}

// Artefacts returns the files that are not content: logs, backups, Wget's listings of FTP folders.
func (m *mirror) Artefacts() []model.SourceFile {
	return slices.DeleteFunc(slices.Clone(m.about.Files), func(f model.SourceFile) bool {
		return f.Role == model.RoleContent
	})
}
