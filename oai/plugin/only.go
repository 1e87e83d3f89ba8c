package plugin

import "context"

// Only gives the tools of a runner that are built in under a name, for who wants to know one thing:
// the format, say. They share the runner's workers, and what it has learnt.
func (r *Runner) Only(builtin string) Examiner { return only{r, builtin} }

type only struct {
	runner  *Runner
	builtin string
}

// Run implements Examiner.
func (o only) Run(ctx context.Context, c *Content) ([]Result, error) {
	var all []Result
	for _, e := range o.runner.tools {
		if e.config.Builtin != o.builtin || !matches(e.patterns, c.MIMEType) {
			continue
		}
		said, err := o.runner.one(ctx, e, c)
		if err != nil {
			return nil, err
		}
		all = append(all, said)
	}
	return all, nil
}
