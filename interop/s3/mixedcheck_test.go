//go:build interop

package s3

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"quire/repository/ocfl"
	"quire/repository/register"
)

// place is a copy, and the folder with its files: versitygw keeps the files of a bucket in a folder.
type copyPlace struct {
	name   string
	folder string
	far    bool
	first  bool // one of the two folders of the beginning
}

// copies lists the copies of the repository.
func (m *mixed) copies() (list []copyPlace) {
	m.t.Helper()
	for line := range strings.Lines(m.output("copy", "list", "--json")) {
		var c struct{ Name, Path string }
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			m.t.Fatalf("%s: %v", line, err)
		}
		p := copyPlace{name: c.Name, folder: c.Path, first: c.Name == "copy-1" || c.Name == "copy-2"}
		if prefix, ok := strings.CutPrefix(c.Path, "s3://"); ok {
			p.folder, p.far = filepath.Join(m.service.folder, "data", prefix), true
		}
		list = append(list, p)
	}
	return list
}

// output runs a command that only reads, and returns its standard output.
func (m *mixed) output(args ...string) string {
	m.t.Helper()
	out, err := m.command(append(args, "--repo", m.repo())...).Output()
	if err != nil {
		m.t.Fatalf("quire %s after %s: %v\n%s", strings.Join(args, " "), m.last, err, out)
	}
	return string(out)
}

// object returns the folder of a package in a copy; "" if it is not there.
func (m *mixed) object(c copyPlace, n int) string {
	m.t.Helper()
	found, err := filepath.Glob(filepath.Join(c.folder, "ocfl", "*", "*", "*", fmt.Sprint("urn%3atest%3a", n)))
	if err != nil || len(found) != 1 {
		return ""
	}
	return found[0]
}

// purgeRequest is a line of quire purge list.
type purgeRequest struct {
	Token, Package, State string
	Pending               []struct{ Place string }
}

func (m *mixed) purges() (list []purgeRequest) {
	m.t.Helper()
	for line := range strings.Lines(m.output("purge", "list", "--json")) {
		var p purgeRequest
		if err := json.Unmarshal([]byte(line), &p); err != nil {
			m.t.Fatalf("%s: %v", line, err)
		}
		list = append(list, p)
	}
	return list
}

// heads returns the newest version of each package.
func (m *mixed) heads() map[string]int {
	m.t.Helper()
	heads := map[string]int{}
	for line := range strings.Lines(m.output("list", "--json")) {
		var e struct {
			ID, Status string
			Head       int
		}
		if json.Unmarshal([]byte(line), &e) == nil && e.ID != "" && e.Status != "purged" {
			heads[e.ID] = e.Head
		}
	}
	return heads
}

// auditFinding is a finding of an audit.
type auditFinding struct{ Code, Copy, Package, Found, Detail string }

// audit audits all copies, and returns the findings.
func (m *mixed) audit(args ...string) []auditFinding {
	m.t.Helper()
	cmd := m.command(append(append([]string{"audit", "--json"}, args...), "--repo", m.repo())...)
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	var report struct {
		Run      string
		Findings []auditFinding
	}
	line, _, _ := strings.Cut(string(out), "\n")
	if json.Unmarshal([]byte(line), &report) != nil || report.Run == "" {
		m.t.Fatalf("after %s, the audit ends with %v: %s %s", m.last, err, out, errs.String())
	}
	if (err == nil) != (len(report.Findings) == 0) && len(args) == 0 {
		m.t.Errorf("after %s, the audit has %d findings, and ends with %v", m.last, len(report.Findings), err)
	}
	if err != nil && len(args) > 0 {
		m.t.Errorf("after %s, the repair ends with %v: %s %s", m.last, err, out, errs.String())
	}
	return report.Findings
}

