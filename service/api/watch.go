package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"quire/holdings/numbers"
	"quire/preserve/report"
	"quire/repository/store"
	"quire/service/role"
)

func (a *API) watch() {
	add(a, call{"copies-list", http.MethodGet, "/copies", 200, "watching"}, a.listCopies)
	add(a, call{"audits-list", http.MethodGet, "/audits", 200, "watching"}, a.listAudits)
	add(a, call{"audits-due", http.MethodGet, "/audits/due", 200, "watching"}, a.dueAudits)
	add(a, call{"incidents-list", http.MethodGet, "/incidents", 200, "watching"}, a.listIncidents)
	add(a, call{"statistics", http.MethodGet, "/statistics", 200, "watching"}, a.statistics)
}

// RepositoryCopy is a copy of the repository.
type RepositoryCopy struct {
	Name     string    `json:"name"`
	Kind     string    `json:"kind" doc:"folder, bucket or mount."`
	State    string    `json:"state"`
	Detail   string    `json:"detail,omitempty"`
	Packages int64     `json:"packages"`
	Good     int64     `json:"good"`
	Listed   int64     `json:"listed"`
	Damaged  int64     `json:"damaged"`
	Missing  int64     `json:"missing"`
	Owed     int64     `json:"owed"`
	Bytes    int64     `json:"bytes"`
	Free     int64     `json:"free" doc:"Bytes; 0 if unknown."`
	Oldest   time.Time `json:"oldest,omitzero" doc:"The reading of a good package that is longest ago."`
}

func (a *API) listCopies(ctx context.Context, _ *role.Person, _ *struct{}) (*Listed[RepositoryCopy], error) {
	all, err := a.desk.Store.ListCopies(ctx)
	if err != nil {
		return nil, err
	}
	var rows []RepositoryCopy
	for _, c := range all {
		rows = append(rows, RepositoryCopy{c.Name, c.Kind, c.State, c.Detail, c.Packages, c.Good, c.Listed, c.Damaged,
			c.Missing, c.Owed, c.Bytes, c.Free, c.Oldest})
	}
	return listOf(rows, 0, nil), nil
}

// Limit bounds a list.
type Limit struct {
	Limit int `query:"limit" minimum:"1" maximum:"1000" default:"100"`
}

// Audit is an audit.
type Audit struct {
	Run      string      `json:"run"`
	Kind     string      `json:"kind"`
	Started  time.Time   `json:"started"`
	Finished time.Time   `json:"finished,omitzero"`
	Ended    string      `json:"ended,omitempty" doc:"complete, or the reason for an early end."`
	Whole    bool        `json:"whole" doc:"Whether every copy was read."`
	Chosen   int64       `json:"chosen"`
	Done     int64       `json:"done"`
	Copies   []AuditCopy `json:"copies"`
}

// AuditCopy is the part of an audit in a copy.
type AuditCopy struct {
	Copy     string `json:"copy"`
	Packages int64  `json:"packages"`
	Files    int64  `json:"files"`
	Bytes    int64  `json:"bytes"`
	Problems int64  `json:"problems"`
}

func (a *API) listAudits(ctx context.Context, _ *role.Person, in *Limit) (*Listed[Audit], error) {
	all, err := a.desk.Audits(ctx, in.Limit)
	if err != nil {
		return nil, err
	}
	var rows []Audit
	for _, r := range all {
		row := Audit{r.Run.Run, string(r.Kind), r.Started, r.Finished, r.Ended, r.Whole, r.Chosen, r.Done,
			[]AuditCopy{}}
		for _, c := range r.Copies {
			row.Copies = append(row.Copies, AuditCopy{c.Copy, c.Objects, c.Files, c.Bytes, c.Problems})
		}
		rows = append(rows, row)
	}
	return listOf(rows, 0, nil), nil
}

// DueAudit is an entry of the schedule of audits.
type DueAudit struct {
	Entry   string    `json:"entry"`
	Last    time.Time `json:"last,omitzero"`
	Due     time.Time `json:"due"`
	IsDue   bool      `json:"is_due"`
	Overdue int64     `json:"overdue_seconds"`
}

func dueOf(d *store.DueAudit) DueAudit {
	return DueAudit{d.Entry, d.Last, d.Due, d.Is, int64(time.Duration(d.Over) / time.Second)}
}

func (a *API) dueAudits(ctx context.Context, _ *role.Person, _ *struct{}) (*Listed[DueAudit], error) {
	all, err := a.desk.Store.DueAudits(ctx)
	if err != nil {
		return nil, err
	}
	var rows []DueAudit
	for i := range all {
		rows = append(rows, dueOf(&all[i]))
	}
	return listOf(rows, 0, nil), nil
}

