package browsertrix

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"quire/format/warc"
	"quire/internal/archivefs"
	"quire/source/internal/facts"
	"quire/source/records"
)

const (
	maxInfos   = 64 // number of containers with a first record to read
	maxSearch  = 3  // number of containers searched for a request
	maxRecords = 40 // number of records searched in each
	maxHead    = 64 << 10
)

// records reads the first records of the containers for the crawler and its user agent. It does not
// read whole containers.
func (r *reading) records(ctx context.Context) error {
	for i, p := range r.containers() {
		if i == maxInfos {
			break
		}
		err := r.with(p, func(c archivefs.Content) error { return r.firstRecords(p, c, i < maxSearch) })
		if err = errors.Join(ctx.Err(), err); err != nil && (ctx.Err() != nil || isMachine(err)) {
			return err
		}
	}
	r.facts.Set(&r.about.Software, "software", r.log.software, "first line of the logs")
	r.facts.Set(&r.about.Software, "software", r.packaged, "software in the description of the package")
	return nil
}

// containers returns the containers of the package, sorted by path.
func (h *Harvest) containers() []string {
	var all []string
	for _, p := range h.files {
		if is, _ := records.NamedContainer(p); is {
			all = append(all, p)
		}
	}
	return all
}

func (r *reading) firstRecords(p string, c archivefs.Content, search bool) error {
	in := records.NewReader(c, nil)
	for n := range maxRecords {
		rec, err := in.Next()
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, records.ErrNotContainer) {
			return nil
		}
		if err != nil {
			return err
		}
		switch {
		case n == 0:
			if !rec.Date.IsZero() && (r.pages.begun.IsZero() || rec.Date.Before(r.pages.begun)) {
				r.pages.begun = rec.Date
			}
			fields, err := rec.Fields()
			if err != nil {
				return err
			}
			r.facts.TellInfo(fields, p)
		case rec.Type == warc.TypeRequest && r.about.UserAgent == "":
			head, err := io.ReadAll(io.LimitReader(rec, maxHead))
			if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
				return err
			}
			r.request(head, rec.Offset, p, r.facts)
		}
		if !search || r.about.UserAgent != "" {
			return nil
		}
	}
	return nil
}

// request reads the user agent of a request, and checks whether the request has login data.
func (r *reading) request(head []byte, offset int64, p string, f *facts.Facts) {
	for line := range bytes.SplitSeq(head, []byte("\n")) {
		name, value, ok := strings.Cut(strings.TrimSpace(string(line)), ":")
		switch name = strings.ToLower(name); {
		case !ok:
		case name == "user-agent":
			f.Set(&r.about.UserAgent, "user agent", strings.TrimSpace(value), "the first request in "+p)
		case slices.Contains([]string{"authorization", "proxy-authorization"}, name):
			f.Restrict(p, offset, "holds a request with "+name)
		}
	}
}
