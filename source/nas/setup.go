package nas

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"quire/model"
	"quire/source/internal/facts"
)

// maxSetup is the maximum number of bytes used from a list of jobs or aliases.
const maxSetup = 64 << 10

// tellSetup adds the facts from before the crawl: the jobs with content that should not be stored
// again, and the domains omitted as aliases of others.
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
		// An ARC cannot hold an empty record, so an empty list there is a newline.
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

// tellForeign keeps the files with duplicates' originals that belong to other jobs, with the number
// of each job.
func (j *job) tellForeign(f *facts.Facts, a documentSet) {
	about := f.About
	own := j.ownContainers(about, a)
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
		f.Note(foreignFact, fmt.Sprintf("%d duplicates lie in %d containers that are not of this job", lines,
			len(kept)), "annotations in the crawl log")
	}
}

// withoutGzip returns the name of a container without ".gz".
func withoutGzip(p string) string { return strings.TrimSuffix(path.Base(p), ".gz") }

// maxListed bounds the lines of a list of containers.
const maxListed = 100_000

// ownContainers returns the containers of the job: those present, those with a list of captures,
// and those in the report on containers.
func (j *job) ownContainers(about *model.Harvest, a documentSet) map[string]bool {
	own := map[string]bool{}
	for _, p := range j.data {
		own[withoutGzip(p)] = true
	}
	for _, expected := range about.Expected {
		own[withoutGzip(expected.Name)] = true
	}
	for _, d := range a.current {
		if d.url.class == "index" && d.url.query["filename"] != "" {
			own[withoutGzip(d.url.query["filename"])] = true
		}
	}
	return own
}

// isContainerReport reports whether a document is a report on the containers of a job: first on ARC
// files only, later on all.
func isContainerReport(u documentURL) bool {
	return u.class == "reports" && (u.name == "arcfiles-report.txt" || u.name == "archivefiles-report.txt")
}

// tellExpected lists the containers in the report, with their sizes, present or not. The header has
// four columns. A line also has four or, since some version, only the name, the mtime, and the
// size.
func (j *job) tellExpected(ctx context.Context, f *facts.Facts, a documentSet) error {
	there := map[string]string{}
	for _, p := range j.data {
		there[withoutGzip(p)] = p
	}
	for _, d := range a.current {
		if !isContainerReport(d.url) {
			continue
		}
		content, err := d.open()
		if err != nil {
			return err
		}
		number := 0
		err = eachLine(ctx, content, func(line string) bool {
			number++
			words := strings.Fields(line)
			if len(words) < 2 || !isContainer(words[0]) {
				return true
			}
			size, err := strconv.ParseInt(words[len(words)-1], 10, 64)
			if err != nil || size < 0 {
				size = -1
			}
			name := strings.Clone(words[0])
			f.About.Expected = append(f.About.Expected,
				model.ExpectedFile{Name: name, Path: there[withoutGzip(name)], Size: size,
					Created: strings.Clone(words[1]), Source: fmt.Sprintf("line %d of %s", number, d.place())})
			return len(f.About.Expected) < maxListed
		})
		if err = errors.Join(err, content.Close()); err != nil {
			return fmt.Errorf("%s: %w", d.place(), err)
		}
	}
	return nil
}

// hasRecords reports whether a job has documents about itself.
func hasRecords(about *model.Harvest) bool {
	for _, file := range about.Files {
		if file.Record != nil && file.Role != model.RoleOther {
			return true
		}
	}
	return false
}
