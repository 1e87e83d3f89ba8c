package auditreport

import (
	"context"
	"time"

	"quire/repository/disposal"
	"quire/repository/store"
)

// Purges lists the purges, and the requests for them.
type Purges struct {
	Requested  int64   `json:"requested"` // no second person has approved them
	Purged     int64   `json:"purged"`
	Cancelled  int64   `json:"cancelled"`
	Readmitted int64   `json:"readmitted"` // purged, and allowed to be stored again
	Pending    int64   `json:"pending"`    // approved, and not carried out everywhere
	List       []Purge `json:"list"`
	More       int64   `json:"more"` // left out of the list, the oldest
}

// Purge is a purge without the package that it names. Its tombstone has the rest (quire purge list).
type Purge struct {
	ID        string         `json:"id"`
	State     disposal.State `json:"state"`
	Kind      string         `json:"kind"` // package or collection
	Versions  int            `json:"versions"`
	Files     int64          `json:"files"` // of the newest version, at the request
	Bytes     int64          `json:"bytes"`
	Reasoned  bool           `json:"reason_and_authority"` // both are recorded
	Reason    string         `json:"reason,omitempty"`     // only with Options.Reasons
	Authority string         `json:"authority,omitempty"`  // likewise

	RequestedBy string               `json:"requested_by"`
	Requested   time.Time            `json:"requested"`
	ApprovedBy  string               `json:"approved_by"` // "" if nobody did
	Approved    time.Time            `json:"approved,omitzero"`
	CancelledBy string               `json:"cancelled_by"`
	Cancelled   time.Time            `json:"cancelled,omitzero"`
	AgainBy     string               `json:"readmitted_by"`
	Again       time.Time            `json:"readmitted,omitzero"`
	Done        []store.PurgedPlace  `json:"done"`    // places without the package: copies, the catalogue, the indexes
	Waiting     []store.PendingPlace `json:"pending"` // places that still have to be cleared
}

// purges lists the purges, the newest first.
func (g *gatherer) purges(ctx context.Context) error {
	all, err := g.store.Purges(ctx)
	if err != nil {
		return err
	}
	r := &g.report.Purges
	r.List = []Purge{}
	for i := len(all) - 1; i >= 0; i-- {
		out := purgeOf(&all[i], g.options.Reasons)
		switch out.State {
		case disposal.Requested:
			r.Requested++
		case disposal.Cancelled:
			r.Cancelled++
		case disposal.Readmitted:
			r.Readmitted++
		default:
			r.Purged++
		}
		if len(out.Waiting) > 0 {
			r.Pending++
		}
		if !out.concerns(g.options.Since) {
			continue
		}
		if len(r.List) < MaxRows {
			r.List = append(r.List, out)
		} else {
			r.More++
		}
	}
	return nil
}

func purgeOf(p *store.PurgeStatus, reasons bool) Purge {
	out := Purge{ID: p.ID, State: p.State, Kind: p.Was.Kind, Versions: p.Was.Versions, Files: p.Was.Files,
		Bytes: p.Was.Bytes, Reasoned: p.Requested.Because != "" && p.Authority != "", RequestedBy: p.Requested.By,
		Requested: p.Requested.At.UTC(), Done: p.Done, Waiting: p.Pending}
	if reasons {
		out.Reason, out.Authority = p.Requested.Because, p.Authority
	}
	for _, act := range []struct {
		of *disposal.Act
		by *string
		at *time.Time
	}{{p.Approved, &out.ApprovedBy, &out.Approved}, {p.Cancelled, &out.CancelledBy, &out.Cancelled},
		{p.Again, &out.AgainBy, &out.Again}} {
		if act.of != nil {
			*act.by, *act.at = act.of.By, act.of.At.UTC()
		}
	}
	return out
}

// concerns reports whether a purge is open, or had an act or a removal since a time.
func (p *Purge) concerns(since time.Time) bool {
	if p.State == disposal.Requested || len(p.Waiting) > 0 {
		return true
	}
	for _, at := range []time.Time{p.Requested, p.Approved, p.Cancelled, p.Again} {
		if !at.Before(since) {
			return true
		}
	}
	for _, place := range p.Done {
		if !place.At.Before(since) {
			return true
		}
	}
	return false
}
