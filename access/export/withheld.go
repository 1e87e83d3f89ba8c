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

// WithheldName is the usual name of the list of withheld content.
const WithheldName = "kept-back.json"

// Reason is the reason for withholding part of a package from an export.
type Reason string

// The reasons.
const (
	ByRights   Reason = "rights"     // closed to these readers
	Infected   Reason = "infected"   // a virus scanner found something: withheld from all
	Unreadable Reason = "unreadable" // damaged in every copy, or incomplete from the start
	Damaged    Reason = "damaged"    // a container with errors: records of it may be missing
	NoPayload  Reason = "no-payload" // a revisit whose payload is not in the repository
	NoPlace    Reason = "no-place"   // the format cannot hold it: see Message
)

// Withheld is one withheld item. It reveals nothing of the content: no title, digest or size.
type Withheld struct {
	Reason    Reason           `json:"reason"`
	URL       string           `json:"url,omitempty"`
	Timestamp string           `json:"timestamp,omitempty"` // of the capture, 14 digits
	Path      string           `json:"path,omitempty"`      // of a file of the package
	Verdict   holdings.Verdict `json:"verdict,omitempty"`
	Message   string           `json:"message,omitempty"` // to readers
	Until     string           `json:"until,omitempty"`   // day on which the decision changes
	Why       string           `json:"why,omitempty"`     // the evidence; for curators only
}

// withheldList collects withheld items.
type withheldList struct {
	list   *spool.Spool[Withheld]
	counts map[Reason]int64
	total  int64
	staff  bool
	listed bool // written: later items would be lost
	// withheld captures and files that are still in an export of the package as stored
	whole int64
}

func newKeptList(dir string, who holdings.Class) (*withheldList, error) {
	list, err := spool.New[Withheld](dir)
	return &withheldList{list: list, counts: map[Reason]int64{}, staff: who == holdings.Staff}, err
}

func (k *withheldList) add(item Withheld) error {
	if k.listed {
		return errors.New("an item was withheld after the list had been written")
	}
	if !k.staff {
		item.Why = ""
	}
	k.counts[item.Reason]++
	k.total++
	return k.list.Add(item)
}

// withheld is the number of withheld captures and files. A damaged container is none.
func (k *withheldList) withheld() int64 { return k.total - k.counts[Damaged] }

// write writes the list as JSON. Members are in a fixed order, items in the order of the package.
func (k *withheldList) write(w io.Writer, pkg, as string, who holdings.Class) error {
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
	err = k.list.Each(func(item Withheld) error {
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

// all returns the withheld items.
func (k *withheldList) all() iter.Seq2[Withheld, error] {
	if k.total == 0 {
		return func(func(Withheld, error) bool) {}
	}
	return k.list.All()
}

// reasons calls visit with each reason and its count, sorted by reason.
func (k *withheldList) reasons(visit func(Reason, int64)) {
	for _, r := range slices.Sorted(maps.Keys(k.counts)) {
		visit(r, k.counts[r])
	}
}

// withheldOf returns the entry of a withheld capture.
func withheldOf(c *holdings.Judged) Withheld {
	reason := ByRights
	if c.Infected {
		reason = Infected
	}
	return Withheld{Reason: reason, URL: c.URL, Timestamp: c.Timestamp, Verdict: c.Verdict, Message: c.Message,
		Until: c.Until, Why: c.Why}
}