// check compares the repository with everything that was acknowledged. It repairs damage, and then nothing is left.
func (m *mixed) check() {
	m.t.Helper()
	m.known()
	places := map[string]copyPlace{}
	for _, c := range m.copies() {
		places[c.name] = c
	}
	m.listed(places)
	findings := m.audit()
	for _, f := range findings {
		m.found[f.Code]++
		if !m.expected(f, places[f.Copy]) {
			m.t.Errorf("after %s: %+v", m.last, f)
		}
	}
	m.known()
	if len(findings) > 0 {
		m.audit("--repair")
		if left := m.audit(); len(left) > 0 {
			m.t.Errorf("after %s and a repair: %+v", m.last, left)
		}
	}
	clear(m.harmed)
	m.settled()
	m.content()
}

// listed checks that each acknowledged package is in a copy, or that the copy is listed as owed the package.
func (m *mixed) listed(places map[string]copyPlace) {
	m.t.Helper()
	owed := map[string]bool{}
	for line := range strings.Lines(m.output("list", "--owed", "--json")) {
		var d struct{ Package, Copy string }
		if json.Unmarshal([]byte(line), &d) == nil {
			owed[d.Package+" "+d.Copy] = true
		}
	}
	purged := m.purged()
	for n, h := range m.held {
		for name, c := range places {
			if h.version > 0 && !purged[n] && m.object(c, n) == "" && !owed[identifier(n)+" "+name] &&
				!m.harmed[identifier(n)+" "+name] {
				m.t.Errorf("after %s, %s has no %s, and is not listed", m.last, name, identifier(n))
			}
		}
	}
}

// expected reports whether a finding is no loss: the test made the damage, or the copy is owed the package.
func (m *mixed) expected(f auditFinding, c copyPlace) bool {
	if m.harmed[f.Package+" "+f.Copy] {
		return true
	}
	if f.Code != "OBJECT-MISSING" && f.Code != "OBJECT-OLDER" || c.first {
		return false
	}
	var n, there int
	_, _ = fmt.Sscanf(f.Package, "urn:test:%d", &n) // else a document of the repository
	_, _ = fmt.Sscanf(f.Found, "v%d", &there)       // else the copy has none
	h := m.held[n]
	return h == nil || !h.copies[c.name] || there >= h.version
}

// known checks that each acknowledged version is listed, unless the package is purged.
func (m *mixed) known() {
	m.t.Helper()
	heads, purged := m.heads(), m.purged()
	for n, h := range m.held {
		head, there := heads[identifier(n)]
		if !purged[n] && head < h.version {
			m.t.Errorf("after %s, %s has version %d, and %d was acknowledged", m.last, identifier(n), head, h.version)
		}
		if purged[n] && there {
			m.t.Errorf("after %s, %s is purged, and listed", m.last, identifier(n))
		}
	}
}

// purged returns the packages that are purged.
func (m *mixed) purged() map[int]bool {
	m.t.Helper()
	purged := map[int]bool{}
	for _, p := range m.purges() {
		var n int
		if _, err := fmt.Sscanf(p.Package, "urn:test:%d", &n); err != nil {
			m.t.Fatal(err)
		}
		if p.State == "purged" {
			purged[n] = true
		}
	}
	return purged
}

// settled checks that no change is under way, and that purges are complete. It removes purged packages from held.
func (m *mixed) settled() {
	m.t.Helper()
	folders := []string{filepath.Join(m.folder, m.repo(), "journal")}
	copies := m.copies()
	for _, c := range copies {
		if !c.far {
			folders = append(folders, filepath.Join(c.folder, "staging"))
		}
	}
	for _, folder := range folders {
		if entries, err := os.ReadDir(folder); err != nil || len(entries) > 0 {
			m.t.Errorf("after %s, %s has %v, %v", m.last, folder, entries, err)
		}
	}
	m.must("purge", "finish", "--repo", m.repo())
	for _, p := range m.purges() {
		if p.State == "purged" && len(p.Pending) > 0 {
			m.t.Errorf("after %s, the purge of %s is pending: %+v", m.last, p.Package, p.Pending)
		}
	}
	for n := range m.purged() {
		delete(m.held, n)
		m.gone(n, copies)
	}
}

