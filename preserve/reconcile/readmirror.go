package reconcile

import (
	"quire/format/warc"
	"quire/model"
	"quire/source"
)

// readMirror treats the files of a mirror as its records.
func (r *run) readMirror() error {
	mirror, ok := r.harvest.(source.Mirror)
	if !ok {
		return nil
	}
	w := &r.out.Witnesses.Records
	for res, err := range mirror.Resources(r.ctx, func(f model.Finding) { r.find(f) }) {
		if err != nil {
			return err
		}
		if res.Body == nil || res.URL == "" {
			continue
		}
		s := sighting{kind: ofRecord, at: millis(res.Time), status: res.Status, container: -1, offset: -1,
			size: res.Size, content: res.Size, stored: -1, what: warc.TypeResource}
		r.spelled(s.set(res.URL))
		w.Records++
		w.ByType[string(res.Grade)]++
		r.span(&container{}, &model.Record{URI: res.URL, Date: res.Time})
		if err := r.see(&s); err != nil {
			return err
		}
	}
	return nil
}
