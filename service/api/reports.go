package api

import (
	"context"
	"errors"
	"io"
	"net/http"
	"path/filepath"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"quire/service/role"
)

func (a *API) reports() {
	add(a, call{"reports-list", http.MethodGet, "/reports", 200, "reports"}, a.listReports)
	add(a, call{"report-make", http.MethodPost, "/reports", 201, "reports"}, a.makeReport)
	add(a, call{"report-get", http.MethodGet, "/reports/{name}", 200, "reports"}, a.getReport)
}

// Report is a report on the repository.
type Report struct {
	Name  string    `json:"name"`
	Bytes int64     `json:"bytes"`
	Made  time.Time `json:"made"`
}

func (a *API) listReports(context.Context, *role.Person, *struct{}) (*Listed[Report], error) {
	all, err := a.desk.ReportList()
	if err != nil {
		return nil, err
	}
	var rows []Report
	for _, r := range all {
		rows = append(rows, Report(r))
	}
	return listOf(rows, 0, nil), nil
}

// ReportJob is the job that makes a report.
type ReportJob struct {
	Job  int64  `json:"job"`
	Name string `json:"name" doc:"Of the report, once the job is done."`
}

func (a *API) makeReport(ctx context.Context, who *role.Person, in *struct {
	Body struct {
		Format string `json:"format,omitempty" enum:"html,pdf,json" default:"html"`
		Since  string `json:"since,omitempty" format:"date" doc:"The first day. Default: a year ago."`
	}
}) (*Answer[ReportJob], error) {
	made, name, err := a.desk.MakeReport(ctx, who, in.Body.Format, in.Body.Since)
	if err != nil {
		return nil, err
	}
	return &Answer[ReportJob]{ReportJob{made.Job, name}}, nil
}

var reportTypes = map[string]string{".html": "text/html; charset=utf-8", ".pdf": "application/pdf",
	".json": "application/json"}

func (a *API) getReport(_ context.Context, _ *role.Person, in *struct {
	Name string `path:"name" maxLength:"100"`
}) (*huma.StreamResponse, error) {
	f, err := a.desk.OpenReport(in.Name)
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(ctx huma.Context) {
		ctx.SetHeader("Content-Type", reportTypes[filepath.Ext(in.Name)])
		ctx.SetHeader("Content-Disposition", `attachment; filename="`+in.Name+`"`)
		ctx.SetHeader("Content-Security-Policy",
			"sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:")
		_, err := io.Copy(ctx.BodyWriter(), f)
		if err = errors.Join(err, f.Close()); err != nil && ctx.Context().Err() == nil {
			a.log.Error("report cut off", "name", in.Name, "error", err)
		}
	}}, nil
}
