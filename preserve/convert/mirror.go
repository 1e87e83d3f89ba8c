package convert

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"quire/internal/archivefs"
	"quire/model"
	"quire/preserve/convert/mirror"
	"quire/source"
)

// MirrorResult is the result of converting one mirror.
type MirrorResult struct {
	Source string `json:"source"` // the folder or archive of the mirror
	Output string `json:"output"` // the WARC, below the folder of results

	Records     int64                  `json:"records"`
	ByType      map[string]int64       `json:"by_type"`
	URLs        int64                  `json:"urls"` // listed by the mirror
	Grades      map[source.Grade]int64 `json:"grades"`
	Heads       map[mirror.Head]int64  `json:"heads"` // of responses, by origin of their head
	Undated     int64                  `json:"undated"`
	Transformed int64                  `json:"transformed"` // files with restored links
	Files       map[mirror.Fate]int64  `json:"files"`       // all files of the mirror
	OnlyThere   int64                  `json:"only_in_original"`
	OnlyBytes   int64                  `json:"only_in_original_bytes"`
	Secrets     map[string]int64       `json:"secrets"` // secrets in the WARC, by kind

	OutputBytes  int64  `json:"output_bytes"`
	OutputSHA512 string `json:"output_sha512"`

	Findings      []model.Finding  `json:"findings"`
	FindingCounts map[string]int64 `json:"finding_counts"`
	Errors        int64            `json:"errors"` // findings that mean lost content
}

// ErrDate reports that a source has no date.
var ErrDate = errors.New("the source has no date for the mirror, and a WARC needs one: set it with --date")

// Mirror makes a WARC of a mirror. It is dated with the crawl, so the same mirror gives the same
// bytes each time.
func Mirror(ctx context.Context, s Step, about *model.Harvest, out io.Writer, tell func(mirror.Entry) error,
	o FileOptions) (*MirrorResult, error) {
	date := o.Date
	if date.IsZero() {
		if date = mirrorDate(about, s.Tree); date.IsZero() {
			return nil, ErrDate
		}
	}
	found := newFindings()
	r, err := mirror.Convert(ctx, s.Mirror, out, mirror.Options{
		Name: nameOf(s, about), Software: o.Software, Date: date.UTC().Truncate(time.Second), Level: o.Level,
		TempDir:       o.TempDir,
		KeptHeadsOnly: o.KeptHeadsOnly, Tell: tell, Find: found.finding, Progress: o.Progress,
	})
	if err != nil {
		return nil, err
	}
	return &MirrorResult{
		Source: s.Name, Output: s.Output, Records: r.Records, ByType: r.Types, URLs: r.URLs, Grades: r.Grades,
		Heads: r.Heads, Undated: r.Undated,
		Transformed: r.Transformed, Files: r.Files, OnlyThere: r.OnlyInOriginal.Files,
		OnlyBytes: r.OnlyInOriginal.Bytes, Secrets: r.Secrets,
		OutputBytes: r.WrittenSize, OutputSHA512: r.WrittenSHA512, Findings: found.kept, FindingCounts: found.counts,
		Errors: r.Errors,
	}, nil
}

// nameOf returns the name of the mirror in the WARC.
func nameOf(s Step, about *model.Harvest) string {
	if about.ID != "" {
		return about.ID
	}
	return filepath.Base(s.Name)
}

// mirrorDate returns the end of the crawl, or its start, or the date of the newest file.
func mirrorDate(about *model.Harvest, t *archivefs.Tree) time.Time {
	switch {
	case !about.End.IsZero():
		return about.End
	case !about.Start.IsZero():
		return about.Start
	}
	var newest time.Time
	for _, f := range t.Files() {
		if f.Modified.After(newest) {
			newest = f.Modified
		}
	}
	return newest
}

// mirrorLine is a line of the report on a mirror.
type mirrorLine struct {
	Harvest string `json:"harvest,omitempty"`
	Action  Action `json:"action"`
	Output  string `json:"output"`
	mirror.Entry
}

// mirror converts one mirror.
func (r *run) mirror(ctx context.Context, s Step, id string) (err error) {
	out, err := r.create(s.Output)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	tell := func(e mirror.Entry) error {
		if e.File != "" {
			e.File = r.plan.within(s.Tree, e.File)
		}
		return r.account.add(mirrorLine{id, Mirrored, s.Output, e})
	}
	var m *MirrorResult
	err = buffered(out, func(w io.Writer) (err error) {
		m, err = Mirror(ctx, s, r.plan.Harvests[s.Harvest].About(), w, tell, FileOptions{
			Software: r.software(), Date: r.o.Date, Level: r.o.Level, TempDir: r.dir, Progress: r.o.Progress,
			KeptHeadsOnly: r.o.KeptHeadsOnly,
		})
		return err
	})
	if err != nil {
		return err
	}
	if m.Errors > 0 {
		r.result.Outcome = model.Invalid
	}
	r.result.Records += m.Records
	r.result.Bytes += m.OutputBytes
	for _, n := range m.Files {
		r.result.Files[Mirrored] += n
	}
	if len(r.result.Mirrors) < MaxListed {
		r.result.Mirrors = append(r.result.Mirrors, *m)
	}
	if err := out.Sync(); err != nil {
		return fmt.Errorf("syncing the WARC to disk: %w", err)
	}
	return nil
}
