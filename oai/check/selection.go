package check

import (
	"slices"
	"time"

	"quire/oai/protocol"
)

// checkDates requests the records of the sample's datestamp, in both granularities.
func (k *checker) checkDates() error {
	t, g, err := protocol.ParseDatestamp(k.sample.datestamp)
	if err != nil {
		return errAnswer
	}
	if err := k.checkRange(k.sample.datestamp, t, g.Last(t), CodeSelect); err != nil {
		return err
	}
	if g == protocol.Days {
		return nil
	}
	day := t.Truncate(24 * time.Hour)
	return k.checkRange(day.Format(protocol.Days.Layout()), day, protocol.Days.Last(day), CodeDay)
}

// checkRange requests the records from and until one date, both inclusive.
func (k *checker) checkRange(date string, from, until time.Time, missing string) error {
	for _, verb := range []string{"ListIdentifiers", "ListRecords"} {
		a, err := k.ask(args("verb", verb, "metadataPrefix", "oai_dc", "from", date, "until", date))
		if err != nil {
			return err
		}
		if a.Token == nil && !slices.ContainsFunc(a.heads, func(h head) bool { return h.id == k.sample.id }) {
			k.find(missing, a.request, "record %.200s of %s is missing: %s", k.sample.id, k.sample.datestamp,
				a.summary())
			return nil
		}
		for _, h := range a.heads {
			if t, g, err := protocol.ParseDatestamp(h.datestamp); err == nil &&
				(t.Before(from) || g.Last(t).After(until)) {
				k.find(CodeRange, a.request, "record %.200s has the datestamp %s, outside the requested range", h.id,
					h.datestamp)
			}
		}
	}
	return nil
}

// checkSelection requests the sets of the sample and their parent sets.
func (k *checker) checkSelection() error {
	for i, spec := range k.sample.sets {
		if i == 3 {
			return nil
		}
		for ; spec != ""; spec = protocol.SetAbove(spec) {
			if err := k.checkInSet(spec); err != nil {
				return err
			}
		}
	}
	return nil
}

func (k *checker) checkInSet(spec string) error {
	if !protocol.IsSetSpec(spec) {
		return nil // already reported
	}
	a, err := k.ask(args("verb", "ListIdentifiers", "metadataPrefix", "oai_dc", "set", spec, "from", k.sample.datestamp,
		"until", k.sample.datestamp))
	if err != nil {
		return err
	}
	if a.Token == nil && !slices.ContainsFunc(a.heads, func(h head) bool { return h.id == k.sample.id }) {
		k.find(CodeSetMissing, a.request, "record %.200s is in the set %s by its header, but missing "+
			"from the list: %s",
			k.sample.id, spec, a.summary())
		return nil
	}
	for _, h := range a.heads {
		if !slices.ContainsFunc(h.sets, func(s string) bool { return protocol.InSet(s, spec) }) {
			k.find(CodeSetOther, a.request, "record %.200s is not in the set %s by its header", h.id, spec)
		}
	}
	return nil
}
