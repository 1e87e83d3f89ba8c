package api

import (
	"context"
	"net/http"
	"time"

	"quire/access/withdrawal"
	"quire/holdings/rights"
	"quire/preserve/statements"
	"quire/repository/disposal"
	"quire/repository/store"
	"quire/service/role"
)

func (a *API) decisions() {
	add(a, call{"withdrawals-list", http.MethodGet, "/withdrawals", 200, "decisions"}, a.listWithdrawals)
	add(a, call{"withdrawal-make", http.MethodPost, "/withdrawals", 201, "decisions"}, a.withdraw)
	add(a, call{"withdrawal-lift", http.MethodPost, "/withdrawals/{id}/lift", 200, "decisions"}, a.lift)
	add(a, call{"holds-list", http.MethodGet, "/holds", 200, "decisions"}, a.listHolds)
	add(a, call{"hold-set", http.MethodPost, "/holds", 201, "decisions"}, a.hold)
	add(a, call{"hold-lift", http.MethodPost, "/holds/{id}/lift", 200, "decisions"}, a.liftHold)
	add(a, call{"purges-list", http.MethodGet, "/purges", 200, "decisions"}, a.listPurges)
	add(a, call{"purge-request", http.MethodPost, "/purges", 201, "decisions"}, a.requestPurge)
	add(a, call{"purge-approve", http.MethodPost, "/purges/{id}/approve", 200, "decisions"}, a.approvePurge)
	add(a, call{"purge-cancel", http.MethodPost, "/purges/{id}/cancel", 200, "decisions"}, a.cancelPurge)
}

// Act is a person's part in a decision.
type Act struct {
	By        string    `json:"by,omitempty"`
	At        time.Time `json:"at"`
	Because   string    `json:"because,omitempty"`
	Authority string    `json:"authority,omitempty"`
}

// Withdrawal closes content to readers.
type Withdrawal struct {
	ID       string `json:"id"`
	URL      string `json:"url,omitempty"`
	Package  string `json:"package,omitempty"`
	Access   string `json:"access"`
	Message  string `json:"message,omitempty"`
	Until    string `json:"until,omitempty"`
	Made     Act    `json:"made"`
	Lifted   *Act   `json:"lifted,omitempty"`
	Captures int64  `json:"captures" doc:"Counted at the time of the decision."`
	Packages int64  `json:"packages"`
	Counted  bool   `json:"counted"`
	Left     *Left  `json:"left,omitempty" doc:"Content that a search engine still has. It did not answer."`
}

// Left is what a search engine for other programs still has of a withdrawal that is in force.
type Left struct {
	Job int64  `json:"job,omitempty" doc:"The job that deletes it."`
	Why string `json:"why"`
}

func withdrawalOf(w *withdrawal.Counted) Withdrawal {
	out := Withdrawal{ID: w.ID, URL: w.URL, Package: w.Package, Access: string(w.Access), Message: w.Message,
		Until: string(w.Until), Made: Act{w.By, w.At, w.Because, w.Authority}, Captures: w.Captures,
		Packages: w.Packages, Counted: w.Counted}
	if l := w.Lifted; l != nil {
		out.Lifted = &Act{l.By, l.At, l.Because, l.Authority}
	}
	return out
}

func (a *API) listWithdrawals(ctx context.Context, _ *role.Person, _ *struct{}) (*Listed[Withdrawal], error) {
	all, err := withdrawal.List(ctx, a.desk.Store)
	if err != nil {
		return nil, err
	}
	var rows []Withdrawal
	for i := range all {
		rows = append(rows, withdrawalOf(&all[i]))
	}
	return listOf(rows, 0, nil), nil
}

// Reason is why a person decides.
type Reason struct {
	Because   Text `json:"because" minLength:"1"`
	Authority Line `json:"authority" minLength:"1" doc:"A court, a law, the board."`
}

func (a *API) withdraw(ctx context.Context, who *role.Person, in *struct {
	Body struct {
		Named   Line   `json:"named" minLength:"1" doc:"A package id, or a URL pattern as in rules."`
		Package Line   `json:"package,omitempty" doc:"Limits a URL to this package."`
		Access  string `json:"access,omitempty" enum:"blocked,restricted" default:"blocked"`
		Message Text   `json:"message,omitempty" doc:"For the public. Without it, the content is hidden."`
		Until   string `json:"until,omitempty" format:"date" doc:"The last day."`
		Reason
	}
}) (*Answer[Withdrawal], error) {
	b := &in.Body
	c, err := a.desk.Withdraw(ctx, who, withdrawal.Request{Named: string(b.Named),
		Package: string(b.Package), Access: rights.Verdict(b.Access), Message: string(b.Message),
		Because: string(b.Because), Authority: string(b.Authority),
		Until: statements.Day(b.Until)})
	if err != nil {
		return nil, err
	}
	out := withdrawalOf(&c.Withdrawal)
	if left := c.Left; left != nil {
		a.log.WarnContext(ctx, "a search engine still has withdrawn content", "id", out.ID, "job", left.Job, "error",
			left.Err)
		out.Left = &Left{left.Job, "the withdrawal is in force, and Quire shows the content to no reader. Solr did " +
			"not delete it; other programs may find it there until quire withdraw finish " + out.ID + " succeeds"}
	}
	return &Answer[Withdrawal]{out}, nil
}

func (a *API) lift(ctx context.Context, who *role.Person, in *struct {
	ID
	Body Reason
}) (*Answer[Withdrawal], error) {
	c, err := a.desk.Lift(ctx, who, in.ID.ID, rights.Lifting{Because: string(in.Body.Because),
		Authority: string(in.Body.Authority)})
	if err != nil {
		return nil, err
	}
	return &Answer[Withdrawal]{withdrawalOf(&c.Withdrawal)}, nil
}

