package pages

import (
	"slices"

	"quire/access/parts"
	"quire/holdings"
)

// compareResources lists the embedded resources of both pages, and whether they are equal, by the
// digests of the captures nearest to the pages.
func (s *site) compareResources(q *request, c *comparison, in string, a, b *half) error {
	all := slices.Concat(a.embeds, b.embeds)
	slices.Sort(all)
	all = slices.Compact(all)
	unchanged := int64(0)
	for _, u := range all {
		if err := q.Context().Err(); err != nil {
			return err
		}
		_, inA := slices.BinarySearch(a.embeds, u)
		_, inB := slices.BinarySearch(b.embeds, u)
		d := change{URL: u, All: s.ui.Versions(in, u)}
		same, err := s.compareResource(q, &d, in, u, nearIf(inA, a), nearIf(inB, b))
		if err != nil {
			return err
		}
		if same {
			unchanged++
			continue
		}
		c.Resources = append(c.Resources, d)
	}
	c.ResourceWords = s.words.N("compare.resources.words", int64(len(all)), s.words.Number(int64(len(c.Resources))))
	switch {
	case len(all) == 0:
		c.ResourceWords = s.words.T("compare.resources.none")
	case a.cut || b.cut:
		c.ResourceWords += " " + s.words.T("compare.resources.cut", parts.MaxParts)
	}
	return nil
}

func nearIf(is bool, h *half) string {
	if is {
		return h.Timestamp
	}
	return ""
}

// compareResource reports whether an embedded resource is equal at two moments; the moment is "" if
// that page does not embed it.
func (s *site) compareResource(q *request, d *change, in, u, a, b string) (same bool, err error) {
	var found [2]*holdings.Judged
	for i, timestamp := range []string{a, b} {
		if timestamp == "" {
			continue
		}
		if found[i], err = s.nearest(q, in, u, timestamp); err != nil {
			return false, err
		}
	}
	d.Earlier, d.Later = s.resourceState(a, found[0]), s.resourceState(b, found[1])
	switch {
	case b == "":
		d.Change = s.words.T("compare.removed")
	case a == "":
		d.Change = s.words.T("compare.added")
	case found[0] == nil && found[1] == nil:
		return true, nil // neither was captured: no difference known
	case found[0] == nil || found[1] == nil || !found[0].Allowed || !found[1].Allowed:
		d.Change = s.words.T("compare.unknown")
	case found[0].Digest != "" && found[0].Digest == found[1].Digest:
		return true, nil
	default:
		d.Change = s.words.T("compare.changed")
	}
	return false, nil
}

func (s *site) nearest(q *request, in, u, timestamp string) (*holdings.Judged, error) {
	query, err := s.query(in, u)
	if err != nil {
		return nil, err
	}
	return s.at(q, query, timestamp)
}

// resourceState shows the capture time of a resource, if it was captured.
func (s *site) resourceState(asked string, c *holdings.Judged) string {
	switch {
	case asked == "":
		return s.words.T("compare.absent")
	case c == nil:
		return s.words.T("compare.uncaptured")
	case !c.Allowed:
		return s.words.T("kind.locked")
	}
	return s.words.T("compare.captured", s.words.When(c.Timestamp), s.words.Size(c.Length))
}
