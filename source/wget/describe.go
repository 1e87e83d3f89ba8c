package wget

import (
	"fmt"
	"slices"

	"quire/model"
)

// describe writes down what is known of the run.
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
		if len(m.logs) > 0 && c.by != nil && c.url != "" {
			f.AddSeedOf(c.url, "the first URL of "+m.logs[0].Path+"; others may have been given")
			break
		}
	}
	f.Note("links", m.changes.why, m.changes.from)
	for i, name := range m.gone {
		if i == maxFindings {
			f.Find(findMore, model.Info, "", 0, "more was found than is listed")
			break
		}
		f.Find(findGone, model.Warning, m.logs[0].Path, 0, "it says that %q was saved, which is not here", name)
	}
	m.about.Documentation = model.Undocumented
	if len(m.logs) > 0 {
		m.about.Documentation = model.PartlyDocumented // the arguments are told nowhere
	}
}

// Artefacts tells the files that are no content: logs, backups, what Wget keeps of folders of FTP.
func (m *mirror) Artefacts() []model.SourceFile {
	return slices.DeleteFunc(slices.Clone(m.about.Files), func(f model.SourceFile) bool {
		return f.Role == model.RoleContent
	})
}
