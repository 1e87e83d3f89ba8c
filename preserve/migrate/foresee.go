package migrate

import (
	"quire/model"
)

// foresee ends a dry run. It reports how many of the chosen bytestreams the migration would try to
// convert, and which are known to fail. A dry run converts nothing. So it cannot recognize
// bytestreams that already have the target format, and includes them in the number.
func (j *job) foresee() error {
	r := &j.result
	for c, err := range j.chosen.All() {
		if err != nil {
			return err
		}
		if _, there := j.converted[digestOf(c.ID)]; there {
			r.left(leftConverted)
			continue
		}
		if c.Why == "" {
			r.Would++
			continue
		}
		r.Failed++
		if len(r.Failures) < MaxFailures {
			r.Failures = append(r.Failures,
				Failure{Container: j.outline.path(c.Container), Record: c.ID, URI: c.URI, Reason: c.Why})
		}
	}
	if r.Would+r.Failed == 0 {
		return j.allLeft()
	}
	j.conclude()
	if r.Failed > 0 && r.Would > 0 {
		r.Outcome = model.Warned
	}
	return nil
}
