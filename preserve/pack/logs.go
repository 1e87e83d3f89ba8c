package pack

import (
	"context"
	"errors"

	"quire/model"
	"quire/preserve/convert"
)

// readLogs reads the logs and the reports of the harvests, each once.
func (b *builder) readLogs(ctx context.Context, plan *convert.Plan) (err error) {
	hosts := newHostCounts(b.temp)
	defer func() { err = errors.Join(err, hosts.close()) }()
	err = b.facts.begin(ctx, plan, func(harvest int, f *model.Fetch) error {
		return errors.Join(b.complete.Fetch(harvest, f), hosts.add(harvest, f))
	})
	if err == nil {
		err = b.facts.readReports(ctx, plan)
	}
	if err != nil {
		return err
	}
	return hosts.tables(b.facts.harvests)
}