// gone checks that no copy has a file of a purged package.
func (m *mixed) gone(n int, copies []copyPlace) {
	m.t.Helper()
	name := string(filepath.Separator) + fmt.Sprint("urn%3atest%3a", n) + string(filepath.Separator)
	for _, c := range copies {
		err := filepath.WalkDir(c.folder, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && strings.Contains(path, name) {
				err = fmt.Errorf("there is still %s", path)
			}
			return err
		})
		if err != nil {
			m.t.Errorf("after %s, %s is purged: %v", m.last, identifier(n), err)
		}
	}
}

// content compares the container of each package in each copy with the one that was packed.
func (m *mixed) content() {
	m.t.Helper()
	heads := m.heads()
	copies := m.copies()
	for n, h := range m.held {
		head, there := heads[identifier(n)]
		if !there {
			continue // it was never acknowledged
		}
		want, err := os.ReadFile(filepath.Join(m.folder, fmt.Sprint("package-", n), "containers", "a.warc"))
		if err != nil {
			m.t.Fatal(err)
		}
		h.version, h.copies = head, map[string]bool{}
		for _, c := range copies {
			got, err := os.ReadFile(filepath.Join(m.object(c, n), "v1", "content", "containers", "a.warc"))
			if err != nil || !bytes.Equal(got, want) {
				m.t.Errorf("after %s, %s has another container of %s: %v", m.last, c.name, identifier(n), err)
			}
			h.copies[c.name] = true
		}
	}
}

// valid validates each copy as an OCFL storage root, and each register.
func (m *mixed) valid() {
	m.t.Helper()
	ctx := context.Background()
	repo := filepath.Join(m.folder, m.repo())
	key, err := register.PublicKey(filepath.Join(repo, "register.key"))
	if err != nil {
		m.t.Fatal(err)
	}
	registers := []string{filepath.Join(repo, "register")}
	for _, c := range m.copies() {
		registers = append(registers, filepath.Join(c.folder, "register"))
		root, err := ocfl.ValidateRoot(ctx, os.DirFS(filepath.Join(c.folder, "ocfl")), ocfl.Options{
			Object: func(r *ocfl.Result) {
				if len(r.Errors) > 0 {
					m.t.Errorf("after %s, %s in %s: %v", m.last, r.ID, c.name, r.Errors)
				}
			}})
		if err != nil || len(root.Errors) > 0 {
			m.t.Errorf("after %s, %s: %v, %v", m.last, c.name, root.Errors, err)
		}
	}
	var size int64
	for i, folder := range registers {
		report, err := register.Verify(ctx, folder, register.VerifyOptions{Keys: []string{key}})
		if err != nil || !report.OK() || i > 0 && report.Head.Size != size {
			m.t.Errorf("after %s, %s has %d leaves: %v, %v", m.last, folder, report.Head.Size, report.Findings, err)
		}
		if i == 0 {
			size = report.Head.Size
		}
	}
}

// end builds the catalogue again from the copies. It is the same as before.
func (m *mixed) end() {
	m.t.Helper()
	if m.generation == 0 {
		return
	}
	m.valid()
	before := m.heads()
	files, err := filepath.Glob(filepath.Join(m.folder, m.repo(), "catalogue.db*"))
	if err != nil || len(files) == 0 {
		m.t.Fatalf("the catalogue: %v", err)
	}
	for _, name := range files {
		if err := os.Remove(name); err != nil {
			m.t.Fatal(err)
		}
	}
	m.last = "init rebuild"
	m.must("init", "rebuild", m.repo())
	after := m.heads()
	if !slices.Equal(lines(before), lines(after)) {
		m.t.Errorf("the catalogue had %v, and has %v", before, after)
	}
	m.check()
	for _, name := range append(files, m.repo(), m.place("one"), m.place("two")) {
		_ = os.RemoveAll(filepath.Join(m.folder, filepath.Base(name))) // the next repository has other names
	}
}

func lines(heads map[string]int) (list []string) {
	for id, head := range heads {
		list = append(list, fmt.Sprint(id, " ", head))
	}
	slices.Sort(list)
	return list
}
