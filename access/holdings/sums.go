package holdings

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"quire/access/index"
	"quire/metadata/containermd"
	"quire/metadata/mets"
	"quire/metadata/xmlstream"
	"quire/preserve/folder"
	"quire/repository/facts"
)

// Sum is what the METS sums up of one container, as containerMD has it.
type Sum struct {
	Path        string
	Number      int // by its IDs in the METS, from 1
	Harvest     int // 0 when it is of several, or of none
	Information *containermd.Information
}

// Sums tells how many records, formats, hosts and answers the containers of a package hold, in the order of their numbers. It reads the METS:
// that takes as long as that is long. Hosts can be what a rule hides, so who may not have the logs is told nothing; neither is who may have
// nothing of the package. The error is [index.ErrNotFound] where he cannot be told of it.
func (h *Holdings) Sums(ctx context.Context, who Reader, id string) ([]Sum, error) {
	if err := h.current(ctx); err != nil {
		return nil, err
	}
	j := h.judging()
	p, d := j.whole(&who, id)
	if p == nil || p.isCollection() || d.Hidden {
		return nil, fmt.Errorf("package %s: %w", id, index.ErrNotFound)
	}
	if p.trouble != nil || p.facts == nil || !j.files(&who, p).Allowed {
		return nil, nil
	}
	byNumber := map[int]*facts.Container{}
	for _, c := range p.facts.Containers {
		byNumber[c.Number] = c
	}
	var failed error
	for fsys, err := range h.store.Views(ctx, id, p.card.Head) {
		if err != nil {
			return nil, err
		}
		in, err := folder.Open(fsys, folder.METSName)
		if err == nil {
			var sums []Sum
			sums, err = readSums(ctx, in, byNumber)
			_ = in.Close() // it was only read
			if err == nil {
				return sums, nil
			}
		}
		failed = err
	}
	return nil, failed
}

// readSums reads the sums in a METS. Its containers were read before, with their rights, and digested.
func readSums(ctx context.Context, in io.Reader, containers map[int]*facts.Container) (sums []Sum, err error) {
	err = mets.Read(in, mets.Handler{
		Section: func(s mets.Section, payload *xmlstream.Reader) error {
			rest, ok := strings.CutPrefix(s.ID, "CMD-c")
			n, err := strconv.Atoi(rest)
			c := containers[n]
			if !ok || err != nil || c == nil || payload == nil || !payload.Element().Is(containermd.Namespace, "containerMD") {
				return ctx.Err()
			}
			payload.OnUnknown = func(string) {} // of later versions
			md, err := containermd.Read(payload, containermd.ReadOptions{Entry: func(containermd.Entry) error { return nil }})
			if err == nil && md.Information != nil {
				sums = append(sums, Sum{c.Path, n, c.Harvest, md.Information})
			}
			return err
		},
		Problem: func(mets.Problem) {}, // that is for quire validate to tell
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", folder.METSName, err)
	}
	return sums, nil
}
