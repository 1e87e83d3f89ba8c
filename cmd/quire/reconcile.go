package main

import (
	"context"
	"errors"
	"strings"

	"quire/internal/jsonline"
	"quire/preserve/reconcile"
)

type reconcileCmd struct {
	Source []string `arg:"" help:"Source: folders, archives, files."`
	Max    int      `default:"10" placeholder:"N" help:"Number of examples for each kind of difference and each reason."`
	Hosts  int      `default:"100" placeholder:"N" help:"Number of hosts to list, the worst first; the others are summed."`
	List   string   `placeholder:"FILE" help:"Write every difference to FILE, one JSON object per line."`
	jsonFlag
}

// Run compares the sources of a harvest.
func (c *reconcileCmd) Run(ctx context.Context, t *terminal) (err error) {
	o := reconcile.Options{Max: c.Max, Hosts: c.Hosts, Progress: t.progress}
	if o.Max == 0 { // 0 means none here, but the default there
		o.Max = -1
	}
	if o.Hosts == 0 {
		o.Hosts = -1
	}
	if c.List != "" {
		file, opened := newResultFile(c.List)
		if opened != nil {
			return opened
		}
		defer func() { err = closed(err, file.closeAfter(err)) }()
		o.List = func(e reconcile.Entry) error { return jsonline.Encode(file, e) }
	}
	if t.watched() {
		if total, err := reconcile.Bytes(ctx, c.Source...); err == nil {
			t.begin("reconciling", total)
		}
	}
	result, err := reconcile.Source(ctx, o, c.Source...)
	t.clear()
	if result == nil {
		return err
	}
	if len(result.Harvests) == 0 && err == nil {
		t.warn("no harvest in " + strings.Join(c.Source, ", ") + " that quire recognises")
		return errContent
	}
	if c.JSON {
		err = errors.Join(err, t.json(result))
	} else {
		err = errors.Join(err, result.Text(t.out))
	}
	if err == nil && result.Outcome != reconcile.Explained {
		err = errContent
	}
	return err
}
