package main

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"text/template"
	"time"
)

//go:embed performance-store.md.tmpl
var page string

// write fills in the page.
func (m *measurement) write(out string) error {
	t, err := template.New("page").Funcs(template.FuncMap{
		"mb":   func(n int64) string { return fmt.Sprintf("%.0f MB", float64(n)/1e6) },
		"ms":   func(d time.Duration) string { return fmt.Sprintf("%.0f ms", float64(d.Microseconds())/1000) },
		"s":    func(d time.Duration) string { return fmt.Sprintf("%.1f s", d.Seconds()) },
		"rate": func(s step) string { return fmt.Sprintf("%.0f", s.Rate(m.Packages/10)) },
		"goal": func(met bool) string {
			if met {
				return "met"
			}
			return "**missed**"
		},
	}).Parse(page)
	if err != nil {
		return err
	}
	f, err := os.Create(filepath.Clean(out))
	if err != nil {
		return err
	}
	return errors.Join(t.Execute(f, m), f.Close())
}

// Slower is the processor time of the last tenth over that of the first.
func (m *measurement) Slower() float64 {
	return m.Steps[len(m.Steps)-1].CPU.Seconds() / m.Steps[0].CPU.Seconds()
}

// Ratio is the refill over the copy by hand, in processor time.
func (m *measurement) Ratio() float64 { return m.Refill.CPU.Seconds() / m.Copy.CPU.Seconds() }
