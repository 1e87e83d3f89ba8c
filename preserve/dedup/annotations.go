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

// Quire's own fields in a revisit record made from a log line, in addition to the others.
const (
	FieldLog    = "Dedup-Log"    // the file and the line
	FieldNote   = "Dedup-Note"   // the annotation, as found
	FieldStatus = "Dedup-Status" // of the answer, from the log: the empty block cannot have it
	FieldMIME   = "Dedup-MIME"
)

// Annotations makes revisit records for captures that exist only as lines of a crawl log.
// NetarchiveSuite and Heritrix skipped such duplicates before revisit records existed. For each
// harvest with such lines, Annotations writes a WARC file. It writes only known data, so the
// records have no HTTP head. Data about the original comes from the annotation. It also comes from
// the original's record, if Options.Against has the record and the record confirms the line.
func Annotations(ctx context.Context, source string, o Options) (*Report, error) {
	return work(ctx, source, o, "creation of revisit records", (*job).annotate)
}

// annotation is a log line that reports a duplicate.
type annotation struct {
	*model.Fetch
	note        string
	notModified bool // the server answered "not modified", without content
	anyURI      bool // the crawler also compared captures of other URIs
	sha1        []byte
}

// annotationOf reads a line; nil if it does not report a duplicate.
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

// annotate does the work of Annotations. It reads the log twice: it must know the named containers
// before it reads them.
func (j *job) annotate(ctx context.Context) error {
	j.report.Event.Detail = "log lines that tell of duplicates became revisit records"
	if err := j.noteCaptures(ctx); err != nil {
		return err
	}
	n := &named{containers: map[string]bool{}}
	var last []time.Time // the latest line of each harvest; zero if it has none
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

// eachAnnotation visits the lines that report a duplicate and have a time.
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

// want records the keys to look up.
func (j *job) want(a *annotation, n *named) {
	if a.Duplicate != nil && len(n.containers) < maxRemembered {
		n.containers[bareName(a.Duplicate.Container)] = true
	}
	if a.sha1 != nil {
		j.wanted.add(statedKey("sha1", a.sha1))
	}
}

// bareName returns the name of a container without its compression: annotations may be older than
// the compression of their ARC files.
func bareName(name string) string {
	return strings.TrimSuffix(path.Base(strings.ReplaceAll(name, `\`, "/")), ".gz")
}

// noteCaptures records the captures that have a record in the source.
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

// captured identifies a capture to the second, the granularity that records and logs share.
func captured(uri string, t time.Time) string {
	return nameOfCapture(warcbuild.TargetURI(uri), t.UTC().Truncate(time.Second).Format(time.RFC3339))
}
