package dedup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	"quire/format/warc"
	"quire/internal/warcbuild"
	"quire/model"
	"quire/source/detect"
	"quire/source/records"
)

// Fields of our own in a revisit record that was made of a log line, beside those of the other
// ones.
const (
	FieldLog    = "Dedup-Log"    // the file and the line
	FieldNote   = "Dedup-Note"   // the annotation, as found
	FieldStatus = "Dedup-Status" // of the answer, as the log has it: the block, which would have it, is empty
	FieldMIME   = "Dedup-MIME"
)

// Annotations makes revisit records of what exists as a line of a crawl log alone: captures that
// the crawler left away as duplicates, as NetarchiveSuite and Heritrix did before there were
// revisit records. For each harvest with such lines it writes a WARC file. What a line does not
// tell is not written: there is no HTTP head, and of the original there is what the annotation
// names, and what its record says where that is found in Options.Against and bears the line out.
func Annotations(ctx context.Context, source string, o Options) (*Report, error) {
	return work(ctx, source, o, "creation of revisit records", (*job).annotate)
}

// annotation is a log line that tells of a duplicate.
type annotation struct {
	*model.Fetch
	note        string
	notModified bool // the server said so, and sent nothing
	anyURI      bool // the crawler compared with captures of other URIs too
	sha1        []byte
}

// annotationOf reads a line; nil when it tells of no duplicate.
func annotationOf(f *model.Fetch) *annotation {
	for _, note := range f.Notes {
		key, value, _ := strings.Cut(note, ":")
		a := &annotation{Fetch: f, note: note}
		switch {
		case key != "duplicate" && key != "deduplicate" && key != "warcRevisit":
			continue
		case value == "notModified" || value == "server-not-modified":
			a.notModified = true
		case value == "digest" || f.Duplicate != nil:
		case strings.EqualFold(value, "uriAgnosticDigest"):
			a.anyURI = true
		default:
			continue
		}
		if d, err := warc.ParseDigest(f.Digest); err == nil && d.Algorithm == "sha1" {
			a.sha1 = d.Sum
		}
		return a
	}
	return nil
}

// annotate is the work of Annotations. The log is read twice: which containers it names must be
// known before they are read.
func (j *job) annotate(ctx context.Context) error {
	j.report.Event.Detail = "log lines that tell of duplicates became revisit records"
	if err := j.noteCaptures(ctx); err != nil {
		return err
	}
	n := &named{containers: map[string]bool{}}
	var last []time.Time // the latest of the lines of each harvest; zero of one without any
	err := j.eachHarvest(ctx, func(h detect.Harvest) error {
		last = append(last, time.Time{})
		return eachAnnotation(ctx, h, func(a *annotation) error {
			j.want(a, n)
			if at := &last[len(last)-1]; a.Time.After(*at) {
				*at = a.Time
			}
			return nil
		})
	})
	if err != nil {
		return err
	}
	j.library.named = n
	if err := j.library.fill(ctx, j.wanted); err != nil {
		return err
	}
	number := 0
	return j.eachHarvest(ctx, func(h detect.Harvest) error {
		if number++; last[number-1].IsZero() {
			return nil
		}
		return j.annotateHarvest(ctx, h, j.nameFor(h, number), last[number-1])
	})
}

func (j *job) eachHarvest(ctx context.Context, visit func(detect.Harvest) error) error {
	for h, err := range j.source.source.Harvests(ctx) {
		if err == nil {
			err = visit(h)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// eachAnnotation visits the lines that tell of a duplicate and say when it was met.
func eachAnnotation(ctx context.Context, h detect.Harvest, visit func(*annotation) error) error {
	for f, err := range h.Fetches(ctx, nil) {
		if err != nil {
			return err
		}
		if a := annotationOf(&f); a != nil {
			if err := visit(a); err != nil {
				return err
			}
		}
	}
	return nil
}

// want notes what will be looked for.
func (j *job) want(a *annotation, n *named) {
	if a.Duplicate != nil && len(n.containers) < maxRemembered {
		n.containers[bareName(a.Duplicate.Container)] = true
	}
	if a.sha1 != nil {
		j.wanted.add(statedKey("sha1", a.sha1))
	}
}

// bareName is the name of a container without its compression: annotations were written before
// their ARC files were compressed.
func bareName(name string) string {
	return strings.TrimSuffix(path.Base(strings.ReplaceAll(name, `\`, "/")), ".gz")
}

// noteCaptures notes what has a record in the source.
func (j *job) noteCaptures(ctx context.Context) error {
	for h, err := range j.source.Containers(ctx) {
		if err != nil {
			return err
		}
		if err := j.noteContainer(ctx, h); err != nil {
			return fmt.Errorf("reading %s: %w", h.Path, err)
		}
	}
	return nil
}

func (j *job) noteContainer(ctx context.Context, h Held) error {
	content, err := j.source.Open(h.Path)
	if err != nil {
		return err
	}
	defer func() { _ = content.Close() }() // it was only read
	for r := records.NewReader(content, nil); ; {
		rec, err := r.Next()
		if err == nil {
			err = ctx.Err()
		}
		if errors.Is(err, io.EOF) || errors.Is(err, records.ErrNotContainer) {
			return nil
		}
		if err != nil {
			return err
		}
		switch rec.Type {
		case warc.TypeResponse, warc.TypeResource, warc.TypeRevisit:
			if err := j.own.note(ctx, key(captured(rec.URI, rec.Date))); err != nil {
				return err
			}
		}
	}
}

// captured names a capture to the second, which is what records and logs have in common.
func captured(uri string, t time.Time) string {
	return nameOfCapture(warcbuild.TargetURI(uri), t.UTC().Truncate(time.Second).Format(time.RFC3339))
}
