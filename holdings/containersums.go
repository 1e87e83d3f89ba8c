package holdings

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"quire/holdings/captures"
	"quire/holdings/facts"
	"quire/metadata/containermd"
	"quire/metadata/mets"
	"quire/metadata/premis"
	"quire/metadata/xmlstream"
	"quire/preserve/aip"
)

// ContainerSum is the containerMD summary of one container in the METS.
type ContainerSum struct {
	Path        string
	Number      int // from its IDs in the METS, from 1
	Harvest     int // 0 if it belongs to several, or to none
	Information *containermd.Information
	Events      []Event // its events: validation, virus check, migration
}

// ContainerSums returns the summaries of a package's containers, by their numbers. It reads the
// METS, which takes time in proportion to its length. Readers without access to the logs get none,
// because a rule may hide a host; nor do readers without access to the package. The error is
// [captures.ErrNotFound] if the package is hidden from the reader.
func (h *Holdings) ContainerSums(ctx context.Context, who Reader, id string) ([]ContainerSum, error) {
	if err := h.current(ctx); err != nil {
		return nil, err
	}
	j := h.judging()
	p, d := j.whole(&who, id)
	if p == nil || p.isCollection || d.Hidden {
		return nil, fmt.Errorf("package %s: %w", id, captures.ErrNotFound)
	}
	if !j.files(&who, p).Allowed {
		return nil, nil
	}
	in, err := h.details(ctx, p)
	if err != nil {
		return nil, ctx.Err() // it is withheld
	}
	return h.sums(ctx, p, in.Facts)
}

// sums reads the summaries of a package's containers from the first copy whose METS can be read.
func (h *Holdings) sums(ctx context.Context, p *pkg, in *facts.Facts) ([]ContainerSum, error) {
	byNumber := map[int]*facts.Container{}
	for _, c := range in.Containers {
		byNumber[c.Number] = c
	}
	var failed error
	for fsys, err := range h.store.Views(ctx, p.id, int(p.head)) {
		if err != nil {
			return nil, err
		}
		f, err := aip.Open(fsys, aip.METSName)
		if err == nil {
			var sums []ContainerSum
			sums, err = readSums(ctx, f, byNumber)
			_ = f.Close() // only read
			if err == nil {
				return sums, nil
			}
		}
		failed = err
	}
	return nil, failed
}

// Limits on the events of one container.
const (
	maxSumEvents = 20
	maxSumNotes  = 200
)

// sumReader reads the summaries in a METS. Its containers, with their rights and the digest of the
// METS, were read before.
type sumReader struct {
	ctx        context.Context
	containers map[int]*facts.Container
	byNumber   map[int]*ContainerSum
}

func readSums(ctx context.Context, in io.Reader, containers map[int]*facts.Container) ([]ContainerSum, error) {
	r := &sumReader{ctx, containers, map[int]*ContainerSum{}}
	err := mets.Read(in, mets.Handler{
		Section: r.section,
		Problem: func(mets.Problem) {}, // quire validate reports them
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", aip.METSName, err)
	}
	var sums []ContainerSum
	for _, n := range slices.Sorted(maps.Keys(r.byNumber)) {
		if s := r.byNumber[n]; s.Information != nil {
			sums = append(sums, *s)
		}
	}
	return sums, nil
}

// of returns the container of an amdSec; nil if it belongs to none.
func (r *sumReader) of(amdSec string) *ContainerSum {
	rest, ok := strings.CutPrefix(amdSec, "AMD-c")
	n, err := strconv.Atoi(rest)
	c := r.containers[n]
	if !ok || err != nil || c == nil {
		return nil
	}
	if r.byNumber[n] == nil {
		r.byNumber[n] = &ContainerSum{Path: c.Path, Number: n, Harvest: c.Harvest}
	}
	return r.byNumber[n]
}

func (r *sumReader) section(s mets.Section, payload *xmlstream.Reader) error {
	c := r.of(s.AmdSec)
	restricted := slices.ContainsFunc(s.AdmID, func(id string) bool {
		return strings.HasPrefix(id, aip.RestrictionIDPrefix)
	})
	if c == nil || payload == nil || restricted {
		return r.ctx.Err()
	}
	payload.OnUnknown = func(string) {} // of later versions
	switch e := payload.Element(); {
	case e.Is(containermd.Namespace, "containerMD"):
		md, err := containermd.Read(payload,
			containermd.ReadOptions{Entry: func(containermd.Entry) error { return nil }})
		c.Information = md.Information
		return err
	case s.Kind == mets.DigiprovMD && e.Local == "event" && len(c.Events) < maxSumEvents:
		ev, err := premis.ReadEvent(payload)
		if err != nil {
			return err
		}
		out := Event{ID: s.ID, Type: ev.Type.Text, Detail: strings.Join(ev.Details, "; ")}
		start, _, _ := strings.Cut(ev.DateTime, "/") // of a span of time
		out.Time, _ = xmlstream.ParseTime(start)     // zero if invalid
		for _, o := range ev.Outcomes {
			out.Outcome = cmp.Or(out.Outcome, o.Outcome.Text)
			out.Notes = append(out.Notes, o.Notes[:min(len(o.Notes), maxSumNotes-min(len(out.Notes), maxSumNotes))]...)
		}
		c.Events = append(c.Events, out)
	}
	return r.ctx.Err()
}
