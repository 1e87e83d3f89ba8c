package harvest

import (
	"fmt"

	"quire/model"
)

// endless watches a list that may never end: a server can send a new resumptionToken with each page, and no record,
// or the same records again and again.
type endless struct {
	before int64 // pages read before the list began
	empty  int64 // pages in a row without a record
	known  int64 // pages in a row with no new record
	fresh  int64 // records of this call that were not stored before
}

// Limits of a list. A server that leaves records out after it has cut the list into pages sends empty pages, but not
// so many. A list that is requested anew has the pages of before again; they may be shorter.
const (
	mostEmpty      = 300 // pages in a row
	mostKnown      = 100 // pages in a row, beside twice those of before
	defaultRecords = 100_000_000
)

// begin is called when a list begins, or is requested anew, after so many pages.
func (e *endless) begin(pages int64) { e.before, e.empty, e.known = pages, 0, 0 }

// page takes the numbers of records of a page: all, and those that were not stored before.
func (e *endless) page(all, fresh int64) {
	e.fresh += fresh
	if e.empty++; all > 0 {
		e.empty = 0
	}
	if e.known++; fresh > 0 || all == 0 {
		e.known = 0
	}
}

// endless returns why the list is not followed any longer, or "".
func (e *endless) endless(limit int64) string {
	switch {
	case e.empty >= mostEmpty:
		return fmt.Sprintf("the server sends %d pages in a row without a record, each with another resumptionToken",
			e.empty)
	case e.known >= mostKnown+2*e.before:
		return fmt.Sprintf("the server sends %d pages in a row with records that are there already", e.known)
	case e.fresh >= limit:
		return fmt.Sprintf("the list has %d new records and more pages; one call takes no more (--max-records)",
			e.fresh)
	}
	return ""
}

// stop ends a window as incomplete.
func (h *harvest) stop(why string) {
	h.found(CodeIncomplete, model.Error, why+": the harvest is incomplete")
	h.end(false, why)
}
