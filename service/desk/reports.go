package desk

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"quire/repository/jobs"
	"quire/service/role"
)

// Report is a file that a job made.
type Report struct {
	Name  string
	Bytes int64
	Made  time.Time
}

// reportName is the name of a report, of which nothing leads out of the folder.
var reportName = regexp.MustCompile(`^report-[0-9]{8}-[0-9]{6}-[A-Z0-9]{8}\.(html|pdf|json)$`)

const maxReports = 1000

// MakeReport asks for a report on the repository since a day, and returns its job and its name.
func (d *Desk) MakeReport(ctx context.Context, who *role.Person, form, since string) (jobs.Submitted, string, error) {
	if d.Reports == "" {
		return jobs.Submitted{}, "", refused("the service has no folder for reports; its administrator names one")
	}
	name := fmt.Sprintf("report-%s-%s.%s", time.Now().UTC().Format("20060102-150405"), rand.Text()[:8], form)
	words := []string{"report", "--format=" + form, "--out=" + filepath.Join(d.Reports, name)}
	if since != "" {
		words = append(words, "--since="+since)
	}
	made, err := d.Submit(ctx, Commanded{Words: words, Directory: d.Reports, By: who.Name, Priority: 2, Attempts: 1})
	if err != nil {
		return jobs.Submitted{}, "", decided(err)
	}
	if len(made) != 1 {
		return jobs.Submitted{}, "", fmt.Errorf("%d jobs for a report", len(made))
	}
	return made[0], name, nil
}

// ReportList lists the newest reports.
func (d *Desk) ReportList() ([]Report, error) {
	all := []Report{}
	if d.Reports == "" {
		return all, nil
	}
	entries, err := os.ReadDir(d.Reports)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || !reportName.MatchString(e.Name()) {
			continue
		}
		all = append(all, Report{e.Name(), info.Size(), info.ModTime().UTC()})
	}
	slices.SortFunc(all, func(a, b Report) int { return cmp.Compare(b.Name, a.Name) })
	return all[:min(len(all), maxReports)], nil
}

// ErrNoReport reports that there is no report of a name.
var ErrNoReport = errors.New("no such report")

// OpenReport opens a report. The error is ErrNoReport if there is none of the name.
func (d *Desk) OpenReport(name string) (*os.File, error) {
	if d.Reports == "" || !reportName.MatchString(name) {
		return nil, ErrNoReport
	}
	info, err := os.Lstat(filepath.Join(d.Reports, name))
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return nil, ErrNoReport
	}
	if err != nil {
		return nil, err
	}
	return os.Open(filepath.Join(d.Reports, name))
}
