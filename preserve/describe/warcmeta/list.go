package warcmeta

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"quire/metadata/oclc"
	"quire/preserve/describe"
	"quire/preserve/internal/containers"
	"quire/source/detect"
	"quire/source/records"
)

// Listed is a description in a container.
type Listed struct {
	Container string         `json:"container"`
	Offset    int64          `json:"offset"`
	ID        string         `json:"id"` // WARC-Record-ID
	Date      time.Time      `json:"date"`
	RefersTo  string         `json:"refersTo"`
	TargetURI string         `json:"targetURI"`
	URL       string         `json:"url"` // of the sheet
	Row       string         `json:"row"` // its id
	Level     describe.Level `json:"level"`
	Replaces  string         `json:"replaces,omitempty"`
	Format    Form           `json:"format"`
	Record    oclc.Record    `json:"-"`        // nil for the forms of catalogues
	Document  string         `json:"document"` // byte for byte
	Problem   string         `json:"problem,omitempty"`

	// Own reports that another system wrote the description as JSON, by its own names. Unread lists
	// the names that are no elements; Document has their values.
	Own    bool     `json:"own,omitempty"`
	Unread []string `json:"unread,omitempty"`
}

// ListOptions configures List. The zero value is valid.
type ListOptions struct {
	Source  detect.Options
	Mapping *describe.Mapping // of the names in the JSON of other systems; may be nil
}

// List visits the descriptions of a source, in the order of their position: those that Quire wrote,
// and those that other systems wrote as JSON. An unreadable one has a Problem.
func List(ctx context.Context, sources []string, o ListOptions, visit func(Listed) error) (err error) {
	l, err := containers.Open(ctx, o.Source, sources...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	if len(l.All) == 0 {
		return fmt.Errorf("%w in %s: convert a mirror to WARC first (quire convert)", ErrNoContainer,
			strings.Join(sources, ", "))
	}
	for i := range l.All {
		if err := listOne(ctx, &l.All[i], o.Mapping, visit); err != nil {
			return fmt.Errorf("%s: %w", l.All[i].Place(), err)
		}
	}
	return nil
}

func listOne(ctx context.Context, c *containers.Container, m *describe.Mapping, visit func(Listed) error) error {
	content, err := c.Open()
	if err != nil {
		return err
	}
	defer func() { _ = content.Close() }() // it was only read
	_, err = eachRecord(ctx, content, nil, nil, func(_ *records.Reader, r *records.Record) error {
		if isOwn(r) {
			all, err := own(r, m)
			for i := 0; err == nil && i < len(all); i++ {
				all[i].Container = c.Place()
				err = visit(all[i])
			}
			return err
		}
		if !isDescription(r) {
			return nil
		}
		l, err := listed(r)
		if err != nil {
			return err
		}
		l.Container = c.Place()
		return visit(l)
	})
	if errors.Is(err, records.ErrNotContainer) {
		return nil // named as a container, but not one
	}
	return err
}

func listed(r *records.Record) (Listed, error) {
	w, document, err := readWritten(r)
	var bad *unreadable
	if err != nil && !errors.As(err, &bad) {
		return Listed{}, err
	}
	l := Listed{Offset: r.Offset, ID: w.ID, Date: w.Date, RefersTo: w.Refers, TargetURI: r.URI, URL: w.Of, Row: w.Row,
		Level:    w.Level,
		Replaces: w.Replaces, Format: w.Form, Document: string(document)}
	if err == nil {
		l.Record, err = readForm(w.Form, document)
	}
	if err != nil {
		l.Problem = err.Error()
	}
	return l, nil
}