// Hold forbids the purge of a package.
type Hold struct {
	ID      string `json:"id"`
	Package string `json:"package"`
	Until   string `json:"until,omitempty"`
	InForce bool   `json:"in_force"`
	Set     Act    `json:"set"`
	Lifted  *Act   `json:"lifted,omitempty"`
}

func holdOf(h *disposal.Hold) *Hold {
	return &Hold{h.ID, h.Package, string(h.Until), h.InForce(statements.DayOf(time.Now())), *actOf(&h.Set),
		actOf(h.Lifted)}
}

func actOf(act *disposal.Act) *Act {
	if act == nil {
		return nil
	}
	return &Act{By: act.By, At: act.At, Because: act.Because}
}

func (a *API) listHolds(ctx context.Context, _ *role.Person, _ *struct{}) (*Listed[Hold], error) {
	all, err := a.desk.Store.Holds(ctx)
	if err != nil {
		return nil, err
	}
	var rows []Hold
	for i := range all {
		rows = append(rows, *holdOf(&all[i]))
	}
	return listOf(rows, 0, nil), nil
}

// Why is a reason.
type Why struct {
	Because Text `json:"because" minLength:"1"`
}

func (a *API) hold(ctx context.Context, who *role.Person, in *struct {
	Body struct {
		Package Line   `json:"package" minLength:"1"`
		Until   string `json:"until,omitempty" format:"date" doc:"The last day."`
		Why
	}
}) (*Answer[Hold], error) {
	h, err := a.desk.Hold(ctx, who, string(in.Body.Package), statements.Day(in.Body.Until),
		string(in.Body.Because))
	if err != nil {
		return nil, err
	}
	return &Answer[Hold]{*holdOf(&h)}, nil
}

func (a *API) liftHold(ctx context.Context, who *role.Person, in *struct {
	ID
	Body Why
}) (*Answer[Hold], error) {
	h, err := a.desk.LiftHold(ctx, who, in.ID.ID, string(in.Body.Because))
	if err != nil {
		return nil, err
	}
	return &Answer[Hold]{*holdOf(&h)}, nil
}

// Purge is a request to destroy a package, or its tombstone.
type Purge struct {
	ID         string         `json:"id"`
	Package    string         `json:"package"`
	State      string         `json:"state" enum:"requested,cancelled,purged,readmitted"`
	Versions   int            `json:"versions"`
	Files      int64          `json:"files"`
	Bytes      int64          `json:"bytes"`
	Although   []string       `json:"although,omitempty" doc:"Packages whose revisits lose their payloads."`
	Authority  string         `json:"authority"`
	Requested  Act            `json:"requested"`
	Approved   *Act           `json:"approved,omitempty"`
	Cancelled  *Act           `json:"cancelled,omitempty"`
	Readmitted *Act           `json:"readmitted,omitempty"`
	Pending    []PendingPlace `json:"pending,omitempty" doc:"Places that may still have the package."`
}

// PendingPlace is a place that may still have a purged package.
type PendingPlace struct {
	Place string `json:"place"`
	Why   string `json:"why"`
}

func purgeOf(p *store.PurgeStatus) *Purge {
	out := &Purge{ID: p.ID, Package: p.Package, State: string(p.State), Versions: p.Was.Versions, Files: p.Was.Files,
		Bytes: p.Was.Bytes, Although: p.Although, Authority: p.Authority, Requested: *actOf(&p.Requested),
		Approved: actOf(p.Approved), Cancelled: actOf(p.Cancelled), Readmitted: actOf(p.Again)}
	for _, place := range p.Pending {
		out.Pending = append(out.Pending, PendingPlace{place.Place, place.Why})
	}
	return out
}

func (a *API) listPurges(ctx context.Context, _ *role.Person, _ *struct{}) (*Listed[Purge], error) {
	all, err := a.desk.Store.Purges(ctx)
	if err != nil {
		return nil, err
	}
	var rows []Purge
	for i := range all {
		rows = append(rows, *purgeOf(&all[i]))
	}
	return listOf(rows, 0, nil), nil
}

func (a *API) requestPurge(ctx context.Context, who *role.Person, in *struct {
	Body struct {
		Package  Line     `json:"package" minLength:"1"`
		Although []string `json:"although,omitempty" maxItems:"1000" doc:"Packages whose revisits may lose payloads."`
		Reason
	}
}) (*Answer[Purge], error) {
	p, err := a.desk.RequestPurge(ctx, who, store.PurgeRequest{Package: string(in.Body.Package),
		Although: in.Body.Although, Because: string(in.Body.Because), Authority: string(in.Body.Authority)})
	if err != nil {
		return nil, err
	}
	return &Answer[Purge]{*purgeOf(&store.PurgeStatus{Purge: p, State: p.State()})}, nil
}

func (a *API) approvePurge(ctx context.Context, who *role.Person, in *struct {
	ID
	Body struct {
		Package Line `json:"package" minLength:"1" doc:"The package of the request, against slips."`
	}
}) (*Answer[Purge], error) {
	p, err := a.desk.ApprovePurge(ctx, who, in.ID.ID, string(in.Body.Package))
	if err != nil {
		return nil, err
	}
	return &Answer[Purge]{*purgeOf(&p)}, nil
}

func (a *API) cancelPurge(ctx context.Context, who *role.Person, in *struct {
	ID
	Body Why
}) (*Answer[Purge], error) {
	p, err := a.desk.CancelPurge(ctx, who, in.ID.ID, string(in.Body.Because))
	if err != nil {
		return nil, err
	}
	return &Answer[Purge]{*purgeOf(&store.PurgeStatus{Purge: p, State: p.State()})}, nil
}
