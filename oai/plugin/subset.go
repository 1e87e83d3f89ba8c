package plugin

import "context"

// Only returns an Examiner with the tools of one built-in name, for example only format
// identification. It shares the runner's workers and cache.
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
