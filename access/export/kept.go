package export

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"

	"quire/holdings"
	"quire/internal/spool"
)

// KeptBackName is the usual name of the list of what was kept back.
const KeptBackName = "kept-back.json"

// Reason says why something of a package is not in an export of it.
type Reason string

// The reasons.
const (
	ByRights   Reason = "rights"     // these readers may not have it
	Infected   Reason = "infected"   // a virus scanner found something in it: nobody gets it so
	Unreadable Reason = "unreadable" // no copy has it as it was stored, or it was never whole
	NoPayload  Reason = "no-payload" // a revisit whose payload is not in the repository
	NoPlace    Reason = "no-place"   // the format has no place for it: Message says more
)

// Kept is one thing that was kept back. Of content nothing is told: neither title nor digest nor
// size.
type Kept struct {
	Reason    Reason           `json:"reason"`
	URL       string           `json:"url,omitempty"`
	Timestamp string           `json:"timestamp,omitempty"` // of the capture, 14 digits
	Path      string           `json:"path,omitempty"`      // of a file of the package
	Verdict   holdings.Verdict `json:"verdict,omitempty"`
	Message   string           `json:"message,omitempty"` // for readers
	Until     string           `json:"until,omitempty"`   // day on which another answer holds
	Why       string           `json:"why,omitempty"`     // the evidence; in what curators get only
}

// keptList collects what is kept back.
type keptList struct {
	list   *spool.Spool[Kept]
	counts map[Reason]int64
	total  int64
	staff  bool
	listed bool // it was written: more would be told nowhere
	// captures and files that nobody may have, and that were handed out with all else in a package
	// as it is stored
	whole int64
}

func newKeptList(dir string, who holdings.Class) (*keptList, error) {
	list, err := spool.New[Kept](dir)
	return &keptList{list: list, counts: map[Reason]int64{}, staff: who == holdings.Staff}, err
}

func (k *keptList) add(item Kept) error {
	if k.listed {
		return errors.New("something is kept back after the list of it was written")
	}
	if !k.staff {
		item.Why = ""
	}
	k.counts[item.Reason]++
	k.total++
	return k.list.Add(item)
}

// write writes the list as JSON. Its members stand in a fixed order, the items in that of the
// package.
func (k *keptList) write(w io.Writer, pkg, as string, who holdings.Class) error {
	k.listed = true
	head, err := json.Marshal(struct {
		Format  string           `json:"format"`
		Package string           `json:"package"`
		As      string           `json:"as"`
		For     holdings.Class   `json:"for"`
		Total   int64            `json:"total"`
		Counts  map[Reason]int64 `json:"counts"`
	}{"quire-kept-back-1", pkg, as, who, k.total, k.counts})
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, "%s,\"items\":[", head[:len(head)-1]); err != nil {
		return err
	}
	separator := "\n"
	err = k.list.Each(func(item Kept) error {
		text, err := json.Marshal(item)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(w, "%s%s", separator, text)
		separator = ",\n"
		return err
	})
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, "\n]}\n")
	return err
}

// all are the things that are kept back.
func (k *keptList) all() iter.Seq2[Kept, error] {
	if k.total == 0 {
		return func(func(Kept, error) bool) {}
	}
	return k.list.All()
}

// reasons gives the counts, in the order of their names.
func (k *keptList) reasons(visit func(Reason, int64)) {
	for _, r := range slices.Sorted(maps.Keys(k.counts)) {
		visit(r, k.counts[r])
	}
}

// keptOf says why a capture is kept back.
func keptOf(c *holdings.Judged) Kept {
	reason := ByRights
	if c.Infected {
		reason = Infected
	}
	return Kept{Reason: reason, URL: c.URL, Timestamp: c.Timestamp, Verdict: c.Verdict, Message: c.Message,
		Until: c.Until, Why: c.Why}
}
