package facts

import "quire/model"

// Adopt adds the facts that another reader found in the same files, after the known ones. The
// system that ran a crawler knows the context of the harvest better, and the crawler knows the
// crawl better. Evidence, files and findings of both are kept.
func (f *Facts) Adopt(crawl *model.Harvest) {
	about := f.About
	for _, field := range []struct {
		to   *string
		from string
	}{
		{&about.Collection, crawl.Collection}, {&about.Title, crawl.Title}, {&about.Note, crawl.Note},
		{&about.Software, crawl.Software}, {&about.Operator, crawl.Operator}, {&about.Organization, crawl.Organization},
		{&about.Contact, crawl.Contact}, {&about.UserAgent, crawl.UserAgent}, {&about.Robots, crawl.Robots},
		{&about.Host, crawl.Host}, {&about.EndReason, crawl.EndReason},
	} {
		if *field.to == "" {
			*field.to = field.from
		}
	}
	for _, seed := range crawl.Seeds {
		f.AddSeed(seed)
	}
	about.Scope = append(about.Scope, crawl.Scope...)
	about.Limits = append(about.Limits, crawl.Limits...)
	about.Foreign = append(about.Foreign, crawl.Foreign...)
	about.Counted = append(about.Counted, crawl.Counted...)
	about.Expected = append(about.Expected, crawl.Expected...)
	if about.Start.IsZero() {
		about.Start = crawl.Start
	}
	if about.End.IsZero() {
		about.End = crawl.End
	}
	for _, e := range crawl.Evidence {
		f.Note(e.Fact, e.Value, e.Source)
	}
	for _, file := range crawl.Files {
		f.AddFile(file)
	}
	about.Findings = append(about.Findings, crawl.Findings...)
	about.Documentation = crawl.Documentation
}