// Incidents are damage and losses.
type Incidents struct {
	Total    int64      `json:"total"`
	Repaired int64      `json:"repaired"`
	Open     int64      `json:"open"`
	Items    []Incident `json:"items"`
}

// Incident is a damage or a loss in a copy.
type Incident struct {
	Package  string    `json:"package"`
	Copy     string    `json:"copy"`
	Time     time.Time `json:"time"`
	Detail   string    `json:"detail"`
	Repaired time.Time `json:"repaired,omitzero"`
	State    string    `json:"state" doc:"Of the copy, as last known."`
}

// Since chooses incidents.
type Since struct {
	Limit
	Since time.Time `query:"since" doc:"Those without a repair are there whatever their time."`
}

// Resolve implements huma.Resolver: an empty value is no time.
func (*Since) Resolve(ctx huma.Context) []error {
	u := ctx.URL()
	if q := u.Query(); q.Has("since") && q.Get("since") == "" {
		return []error{&huma.ErrorDetail{Message: "expected a time", Location: "query.since"}}
	}
	return nil
}

func (a *API) listIncidents(ctx context.Context, _ *role.Person, in *Since) (*Answer[Incidents], error) {
	all, sum, err := a.desk.Incidents(ctx, in.Since, in.Limit.Limit)
	if err != nil {
		return nil, err
	}
	out := Incidents{sum.Total, sum.Repaired, sum.Open, []Incident{}}
	for _, i := range all {
		out.Items = append(out.Items, Incident{i.Package, i.Copy, i.Time, i.Detail, i.Repaired, string(i.Now)})
	}
	return &Answer[Incidents]{out}, nil
}

// Statistics are numbers by a criterion.
type Statistics struct {
	By         string `json:"by"`
	Packages   int64  `json:"packages"`
	Uncounted  int64  `json:"uncounted" doc:"Packages that are not counted yet: quire stats --count counts them."`
	Containers int64  `json:"containers"`
	// Unlisted and Unidentified are of tables by language and by format.
	Unlisted     int64 `json:"without_languages,omitempty" doc:"Containers whose METS states no languages."`
	Unidentified int64 `json:"unidentified,omitempty" doc:"Containers whose formats are not known."`
	Rows         []Row `json:"rows"`
	Other        *Row  `json:"other,omitempty" doc:"The names beyond the limit."`
}

// Row is one name with its numbers.
type Row struct {
	Name       string `json:"name"`
	Version    string `json:"version,omitempty"`
	PUID       string `json:"puid,omitempty"`
	Count      int64  `json:"count"`
	Bytes      int64  `json:"bytes"`
	Containers int64  `json:"containers"`
	Packages   int64  `json:"packages"`
}

func rowOf(r *report.Row) Row {
	return Row{r.Name, r.Version, r.PUID, r.Count, r.Bytes, r.Containers, r.Packages}
}

func (a *API) statistics(ctx context.Context, _ *role.Person, in *struct {
	By         By     `query:"by" default:"host"`
	Collection string `query:"collection" minLength:"1" maxLength:"1000"`
	Package    string `query:"package" minLength:"1" maxLength:"1000"`
	Harvest    int    `query:"harvest" minimum:"1" maximum:"1000000"`
	Container  string `query:"container" minLength:"1" maxLength:"4000" doc:"Its path in the package."`
	From       int    `query:"from" minimum:"1" maximum:"9999" doc:"The first year."`
	To         int    `query:"to" minimum:"1" maximum:"9999" doc:"The last year."`
	Limit      int    `query:"limit" minimum:"1" maximum:"1000" default:"100"`
}) (*Answer[Statistics], error) {
	t, err := a.desk.Numbers(ctx, numbers.Query{By: report.By(in.By), Collection: in.Collection, Package: in.Package,
		Harvest: in.Harvest, Container: in.Container, From: in.From, To: in.To, Top: in.Limit})
	if err != nil {
		return nil, err
	}
	out := Statistics{By: string(in.By), Packages: t.Scope.Packages, Uncounted: t.Scope.Uncounted,
		Containers: t.Containers, Unlisted: t.Scope.Unlisted, Unidentified: t.Scope.Unidentified, Rows: []Row{}}
	for i := range t.Rows {
		out.Rows = append(out.Rows, rowOf(&t.Rows[i]))
	}
	if t.Other != nil {
		other := rowOf(t.Other)
		out.Other = &other
	}
	return &Answer[Statistics]{out}, nil
}
