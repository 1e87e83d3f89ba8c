package nas

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"quire/model"
	"quire/source/internal/facts"
)

// maxSetup is how much of a list of jobs or aliases is taken over, in bytes.
const maxSetup = 64 << 10

// tellSetup takes over what was known before the crawl: the jobs whose content was not to be stored again, and the domains that
// were left out because they are others by another name.
func tellSetup(ctx context.Context, f *facts.Facts, documents []*document) error {
	for _, d := range documents {
		if d.url.class != "setup" || d.url.name != "duplicatereductionjobs" && d.url.name != "aliases" {
			continue
		}
		text, err := textOf(d)
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		if d.url.name == "aliases" {
			for line := range strings.SplitSeq(text, "\n") {
				f.Note("alias", strings.TrimSpace(line), d.place())
			}
			continue
		}
		// An ARC cannot hold an empty record, so that an empty list is a newline there.
		if text == "" {
			text = "none"
		}
		f.Note("jobs that duplicates were looked for in", text, d.place())
	}
	return nil
}

// textOf reads a short document.
func textOf(d *document) (string, error) {
	content, err := d.open()
	if err != nil {
		return "", err
	}
	b, err := io.ReadAll(io.LimitReader(content, maxSetup))
	if err = errors.Join(err, content.Close()); err != nil {
		return "", fmt.Errorf("%s: %w", d.place(), err)
	}
	return strings.TrimSpace(string(b)), nil
}

// tellForeign keeps of the files that duplicates lie in those which are not of this job, and says which job each is of.
func tellForeign(ctx context.Context, f *facts.Facts, j *job, a arranged) error {
	about := f.About
	if len(about.Foreign) == 0 {
		return nil
	}
	own, err := j.ownContainers(ctx, a)
	if err != nil {
		return err
	}
	kept := about.Foreign[:0]
	var lines int64
	for _, foreign := range about.Foreign {
		if name, ok := ParseDataName(foreign.Name); ok {
			foreign.Job = name.Job
		}
		if own[withoutGzip(foreign.Name)] || foreign.Job != "" && foreign.Job == about.ID {
			continue
		}
		kept = append(kept, foreign)
		lines += foreign.Duplicates
	}
	if about.Foreign = kept; len(kept) > 0 {
		f.Note(foreignFact, fmt.Sprintf("%d duplicates lie in %d containers that are not of this job", lines, len(kept)), "annotations in the crawl log")
	}
	return nil
}

// withoutGzip is the name by which a container is known, compressed or not.
func withoutGzip(p string) string { return strings.TrimSuffix(path.Base(p), ".gz") }

// maxListed bounds the lines of a list of containers.
const maxListed = 100_000

// ownContainers knows the containers of the job: those that are there, those that a list of captures is of, and those that the
// report on them lists.
func (j *job) ownContainers(ctx context.Context, a arranged) (map[string]bool, error) {
	own := map[string]bool{}
	for _, p := range j.data {
		own[withoutGzip(p)] = true
	}
	for _, d := range a.current {
		switch {
		case d.url.class == "index" && d.url.query["filename"] != "":
			own[withoutGzip(d.url.query["filename"])] = true
		case d.url.class == "reports" && (d.url.name == "arcfiles-report.txt" || d.url.name == "archivefiles-report.txt"):
			if err := listed(ctx, d, own); err != nil {
				return nil, err
			}
		}
	}
	return own, nil
}

// listed reads the names of containers in a report. Its header has four columns, its lines four or three; the first is the name.
func listed(ctx context.Context, d *document, own map[string]bool) (err error) {
	content, err := d.open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, content.Close()) }()
	count := 0
	for line, err := range lines(content, maxMovedLine) {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return fmt.Errorf("%s: %w", d.place(), err)
		}
		if words := strings.Fields(line); len(words) > 0 && isContainer(words[0]) {
			own[withoutGzip(strings.Clone(words[0]))] = true
		}
		if count++; count > maxListed {
			return nil
		}
	}
	return nil
}

// hasRecords says whether a job has documents that say something of it.
func hasRecords(about *model.Harvest) bool {
	for _, file := range about.Files {
		if file.Record != nil && file.Role != model.RoleOther {
			return true
		}
	}
	return false
}
